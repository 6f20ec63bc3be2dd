#![deny(warnings)]
use bt_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct Point<T = f64> {
    x: T,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum Mood {
    Calm,
    Angry { at: Option<Box<Mood>> },
}

#[derive(Agent, Clone, Serialize, Deserialize, JsonSchema)]
struct Monster {
    hp: i32,
}

type Maybe<T> = Option<T>;
type List<T> = Vec<T>;
type Name = String;
type Cx<'a> = Context<'a>;

mod path {
    pub use super::Point;
}

#[agent]
impl Monster {
    #[action]
    fn a(&self, a: u8, b: i128, c: f32, d: char, e: String, f: (), g: (u8, String), h: [u8; 2]) -> bool {
        let _ = (a, b, c, d, e, f, g, h);
        true
    }
    #[action]
    fn b(&self, a: Point, b: path::Point<u8>, c: Mood, d: Box<Mood>, e: Vec<Option<Point>>) {
        let _ = (a, b, c, d, e, Mood::Calm, Mood::Angry { at: None });
    }
    #[action]
    fn c(&self, a: BTreeMap<String, u8>, b: HashMap<u64, Point>, c: HashSet<String>) {
        let _ = (a, b, c);
    }
    #[action]
    fn d(&self, a: &str, b: &[String], c: &Point, d: &Vec<u8>, e: &Option<u8>, f: &dyn_free::T, g: &Name) {
        let _ = (a, b, c, d, e, f, g);
    }
    #[action]
    fn e(&self, other: Self, like: &Self, list: List<Self>, maybe: Maybe<Box<Self>>) -> bool {
        let _ = (list, maybe);
        other.hp > like.hp
    }
    #[action]
    fn f<'a, 'b: 'a>(&'a self, cx: &'a mut Cx<'b>, a: &'b str, b: &'a [Name]) {
        let _ = (cx.now(), a, b);
    }
    #[action]
    fn g(&self, mut a: u8, mut b: Maybe<u8>, _unused: u8, cx: &Cx) -> bool {
        a += 1;
        b.get_or_insert(a);
        cx.now().is_zero()
    }
    #[action]
    fn h(a: &mut u8, b: &mut List<Name>, #[arg(out)] c: &mut Maybe<Name>, #[arg(out)] d: &mut f64) {
        *a += 1;
        *c = b.pop();
        *d = 1.0;
    }
    #[action]
    fn i(a: std::primitive::u8, b: ::std::string::String) -> bool {
        a > 7 && b.is_empty()
    }
    #[action]
    fn j(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8) -> bool {
        [a, b, c, d, e, f, g, h, i, j, k, l].len() > 7
    }
}

mod dyn_free {
    pub type T = u8;
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(agent.action("g").unwrap().args[1].ty.optional);
    assert_eq!(agent.action("g").unwrap().args[2].name, "unused");
    assert_eq!(agent.action("f").unwrap().args.len(), 2);
}
