//! A breakpoint as a client describes it, and how many of them there can be.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::debug::{Breakpoint, Condition, Hits, On, Step};
use bt_core::expression::{Named, names, parse};
use bt_core::text::name;

use super::answers::number;
use super::limits::{
    BREAKPOINT_AGENTS, BREAKPOINT_BYTES, BREAKPOINTS, BREAKPOINTS_AT_ONE, COUNTING_BREAKPOINTS,
};
use crate::protocol::types::{BreakpointEntry, BreakpointSpec};
use crate::protocol::{Error, ErrorCode};

/// A breakpoint of a client.
pub(super) struct Entry {
    spec: BreakpointSpec,
    pub(super) breakpoint: Breakpoint,
    /// None: all of them.
    pub(super) agents: Option<BTreeSet<u64>>,
}

impl Entry {
    pub(super) fn new(id: u64, spec: BreakpointSpec) -> Result<Entry, Error> {
        let mut breakpoint = Breakpoint::new(id, on(&spec)?);
        if let Some(condition) = &spec.condition {
            let condition: Result<Condition, _> = condition.parse();
            breakpoint = breakpoint.when(condition.map_err(|error| wrong(error.to_string()))?);
        }
        if let Some(hits) = &spec.hits {
            breakpoint = breakpoint.hits(hits_of(hits)?);
        }
        if let Some(log) = &spec.log {
            breakpoint = breakpoint.log(log.clone());
        }
        let agents = spec.agents.as_ref().map(|agents| {
            let agents = agents.iter().map(|id| number(id));
            agents.collect::<Result<BTreeSet<_>, _>>()
        });
        Ok(Entry {
            agents: agents.transpose()?,
            spec,
            breakpoint,
        })
    }

    pub(super) fn listed(&self, own: bool) -> BreakpointEntry {
        BreakpointEntry {
            id: self.breakpoint.id,
            own,
            spec: self.spec.clone(),
        }
    }

    /// The number of bytes of its texts.
    fn bytes(&self) -> usize {
        let BreakpointSpec {
            on,
            tree,
            name,
            condition,
            hits,
            log,
            idx: _,
            holds: _,
            agents: _,
        } = &self.spec;
        let texts = [tree, name, condition, hits, log].into_iter().flatten();
        on.len() + texts.map(String::len).sum::<usize>()
    }
}

/// The amount of all breakpoints: a record of an agent is compared with those that are about the same, and
/// each agent has its own.
#[derive(Default)]
pub(super) struct Limits {
    all: usize,
    agents: usize,
    bytes: usize,
    counting: usize,
    places: BTreeMap<(Option<u32>, Option<String>), usize>,
}

impl Limits {
    /// With those that there are already.
    pub(super) fn new<'e>(others: impl Iterator<Item = &'e Entry>) -> Limits {
        let mut limits = Limits::default();
        for entry in others {
            // They were within them.
            _ = limits.add(entry);
        }
        limits
    }

    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), Error> {
        self.all += 1;
        self.bytes += entry.bytes();
        self.agents += entry.agents.as_ref().map_or(0, BTreeSet::len);
        self.counting += usize::from(entry.agents.is_none() && entry.breakpoint.hits.is_some());
        let BreakpointSpec {
            tree, name, idx, ..
        } = &entry.spec;
        let has_name = matches!(
            entry.breakpoint.on,
            On::Call { .. }
                | On::Key { .. }
                | On::Property { .. }
                | On::Event { .. }
                | On::Expression { .. }
        );
        let place = if has_name {
            (None, name.clone())
        } else {
            (*idx, tree.clone())
        };
        let at_one = self.places.entry(place).or_default();
        *at_one += 1;
        let many = [
            (self.all, BREAKPOINTS, "breakpoints"),
            (self.agents, BREAKPOINT_AGENTS, "agents in breakpoints"),
            (
                self.bytes,
                BREAKPOINT_BYTES,
                "bytes of texts in breakpoints",
            ),
            (
                self.counting,
                COUNTING_BREAKPOINTS,
                "breakpoints for all agents that count their hits",
            ),
            (
                *at_one,
                BREAKPOINTS_AT_ONE,
                "breakpoints on one node or name",
            ),
        ];
        match many.into_iter().find(|(there, most, _)| there > most) {
            None => Ok(()),
            Some((_, most, what)) => {
                let why = format!("all clients together have at most {most} {what}");
                Err(Error::new(ErrorCode::Limit, why))
            }
        }
    }
}

