#![deny(warnings)]

#[derive(bt_core::Agent)]
struct Agent;

#[bt_core::agent]
impl Agent {
    #[action]
    fn world(&self) {}
}

#[derive(bt_core::Agent)]
struct Context;

#[bt_core::agent]
impl Context {
    #[bt_core::action]
    fn get(&self, cx: &mut bt_core::Context) {
        let _ = cx;
    }
}

#[derive(bt_core::Agent)]
struct Registry<const N: usize>;

#[bt_core::agent]
impl<const N: usize> Registry<N> {
    #[action]
    fn n(&self) -> bool {
        N > 7
    }
}

bt_core::register_agent!(Registry<7>);

fn main() {
    Agent.world();
    assert!(bt_core::Registry::global().is_ok());
}
