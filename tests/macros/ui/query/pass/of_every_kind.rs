use std::borrow::Cow;

use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Agent)]
#[agent(world = Vec<u8>)]
struct Monster {
    name: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Place {
    x: f64,
}

type Answer<T> = Result<T, String>;

#[agent]
impl Monster {
    #[query]
    fn a(&self) -> f64 {
        1.5
    }
    #[query]
    fn b() -> Answer<u8> {
        Ok(7)
    }
    #[query(name = "c?")]
    fn c(&self, #[world] world: &Vec<u8>, at: &str, cx: &Context, more: Option<u8>) -> bool {
        world.is_empty() && at.is_empty() && cx.now().is_zero() && more.is_none()
    }
    #[query]
    fn d(&self) -> &str {
        &self.name
    }
    #[query]
    fn e<'a>(&'a self, _long: bool) -> Option<&'a str> {
        None
    }
    #[query]
    fn f(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }
    #[query]
    fn g(&self, #[arg(default = 2.0)] x: f64) -> Place {
        Place { x }
    }
    #[query]
    fn h(&self) -> Result<Vec<Place>, std::fmt::Error> {
        Err(std::fmt::Error)
    }
    #[query]
    fn i(&self) -> f32 {
        f32::NAN
    }
}

fn main() {
    let (mut session, mut world) = (Session::new(7), Vec::new());
    let mut monster = Monster { name: "Bo".to_owned() };
    let registry = Registry::global().unwrap();
    let mut asked = |name: &str, args: Value| {
        registry.query(&mut monster, &mut world, &mut session.context(), name, &args)
    };
    for (name, args, answer) in [
        ("a", json!([]), json!(1.5)),
        ("b", json!([]), json!(7)),
        ("c?", json!([""]), json!(true)),
        ("c?", json!(["", 1]), json!(false)),
        ("d", json!([]), json!("Bo")),
        ("e", json!([true]), json!(null)),
        ("f", json!([]), json!("Bo")),
        ("g", json!([]), json!({"x": 2.0})),
        ("g", json!({"x": 3}), json!({"x": 3.0})),
    ] {
        assert_eq!(asked(name, args).unwrap(), answer, "{name}");
    }
    let refused = |found: Result<Value, bt_core::CallError>| found.unwrap_err().to_string();
    assert!(refused(asked("h", json!([]))).starts_with("`h`: "));
    assert!(refused(asked("i", json!([]))).contains("NaN"));
}