pub(super) fn wrong(why: impl Into<String>) -> Error {
    Error::new(ErrorCode::Params, why)
}

pub(super) fn step_of(asked: &crate::protocol::types::Step) -> Result<Step, Error> {
    Ok(match asked.step.as_str() {
        "continue" => Step::Continue,
        "record" => Step::Record,
        "into" => Step::Into,
        "over" => Step::Over,
        "out" => Step::Out,
        "poll" => Step::Poll,
        "to" => match (&asked.tree, asked.idx) {
            (Some(tree), Some(idx)) => Step::To {
                tree: tree.clone(),
                idx,
            },
            _ => return Err(wrong("a step `to` a node needs its `tree` and `idx`")),
        },
        _ => {
            return Err(wrong(
                "a step is `continue`, `record`, `into`, `over`, `out`, `poll` or `to`",
            ));
        }
    })
}

fn on(spec: &BreakpointSpec) -> Result<On, Error> {
    let node = || match (&spec.tree, spec.idx) {
        (Some(tree), Some(idx)) => Ok((tree.clone(), idx)),
        _ => Err(wrong(format!(
            "a breakpoint on `{}` needs `tree` and `idx`",
            spec.on
        ))),
    };
    let name = || {
        let missing = || wrong(format!("a breakpoint on `{}` needs a `name`", spec.on));
        spec.name.clone().ok_or_else(missing)
    };
    Ok(match spec.on.as_str() {
        "enter" => node().map(|(tree, idx)| On::Enter { tree, idx })?,
        "exit" => node().map(|(tree, idx)| On::Exit { tree, idx })?,
        "success" => node().map(|(tree, idx)| On::Success { tree, idx })?,
        "failure" => node().map(|(tree, idx)| On::Failure { tree, idx })?,
        "abort" => node().map(|(tree, idx)| On::Abort { tree, idx })?,
        "guard" => {
            let (tree, idx) = node()?;
            let holds = spec.holds;
            On::Guard { tree, idx, holds }
        }
        "call" => On::Call { name: name()? },
        "key" => On::Key { name: name()? },
        "property" => On::Property { name: name()? },
        "event" => On::Event { name: name()? },
        "expression" => On::Expression {
            text: expression(name()?)?,
        },
        _ => {
            return Err(wrong(
                "a breakpoint is on `enter`, `exit`, `success`, `failure`, `abort`, `guard`, `call`, \
                 `key`, `property`, `event` or `expression`",
            ));
        }
    })
}

/// The text of an expression that something of the agent may turn true.
fn expression(text: String) -> Result<String, Error> {
    parse(&text)
        .map_err(|mistake| wrong(format!("`{}`: {}", name(&text), mistake.words(&text))))?;
    let names = names(&text);
    if let Some((_, method, _)) = names.iter().find(|(named, ..)| *named == Named::Method) {
        let method = name(method);
        return Err(wrong(format!(
            "a breakpoint calls nothing: `{method}` is a method of the agent"
        )));
    }
    match names.is_empty() {
        true => Err(wrong(format!(
            "`{}` reads nothing that changes: a key is written `$name`, a property `@name`",
            name(&text)
        ))),
        false => Ok(text),
    }
}

fn hits_of(text: &str) -> Result<Hits, Error> {
    let number = |text: &str| text.trim().parse().ok().filter(|number: &u64| *number > 0);
    let at_least = text.strip_prefix(">=").and_then(number).map(Hits::AtLeast);
    let every = text.strip_prefix('%').and_then(number).map(Hits::Every);
    at_least
        .or(every)
        .ok_or_else(|| wrong("hits are `>= 3`, from the third on, or `% 10`, every tenth"))
}
