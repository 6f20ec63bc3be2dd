//! A scenario: a file that was read, and is right as far as that can be seen without trees and agents.

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;
use toml::Spanned;

use super::file::{self, Ending, File, Named, Word};
use super::pattern::Pattern;
use super::problem::{Problems, ScenarioError};
use super::values::{json, seconds, time};

/// The length of a file that is read: what people write is a few thousand characters long.
const LONGEST: usize = 1 << 20;

/// The number of answers, steps and expectations that a file may have, together.
const MOST: usize = 10_000;

/// The number of polls that a scenario may take.
pub(super) const MOST_POLLS: u64 = 100_000;

/// The time between two polls where the file says none.
const TICK: u64 = 100_000_000;

/// A test of a tree that designers can write: what the agent's methods answer, what happens from outside, and what
/// is expected.
///
/// ```
/// use bt_core::scenario::Scenario;
///
/// let text = r#"
/// tree = "hunt.json"
/// until = "20s"
/// [[answer]]
/// call = "walk_to"
/// after = "2s"
/// result = true
/// [[expect]]
/// by = "4s"
/// called = "chase(target: 7)"
/// "#;
/// let scenario = Scenario::from_toml("hunt.scenario.toml", text)?;
/// assert_eq!(scenario.tree(), "hunt.json");
/// # Ok::<(), bt_core::scenario::ScenarioError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scenario {
    pub(super) name: String,
    pub(super) text: Arc<str>,
    pub(super) tree: Word,
    pub(super) until: Option<u64>,
    pub(super) tick: u64,
    pub(super) seed: u64,
    pub(super) repeats: bool,
    pub(super) otherwise: Option<bool>,
    pub(super) set: Vec<Setting>,
    pub(super) answers: Vec<Answer>,
    /// In the order in which they are due.
    pub(super) steps: Vec<Step>,
    pub(super) expected: Vec<Expected>,
}

/// A value of a key or a property.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    pub(super) at: Range<usize>,
    pub(super) value_at: Range<usize>,
    pub(super) is_property: bool,
    pub(super) name: String,
    pub(super) value: Value,
}

/// An answer to calls.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) at: Range<usize>,
    pub(super) call: Pattern,
    pub(super) after: Option<(u64, Range<usize>)>,
    pub(super) results: Results,
    pub(super) writes: Vec<(Word, Spanned<Value>)>,
}

/// The results of calls, one after the other.
#[derive(Debug, Clone)]
pub(super) enum Results {
    One(Spanned<Value>),
    /// By the time from which on each counts.
    At(Vec<(u64, Spanned<Value>)>),
    Each(Vec<Spanned<Value>>),
}

/// An event's name and its parameters.
pub(super) type Fired = (Word, Vec<(Word, Spanned<Value>)>);

/// A change from outside.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) due: u64,
    pub(super) set: Vec<Setting>,
    pub(super) fire: Option<Fired>,
}

/// An expectation.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    pub(super) at: Range<usize>,
    pub(super) when: When,
    pub(super) called: Option<(Range<usize>, Pattern, Option<u64>)>,
    pub(super) active: Vec<(Range<usize>, NodeName)>,
    pub(super) result: Option<bool>,
}

/// The polls after which something is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    By(u64),
    At(u64),
    End,
    Never(u64, Option<u64>),
}

/// A node of a tree: "hunt.json#5".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NodeName {
    pub(super) tree: String,
    pub(super) idx: u32,
}

impl NodeName {
    fn read(text: &str) -> Option<NodeName> {
        let (tree, idx) = text.rsplit_once('#')?;
        let idx = idx.parse().ok()?;
        let is_name = !tree.is_empty() && !tree.contains('(');
        is_name.then(|| NodeName {
            tree: tree.to_owned(),
            idx,
        })
    }
}

impl std::fmt::Display for NodeName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}#{}", self.tree, self.idx)
    }
}

