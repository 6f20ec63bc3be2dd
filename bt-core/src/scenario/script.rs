//! The part of a scenario that is played: answers to calls, as an agent's stand-in gives them.

use std::collections::BTreeSet;
use std::fmt;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::pattern::{Pattern, write_call};
use super::read::{Expected, Scenario};
use crate::call::Context;
use crate::call::stand_in::{Method, Reply, ReplyResult, StandIn};

/// A scenario that was checked.
pub(super) struct Script<'s> {
    pub(super) scenario: &'s Scenario,
    pub(super) tree: String,
    pub(super) rules: Vec<Rule>,
    pub(super) expected: Vec<Expected>,
}

/// An answer to calls.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) call: Pattern,
    pub(super) results: RuleResults,
}

/// The answers of one call after the other, or by the time.
#[derive(Debug, Clone)]
pub(super) enum RuleResults {
    Each(Vec<Reply>),
    At(Vec<(u64, Reply)>),
}

/// A call that was made.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) time: u64,
    pub(super) method: Box<str>,
    pub(super) args: Vec<(&'static str, Value)>,
    /// The node that it was made for, in words.
    pub(super) node: String,
}

impl Made {
    pub(super) fn is_of(&self, pattern: &Pattern) -> bool {
        pattern.is_met(&self.method, |name| {
            let mut args = self.args.iter();
            args.find(|(known, _)| *known == name)
                .map(|(_, value)| value)
        })
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = self.args.iter().map(|(name, value)| (*name, value));
        write_call(f, &self.method, args, true)
    }
}

/// The one that answers calls that the scenario says nothing of.
#[derive(Debug, Clone, Default)]
pub(super) enum Others {
    /// The agent's own methods.
    #[default]
    Agent,
    /// The methods of these names are real; the others end so, or the scenario fails there.
    But(BTreeSet<String>, Option<bool>),
}

/// Something that a scenario has no answer for.
#[derive(Debug, Clone)]
pub(super) enum Unanswered {
    Call(Made),
    /// A property without a value, and the node that reads it.
    Property(String, String),
}

/// The state of the answers in a scenario that is played.
#[derive(Debug, Default)]
pub(super) struct Answers {
    rules: Vec<(Rule, usize)>,
    others: Others,
    /// The calls of this poll.
    made: Vec<Made>,
    /// The first thing that nobody answers.
    unanswered: Option<Unanswered>,
}

/// The one that answers the calls of trees that were built once, for one scenario after the other.
#[derive(Debug, Default)]
pub(super) struct Actor(Mutex<Answers>);

impl Actor {
    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, rules: &[Rule], others: Others) {
        *self.answers() = Answers {
            rules: rules.iter().map(|rule| (rule.clone(), 0)).collect(),
            others,
            ..Answers::default()
        };
    }

    /// The calls since it was asked last.
    pub(super) fn take_made(&self) -> Vec<Made> {
        take(&mut self.answers().made)
    }

    pub(super) fn note_unset(&self, name: &str, cx: &Context<'_>) {
        // A tracer that looks at all properties is no node.
        if cx.node().is_some() {
            let unset = || Unanswered::Property(name.to_owned(), node(cx));
            self.answers().unanswered.get_or_insert_with(unset);
        }
    }

    pub(super) fn take_unanswered(&self) -> Option<Unanswered> {
        self.answers().unanswered.take()
    }
}

impl Answers {
    fn answer(&mut self, made: &Made) -> Option<Reply> {
        let met = self.rules.iter_mut().rev();
        let mut met = met.filter(|(rule, _)| made.is_of(&rule.call));
        met.find_map(|(rule, count)| match &rule.results {
            RuleResults::Each(all) => {
                let at = (*count).min(all.len().saturating_sub(1));
                *count += 1;
                all.get(at).cloned()
            }
            RuleResults::At(all) => {
                let mut past = all.iter().rev();
                let found = past.find(|(from, _)| *from <= made.time);
                found.map(|(_, reply)| reply.clone())
            }
        })
    }

    fn otherwise(&mut self, made: &Made) -> Option<Reply> {
        let Others::But(real, otherwise) = &self.others else {
            return None;
        };
        if real.contains(&*made.method) {
            return None;
        }
        if otherwise.is_none() {
            self.unanswered
                .get_or_insert_with(|| Unanswered::Call(made.clone()));
        }
        Some(Reply {
            result: ReplyResult::Done(otherwise.unwrap_or(false)),
            after: None,
            writes: Vec::new(),
        })
    }
}

impl StandIn for Actor {
    fn answer(&self, method: &Method, args: &[Value], cx: &Context<'_>) -> Option<Reply> {
        let names = method.params.iter().copied().chain(std::iter::repeat(""));
        let made = Made {
            time: crate::clock::nanos(cx.now()),
            method: method.name.clone(),
            args: names.zip(args.iter().cloned()).collect(),
            node: node(cx),
        };
        let mut answers = self.answers();
        let reply = answers.answer(&made);
        let reply = reply.or_else(|| answers.otherwise(&made));
        answers.made.push(made);
        reply
    }
}

/// The node that a call is made for, in words.
fn node(cx: &Context<'_>) -> String {
    cx.node()
        .map_or_else(|| "the host".to_owned(), |node| node.to_string())
}
