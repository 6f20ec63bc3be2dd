//! A skeleton of the agent in Rust: what the trees call, to be filled in.

use std::fmt::Write as _;

use serde_json::Value;

use super::catalogue::{Method, Port};
use super::names::{Taken, snake};
use crate::catalogue::{InOut, MethodKind};

/// A file with an agent that has these methods; it compiles as it is.
pub(super) fn skeleton(agent: &str, methods: &[&Method]) -> String {
    let kind = type_name(agent);
    let has_values = methods
        .iter()
        .flat_map(|method| &method.ports)
        .any(|port| port.ty.rust() == "Value");
    let mut text = String::from(
        "//! The agent of imported trees: write what its methods do.\n\nuse bt_core::prelude::*;\n",
    );
    if has_values {
        text.push_str("use serde_json::Value;\n");
    }
    let _ = write!(
        text,
        "\n/// The agent of the imported trees.\n#[derive(Debug, Default, Agent)]\n#[agent(name = {agent:?})]\n\
         pub struct {kind} {{}}\n\n#[agent]\n#[allow(unused_variables)]\nimpl {kind} {{\n"
    );
    let mut taken = Taken::default();
    let functions: Vec<String> = methods
        .iter()
        .map(|method| function(method, &mut taken))
        .collect();
    text.push_str(&functions.join("\n"));
    text.push_str("}\n");
    text
}

/// A name for a type: `door_robot` is `DoorRobot`.
fn type_name(agent: &str) -> String {
    let of_word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    snake(agent).split('_').map(of_word).collect()
}

fn function(method: &Method, taken: &mut Taken) -> String {
    let name = taken.take(&snake(&method.name));
    let word = method.kind.word();
    let attribute = match name == method.name {
        true => format!("#[{word}]"),
        false => format!("#[{word}(name = {:?})]", method.name),
    };
    let (receiver, last, result) = match method.kind {
        MethodKind::Action => ("&mut self, cx: &mut Context", None, "Status"),
        MethodKind::Condition | MethodKind::Query => ("&self", None, "bool"),
        MethodKind::Decorator => ("&mut self", Some("asked: Asked"), "Next"),
        MethodKind::Composite => ("&mut self", Some("asked: Asked"), "NextChild"),
    };
    let mut names = Taken::default();
    let ports = method.ports.iter().map(|port| parameter(port, &mut names));
    let all: Vec<String> = [receiver.to_owned()]
        .into_iter()
        .chain(ports)
        .chain(last.map(str::to_owned))
        .collect();
    let mut line = format!("    pub fn {name}({}) -> {result} {{\n", all.join(", "));
    if line.len() > 100 {
        line = format!(
            "    pub fn {name}(\n        {},\n    ) -> {result} {{\n",
            all.join(",\n        ")
        );
    }
    let brief = method.brief();
    format!("    /// {brief}\n    {attribute}\n{line}        todo!()\n    }}\n")
}

fn parameter(port: &Port, names: &mut Taken) -> String {
    let name = names.take(&snake(&port.name));
    let mut keys = Vec::new();
    if name != port.name {
        keys.push(format!("name = {:?}", port.name));
    }
    let ty = port.ty.rust();
    let ty = match port.in_out {
        Some(InOut::Out) => {
            keys.push("out".to_owned());
            format!("&mut {ty}")
        }
        Some(InOut::InOut) => format!("&mut {ty}"),
        None if port.is_option() => format!("Option<{ty}>"),
        None => ty.to_owned(),
    };
    let default = port.literal_default().filter(|_| port.in_out.is_none());
    keys.extend(default.map(|default| format!("default = {}", literal(&default, port))));
    match keys.is_empty() {
        true => format!("{name}: {ty}"),
        false => format!("#[arg({})] {name}: {ty}", keys.join(", ")),
    }
}

/// A value as an attribute has it.
fn literal(value: &Value, port: &Port) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Number(number) if port.ty.rust() == "f64" && number.is_i64() => {
            format!("{number}.0")
        }
        other => other.to_string(),
    }
}
