use bt_core::prelude::*;

struct Land;

#[derive(Agent, Default)]
struct Thing;

#[derive(Agent, Default)]
#[agent(world = Land)]
struct Actor {
    #[agent(base)]
    thing: Thing,
}

#[derive(Agent, Default)]
#[agent(world = Land)]
struct Monster {
    #[agent(base)]
    actor: Actor,
}

#[derive(Agent, Default)]
#[agent(world = Land)]
struct Boss {
    #[agent(base)]
    monster: Monster,
}

#[agent]
impl Thing {
    #[action]
    fn look(&self) {}
}

#[agent]
impl Actor {
    #[action]
    fn dig(&mut self, #[world] _land: &mut Land) {}
}

fn main() {
    let mut session = Session::new(0);
    let registry = Registry::global().unwrap();
    for name in ["look", "dig", "nop"] {
        let args = serde_json::json!([]);
        let done = registry.invoke(&mut Boss::default(), &mut Land, &mut session.context(), name, &args);
        assert_eq!(done.unwrap(), Outcome::Done(true));
    }
}
