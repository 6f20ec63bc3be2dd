#![deny(warnings)]
#![allow(non_camel_case_types, reason = "a raw name")]
use bt_core::prelude::*;

#[derive(Agent)]
struct r#struct {
    #[property]
    r#type: i32,
    #[property]
    生命: i32,
}

#[derive(Agent)]
struct Größe;

#[agent]
impl r#struct {
    #[action(exit = "r#loop")]
    fn r#match(&self, r#fn: u8, größe: &str, #[arg(out)] r#in: &mut u8) -> Option<bool> {
        *r#in = r#fn;
        Some(größe.is_empty())
    }

    fn r#loop(&mut self, _cx: &mut Context, _exit: Exit) {}

    #[action]
    fn 巡逻(&self) {}

    #[event]
    fn r#break(r#in: u8, größe: f64);

    #[property]
    fn r#impl(&self) -> i32 {
        self.r#type
    }

    #[property(set)]
    fn set_impl(&mut self, r#impl: i32) {
        self.r#type = r#impl;
    }
}

fn main() {
    let agent = r#struct { r#type: 1, 生命: 2 };
    agent.巡逻();
    let _ = agent.生命;
    let agent = Registry::global().unwrap().agent("struct").unwrap();
    assert_eq!(agent.action("match").unwrap().args[0].name, "fn");
    assert!(agent.action("巡逻").is_ok());
    assert!(!agent.property("impl").unwrap().read_only);
    assert!(agent.property("type").is_ok() && agent.property("生命").is_ok());
    assert_eq!(r#struct::r#break(1, 2.0).get("in"), Some(&1.into()));
    assert!(Registry::global().unwrap().agent("größe").is_ok());
}
