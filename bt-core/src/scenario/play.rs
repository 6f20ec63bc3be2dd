//! A scenario is played: polls, steps, and what is expected after each poll.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::check::{Facts, check};
use super::problem::{Problems, ScenarioError};
use super::read::{Expected, MOST_POLLS, Scenario, Setting, Step, When};
use super::script::{Actor, Made, Others, Script, Unanswered};
use super::seen::{Seen, Watcher};
use super::values::seconds;
use super::verdict::{Failure, Story, Verdict};
use super::why;
use crate::dynamic::{Answer, DynAgent, DynType, Handler};
use crate::trace::Ring;
use crate::tree::check::{Knows as _, Typed};
use crate::{
    ActiveNode, Agent, AssetError, Context, Event, Mode, Runner, Session, TreeAsset, TreeSet,
    Trees, Worldless,
};

/// The agent whose methods are real.
const REAL: &str = "action_agent";

/// The number of lines of the trace that a failure shows.
const LINES: usize = 12;

/// The number of calls that a story has.
const TOLD: usize = 1_000;

/// The number of calls that are kept for messages.
const MOST_CALLS: usize = 100_000;

/// The number of records after which a scenario is stopped.
const MOST_RECORDS: u64 = 5_000_000;

/// Plays scenarios on trees that are built once.
///
/// A call that a scenario answers does not reach the agent: neither the method nor its exit method is called. Any
/// other call is made.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::scenario::{Player, Scenario};
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{TreeAsset, TreeSet};
///
/// #[derive(Agent, Default)]
/// struct Miner { found: u32 }
///
/// #[agent]
/// impl Miner {
///     #[action]
///     fn dig(&mut self, depth: f64) -> Option<bool> { None }
///     #[action]
///     fn cheer(&mut self) { self.found += 1; }
/// }
///
/// let mut trees = TreeSet::<Miner>::new();
/// let shift = sequence([action("dig").arg(4.0), action("cheer")]);
/// trees.add(TreeAsset::build("shift.json", "miner", shift));
/// let mut player = Player::new(&trees)?;
/// let scenario = Scenario::from_toml("shift.scenario.toml", r#"
/// tree = "shift.json"
/// [[answer]]
/// call = "dig(depth: 4)"
/// after = "2s"
/// result = true
/// [[expect]]
/// at = "1s"
/// active = ["shift.json#2"]
/// [[expect]]
/// by = "2s"
/// called = "cheer"
/// "#)?;
/// let mut miner = Miner::default();
/// let verdict = player.play(&scenario, &mut miner)?;
/// assert!(verdict.passed(), "{verdict}");
/// assert_eq!(miner.found, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Player<A: Agent> {
    trees: Trees<A>,
    assets: Vec<TreeAsset>,
    knows: Typed<A>,
    actor: Arc<Actor>,
    others: Others,
    keys: Vec<String>,
    keeps_story: bool,
}

impl<A: Agent> Player<A> {
    /// Builds trees for scenarios.
    ///
    /// # Errors
    /// As of [`TreeSet::build`].
    pub fn new(trees: &TreeSet<A>) -> Result<Player<A>, AssetError> {
        let actor = Arc::new(Actor::default());
        let refused = |error: crate::CallError| AssetError::because(&error.to_string());
        let built = trees.build_stood_in(actor.clone())?;
        Ok(Player {
            keys: built.0.plan.keys.names(),
            assets: trees.trees().to_vec(),
            knows: Typed::of(built.registry()).map_err(refused)?,
            trees: built,
            actor,
            others: Others::Agent,
            keeps_story: false,
        })
    }

    /// Sets whether verdicts have the [`Story`] of a scenario.
    pub fn keep_story(&mut self, keep: bool) {
        self.keeps_story = keep;
    }

    /// Plays a scenario with an agent that acts on a world. Before each poll, `between` gets both and the time: there
    /// the world continues, and what it fires is delivered in that poll.
    ///
    /// # Errors
    /// Everything in the scenario that does not fit the trees and the agent.
    pub fn play_in<'w, 's>(
        &mut self,
        scenario: &Scenario,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
        between: impl FnMut(&mut A, &mut A::World<'w, 's>, Duration) -> Vec<Event>,
    ) -> Result<Verdict, ScenarioError> {
        let script = self.check(scenario)?;
        let others = match (&self.others, scenario.otherwise) {
            (Others::Agent, _) => Others::Agent,
            (Others::But(real, _), otherwise) => Others::But(real.clone(), otherwise),
        };
        self.actor.begin(&script.rules, others);
        let play = Play::new(self, &script)?;
        play.run(agent, world, between)
    }

