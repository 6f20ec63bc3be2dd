//! The terminal as whoever plays: each call is a question, each line an answer.

use bt_core::dynamic::Answer;
use bt_core::registry::catalogue::{MethodEntry, MethodKind, PropertyEntry};
use bt_core::{Asked, Context, Exit};
use serde_json::Value;

use super::answer::{expected, parse};
use super::board::type_words;
use super::console::Console;
use super::host::{Call, Host};

impl Host for Console {
    fn call(&mut self, call: &Call<'_>, cx: &Context<'_>) -> Answer {
        let words = called(call, cx);
        if let Some(line) = self.always.get(call.name).cloned() {
            self.say(&format!("  {words} {line}\n"));
            let said = parse(&line, call.method);
            return said.map_or_else(Answer::refused, Answer::from);
        }
        loop {
            let Some(line) = self.ask(&format!("  {words}? ")) else {
                return Answer::refused("the play is over");
            };
            let (always, line) = match line.strip_prefix("always ") {
                Some(line) => (true, line.trim().to_owned()),
                None => (false, line),
            };
            match line.as_str() {
                "?" => about(self, call.method, cx),
                "quit" | "q" => self.end(),
                _ => match parse(&line, call.method) {
                    Ok(answer) => {
                        if always {
                            self.always.insert(call.name.to_owned(), line);
                        }
                        return answer.into();
                    }
                    Err(why) => self.say(&format!("    {why}; `?` says why it is called\n")),
                },
            }
        }
    }

    fn property(&mut self, property: &PropertyEntry) -> Option<Value> {
        let question = format!("  @{} ({})? ", property.item.name, type_words(&property.ty));
        loop {
            let line = self.ask(&question)?;
            if matches!(line.as_str(), "quit" | "q") {
                self.end();
                return None;
            }
            match serde_json::from_str(&line) {
                Ok(value) => return Some(value),
                Err(_) => self.say(&format!(
                    "    expected a value as JSON, such as `3` or `\"calm\"`, found `{line}`\n"
                )),
            }
        }
    }

    fn exits(&mut self, name: &str, exit: Exit, args: &[Value]) {
        let args: Vec<_> = args.iter().map(Value::to_string).collect();
        let how = match exit {
            Exit::Success => "success",
            Exit::Failure => "failure",
            Exit::Aborted => "aborted",
        };
        self.say(&format!("  {name} exits: {how} ({})\n", args.join(", ")));
    }

    fn say(&mut self, text: &str) {
        Console::say(self, text);
    }

    fn end(&mut self) {
        Console::end(self);
    }

    fn is_over(&self) -> bool {
        Console::is_over(self)
    }
}

/// The call in words.
fn called(call: &Call<'_>, cx: &Context<'_>) -> String {
    let Call { name, method, args } = call;
    let names = method.map_or(&[][..], |method| &method.args);
    let args: Vec<_> = args
        .iter()
        .enumerate()
        .filter(|(_, value)| !value.is_null())
        .map(|(at, value)| match names.get(at) {
            Some(arg) => format!("{}: {value}", arg.name),
            None => value.to_string(),
        })
        .collect();
    let asked = match method.map(|method| method.kind) {
        Some(MethodKind::Decorator | MethodKind::Composite) => match cx.asked() {
            Asked::Entry => " on entry".to_owned(),
            Asked::Ended { child, success } => {
                let how = if success { "success" } else { "failure" };
                format!(" after {how} of child {child}")
            }
            Asked::Running => " in its turn".to_owned(),
        },
        Some(MethodKind::Action | MethodKind::Condition | MethodKind::Query) | None => {
            String::new()
        }
    };
    format!("{name}({}){asked}", args.join(", "))
}

/// Says what a call is, why it is made, and what it can answer.
fn about(console: &mut Console, method: Option<&MethodEntry>, cx: &Context<'_>) {
    if let Some(method) = method {
        let brief = match method.item.brief.as_str() {
            "" => String::new(),
            brief => format!(": {brief}"),
        };
        console.say(&format!(
            "    {} `{}`{brief}\n",
            method.kind.word(),
            method.item.name
        ));
    }
    match cx.node() {
        Some(node) => {
            console.say(&format!("    it is called by {node}\n"));
            for line in console.way_to(node.tree(), node.idx()) {
                console.say(&format!("      {line}\n"));
            }
        }
        None => console.say("    it is called outside of the tree\n"),
    }
    console.say(&format!(
        "    answer {}; `always …` keeps it for all its calls; `quit` ends\n",
        expected(method)
    ));
}
