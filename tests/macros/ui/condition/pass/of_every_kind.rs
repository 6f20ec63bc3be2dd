use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster;

type Yes = bool;

#[agent]
impl Monster {
    #[condition]
    fn a(&self) -> bool {
        true
    }
    #[condition]
    fn b() -> Yes {
        true
    }
    #[condition(name = "c?")]
    fn c(&self, #[world] world: &Vec<u8>, at: &str, cx: &Context, more: Option<u8>) -> bool {
        world.is_empty() && at.is_empty() && cx.now().is_zero() && more.is_none()
    }
    #[condition]
    fn d(&self, key: &str, cx: &Context) -> Result<bool, bt_core::KeyError> {
        cx.get_as(key)
    }
}

fn main() {
    let (mut session, mut world) = (Session::new(7), Vec::new());
    let registry = Registry::global().unwrap();
    let mut d = |session: &mut Session| {
        let key = serde_json::json!(["seen"]);
        registry.invoke(&mut Monster, &mut world, &mut session.context(), "d", &key).unwrap()
    };
    assert_eq!(d(&mut session), Outcome::Done(false));
    assert!(session.take_failure().unwrap().contains("`seen` is not set"));
    session.blackboard().set("seen", true);
    assert_eq!(d(&mut session), Outcome::Done(true));
}
