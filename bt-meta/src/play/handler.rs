//! The calls of the agent, asked of whoever plays.

use std::sync::{Arc, Mutex, PoisonError};

use bt_core::dynamic::{Answer, DynAgent, Handler};
use bt_core::registry::catalogue::{MethodEntry, MethodKind, TypeEntry};
use bt_core::{Asked, Context, Exit, Left};
use serde_json::Value;

use super::answer::{expected, parse};
use super::console::Console;

/// Whoever plays answers for all methods.
pub(super) struct Player;

impl Handler for Player {
    fn call(
        &self,
        agent: &mut DynAgent,
        name: &str,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Answer {
        let method = agent.ty().info().action(name).ok().map(|found| found.entry);
        let call = called(name, method, args, cx);
        let Some(console) = console(agent) else {
            return Answer::refused("nobody plays");
        };
        let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = console.always.get(name).cloned() {
            console.say(&format!("  {call} {line}\n"));
            return parse(&line, method).unwrap_or_else(Answer::refused);
        }
        loop {
            let Some(line) = console.ask(&format!("  {call}? ")) else {
                return Answer::refused("the play is over");
            };
            let (always, line) = match line.strip_prefix("always ") {
                Some(line) => (true, line.trim().to_owned()),
                None => (false, line),
            };
            match line.as_str() {
                "?" => about(&mut console, method, cx),
                "quit" | "q" => console.end(),
                _ => match parse(&line, method) {
                    Ok(answer) => {
                        if always {
                            console.always.insert(name.to_owned(), line);
                        }
                        return answer;
                    }
                    Err(why) => console.say(&format!("    {why}; `?` says why it is called\n")),
                },
            }
        }
    }

    fn exit(
        &self,
        agent: &mut DynAgent,
        name: &str,
        exit: Exit,
        args: &[Value],
        _: &mut Context<'_>,
    ) -> Left {
        if let Some(console) = console(agent) {
            let args: Vec<_> = args.iter().map(Value::to_string).collect();
            let how = match exit {
                Exit::Success => "success",
                Exit::Failure => "failure",
                Exit::Aborted => "aborted",
            };
            let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
            console.say(&format!("  {name} exits: {how} ({})\n", args.join(", ")));
        }
        Left::Now
    }

    fn property(&self, agent: &mut DynAgent, name: &str, cx: &mut Context<'_>) -> Option<Value> {
        // Only what a node of the tree reads is asked for: a trace has what is known.
        cx.node()?;
        let property = agent.ty().info().property(name).ok()?.entry;
        let console = console(agent)?;
        let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let line = console.ask(&format!("  @{name} ({})? ", ty(&property.ty)))?;
            if matches!(line.as_str(), "quit" | "q") {
                console.end();
                return None;
            }
            match serde_json::from_str(&line) {
                Ok(value) => return Some(value),
                Err(_) => console.say(&format!(
                    "    expected a value as JSON, such as `3` or `\"calm\"`, found `{line}`\n"
                )),
            }
        }
    }
}

fn console(agent: &mut DynAgent) -> Option<Arc<Mutex<Console>>> {
    agent.state::<Arc<Mutex<Console>>>().cloned()
}

/// The call in words.
fn called(name: &str, method: Option<&MethodEntry>, args: &[Value], cx: &Context<'_>) -> String {
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

fn ty(ty: &TypeEntry) -> String {
    match (&ty.min, &ty.max) {
        (Some(min), Some(max)) => format!("{}, {min} to {max}", ty.type_name),
        (Some(min), None) => format!("{}, {min} at least", ty.type_name),
        (None, Some(max)) => format!("{}, {max} at most", ty.type_name),
        (None, None) => ty.type_name.clone(),
    }
}
