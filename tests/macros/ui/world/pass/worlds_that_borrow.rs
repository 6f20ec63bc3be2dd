#![deny(warnings)]
use bt_core::prelude::*;

struct Level {
    size: u32,
}

struct Commands<'w, 's> {
    level: &'w Level,
    names: &'s mut Vec<String>,
}

#[derive(Agent)]
#[agent(world = &'w Level)]
struct Watcher;

#[derive(Agent)]
#[agent(world = Commands<'a, 'b>)]
struct Actor;

#[derive(Agent)]
#[agent(world = Commands<'x, 'y>)]
struct Monster {
    #[agent(base)]
    actor: Actor,
}

#[derive(Agent)]
#[agent(world = Box<dyn Fn(&u32) -> u32>)]
struct Npc;

#[derive(Agent)]
#[agent(world = (&'static str, [u8; 2]))]
struct Statue;

#[agent]
impl Watcher {
    #[condition]
    fn sees(&self, #[world] level: &&Level) -> bool {
        level.size > 7
    }

    #[action]
    fn look<'x>(&self, #[world] level: &mut &'x Level) -> bool {
        level.size > 7
    }
}

#[agent]
impl Actor {
    #[action]
    fn shout(&mut self, words: &str, #[world] world: &mut Commands) {
        world.names.push(words.to_owned());
    }
}

#[agent]
impl Monster {
    #[action(exit = "left")]
    fn climb(&mut self, #[world] world: &Commands<'_, '_>, cx: &mut Context) -> Option<bool> {
        let _ = (&self.actor, cx.now());
        Some(world.level.size > 7)
    }

    fn left(&mut self, _cx: &mut Context, #[world] world: &mut Commands, _exit: Exit) {
        world.names.clear();
    }

    #[property]
    fn size(&self, #[world] world: &Commands) -> u32 {
        world.level.size
    }

    #[property(set)]
    fn set_name(&mut self, #[world] world: &mut Commands, name: String) {
        world.names.push(name);
    }

    #[property]
    fn name(&self) -> &str {
        "x"
    }

    #[decorator]
    fn if_big(&mut self, #[world] world: &mut Commands, _ended: Option<bool>) -> Next {
        if world.level.size > 7 { Next::Run } else { Next::Fail }
    }
}

#[agent]
impl Npc {
    #[action]
    fn ask(#[world] world: &Box<dyn Fn(&u32) -> u32>) -> bool {
        world(&7) > 7
    }
}

fn main() {
    let level = Level { size: 9 };
    let mut names = Vec::new();
    let mut session = Session::new(0);
    let registry = Registry::global().unwrap();
    let mut world = Commands { level: &level, names: &mut names };
    let mut monster = Monster { actor: Actor };
    let mut invoke = |name, args| {
        let cx = &mut session.context();
        registry.invoke(&mut monster, &mut world, cx, name, &args).unwrap()
    };
    assert_eq!(invoke("shout", serde_json::json!(["hey"])), Outcome::Done(true));
    assert_eq!(invoke("climb", serde_json::json!([])), Outcome::Done(true));
    assert_eq!(names, ["hey"]);
}
