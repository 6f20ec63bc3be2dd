//! The code of the book's page on Bevy, with stand-ins for the parts of Bevy that these tests do without.

#![allow(dead_code, reason = "it is compiled, and not run")]

/// The names of Bevy that the page uses.
mod bevy {
    pub(super) mod ecs {
        pub(crate) mod system {
            pub(crate) use bevy_ecs::system::SystemParam;
        }
    }

    pub(super) mod prelude {
        pub(crate) use bevy_app::prelude::*;
        pub(crate) use bevy_asset::AssetServer;
        pub(crate) use bevy_ecs::prelude::*;
        pub(crate) use bevy_time::Time;
        pub(crate) use tracing::info;

        pub(crate) struct DefaultPlugins;

        impl Plugin for DefaultPlugins {
            fn build(&self, _: &mut App) {}
        }

        #[derive(Clone, Copy, Default)]
        pub(crate) struct Vec2(pub(crate) f32, pub(crate) f32);

        impl Vec2 {
            pub(crate) fn distance(self, other: Vec2) -> f32 {
                (self.0 - other.0).hypot(self.1 - other.1)
            }

            pub(crate) fn move_towards(self, to: Vec2, most: f32) -> Vec2 {
                let share = (most / self.distance(to)).min(1.0);
                Vec2(
                    self.0 + (to.0 - self.0) * share,
                    self.1 + (to.1 - self.1) * share,
                )
            }
        }

        impl From<[f32; 2]> for Vec2 {
            fn from([x, y]: [f32; 2]) -> Vec2 {
                Vec2(x, y)
            }
        }
    }
}

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bt_bevy::prelude::*;
use bt_bevy::{BtPortPlugin, Vec2Arg};
use bt_core::Completion;

#[derive(Component, Default)]
struct Place(Vec2);

#[derive(Component)]
struct Player;

#[derive(SystemParam)]
struct Level<'w, 's> {
    players: Query<'w, 's, &'static Place, With<Player>>,
    places: Query<'w, 's, &'static Place>,
    commands: Commands<'w, 's>,
}

/// Watches a door.
#[derive(Component, Agent, Default)]
#[agent(world = Ecs<Level<'w, 's>>)]
struct Sentry;

#[agent]
impl Sentry {
    /// Is a player this near?
    #[condition]
    fn sees(&self, #[world] level: &mut Ecs<Level>, #[arg(unit = "m")] range: f32) -> bool {
        let Ok(Place(me)) = level.places.get(level.entity()) else {
            return false;
        };
        let mut players = level.players.iter();
        players.any(|Place(player)| player.distance(*me) < range)
    }

    /// Shout.
    #[action]
    fn shout(&mut self, text: String) {
        info!("{text}");
    }

    /// Walk to a place.
    #[action(exit = "stand")]
    fn walk_to(
        &mut self,
        cx: &mut Context,
        #[world] level: &mut Ecs<Level>,
        to: Vec2Arg,
    ) -> Option<bool> {
        let me = level.entity();
        let to = Vec2::from(to.to_array());
        let done = cx.completion();
        level.commands.entity(me).insert(WalkTo { to, done });
        None
    }

    fn stand(&mut self, _: &mut Context, #[world] level: &mut Ecs<Level>, _: Exit) {
        let me = level.entity();
        level.commands.entity(me).try_remove::<WalkTo>();
    }
}

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins,
            BtPlugin::default(),
            BtPortPlugin::new("door"),
        ))
        .add_agent::<Sentry>()
        .add_systems(Startup, spawn)
        .add_systems(Update, walk)
        .run();
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    let tree = BehaviorTree(assets.load("trees/door.bt"));
    commands.spawn((Sentry, tree, Place::default()));
}

/// Moves whoever walks, and finishes the walk.
#[derive(Component)]
struct WalkTo {
    to: Vec2,
    done: Completion,
}

fn walk(mut walkers: Query<(&WalkTo, &mut Place)>, time: Res<Time>) {
    for (walk, mut place) in &mut walkers {
        place.0 = place.0.move_towards(walk.to, 2.0 * time.delta_secs());
        if place.0.distance(walk.to) < 0.1 {
            walk.done.finish(true);
        }
    }
}
