//! A runner's state as data.

mod described;
mod frames;
mod nodes;

use rustc_hash::FxHashMap;

use crate::run::core::{self, Core};
use crate::run::node_ref::{At, NOWHERE};
use crate::run::plain::{Delivery, Due, Entry, KeySet, Leaving, Quiet, Suspension, Then, Watch};
use crate::run::runner::Runner;
use crate::run::state::continuations::Continuation;
use crate::run::state::timers::Timer;
use crate::run::walk::Act;
use crate::snapshot::{Place, Saved, format};
use crate::tree::plan::{NONE, Plan};
use crate::{Agent, Event};

impl<A: Agent> Runner<A> {
    /// Everything that it knows of its agent, as data: to be [restored](Runner::restore) in another
    /// process, on another clock. It continues as if nothing had happened.
    ///
    /// What a completion would finish cannot be saved: see [`restore`](Runner::restore) for what becomes
    /// of actions that wait. Times are saved as times left, and no time of this clock with them. The
    /// agent itself is the host's to save.
    pub fn save(&self) -> Saved {
        // Writes that waited for the end of a loan of the host's.
        self.core.session.blackboard();
        let set = &*self.trees.0;
        let saving = Saving::new(&set.plan, &self.core);
        let mut parts = saving.parts(set.agent);
        let exit = |call: u32| set.leaves[call as usize].action?.exit_method();
        parts.nodes = saving.described(&set.source, &exit);
        Saved::new(parts)
    }
}

/// A tree that is there: the current one, or one that is suspended.
struct Stage<'a> {
    root: u32,
    base: u32,
    began: u32,
    entries: &'a [Entry],
    watches: &'a [Watch],
    leaving: &'a [Leaving],
    held: &'a [Delivery],
    why: Option<Suspension>,
}

struct Saving<'a> {
    plan: &'a Plan,
    core: &'a Core,
    /// Trees that events suspended, and last the current one.
    stages: Vec<Stage<'a>>,
    /// The frames that are in use, as they are numbered in what is saved, with their trees.
    frames: Vec<(u32, u32)>,
    /// Their numbers in the saved agent.
    numbers: FxHashMap<u32, u32>,
    /// The trees that are named, sorted by name.
    trees: Vec<u32>,
    /// The time that others count from.
    now: u64,
}