    /// Looks for everything in a scenario that does not fit the trees and the agent.
    ///
    /// # Errors
    /// All problems that it has.
    pub(super) fn check<'p>(&self, scenario: &'p Scenario) -> Result<Script<'p>, ScenarioError> {
        let board = crate::Blackboard::with_keys(self.trees.0.plan.keys.clone());
        check(
            scenario,
            &Facts {
                registry: self.knows.registry(),
                agent: self.knows.agent(),
                trees: &self.assets,
                board: &board,
                keys: &self.keys,
            },
        )
    }
}

impl Player<DynAgent> {
    /// Builds trees for scenarios of agents that are described. Methods of `action_agent` are real; where a scenario
    /// answers no other call, and no property that is read has a value, it fails.
    ///
    /// # Errors
    /// As of [`TreeSet::build`].
    pub fn described(trees: &TreeSet<DynAgent>) -> Result<Player<DynAgent>, AssetError> {
        let mut player = Player::new(trees)?;
        let agent = player.knows.agent();
        let real = agent.actions().into_iter();
        let real = real.filter(|action| action.agent.full_name() == REAL);
        let real = real.map(|action| action.item.name.clone());
        player.others = Others::But(real.collect(), None);
        Ok(player)
    }

    /// Plays a scenario with an agent of that description, whose properties have their first values and those that
    /// the scenario sets.
    ///
    /// # Errors
    /// Everything in the scenario that does not fit the trees and the agent.
    ///
    /// ```
    /// use bt_core::dynamic::{Describe, Type};
    /// use bt_core::scenario::{Player, Scenario};
    /// use bt_core::tree::asset::spec::action;
    /// use bt_core::TreeAsset;
    ///
    /// let usher = Describe::agent("usher").action("lead_to", |m| m.arg("seat", Type::of::<u32>())).build()?;
    /// let mut trees = usher.trees();
    /// trees.add(TreeAsset::build("show.json", "usher", action("lead_to").arg(12)));
    /// let mut player = Player::described(&trees)?;
    /// let text = "tree = \"show.json\"\n[[expect]]\nat = \"0s\"\nresult = \"success\"";
    /// let scenario = Scenario::from_toml("show.scenario.toml", text)?;
    /// let verdict = player.play_described(&scenario, &usher)?;
    /// assert!(verdict.to_string().contains("expected an answer to `lead_to(seat: 12)`"), "{verdict}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_described(
        &mut self,
        scenario: &Scenario,
        ty: &DynType,
    ) -> Result<Verdict, ScenarioError> {
        let watched = ty.with_handler(Unset(self.actor.clone()));
        self.play(scenario, &mut DynAgent::new(&watched))
    }
}

/// Notes the properties that are read and have no value.
struct Unset(Arc<Actor>);

impl Handler for Unset {
    fn call(&self, _: &mut DynAgent, name: &str, _: &[Value], _: &mut Context<'_>) -> Answer {
        Answer::refused(format!("nothing answers `{name}`"))
    }

    fn property(&self, _: &mut DynAgent, name: &str, cx: &mut Context<'_>) -> Option<Value> {
        self.0.note_unset(name, cx);
        None
    }
}

impl<A: Worldless> Player<A> {
    /// Plays a scenario.
    ///
    /// # Errors
    /// Everything in the scenario that does not fit the trees and the agent.
    pub fn play(&mut self, scenario: &Scenario, agent: &mut A) -> Result<Verdict, ScenarioError> {
        self.play_in(scenario, agent, &mut (), |_, (), _| Vec::new())
    }
}

/// A scenario that is being played.
struct Play<'p, A: Agent> {
    player: &'p Player<A>,
    script: &'p Script<'p>,
    runner: Runner<A>,
    session: Session,
    now: u64,
    polls: u64,
    /// The calls so far.
    made: Vec<Made>,
    /// The number of calls that were made before the last poll.
    fresh: usize,
    /// The expectations that are not decided yet, and how often the call of each was made.
    open: Vec<(&'p Expected, u64)>,
    failures: Vec<Failure>,
}

