//! Playing a case.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;
use std::time::Duration;

use bt_core::reload::Changes;
use bt_core::tree::asset::spec::{action, node, sequence};
use bt_core::tree::check::Rules;
use bt_core::{Event, LeafId, Mode, Runner, TreeAsset, TreeSet, Trees};
use serde_json::{Value, json};

use super::agent::Wild;
use super::watch::{Goal, Rank, Watch};
use super::{Chaos, Deal, Deed, End, Quirk, TREES, When};
use crate::cases::{Act, Case, KEYS, Op, Profile, Tree};
use crate::sky;

/// The number of polls in which a runner must meet a request, when all that waits is finished.
const TIMEOUT: u32 = 300;
/// The number of calls in a poll.
const CALLS: u64 = 20_000;

impl Chaos {
    /// Plays the case.
    ///
    /// # Errors
    /// The first rule that was broken.
    pub fn run(&self) -> Result<(), String> {
        let mut play = Play::new(self)?;
        play.all(self);
        play.watch.fault().map_or(Ok(()), Err)
    }

    /// The first rule that was broken, and all that happened.
    pub fn trace(&self) -> (Option<String>, Vec<String>) {
        let mut play = match Play::new(self) {
            Ok(play) => play,
            Err(why) => return (Some(why), Vec::new()),
        };
        play.watch.keep_lines();
        play.all(self);
        (play.watch.fault(), play.watch.lines())
    }

    /// The deeds of scripts beside their replies, too.
    fn all_quirks(&self) -> Vec<Quirk> {
        let mut quirks = self.quirks.clone();
        for script in self.case.scripts() {
            let deed = match script.act {
                Act::Nothing | Act::Delta => continue,
                Act::Set(key, on) => Deed::Set(key, on),
                Act::Fire(event) => Deed::Fire(event),
                Act::Stop => Deed::Stop,
                Act::Reset => Deed::Reset,
                Act::Load(tree) => Deed::Load(tree),
            };
            let calls = match deed {
                Deed::Fire(_) => 1..=3,
                _ => 0..=0,
            };
            quirks.extend(calls.map(|nth| Quirk {
                who: script.name.clone(),
                when: When::Call,
                nth,
                deed,
            }));
        }
        quirks
    }

    /// The trees of a case, whose nodes have the numbers that the case says.
    fn trees(&self, case: &Case) -> Result<Trees<Wild>, String> {
        let mut set = TreeSet::new();
        set.rules(Rules::in_code());
        for (number, name) in TREES.into_iter().enumerate() {
            let moods = node("always_true").child(action("moods").property("mood"));
            let top = sequence([action("begin").arg(name), moods, case.spec(number)]);
            let mut keys = case.declared(number);
            let top = match (self.case.seed + number as u64) % 4 {
                0 => {
                    keys["k0"] = json!({"type": "bool", "scope": "tree"});
                    top
                }
                1 => top.extra(
                    "blackboard",
                    json!({"k1": {"type": "bool", "initial": true}}),
                ),
                _ => top,
            };
            let top = node("root").extra("blackboard", keys).child(top);
            set.add(numbered(
                TreeAsset::build(name, "wild", top),
                &case.trees[number],
            ));
        }
        set.build().map_err(|error| error.to_string())
    }

    fn runner(&self) -> Result<Runner<Wild>, String> {
        let trees = self.trees(&self.case)?;
        let mode = if self.case.looping {
            Mode::Loop
        } else {
            Mode::Once
        };
        let runner = Runner::new(&trees, TREES[0]).map_err(|error| error.to_string())?;
        let runner = runner.mode(mode).keep_results(self.case.keeps_results);
        Ok(runner.budget(self.case.budget).seed(self.case.stream))
    }
}

/// A tree whose nodes have their numbers: those of the case come after five of its own, of which the first is
/// the root.
fn numbered(tree: TreeAsset, of: &Tree) -> TreeAsset {
    const OWN: u64 = 1_000_000;
    let nodes = of.root.nodes();
    let mut file: Value = serde_json::from_str(&tree.to_json()).unwrap_or_default();
    let number = |idx: &Value| match idx.as_u64().unwrap_or(0) {
        0 => Value::from(0),
        own @ 1..=4 => Value::from(OWN + own),
        idx => Value::from(nodes[idx as usize - 4].idx),
    };
    for node in file["nodes"].as_array_mut().into_iter().flatten() {
        node["idx"] = number(&node["idx"]);
        if !node["parent"].is_null() {
            node["parent"] = number(&node["parent"]);
        }
        for child in node["children"].as_array_mut().into_iter().flatten() {
            *child = number(child);
        }
    }
    TreeAsset::from_json(tree.name(), &file.to_string()).unwrap_or(tree)
}

struct Play<'c> {
    chaos: &'c Chaos,
    /// The trees as they were edited last.
    case: Case,
    watch: Watch,
    agent: Wild,
    runner: Option<Runner<Wild>>,
    names: Vec<String>,
    /// Leaves that were active.
    seen: Vec<LeafId>,
    threads: Vec<JoinHandle<()>>,
    /// In quarters of a second.
    now: u64,
}

