//! A day: an app that runs it, the market, the sun and the thief.

use std::fmt::Write;
use std::time::Duration;

use bevy_app::{App, AppExit, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Handle};
use bevy_ecs::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bt_bevy::prelude::*;

use crate::agents::{Guard, Queue, Villager};

const VILLAGERS: u32 = 200;
const GUARDS: u32 = 12;
/// A day has 24 hours of ten seconds.
const HOUR: Duration = Duration::from_secs(10);

/// The events of the day, a line each.
#[derive(Resource, Default)]
pub struct Diary {
    now: Duration,
    text: String,
}

impl Diary {
    pub(crate) fn write(&mut self, line: &str) {
        let minutes = self.now.as_millis() * 60 / HOUR.as_millis();
        writeln!(self.text, "{:02}:{:02} {line}", minutes / 60, minutes % 60)
            .expect("a text takes everything");
    }

    /// The lines.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The trees, which are loaded before anybody is there: so all begin in the same frame, in the order of their spawning.
#[derive(Resource)]
struct TreeFiles {
    villager: Handle<TreeFile>,
    guard: Handle<TreeFile>,
}

/// A guard's post, from 0 to 11 around the village; and whether the thief is seen from there.
#[derive(Component)]
struct Post(u32);

#[derive(Component, PartialEq)]
struct SeesThief(bool);

/// The village from midnight to midnight, on files in a folder.
pub fn village(assets: &str) -> App {
    let mut app = App::new();
    let files = AssetPlugin {
        file_path: assets.to_owned(),
        ..AssetPlugin::default()
    };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, files));
    app.add_plugins(BtPlugin::in_schedule(Update));
    app.add_agent::<Villager>().add_agent::<Guard>();
    app.add_key::<Guard, SeesThief, bool>("sees_thief", |sees| sees.0);
    app.init_resource::<Diary>().init_resource::<Queue>();
    // Frames are as long as the day needs, however long they take; the first waits for the files.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.add_systems(Startup, load);
    app.add_systems(
        Update,
        (
            populate.run_if(resource_exists::<TreeFiles>),
            shine,
            sell,
            sneak,
            end,
        )
            .chain()
            .before(BtSystems::All),
    );
    app
}

fn load(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(TreeFiles {
        villager: assets.load("trees/villager.bt"),
        guard: assets.load("trees/guard.bt"),
    });
}

/// Everybody is there when the trees are.
fn populate(mut commands: Commands, files: Res<TreeFiles>, assets: Res<AssetServer>) {
    let is_loaded = |file: &Handle<TreeFile>| assets.is_loaded_with_dependencies(file);
    if !is_loaded(&files.villager) || !is_loaded(&files.guard) {
        return;
    }
    for number in 1..=VILLAGERS {
        let tree = BehaviorTree(files.villager.clone());
        commands.spawn((
            Villager::default(),
            tree,
            Name::new(format!("villager {number}")),
        ));
    }
    for number in 0..GUARDS {
        let tree = BehaviorTree(files.guard.clone());
        let post = (Post(number), SeesThief(false));
        commands.spawn((
            Guard,
            tree,
            post,
            Name::new(format!("Guard {}", number + 1)),
        ));
    }
    commands.remove_resource::<TreeFiles>();
    commands.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
        100,
    )));
}

/// The sun rises at six and sets at twenty; the diary counts at each hour.
fn shine(
    clock: Res<BtClock>,
    mut diary: ResMut<Diary>,
    villagers: Query<(Entity, &Villager)>,
    mut commands: Commands,
) {
    let before = diary.now.as_millis() / HOUR.as_millis();
    diary.now = clock.now();
    let hour = diary.now.as_millis() / HOUR.as_millis();
    if hour == before {
        return;
    }
    let asleep = villagers
        .iter()
        .filter(|(_, villager)| villager.is_asleep)
        .count();
    let loaves: u32 = villagers.iter().map(|(_, villager)| villager.loaves).sum();
    diary.write(&format!(
        "{asleep} villagers sleep, {loaves} loaves are eaten."
    ));
    let event = match hour {
        6 => Villager::daybreak(),
        20 => Villager::nightfall(),
        _ => return,
    };
    for (villager, _) in &villagers {
        commands.entity(villager).fire(event.clone());
    }
}

/// The market sells two loaves in each frame of the day.
fn sell(mut queue: ResMut<Queue>, clock: Res<BtClock>) {
    let hour = clock.now().as_millis() / HOUR.as_millis();
    if (7..20).contains(&hour) {
        let count = queue.0.len().min(2);
        queue
            .0
            .drain(..count)
            .for_each(|bread| _ = bread.finish(true));
    }
}

/// From 22 o'clock the thief sneaks around the village, a post every five minutes, until a guard has him.
fn sneak(
    clock: Res<BtClock>,
    mut posts: Query<(Entity, &Post, &mut SeesThief)>,
    mut commands: Commands,
    mut caught: Local<bool>,
) {
    let Some(since) = clock.now().checked_sub(HOUR * 22) else {
        return;
    };
    let post = since.as_secs_f64() / (HOUR.as_secs_f64() / 12.0);
    for (guard, own, mut sees) in &mut posts {
        let is_near = !*caught && (post - f64::from(own.0)).abs() < 0.4;
        sees.set_if_neq(SeesThief(is_near));
        if is_near && own.0 == 7 {
            *caught = true;
            commands.entity(guard).fire(Guard::caught());
        }
    }
}

/// The day is over.
fn end(clock: Res<BtClock>, mut exits: MessageWriter<AppExit>) {
    if clock.now() >= HOUR * 24 {
        exits.write(AppExit::Success);
    }
}