impl Scenario {
    /// Reads a scenario. The name is the file's, for messages.
    ///
    /// # Errors
    /// Everything that is wrong with the text, each problem with its line.
    pub fn from_toml(name: &str, text: &str) -> Result<Scenario, ScenarioError> {
        if text.len() > LONGEST {
            let why = format!(
                "a scenario has at most {LONGEST} bytes, this one {}",
                text.len()
            );
            return Err(ScenarioError::of_file(name, why));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file: File =
            toml::from_str(text).map_err(|error| ScenarioError::of_toml(name, text, &error))?;
        let entries = file.answer.len() + file.step.len() + file.expect.len();
        if entries > MOST {
            let why = format!(
                "a scenario has at most {MOST} answers, steps and expectations, this one {entries}"
            );
            return Err(ScenarioError::of_file(name, why));
        }
        let mut reading = Reading {
            problems: Problems::new(text),
        };
        let scenario = reading.scenario(name, text, file);
        reading.problems.into_result(name)?;
        Ok(scenario)
    }

    /// The name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tree, as the file names it.
    pub fn tree(&self) -> &str {
        self.tree.get_ref()
    }

    /// With another name for its tree: that of the tree among those that it is played with.
    pub fn with_tree(mut self, tree: impl Into<String>) -> Scenario {
        self.tree = Spanned::new(self.tree.span(), tree.into());
        self
    }

    /// The last time that it names.
    pub(super) fn last_time(&self) -> u64 {
        let steps = self.steps.iter().map(|step| step.due);
        let expected = self.expected.iter().filter_map(|one| match one.when {
            When::By(time) | When::At(time) => Some(time),
            When::Never(from, until) => Some(until.unwrap_or(from)),
            When::End => None,
        });
        steps.chain(expected).max().unwrap_or(0)
    }
}

/// A file that is being read.
struct Reading<'t> {
    problems: Problems<'t>,
}

