//! The decoders of the arguments of everything that is linked, by name: for a check of trees that does
//! not know the agent's type.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::build::full_name;
use crate::call::check_limits;
use crate::call::table::descriptor::Registration;
use crate::contained::panic_text;
use crate::decode::DecodeError;
use crate::describe::value::{ValueDesc, arguments};
use crate::error::Flaw;

/// The prefix of each line from a program that answers questions.
pub const MARK: &str = "bt-catalogue: ";

/// The line of a program that is ready for questions.
pub const READY: &str = "ready";

/// The reason why an argument's type refuses a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused(pub(crate) Flaw);

/// A value for an argument: does its type take it?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The full name of the agent that registers the method.
    pub agent: String,
    /// The method.
    pub method: String,
    /// The number of its argument, from 0.
    pub argument: usize,
    /// The value.
    pub value: Value,
}

/// Says whether an argument's type takes a value, without its bounds.
#[derive(Clone, Copy)]
pub(super) struct Decode(fn(&Value) -> Result<(), DecodeError>);

impl Decode {
    /// A decoder that panics, or a value that does when it is dropped, takes nothing.
    pub(super) fn decode(self, value: &Value) -> Result<(), DecodeError> {
        let decoded = catch_unwind(AssertUnwindSafe(|| (self.0)(value)));
        decoded.unwrap_or_else(|panic| {
            let why = panic_text(panic);
            Err(DecodeError::said(format!("its decoder panicked: {why}")))
        })
    }
}

/// The decoders of all arguments of all methods.
#[derive(Debug, Default)]
pub struct Decoders {
    by_agent: BTreeMap<String, BTreeMap<&'static str, Vec<ValueDesc>>>,
}

impl Decoders {
    /// Those of this program.
    pub fn linked() -> Decoders {
        let mut names: BTreeMap<TypeId, String> = BTreeMap::new();
        let mut tables = Vec::new();
        for registration in inventory::iter::<Registration>() {
            match registration {
                Registration::Agent(agent) => {
                    names.insert((agent.id)(), full_name(agent));
                    tables.push(((agent.id)(), agent.table));
                    let parts = agent.parts.iter().flatten();
                    tables.extend(parts.map(|part| ((agent.id)(), part.table)));
                }
                Registration::Block(block) => tables.push(((block.id)(), block.table)),
                Registration::Generic(_) => {}
            }
        }
        let mut by_agent: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (id, table) in tables {
            let Some(agent) = names.get(&id) else {
                continue;
            };
            let of_agent = by_agent.entry(agent.clone()).or_default();
            for method in table.methods() {
                let all = arguments(method.args, method.shapes).collect();
                of_agent.insert(method.item.name, all);
            }
        }
        Decoders { by_agent }
    }

    /// The decoder of an argument; none where there is no such argument.
    pub(super) fn decoder(&self, agent: &str, method: &str, argument: usize) -> Option<Decode> {
        Some(Decode(
            self.argument(agent, method, argument)?.shape.decodes,
        ))
    }

    fn argument(&self, agent: &str, method: &str, argument: usize) -> Option<&ValueDesc> {
        self.by_agent.get(agent)?.get(method)?.get(argument)
    }

    /// Returns whether an argument takes a value; none where there is no such argument.
    pub fn takes(
        &self,
        agent: &str,
        method: &str,
        argument: usize,
        value: &Value,
    ) -> Option<Result<(), Refused>> {
        let desc = self.argument(agent, method, argument)?;
        let decode = Decode(desc.shape.decodes);
        let decoded = || decode.decode(value).map_err(Flaw::Decode);
        let checked = check_limits(&desc.param, value).and_then(|()| decoded());
        Some(checked.map_err(Refused))
    }

    /// Answers questions, one a line, until there are no more. Answers begin with [`MARK`], and the first
    /// says that questions may come.
    pub(super) fn answer(
        &self,
        questions: impl BufRead,
        mut answers: impl Write,
    ) -> io::Result<()> {
        writeln!(answers, "{MARK}{READY}")?;
        answers.flush()?;
        for line in questions.lines() {
            let question: Question = serde_json::from_str(&line?)?;
            let Question {
                agent,
                method,
                argument,
                value,
            } = &question;
            let answer = self.takes(agent, method, *argument, value);
            writeln!(answers, "{MARK}{}", serde_json::to_string(&answer)?)?;
            answers.flush()?;
        }
        Ok(())
    }
}
