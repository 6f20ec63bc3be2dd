#![deny(warnings)]
use bt_core::prelude::*;

mod dialogue {
    #[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Context {
        pub line: u8,
    }
}

type Cx<'a> = Context<'a>;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn swap(&self, one: &mut dialogue::Context, two: &mut dialogue::Context) {
        std::mem::swap(&mut one.line, &mut two.line);
    }

    #[action]
    fn say(&self, one: &dialogue::Context, cx: &mut Context, two: dialogue::Context) {
        let _ = (one.line, cx.now(), two);
    }

    #[action]
    fn listen(&self, cx: &mut Cx<'_>, to: &mut dialogue::Context) {
        let _ = (cx.now(), to);
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    let count = |name| agent.action(name).unwrap().args.len();
    assert_eq!([count("swap"), count("say"), count("listen")], [2, 2, 1]);
}