impl<'c> Play<'c> {
    fn new(chaos: &'c Chaos) -> Result<Play<'c>, String> {
        let scripts = chaos.case.scripts();
        let agent = Wild {
            quirks: chaos.all_quirks(),
            replies: scripts
                .iter()
                .map(|script| {
                    (
                        script.name.clone(),
                        script.replies.iter().cloned().collect(),
                    )
                })
                .collect(),
            ..Wild::default()
        };
        Ok(Play {
            chaos,
            case: chaos.case.clone(),
            watch: agent.watch.clone(),
            agent,
            runner: Some(chaos.runner()?),
            names: scripts.iter().map(|script| script.name.clone()).collect(),
            seen: Vec::new(),
            threads: Vec::new(),
            now: 0,
        })
    }

    fn all(&mut self, chaos: &Chaos) {
        for op in &chaos.ops {
            self.deal(*op);
            if self.watch.fault().is_some() {
                return self.abandon();
            }
        }
        if chaos.end == End::Stop {
            self.settle();
            if self.watch.fault().is_none() {
                self.stop_for_ever();
            }
        }
        if self.watch.fault().is_some() {
            return self.abandon();
        }
        self.close();
    }

    /// Nothing more is to be learned: whatever is still there goes silently.
    fn abandon(&mut self) {
        self.watch.close();
        let runner = self.runner.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(runner)));
    }

    /// Lets the host do something to the runner, from which no panic may come.
    fn with<T>(
        &mut self,
        what: &str,
        act: impl FnOnce(&mut Runner<Wild>, &mut Wild) -> T,
    ) -> Option<T> {
        let runner = self.runner.as_mut()?;
        let agent = &mut self.agent;
        match catch_unwind(AssertUnwindSafe(|| act(runner, agent))) {
            Ok(found) => Some(found),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                let text = text.unwrap_or("without a reason").to_owned();
                self.watch
                    .blame(format!("a panic came out of {what}: `{text}`"));
                None
            }
        }
    }

    fn time(&self) -> Duration {
        Duration::from_millis(self.now * 250)
    }

    fn poll(&mut self) {
        let now = self.time();
        self.watch.note(|| format!("poll at {now:?}"));
        let calls = self.watch.calls();
        let watch = self.watch.clone();
        sky::show(&self.agent.flags, move |name| {
            watch.called("condition", name)
        });
        let is_over = self.with("poll", |runner, agent| {
            let moved = runner.last_reload().cloned();
            runner.poll(agent, now);
            (runner.is_running(), runner.last_reload() != moved.as_ref())
        });
        if is_over.is_some_and(|(_, moved)| moved) {
            self.watch.moves(false);
        }
        let is_over = is_over.map(|(is_running, _)| is_running);
        if self.watch.calls() - calls > CALLS {
            self.watch.blame("too many calls in a poll".to_owned());
        }
        self.look(is_over == Some(false));
    }

    fn stop(&mut self, rank: Rank) {
        let now = self.time();
        self.watch.note(|| format!("stop of {rank:?}"));
        self.watch.request(rank, Goal::Rest);
        let is_running = self.with("stop", |runner, agent| {
            runner.stop(agent, now);
            runner.is_running()
        });
        self.look(is_running == Some(false));
    }

    /// Looks at what is there after a call of the runner.
    fn look(&mut self, rests: bool) {
        if rests {
            let open = self.watch.open();
            if !open.is_empty() {
                self.watch
                    .blame(format!("not running, and not exited: `{open:?}`"));
            }
            let active = self.with("active_nodes", |runner, _| runner.active_nodes().len());
            if active != Some(0) {
                self.watch
                    .blame("not running, and nodes are active".to_owned());
            }
        } else {
            let leaves = self.with("active_leaves", |runner, _| {
                let leaves = runner.active_leaves();
                leaves.iter().map(|leaf| leaf.id).collect::<Vec<_>>()
            });
            for leaf in leaves.unwrap_or_default() {
                if !self.seen.contains(&leaf) && self.seen.len() < 50 {
                    self.seen.push(leaf);
                }
            }
        }
    }

    fn deal(&mut self, deal: Deal) {
        if !matches!(deal, Deal::Op(Op::Poll(_))) {
            self.watch.note(|| format!("{deal:?}"));
        }
        match deal {
            Deal::Op(op) => self.op(op),
            Deal::Stale(number, success) => {
                if let Some(leaf) = self.seen.get(number).copied() {
                    self.with("finish", |runner, _| runner.finish(leaf, success));
                }
            }
            Deal::Thread(waits) => {
                let completions: Vec<_> = {
                    let completions = self.agent.completions();
                    completions.iter().map(|(_, found)| found.clone()).collect()
                };
                let thread = std::thread::spawn(move || {
                    for completion in completions {
                        completion.finish(true);
                    }
                });
                if waits {
                    let _ = thread.join();
                } else {
                    self.threads.push(thread);
                }
            }
            Deal::DropCompletions => self.agent.completions().clear(),
            Deal::Burst(count) => {
                for number in 0..count {
                    let event = if number % 2 == 0 { "go" } else { "told" };
                    self.with("fire", |runner, _| runner.fire(Event::new(event)));
                }
            }
            Deal::Reload(seed) => self.reload(seed),
            Deal::KeyFalls(key) => {
                // Declared keys refuse it.
                self.with("set", |runner, _| runner.blackboard().set(key, "fall"));
            }
        }
    }

    fn reload(&mut self, seed: u64) {
        let edited = self.case.edited(seed, seed as u32 % 5, Profile::All);
        let Ok(trees) = self.chaos.trees(&edited) else {
            return;
        };
        self.case = edited;
        self.with("reload", |runner, _| {
            let changes = Changes::between(runner.trees(), &trees);
            _ = runner.preview_reload(&changes);
            runner.reload(&changes);
        });
        self.watch.moves(true);
    }

    fn op(&mut self, op: Op) {
        match op {
            Op::Poll(quarters) => {
                self.now = self
                    .now
                    .saturating_add_signed(quarters.into())
                    .max(self.now);
                self.poll();
            }
            Op::Fire(event) => {
                self.with("fire", |runner, _| runner.fire(Event::new(event)));
            }
            Op::End(number, success) => {
                let name = self.names.get(number % self.names.len().max(1));
                let completions = self.agent.completions();
                let mut of_name = completions.iter().rev();
                if let Some((_, found)) = of_name.find(|(of, _)| Some(of) == name) {
                    found.finish(success);
                }
            }
            Op::Finish(number, success) => {
                self.with("finish", |runner, _| {
                    let active = runner.active_leaves();
                    if let Some(leaf) = active.get(number % active.len().max(1)) {
                        runner.finish(leaf.id, success);
                    }
                });
            }
            Op::Key(key, on) => {
                self.with("set", |runner, _| runner.blackboard().set(key, on));
            }
            Op::Flag(flag, on) => {
                self.agent.flags.insert(flag.to_owned(), on);
            }
            Op::Pause => {
                self.with("pause", |runner, _| runner.pause());
                self.watch.pause(true);
            }
            Op::Resume => {
                self.with("resume", |runner, _| runner.resume());
                self.watch.pause(false);
            }
            Op::Stop => self.stop(Rank::Host),
            Op::Start => {
                self.with("start", |runner, _| runner.start());
                self.watch.started();
            }
            Op::Reset => {
                self.watch.request(Rank::Host, Goal::Begin(None));
                self.with("reset", |runner, _| runner.reset());
            }
            Op::Load(tree) => {
                let tree = TREES[tree];
                self.watch.request(Rank::Host, Goal::Begin(Some(tree)));
                self.with("load", |runner, _| runner.load(tree).is_ok());
            }
        }
    }

    /// Finishes all that waits.
    fn finish_all(&mut self) {
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        for (_, completion) in self.agent.completions().drain(..) {
            completion.finish(true);
        }
    }

    fn is_running(&self) -> bool {
        self.runner.as_ref().is_some_and(Runner::is_running)
    }

    /// Checks that requests are met, once nothing goes wrong any more.
    fn settle(&mut self) {
        self.watch.note(|| "settle".to_owned());
        self.agent.is_tame = true;
        self.agent.replies.clear();
        for key in KEYS {
            self.with("set", |runner, _| runner.blackboard().set(key, false));
        }
        self.op(Op::Resume);
        for _ in 0..TIMEOUT {
            match self.watch.goal() {
                Some(Goal::Begin(_)) if self.is_running() => {}
                Some(Goal::Rest) if self.is_running() => {}
                _ => return,
            }
            self.finish_all();
            self.now += 1;
            self.poll();
            if self.watch.fault().is_some() {
                return;
            }
        }
        let goal = self.watch.goal();
        self.watch.blame(format!("lost: {goal:?}"));
    }

    fn stop_for_ever(&mut self) {
        self.agent.is_tame = false;
        self.stop(Rank::Despawn);
        self.agent.is_tame = true;
        for poll in 0.. {
            if !self.is_running() || self.watch.fault().is_some() {
                break;
            }
            if poll == TIMEOUT {
                return self.watch.blame("the last stop is lost".to_owned());
            }
            self.finish_all();
            self.now += 1;
            self.poll();
        }
        for event in ["go", "told", "nobody"] {
            self.with("fire", |runner, _| runner.fire(Event::new(event)));
            self.now += 20;
            self.poll();
        }
        if self.is_running() {
            self.watch.blame("it runs after the last stop".to_owned());
        }
        let wake = self.with("next_wake", |runner, _| runner.next_wake());
        if wake != Some(None) {
            self.watch.blame(format!(
                "it wants to be polled at {wake:?} after the last stop"
            ));
        }
    }

    /// Drops the runner: no guard is left.
    fn close(&mut self) {
        self.watch.note(|| "drop the runner".to_owned());
        self.watch.close();
        let runner = self.runner.take();
        if catch_unwind(AssertUnwindSafe(|| drop(runner))).is_err() {
            self.watch
                .blame("a panic came out of the runner's drop".to_owned());
        }
        let live = self.watch.live();
        if live != 0 {
            self.watch
                .blame(format!("guards that never drop: `{live}`"));
        }
        self.finish_all();
    }
}