impl<'p, A: Agent> Play<'p, A> {
    fn new(player: &'p Player<A>, script: &'p Script<'p>) -> Result<Play<'p, A>, ScenarioError> {
        let scenario = script.scenario;
        let refused = |error: crate::TreeError| ScenarioError::of_file(&scenario.name, error);
        let mode = match scenario.repeats {
            true => Mode::Loop,
            false => Mode::Once,
        };
        let runner = Runner::new(&player.trees, &script.tree).map_err(refused)?;
        let watcher = Watcher {
            seen: Seen::default(),
            last: Ring::new(&player.trees, 64),
            records: 0,
        };
        let mut runner = runner.mode(mode).seed(scenario.seed).tracing(watcher);
        runner.start();
        Ok(Play {
            player,
            script,
            runner,
            session: Session::new(scenario.seed),
            now: 0,
            polls: 0,
            made: Vec::new(),
            fresh: 0,
            open: script.expected.iter().map(|one| (one, 0)).collect(),
            failures: Vec::new(),
        })
    }

    fn run<'w, 's>(
        mut self,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
        mut between: impl FnMut(&mut A, &mut A::World<'w, 's>, Duration) -> Vec<Event>,
    ) -> Result<Verdict, ScenarioError> {
        let scenario = self.script.scenario;
        self.set(&scenario.set, agent, world)?;
        let mut steps = scenario.steps.iter().peekable();
        loop {
            while let Some(step) = steps.next_if(|step| step.due <= self.now) {
                self.step(step, agent, world)?;
            }
            let time = Duration::from_nanos(self.now);
            for event in between(agent, world, time) {
                self.runner.fire(event);
            }
            self.runner.poll_in(agent, world, time);
            self.polls += 1;
            self.fresh = self.made.len();
            self.made.extend(self.player.actor.take_made());
            if let Some(unanswered) = self.player.actor.take_unanswered() {
                self.unanswered(&unanswered);
                break;
            }
            self.look();
            let next = self.now + scenario.tick;
            if self.is_over(next) {
                self.end();
                break;
            }
            self.now = next;
        }
        Ok(self.verdict())
    }

    /// Returns true if there is no poll at that time.
    fn is_over(&mut self, next: u64) -> bool {
        let scenario = self.script.scenario;
        let is_too_much = self.watcher().records > MOST_RECORDS;
        if is_too_much || self.polls > MOST_POLLS {
            let why = match is_too_much {
                true => format!(
                    "it was stopped at {}: too much happens in it",
                    seconds(self.now)
                ),
                false => format!("it runs at {} still: write `until`", seconds(self.now)),
            };
            let at = scenario.tree.span().start;
            self.fail(at, "the tree to end".to_owned(), why, Vec::new());
            return true;
        }
        match scenario.until {
            Some(until) => next > until,
            None => !self.runner.is_running() && self.now >= scenario.last_time(),
        }
    }

    fn watcher(&self) -> &Watcher {
        self.runner.tracer().expect("it was set")
    }

    fn set<'w, 's>(
        &mut self,
        all: &[Setting],
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> Result<(), ScenarioError> {
        let scenario = self.script.scenario;
        for setting in all {
            let value = setting.value.clone();
            let set = match setting.is_property {
                true => {
                    let any: &mut dyn Any = agent;
                    let set = match any.downcast_mut::<DynAgent>() {
                        // Trees may not write all of them; a scenario is the host.
                        Some(agent) => agent.set(&setting.name, value),
                        None => {
                            let properties = self.player.knows.actions().properties();
                            let cx = &mut self.session.context();
                            let found = properties.find(&setting.name);
                            found.and_then(|found| found.set(agent, world, cx, &value))
                        }
                    };
                    set.map_err(|error| error.to_string())
                }
                false => {
                    let board = self.runner.blackboard();
                    let set = board.try_set(&setting.name, value);
                    set.map_err(|error| error.to_string())
                }
            };
            if let Err(why) = set {
                let mut problems = Problems::new(&scenario.text);
                problems.add(setting.at.clone(), why);
                problems.into_result(&scenario.name)?;
            }
        }
        Ok(())
    }

    fn step<'w, 's>(
        &mut self,
        step: &Step,
        agent: &mut A,
        world: &mut A::World<'w, 's>,
    ) -> Result<(), ScenarioError> {
        self.set(&step.set, agent, world)?;
        if let Some((event, params)) = &step.fire {
            let event = params.iter().fold(
                Event::new(event.get_ref().as_str()),
                |event, (name, value)| event.with(name.get_ref().as_str(), value.get_ref()),
            );
            self.runner.fire(event);
        }
        Ok(())
    }

    /// Looks at what is expected after this poll.
    fn look(&mut self) {
        let (now, next) = (self.now, self.now + self.script.scenario.tick);
        let active = self.runner.active_nodes();
        let result = self.runner.result();
        let fresh = &self.made[self.fresh..];
        let mut decided = Vec::new();
        self.open.retain_mut(|(one, count)| {
            let called = one.called.as_ref().map(|(_, pattern, _)| {
                let made = fresh.iter().filter(|made| made.is_of(pattern));
                made.count() as u64
            });
            *count += called.unwrap_or(0);
            let verdict = match one.when {
                When::By(_) if holds(one, *count, &active, result) => Some(true),
                When::By(by) => (next > by).then_some(false),
                When::At(at) => (now >= at).then(|| holds(one, *count, &active, result)),
                When::End => None,
                When::Never(from, until) => {
                    let is_past = until.is_some_and(|until| now > until);
                    let happens = called.map_or_else(|| are_active(one, &active), |made| made > 0);
                    match now >= from && !is_past && happens {
                        true => Some(false),
                        false => is_past.then_some(true),
                    }
                }
            };
            if verdict == Some(false) {
                decided.push((*one, *count));
            }
            verdict.is_none()
        });
        for (one, count) in decided {
            self.unmet(one, count);
        }
        if self.made.len() > MOST_CALLS {
            self.made.drain(..MOST_CALLS / 2);
        }
    }

    /// Looks at what is expected after the last poll.
    fn end(&mut self) {
        let result = self.runner.result();
        let active = self.runner.active_nodes();
        for (one, count) in std::mem::take(&mut self.open) {
            let is_met = match one.when {
                When::Never(..) => true,
                When::By(_) => false,
                When::At(_) | When::End => holds(one, count, &active, result),
            };
            if !is_met {
                self.unmet(one, count);
            }
        }
    }

    fn unanswered(&mut self, unanswered: &Unanswered) {
        let at = self.script.scenario.tree.span().start;
        let (expected, happened) = match unanswered {
            Unanswered::Call(made) => (
                format!("an answer to `{made}`"),
                format!(
                    "nothing answers the call, which {} makes at {}: write an `[[answer]]` with `call = \"{}\"`, or \
                     `otherwise = \"failure\"`",
                    made.node,
                    seconds(made.time),
                    made.method
                ),
            ),
            Unanswered::Property(name, node) => (
                format!("a value of property `{name}`"),
                format!(
                    "{node} reads it, and it has none: write `\"@{name}\"` with a value below `[set]`"
                ),
            ),
        };
        self.fail(at, expected, happened, Vec::new());
    }

    fn unmet(&mut self, one: &Expected, count: u64) {
        let expected = why::expected(one);
        let happened = why::happened(one, count, &self.made, &self.runner, self.now);
        let seen = &self.watcher().seen;
        let plan = &self.player.trees.0.plan;
        let words = |tree: &str, idx| {
            let node = plan.node_of(tree, idx);
            node.map_or_else(String::new, |node| plan.place(node))
        };
        let causes = why::causes(one, &self.player.assets, seen, &words);
        self.fail(one.at.start, expected, happened, causes);
    }

    fn fail(&mut self, at: usize, expected: String, happened: String, mut why: Vec<String>) {
        let problems = Problems::new(&self.script.scenario.text);
        let (line, column) = problems.place(at);
        why.extend(self.explained());
        let trace = self.last_lines();
        self.failures.push(Failure {
            line,
            column,
            time: self.now,
            expected,
            happened,
            why,
            trace,
        });
    }

    /// The reasons why the agent waits, a line for each.
    fn explained(&self) -> Vec<String> {
        let explained = self.runner.explain().to_string();
        let lines = explained.lines().map(|line| line.trim_end().to_owned());
        lines.collect()
    }

    /// The last lines of the trace.
    fn last_lines(&self) -> Vec<String> {
        let records: Vec<_> = self.watcher().last.records().collect();
        let last = &records[records.len().saturating_sub(LINES)..];
        let lines = last
            .iter()
            .map(|record| crate::trace::Words(record).to_string());
        lines.collect()
    }

    fn story(&self) -> Story {
        let unlisted = self.made.len().saturating_sub(TOLD);
        let calls = self.made[unlisted..].iter();
        let calls = calls.map(|made| format!("{} {made} by {}", seconds(made.time), made.node));
        Story {
            calls: calls.collect(),
            unlisted,
            active: self.runner.active_nodes(),
            why: self.explained(),
            trace: self.last_lines(),
        }
    }

    fn verdict(mut self) -> Verdict {
        let story = self.player.keeps_story.then(|| self.story());
        let diagnostics = self.runner.take_diagnostics();
        Verdict {
            scenario: self.script.scenario.name.clone(),
            polls: self.polls,
            time: self.now,
            result: self.runner.result(),
            seen: self.watcher().seen.clone(),
            diagnostics: diagnostics.iter().map(ToString::to_string).collect(),
            failures: self.failures,
            story,
        }
    }
}

/// Returns true if everything is as expected: its call was made so often, its nodes are active, the tree ended so.
fn holds(one: &Expected, count: u64, active: &[ActiveNode], result: Option<bool>) -> bool {
    let called = match &one.called {
        Some((_, _, Some(times))) => count == *times,
        Some((_, _, None)) => count > 0,
        None => true,
    };
    let ended = one.result.is_none_or(|wanted| result == Some(wanted));
    called && ended && are_active(one, active)
}

fn are_active(one: &Expected, active: &[ActiveNode]) -> bool {
    one.active.iter().all(|(_, node)| {
        let mut all = active.iter();
        all.any(|found| found.idx == node.idx && found.tree == node.tree)
    })
}
