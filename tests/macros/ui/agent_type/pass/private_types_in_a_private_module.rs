#![deny(warnings)]

mod npc {
    use bt_core::prelude::*;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Serialize, Deserialize, JsonSchema)]
    struct Point {
        x: f64,
    }

    struct Land(f64);

    #[derive(Agent, Default)]
    #[agent(world = Land)]
    struct Monster;

    #[agent]
    impl Monster {
        #[action]
        fn go(&self, to: Point, #[world] land: &Land) -> bool {
            to.x < land.0
        }
    }

    pub(super) fn run() {
        let mut session = Session::new(0);
        let registry = Registry::global().unwrap();
        let args = serde_json::json!([{"x": 1.0}]);
        let done = registry.invoke(&mut Monster, &mut Land(2.0), &mut session.context(), "go", &args);
        assert_eq!(done.unwrap(), Outcome::Done(true));
    }
}

fn main() {
    npc::run();
}