impl<'a> Saving<'a> {
    fn new(plan: &'a Plan, core: &'a Core) -> Saving<'a> {
        let cold = core.cold.as_deref();
        let mut stages: Vec<_> = Vec::new();
        for level in core.suspended() {
            stages.push(Stage {
                root: level.root,
                base: level.base,
                began: level.began,
                entries: &level.entries,
                watches: &level.watches,
                leaving: &level.leaving,
                held: &level.held,
                why: level.why,
            });
        }
        stages.push(Stage {
            root: core.root,
            base: core.base(),
            began: core.began,
            entries: &core.entries,
            watches: core.observed(),
            leaving: cold.map_or(&[], |cold| &cold.leaving),
            held: cold.map_or(&[], |cold| cold.inbox.held()),
            why: None,
        });
        let mut saving = Saving {
            plan,
            core,
            stages,
            frames: Vec::new(),
            numbers: FxHashMap::default(),
            trees: Vec::new(),
            now: core.paused_since().unwrap_or_else(|| core.now()),
        };
        saving.number_frames();
        saving.name_trees();
        saving
    }

    /// The number of a tree among those that are named.
    fn tree(&self, tree: u32) -> u32 {
        let at = self.trees.iter().position(|known| *known == tree);
        at.unwrap_or_default() as u32
    }

    fn tree_name(&self, tree: u32) -> String {
        self.plan.trees[tree as usize].name.to_string()
    }

    fn idx(&self, node: u32) -> u32 {
        self.plan.info(node).idx
    }

    /// A place, if its frame is in use, and by the tree that the place is in.
    fn known(&self, at: At) -> Option<Place> {
        let frame = *self.numbers.get(&at.frame)?;
        let (_, tree) = self.frames[frame as usize];
        let info = self.plan.infos.get(at.node as usize)?;
        (info.tree == tree).then_some(Place {
            frame,
            idx: info.idx,
        })
    }

    /// A node whose run is over.
    fn over(&self, at: At) -> format::By {
        let tree = self.plan.info(at.node).tree;
        format::By::Over(self.tree_name(tree), self.idx(at.node))
    }

    fn place(&self, at: At) -> Place {
        let frame = self.numbers.get(&at.frame);
        Place {
            frame: frame.copied().unwrap_or(NONE),
            idx: self.idx(at.node),
        }
    }

    fn parts(&self, agent: &str) -> format::Parts {
        let (plan, core) = (self.plan, self.core);
        let nothing = core::Cold::default();
        let cold = core.cold.as_deref().unwrap_or(&nothing);
        let hash = |tree: &u32| {
            let tree = &plan.trees[*tree as usize];
            (tree.name.to_string(), hash_text(tree.hash))
        };
        let board = core.session.board();
        let keys = board.saved_keys();
        let arrived = core.session.completions().into_iter();
        let arrived = arrived.map(|(ticket, answer)| Delivery::Completed(ticket, answer));
        let fired = core
            .session
            .fired()
            .iter()
            .map(event)
            .map(format::Delivery::Event);
        let queue = cold
            .inbox
            .queue()
            .filter_map(|delivery| self.delivery(delivery));
        let arrived = arrived.filter_map(|delivery| self.delivery(&delivery));
        format::Parts {
            format: format::FORMAT,
            agent: agent.to_owned(),
            trees: self.trees.iter().map(hash).collect(),
            nodes: Vec::new(),
            phase: core.phase,
            frames: self
                .frames
                .iter()
                .map(|(frame, tree)| self.frame(*frame, *tree))
                .collect(),
            poll: core.poll,
            order: core.last_order().number(),
            again: core.again,
            budget: (core.max_budget != core::BUDGET).then_some(core.max_budget),
            started: core.is_started(),
            starts_again: cold.requests.starts_again(),
            paused: core.is_paused_by_host(),
            resumed: !core.is_paused_by_host() && self.pauses(cold),
            paused_ago: self.paused_ago(cold),
            interrupted: core.interrupted.any(),
            awake: self.is_awake(),
            last: core.last,
            levels: self.stages.iter().map(|stage| self.level(stage)).collect(),
            timers: core.timers.iter().map(|timer| self.timer(timer)).collect(),
            states: self.states(cold),
            kept: cold
                .counters
                .iter()
                .filter_map(|found| self.retained(found))
                .collect(),
            failed_guards: self.failed_guards(cold),
            followed: self.followed_later(cold),
            taken: self.taken(cold),
            latched: cold.inbox.latched().map(event).collect(),
            queue: queue.chain(fired).chain(arrived).collect(),
            request: core
                .asked()
                .or(cold.requests.pending())
                .map(|request| self.request(request)),
            work: self.work(cold),
            handed: match self.transfers() {
                true => cold.requests.handed().to_vec(),
                false => Vec::new(),
            },
            unknown_events: cold
                .reports
                .unknown_events()
                .iter()
                .map(ToString::to_string)
                .collect(),
            stuck: self.stuck(cold),
            forced: core.saved_forced(),
            keeps_results: cold.results.are_kept(),
            results: self.results(cold),
            keys: keys.set,
            unset: keys.unset,
            observed: keys.observed,
            random: hash_text(core.session.random_state()),
        }
    }

    /// Returns true if there is a pause that the next poll ends.
    fn pauses(&self, cold: &core::Cold) -> bool {
        match &cold.restored {
            Some(restored) => restored.pauses(self.core),
            None => cold.pauses.since().is_some(),
        }
    }

    /// The age of that pause.
    fn paused_ago(&self, cold: &core::Cold) -> u64 {
        match &cold.restored {
            Some(restored) if !restored.landed => restored.paused_ago,
            _ => {
                let since = cold.pauses.since();
                since.map_or(0, |since| self.core.now() - since)
            }
        }
    }

    /// Returns true if the next poll has more to do than to look at the clock.
    fn is_awake(&self) -> bool {
        let core = self.core;
        let restored = core.cold.as_ref().and_then(|cold| cold.restored.as_ref());
        let quiet =
            core.quiet != Quiet::No || restored.is_some_and(|restored| restored.was_quiet(core));
        !quiet || core.session.has_arrived() || core.session.board().has_news()
    }

    fn level(&self, stage: &Stage<'_>) -> format::Level {
        // A key that changed since: guards that follow it are evaluated next time; those of a tree that
        // is suspended are when it continues.
        let is_current = stage.base == self.core.base();
        let mut stirred = KeySet::default();
        self.core
            .session
            .board()
            .each_stirred(|key| stirred.add(key));
        let watch = |watch: &Watch| format::Watch {
            at: self.place(watch.at),
            guard: watch.guard,
            own: watch.own,
            last: watch.last,
            due: match watch.due {
                _ if !is_current => Due::No,
                _ if watch.keys.meets(stirred) => Due::Now,
                due => due,
            },
            keys: watch
                .follows_keys(self.plan)
                .then(|| self.followed(watch.keys).0),
        };
        // A node that takes over once another has been cancelled is evaluated again before it is entered.
        let is_active = |at: At| {
            let mut entries = stage.entries.iter();
            entries.any(|entry| match entry.at == at {
                true => entry.wait.is_entered(),
                false => self.core.is_within(self.plan, entry.at, at),
            })
        };
        let is_known = |watch: &&Watch| !watch.own || is_active(watch.at);
        let held = stage.held.iter();
        format::Level {
            began: (stage.began != NONE).then_some(stage.began),
            entries: stage
                .entries
                .iter()
                .map(|entry| self.entry(entry))
                .collect(),
            watches: stage.watches.iter().filter(is_known).map(watch).collect(),
            leaving: stage
                .leaving
                .iter()
                .map(|leaving| self.leaving(leaving))
                .collect(),
            why: stage.why.and_then(|why| self.suspension(why)),
            held: held
                .filter_map(|delivery| self.delivery(delivery))
                .collect(),
        }
    }

    /// The keys that guards follow, and whether those are all: not if a run of a tree that had some is over.
    pub(super) fn followed(&self, follows: KeySet) -> (Vec<format::Followed>, bool) {
        let board = self.core.session.board();
        let (mut keys, mut named) = (Vec::new(), KeySet::default());
        for (name, key) in board.observed_keys() {
            if follows.has(key) {
                keys.push(format::Followed::Agent(name));
                named.add(key);
            }
        }
        for ((frame, tree), number) in self.frames.iter().zip(0..) {
            let Some(open) = self.core.frame(*frame).board else {
                continue;
            };
            let scope = self.plan.trees[*tree as usize].scope;
            for (at, key) in board.observed_in(scope, open) {
                if follows.has(key) {
                    keys.push(format::Followed::Tree(number, at));
                    named.add(key);
                }
            }
        }
        (keys, named == follows)
    }

    fn suspension(&self, why: Suspension) -> Option<(Place, u32, u64)> {
        let mut taken = self.plan.attached(why.by.node)?.events.iter();
        let which = taken.position(|taken| taken.event == why.event)?;
        let restored = self.core.cold.as_ref()?.restored.as_ref();
        let ago = match restored.is_some_and(|restored| !restored.landed) {
            true => why.since,
            // On the host's clock, as of nodes that wait: a pause is no part of it.
            false => self.core.now().saturating_sub(why.since),
        };
        Some((self.place(why.by), which as u32, ago))
    }

    fn entry(&self, entry: &Entry) -> format::Entry {
        let restored = self.core.cold.as_ref();
        let restored = restored.and_then(|cold| cold.restored.as_ref());
        let had = restored.and_then(|restored| restored.had(entry.order));
        let age = restored.and_then(|restored| restored.age(entry.order));
        let more = entry.more.as_deref();
        let on = more.iter().flat_map(|more| more.on.iter().cloned());
        let (completion, guards) = match (had, more) {
            (Some(had), _) => had,
            (None, Some(more)) => (more.completion.is_some(), !more.guards.is_empty()),
            (None, None) => (false, false),
        };
        format::Entry {
            at: self.place(entry.at),
            order: entry.order.number(),
            wait: entry.wait,
            ago: age.unwrap_or_else(|| self.core.now().saturating_sub(entry.since)),
            until: (entry.until != 0).then_some((entry.until, entry.result())),
            on: on.collect(),
            kept: more.and_then(|more| more.kept.as_deref().cloned()),
            args: more.map_or_else(Vec::new, |more| more.args.to_vec()),
            completion,
            guards,
        }
    }

    fn timer(&self, timer: &Timer) -> format::Timer {
        format::Timer {
            at: self.place(timer.at()),
            left: timer.time().saturating_sub(self.now),
            purpose: timer.purpose(),
        }
    }

    /// The saved form of a delivery; none for the answer to a call that has exited since.
    fn delivery(&self, delivery: &Delivery) -> Option<format::Delivery> {
        let entries = || self.stages.iter().flat_map(|stage| stage.entries);
        match delivery {
            Delivery::Event(fired) => Some(format::Delivery::Event(event(fired))),
            Delivery::Finished(order, success) => {
                let mut leaves = entries().filter(|entry| entry.is_leaf());
                let is_there = leaves.any(|entry| entry.order == *order);
                is_there.then_some(format::Delivery::Finish(order.number(), Some(*success)))
            }
            Delivery::Completed(ticket, answer) => {
                let of_ticket = |entry: &&Entry| {
                    let more = entry.more.as_ref();
                    let completion = more.and_then(|more| more.completion.as_ref());
                    completion.is_some_and(|pending| pending.ticket() == *ticket)
                };
                let entry = entries().find(of_ticket)?;
                Some(format::Delivery::Finish(entry.order.number(), *answer))
            }
            Delivery::Timer(timer) => {
                let at = self.known(timer.at())?;
                Some(format::Delivery::Timer(at, timer.purpose()))
            }
        }
    }

    fn leaving(&self, leaving: &Leaving) -> format::Leaving {
        let then = match leaving.then {
            Then::Go(at, act) => format::Then::Go(self.place(at), act),
            Then::Enter(at) => format::Then::Enter(self.place(at)),
            Then::Start(tree) => format::Then::Start(self.tree_name(tree)),
            Then::Load(tree) => format::Then::Load(self.tree_name(tree)),
            Then::Transfer { from, tree } => {
                let of = self.plan.info(from).tree;
                format::Then::Transfer(self.tree_name(of), self.idx(from), self.tree_name(tree))
            }
            Then::Restart { clear } => format::Then::Restart(clear),
            Then::Stop => format::Then::Stop,
            // In the trees that are saved it has failed.
            Then::Hold(at) => format::Then::Go(self.place(at), Act::Left(false)),
            Then::Nothing => format::Then::Nothing,
        };
        let is_by_node = leaving.by != NOWHERE && !matches!(then, format::Then::Transfer(..));
        let by = self.known(leaving.by).map(format::By::Node);
        let by = by.or_else(|| is_by_node.then(|| self.over(leaving.by)));
        format::Leaving {
            top: self.place(leaving.top),
            inclusive: leaving.inclusive,
            by,
            then,
        }
    }

    /// The nodes that transfer to another tree when what they aborted has ended. Their own runs are over.
    fn transferring(&self) -> impl Iterator<Item = u32> {
        let leaving = self.stages.iter().flat_map(|stage| stage.leaving);
        leaving.filter_map(|leaving| match leaving.then {
            Then::Transfer { from, .. } => Some(from),
            _ => None,
        })
    }

    /// Returns true if a tree is to start with arguments, or with an event's parameters.
    fn transfers(&self) -> bool {
        let mut leaving = self.stages.iter().flat_map(|stage| stage.leaving);
        leaving.any(|leaving| matches!(leaving.then, Then::Transfer { .. } | Then::Start(_)))
    }

    fn request(&self, request: core::Request) -> format::Request {
        match request {
            core::Request::Stop => format::Request::Stop,
            core::Request::Reset(clear) => format::Request::Reset(clear),
            core::Request::Load(tree) => format::Request::Load(self.tree_name(tree)),
        }
    }

    fn work(&self, cold: &core::Cold) -> Vec<(Place, Option<u32>)> {
        let child = |next: &Continuation| {
            let child = next.child();
            (child != NONE).then(|| self.idx(child))
        };
        let work = cold.continuations.all().iter();
        work.map(|next| (self.place(next.at()), child(next)))
            .collect()
    }
}

fn event(event: &Event) -> format::Event {
    format::Event {
        name: event.name().to_owned(),
        params: event.all_params().to_vec(),
    }
}

/// 16 hexadecimal digits: readers that take numbers as floats keep them.
pub(super) fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}
