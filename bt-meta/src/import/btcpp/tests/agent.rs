//! An agent whose leaves answer as a case says, and write down that they were called.

use std::collections::BTreeMap;

use bt_core::prelude::*;
use serde_json::Value;

pub(super) const NAME: &str = "importer_scripted";

/// Answers for each leaf, and the calls of a poll.
#[derive(Debug, Default, Agent)]
#[agent(name = "importer_scripted")]
pub(super) struct Scripted {
    pub(super) answers: BTreeMap<String, String>,
    pub(super) calls: Vec<String>,
    pub(super) counts: BTreeMap<String, usize>,
}

impl Scripted {
    /// The next answer of a leaf; the last one stays.
    fn answer(&mut self, leaf: &str) -> Status {
        self.calls.push(leaf.to_owned());
        let count = self.counts.entry(leaf.to_owned()).or_default();
        let answers = self.answers.get(leaf).map_or("S", String::as_str);
        let answer = answers.chars().nth(*count).or(answers.chars().last());
        *count += 1;
        match answer {
            Some('R') => Status::Running,
            Some('F') => Status::Failure,
            _ => Status::Success,
        }
    }

    fn left(&mut self, leaf: &str, exit: Exit) {
        if exit == Exit::Aborted {
            self.calls.push(format!("{leaf}!"));
        }
    }
}

#[agent]
impl Scripted {
    #[action(name = "A", exit = "left_a")]
    fn a(&mut self) -> Status {
        self.answer("A")
    }

    fn left_a(&mut self, _cx: &mut Context, exit: Exit) {
        self.left("A", exit);
    }

    #[action(name = "B", exit = "left_b")]
    fn b(&mut self) -> Status {
        self.answer("B")
    }

    fn left_b(&mut self, _cx: &mut Context, exit: Exit) {
        self.left("B", exit);
    }

    #[action(name = "C", exit = "left_c")]
    fn c(&mut self) -> Status {
        self.answer("C")
    }

    fn left_c(&mut self, _cx: &mut Context, exit: Exit) {
        self.left("C", exit);
    }

    #[action(name = "D", exit = "left_d")]
    fn d(&mut self) -> Status {
        self.answer("D")
    }

    fn left_d(&mut self, _cx: &mut Context, exit: Exit) {
        self.left("D", exit);
    }

    #[action(name = "Say")]
    fn say(&mut self, message: Value) -> bool {
        self.calls.push(format!("Say({message})"));
        true
    }

    #[action(name = "Copy")]
    fn copy(&mut self, r#in: Value, #[arg(out)] out: &mut Value) -> bool {
        self.calls.push("Copy".to_owned());
        *out = r#in;
        true
    }

    #[condition(name = "P")]
    fn p(&self, cx: &mut Context) -> bool {
        holds(cx, "P")
    }

    #[condition(name = "Q")]
    fn q(&self, cx: &mut Context) -> bool {
        holds(cx, "Q")
    }

    #[condition(name = "T")]
    fn t(&self, cx: &mut Context) -> bool {
        holds(cx, "T")
    }
}

/// The answer of a condition: the case sets a key of its name.
fn holds(cx: &Context, leaf: &str) -> bool {
    cx.get(&format!("#{leaf}")) != Value::Bool(false)
}