impl Reading<'_> {
    fn scenario(&mut self, name: &str, text: &str, file: File) -> Scenario {
        let tick = self.tick(file.tick.as_ref());
        let until = file.until.as_ref().map(|until| self.time(until));
        if file.repeats && until.is_none() {
            let at = file.tree.span();
            self.problems.add(
                at,
                "with `loop` the scenario needs a last poll: write `until = \"20s\"`",
            );
        }
        let seed = file.seed.map_or(0, |seed| {
            u64::try_from(*seed.get_ref()).unwrap_or_else(|_| {
                self.problems
                    .add(seed.span(), "a seed is a whole number from 0 on");
                0
            })
        });
        let mut steps: Vec<_> = file.step.iter().map(|step| self.step(step)).collect();
        steps.sort_by_key(|step| step.due);
        let answers = file.answer.iter().filter_map(|answer| self.answer(answer));
        let answers = answers.collect();
        let expected = file.expect.iter();
        let expected = expected.filter_map(|one| self.expected(one, file.repeats));
        let expected = expected.collect();
        let scenario = Scenario {
            name: name.to_owned(),
            text: text.into(),
            set: self.settings(&file.set),
            tree: file.tree,
            until,
            tick,
            seed,
            repeats: file.repeats,
            otherwise: file
                .otherwise
                .map(|ending| *ending.get_ref() == Ending::Success),
            answers,
            steps,
            expected,
        };
        self.bounds(&scenario, file.until.as_ref());
        scenario
    }

    /// Reports what lies after the last poll, or leads to too many of them.
    fn bounds(&mut self, scenario: &Scenario, until: Option<&Word>) {
        let last = scenario.until.unwrap_or(scenario.last_time());
        if last / scenario.tick >= MOST_POLLS {
            let at = until.map_or(scenario.tree.span(), Spanned::span);
            let (last, tick) = (seconds(last), seconds(scenario.tick));
            let why = format!(
                "{last} with a `tick` of {tick} are more than {MOST_POLLS} polls: write a longer `tick`"
            );
            self.problems.add(at, why);
        }
        let Some(until) = scenario.until else { return };
        for one in &scenario.expected {
            let time = match one.when {
                When::By(time) | When::At(time) | When::Never(time, None) => time,
                When::Never(_, Some(time)) => time,
                When::End => continue,
            };
            if time > until {
                let (time, until) = (seconds(time), seconds(until));
                let why = format!("{time} is after the last poll: `until` is {until}");
                self.problems.add(one.at.clone(), why);
            }
        }
    }

    fn tick(&mut self, tick: Option<&Word>) -> u64 {
        let Some(word) = tick else { return TICK };
        match self.time(word) {
            0 => {
                self.problems
                    .add(word.span(), "a `tick` is longer than 0 s");
                TICK
            }
            tick => tick,
        }
    }

    fn time(&mut self, word: &Word) -> u64 {
        time(word.get_ref()).unwrap_or_else(|why| {
            self.problems.add(word.span(), why);
            1
        })
    }

    fn value(&mut self, value: &Spanned<toml::Value>) -> Value {
        json(value.get_ref()).unwrap_or_else(|why| {
            self.problems.add(value.span(), why);
            Value::Null
        })
    }

    fn spanned(&mut self, value: &Spanned<toml::Value>) -> Spanned<Value> {
        Spanned::new(value.span(), self.value(value))
    }

    fn named(&mut self, named: &Named) -> Vec<(Word, Spanned<Value>)> {
        let named = named.iter();
        named
            .map(|(name, value)| (name.clone(), self.spanned(value)))
            .collect()
    }

    fn settings(&mut self, named: &Named) -> Vec<Setting> {
        let mut all = Vec::new();
        for (name, value) in named {
            let (is_property, rest) = match name.get_ref().split_at_checked(1) {
                Some(("$", rest)) => (false, rest),
                Some(("@", rest)) => (true, rest),
                Some(_) | None => {
                    let shown = crate::text::name(name.get_ref());
                    let why = format!(
                        "`{shown}`: write \"${shown}\" for a key, \"@{shown}\" for a property"
                    );
                    self.problems.add(name.span(), why);
                    continue;
                }
            };
            all.push(Setting {
                at: name.span(),
                value_at: value.span(),
                is_property,
                name: rest.to_owned(),
                value: self.value(value),
            });
        }
        all.sort_by_key(|setting| setting.at.start);
        all
    }

    fn step(&mut self, step: &file::Step) -> Step {
        Step {
            due: self.time(&step.at),
            set: self.settings(&step.set),
            fire: (step.fire.as_ref()).map(|fire| (fire.event.clone(), self.named(&fire.params))),
        }
    }

    fn pattern(&mut self, word: &Word) -> Option<Pattern> {
        let read = Pattern::read(word.get_ref());
        read.map_err(|why| self.problems.add(word.span(), why)).ok()
    }

    fn answer(&mut self, answer: &file::Answer) -> Option<Answer> {
        let call = self.pattern(&answer.call);
        let at = answer.call.span();
        let given = [
            answer.result.is_some(),
            answer.at.is_some(),
            answer.each.is_some(),
            answer.running.is_some(),
        ];
        if given.iter().filter(|given| **given).count() != 1 {
            let why =
                "an answer has one of `result`, `at`, `each` and `running`: write `result = true`";
            self.problems.add(at, why);
            return None;
        }
        let after = answer.after.as_ref();
        let after = after.map(|word| (self.time(word), word.span()));
        let writes = self.named(&answer.writes);
        let results = self.results(answer)?;
        Some(Answer {
            at,
            call: call?,
            after,
            results,
            writes,
        })
    }

    fn results(&mut self, answer: &file::Answer) -> Option<Results> {
        if let Some(result) = &answer.result {
            return Some(Results::One(self.spanned(result)));
        }
        if let Some(running) = &answer.running {
            if !running.get_ref() {
                let why = "`running = false` says nothing: leave it out, and write a `result`";
                self.problems.add(running.span(), why);
                return None;
            }
            let running = Spanned::new(running.span(), "running".into());
            return Some(Results::One(running));
        }
        if let Some(each) = &answer.each {
            let all: Vec<_> = each.get_ref().iter().map(|one| self.spanned(one)).collect();
            if all.is_empty() {
                self.problems
                    .add(each.span(), "`each` has at least one result");
            }
            return Some(Results::Each(all));
        }
        let at = answer.at.as_ref()?;
        if at.get_ref().is_empty() {
            self.problems
                .add(at.span(), "`at` has at least one time: { \"0s\" = true }");
        }
        let mut all = Vec::new();
        for (from, value) in at.get_ref() {
            all.push((self.time(from), self.spanned(value)));
        }
        all.sort_by_key(|(from, _)| *from);
        Some(Results::At(all))
    }

    fn expected(&mut self, one: &file::Expect, repeats: bool) -> Option<Expected> {
        let words = [&one.by, &one.at, &one.never].into_iter().flatten();
        let whens: Vec<_> = words.collect();
        let called = one.called.as_ref();
        let [word] = whens[..] else {
            let others = [called, one.active.first(), one.from.as_ref()];
            let at = others.into_iter().flatten().chain(whens).next();
            let at = at.map_or(0..0, Spanned::span);
            let why = "an expectation has one of `by`, `at` and `never`: write `by = \"4s\"`";
            self.problems.add(at, why);
            return None;
        };
        let at = word.span();
        let mut expected = Expected {
            at: at.clone(),
            when: self.when(one)?,
            called: None,
            active: Vec::new(),
            result: one
                .result
                .as_ref()
                .map(|result| *result.get_ref() == Ending::Success),
        };
        if let Some(never) = &one.never {
            self.never(never, one, &mut expected);
            return Some(expected);
        }
        if let Some(word) = one.from.as_ref().or(one.until.as_ref()) {
            self.problems
                .add(word.span(), "`from` and `until` go with `never`");
        }
        if one.called.is_none() && one.active.is_empty() && one.result.is_none() {
            let why = "nothing is expected: write `called`, `active` or `result`";
            self.problems.add(at, why);
        }
        if let (Some(result), true) = (&one.result, repeats) {
            let why = "with `loop` the tree has no result: it begins again";
            self.problems.add(result.span(), why);
        }
        let times = self.times(one);
        if let Some(word) = called
            && let Some(pattern) = self.pattern(word)
        {
            expected.called = Some((word.span(), pattern, times));
        }
        for word in &one.active {
            match NodeName::read(word.get_ref()) {
                Some(node) => expected.active.push((word.span(), node)),
                None => {
                    let shown = crate::text::name(word.get_ref());
                    let why = format!(
                        "`{shown}` is no node: write the tree and the node's number, such as \"hunt.json#5\""
                    );
                    self.problems.add(word.span(), why);
                }
            }
        }
        Some(expected)
    }

    fn when(&mut self, one: &file::Expect) -> Option<When> {
        Some(match (&one.by, &one.at) {
            (Some(by), _) => When::By(self.time(by)),
            (None, Some(at)) if at.get_ref() == "end" => When::End,
            (None, Some(at)) => When::At(self.time(at)),
            (None, None) => {
                let from = one.from.as_ref().map_or(0, |from| self.time(from));
                let until = one.until.as_ref().map(|until| self.time(until));
                if until.is_some_and(|until| until < from) {
                    let at = one.until.as_ref().map_or(0..0, Spanned::span);
                    self.problems.add(at, "`until` is before `from`");
                    return None;
                }
                When::Never(from, until)
            }
        })
    }

    fn never(&mut self, never: &Word, one: &file::Expect, expected: &mut Expected) {
        let more = one.called.as_ref().or(one.active.first());
        let more = more.map(Spanned::span);
        let more = more.or(one.result.as_ref().map(Spanned::span));
        let more = more.or(one.times.as_ref().map(Spanned::span));
        if let Some(at) = more {
            let why =
                "`never` says what is not to happen: nothing but `from` and `until` goes with it";
            self.problems.add(at, why);
        }
        match NodeName::read(never.get_ref()) {
            Some(node) => expected.active.push((never.span(), node)),
            None => {
                if let Some(pattern) = self.pattern(never) {
                    expected.called = Some((never.span(), pattern, None));
                }
            }
        }
    }

    fn times(&mut self, one: &file::Expect) -> Option<u64> {
        let times = one.times.as_ref()?;
        if one.called.is_none() {
            self.problems
                .add(times.span(), "`times` goes with `called`");
        }
        let count = u64::try_from(*times.get_ref()).ok();
        if count.is_none() {
            self.problems
                .add(times.span(), "`times` is a whole number from 0 on");
        }
        count
    }
}
