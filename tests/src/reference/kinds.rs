//! The reaction of each kind of node to an event.

use super::{Active, Id, News, Next, Reference, Request};
use crate::cases::{COUNTS, FLAGS, Kind, Node, place};

use News::{Ended, Entered, Timer, Turn, TurnOver, Waits};
use Next::{Abort, Busy, Done, Enter, Instead, Wait};

/// “Recursion is legal to a depth limit.”
const DEEPEST: u32 = 100;

impl<'t> Reference<'t> {
    /// The next step of a node.
    pub(super) fn next(&mut self, id: Id, active: &mut Active<'t>, news: News) -> Next {
        let node = active.node;
        let kept = (active.tree, node.idx);
        let count = node.children.len();
        if let (Some(success), Entered) = (empty(node), news) {
            self.count("entries of nodes with no child left");
            return Done(success);
        }
        if let (Kind::RunLimit { reset_if, .. }, Entered) = (&node.kind, news)
            && reset_if.is_some_and(|flag| self.ask(flag, |_| 0))
        {
            self.kept.remove(&kept);
        }
        let Some(kind) = self.kind_now(active, news) else {
            self.count("numbers that were none later");
            return Done(false);
        };
        let state = &mut active.own;
        match (&*kind, news) {
            (Kind::Root, Entered) => Enter(0),
            (Kind::SubTree(_), Entered) if active.depth == DEEPEST => Done(false),
            (Kind::SubTree(_), Entered) => Enter(0),
            // “The callee's result becomes its own.”
            (Kind::Root | Kind::SubTree(_), Ended(_, success)) => Done(success),

            // “Children in order … F: F, index 0; all S: S”, and the mirror image. “With `keep_place` … entered
            // again it goes on at the child that was running.”
            (Kind::Sequence { keep_place } | Kind::Select { keep_place }, Entered) => {
                let place = self.kept.get(&kept).filter(|_| *keep_place);
                let first = place.map_or(0, |child| *child as usize);
                if first > 0 {
                    self.count("goes on at a place that was kept");
                }
                state.at = Some(first);
                Enter(first)
            }
            (
                kind @ (Kind::Sequence { keep_place } | Kind::Select { keep_place }),
                Ended(child, success),
            ) => {
                let on = matches!(kind, Kind::Sequence { .. });
                let next = in_order(child, success, on, count);
                match next {
                    Enter(child) => state.at = Some(child),
                    // What other runs of the node kept is cleared as well: there is one place.
                    _ if *keep_place => {
                        state.at = None;
                        self.kept.remove(&kept);
                    }
                    _ => {}
                }
                next
            }

            // “Keep the index over their own F (S); cleared when the node ends with S (F).”
            (Kind::MemorySequence { keep_place } | Kind::MemorySelect { keep_place }, Entered) => {
                // It “asks nothing of the children it skips on entry”.
                let first = self.kept.get(&kept).map_or(0, |child| *child as usize);
                state.at = keep_place.then_some(first);
                Enter(first)
            }
            (
                kind @ (Kind::MemorySequence { keep_place } | Kind::MemorySelect { keep_place }),
                Ended(child, success),
            ) => {
                let on = matches!(kind, Kind::MemorySequence { .. });
                let next = in_order(child, success, on, count);
                state.at = match next {
                    Enter(child) => keep_place.then_some(child),
                    _ => None,
                };
                match next {
                    Done(_) if success == on => {
                        self.kept.remove(&kept);
                    }
                    Done(_) => {
                        self.kept.insert(kept, child as u64);
                    }
                    _ => {}
                }
                next
            }

            // “While one is active every poll evaluates its earlier children again, from the first,
            // while the running child stays as it is.”
            (Kind::ReactiveSequence | Kind::ReactiveSelect, Entered) => {
                state.working = Some(0);
                Enter(0)
            }
            (Kind::ReactiveSequence | Kind::ReactiveSelect, Turn) => match state.running {
                Some(running) if running > 0 => {
                    state.working = Some(0);
                    Enter(0)
                }
                _ => Wait,
            },
            // “When one of them takes over (stays running …), the running child is aborted at once and
            // completely.”
            (Kind::ReactiveSequence | Kind::ReactiveSelect, Waits(child)) => {
                if state.working == Some(child) {
                    state.working = None;
                }
                match state.running.replace(child) {
                    Some(loser) if loser != child => Abort(loser),
                    _ => Wait,
                }
            }
            // The running child ends while an earlier one is evaluated (a guard reacts to what that
            // one wrote). *Chosen*: the evaluation goes on, and enters it again if it comes so far.
            (Kind::ReactiveSequence | Kind::ReactiveSelect, Ended(child, _))
                if state.working.is_some_and(|working| working != child) =>
            {
                state.running = None;
                Busy
            }
            (kind @ (Kind::ReactiveSequence | Kind::ReactiveSelect), Ended(child, success)) => {
                if state.running == Some(child) {
                    state.running = None;
                }
                state.working = None;
                let on = matches!(kind, Kind::ReactiveSequence);
                match in_order(child, success, on, count) {
                    Enter(next) if state.running == Some(next) => Wait,
                    Enter(next) => {
                        state.working = Some(next);
                        Enter(next)
                    }
                    next => next,
                }
            }

            // “All children whatever they return, then S.”
            (Kind::AlwaysSeq, Entered) => Enter(0),
            (Kind::AlwaysSeq, Ended(child, _)) => in_order(child, true, true, count),

            // “A fresh order each entry.”
            (Kind::RandomSeq | Kind::RandomSelect, Entered) => {
                state.order = (0..count).collect();
                self.random.shuffle(&mut state.order);
                Enter(state.order[0])
            }
            (kind @ (Kind::RandomSeq | Kind::RandomSelect), Ended(_, success)) => {
                let on = matches!(kind, Kind::RandomSeq);
                let done = state.done as usize;
                state.done += 1;
                match in_order(done, success, on, count) {
                    Enter(next) => Enter(state.order[next]),
                    next => next,
                }
            }

            // “One child by weight per entry; its result is final; weight 0 never; all zero: F.”
            (Kind::Probability(weights), Entered) => {
                let sum: u32 = weights.iter().sum();
                if sum == 0 {
                    return Done(false);
                }
                let drawn = self.random.unit() * f64::from(sum);
                let mut reached = 0;
                let found = weights.iter().position(|weight| {
                    reached += weight;
                    drawn < f64::from(reached)
                });
                found.map_or(Done(false), Enter)
            }
            (Kind::Probability(_), Ended(_, success)) => Done(success),

            (Kind::Parallel { .. }, _) => self.parallel(active, &kind, news),

            (Kind::AnyFinish, _) => Self::any_finish(active, news),

            // “Asked on entry … and at each end of a child.”
            (Kind::Steers(..), Entered) => {
                state.order = Vec::new();
                self.steered(active, None)
            }
            (Kind::Steers(..), Ended(child, success)) => {
                self.steered(active, Some((child, success)))
            }
            (Kind::Steers(..), Turn) => match (take(&mut state.again, Enter(0)), state.lost.take())
            {
                (Enter(_), Some(child)) => self.steered(active, Some((child, false))),
                (Enter(_), None) => {
                    let next = state.order.last().copied().unwrap_or_default();
                    self.chosen(active, next)
                }
                (next, _) => next,
            },
            // “`Running` is asked … in every turn, before the child's own; Succeed / Fail then aborts completely
            // first.”
            (Kind::Watches(flag, last), Entered) => {
                state.order = Vec::new();
                let next = self.watched(flag, *last);
                self.chosen(active, next)
            }
            (Kind::Watches(..) | Kind::Minds(_), Ended(_, success)) => Done(success),
            (Kind::Watches(flag, last), Turn) => {
                if take(&mut state.again, Enter(0)) != Wait {
                    // A reload took the child that ran.
                    return Done(false);
                }
                let Some(running) = self.running(active) else {
                    return Wait;
                };
                match self.watched(flag, *last) {
                    child if child == running => Wait,
                    // “Index outside …: F, the running child aborted.”
                    child if child >= count => Done(false),
                    child => {
                        self.count("children that a composite put in place of others");
                        Instead(running, child)
                    }
                }
            }
            (Kind::Minds(flag), Entered) => match self.ask(flag, |_| 0) {
                true => Enter(0),
                false => Done(false),
            },
            (Kind::Minds(flag), Turn) => match self.running(active) {
                Some(_) if !self.ask(flag, |_| 0) => Done(false),
                _ => Wait,
            },

            // “Null or unmatched: default, else F … The entered child is final.”
            (Kind::Switch { .. }, Entered) => self.case(active).map_or(Done(false), Enter),
            (Kind::Switch { .. }, Ended(_, success)) => Done(success),
            // “`reactive`: `on` is evaluated in the node's place of the turn …: another child: abort completely, then
            // enter …; none: abort, F.”
            (Kind::Switch { reactive: true, .. }, Turn) => {
                let Some(running) = self.running(active) else {
                    return Wait;
                };
                match self.case(active) {
                    Some(child) if child == running => Wait,
                    Some(child) => {
                        self.count("children chosen in place of others that ran");
                        Instead(running, child)
                    }
                    None => Done(false),
                }
            }

            // “All evaluated in index order at entry; the highest is entered, its result is final; ties: the first; null:
            // never; none: F.”
            (Kind::Utility { .. }, Entered) => self.best(active, None).map_or(Done(false), Enter),
            (Kind::Utility { .. }, Ended(_, success)) => Done(success),
            // “`reactive`: in the turn a child takes over with score > running + `keep`; running without a score loses to
            // any.”
            (Kind::Utility { reactive: true, .. }, Turn) => {
                let Some(running) = self.running(active) else {
                    return Wait;
                };
                match self.best(active, Some(running)) {
                    Some(child) if child != running => {
                        self.count("children whose scores took over");
                        Instead(running, child)
                    }
                    _ => Wait,
                }
            }

            // “A list, copied at entry … the child runs once for each, in one poll while it ends at once.”
            (Kind::ForEach { list, .. }, Entered) => {
                let elements = list.iter().map(|element| match *element {
                    "true" => 1,
                    "false" => 0,
                    key => self.key_of(active, key),
                });
                let elements: Vec<i64> = elements.collect();
                active.own.list = elements;
                self.element(id, active)
            }
            // “`failure` (default: F at the first F; empty: S), `success` (S at the first; empty or none: F), `none` (S).”
            (Kind::ForEach { until, .. }, Ended(_, success)) if *until == Some(success) => {
                Done(success)
            }
            (Kind::ForEach { .. }, Ended(..)) => {
                state.done += 1;
                self.element(id, active)
            }

            // “Condition once, branch kept; no else and F: F.”
            (Kind::IfElse, Entered) => Enter(0),
            (Kind::IfElse, Ended(0, true)) => Enter(1),
            (Kind::IfElse, Ended(0, false)) if count > 2 => Enter(2),
            (Kind::IfElse, Ended(_, success)) => Done(success),

            // “Condition before each body run; body's result ignored; condition F: S. An instant body
            // is run once a poll.”
            (Kind::WhileLoop, Entered) => Enter(0),
            (Kind::WhileLoop, Ended(0, true)) => {
                state.began = self.poll;
                Enter(1)
            }
            (Kind::WhileLoop, Ended(0, false)) => Done(true),
            (Kind::WhileLoop, Ended(_, _)) if state.began == self.poll => self.next_poll(active),
            (Kind::WhileLoop, Ended(_, _)) => Enter(0),
            (Kind::WhileLoop, Turn) => take(&mut state.again, Enter(0)),

            // “Of conditions, evaluated in order and cut short.”
            (Kind::And | Kind::Or, Entered) => Enter(0),
            (Kind::And, Ended(child, success)) => in_order(child, success, true, count),
            (Kind::Or, Ended(child, success)) => in_order(child, success, false, count),

            (Kind::Negative | Kind::AlwaysTrue | Kind::AlwaysFalse, Entered) => Enter(0),
            (Kind::Negative, Ended(_, success)) => Done(!success),
            (Kind::AlwaysTrue, Ended(..)) => Done(true),
            (Kind::AlwaysFalse, Ended(..)) => Done(false),

            // “Child F: F; n = 0: S without a run.” “n attempts in all; n = 0: F.” “S (both) …
            // used up: F”, and “with limit 0: F”. “`loop 0`: S without a run.”
            (Kind::Repeat(0) | Kind::Loop(0), Entered) => Done(true),
            (Kind::Retry(0) | Kind::UntilSuccess(0) | Kind::UntilFailure(0), Entered) => {
                Done(false)
            }
            (Kind::Repeat(_), Ended(_, false)) => Done(false),
            (Kind::Retry(_) | Kind::UntilSuccess(_), Ended(_, true)) => Done(true),
            (Kind::UntilFailure(_), Ended(_, false)) => Done(true),
            (
                Kind::Repeat(limit)
                | Kind::Retry(limit)
                | Kind::UntilSuccess(limit)
                | Kind::UntilFailure(limit)
                | Kind::Loop(limit),
                Ended(..),
            ) => {
                state.done += 1;
                if *limit >= 0 && state.done >= *limit {
                    return Done(matches!(node.kind, Kind::Repeat(_) | Kind::Loop(_)));
                }
                // “`loop`: one iteration a poll.” “In the same poll while the child ends at once”;
                // without a limit “in the same poll only if the run that ended had blocked”, which is
                // “begun in an earlier poll”.
                let is_loop = matches!(node.kind, Kind::Loop(_));
                if is_loop || *limit < 0 && state.began == self.poll {
                    return self.next_poll(active);
                }
                self.iteration(active)
            }
            (
                Kind::Repeat(_)
                | Kind::Retry(_)
                | Kind::UntilSuccess(_)
                | Kind::UntilFailure(_)
                | Kind::Loop(_),
                Entered,
            ) => self.iteration(active),
            (
                Kind::Repeat(_)
                | Kind::Retry(_)
                | Kind::UntilSuccess(_)
                | Kind::UntilFailure(_)
                | Kind::Loop(_)
                | Kind::Limits(_),
                Turn,
            ) => match take(&mut state.again, Enter(0)) {
                Enter(_) => self.iteration(active),
                next => next,
            },

            // “The agent's method is asked on entry and at each end of the child what comes next.”
            (Kind::Limits(most), Entered | Ended(..)) => {
                let place = place(self.trees[active.tree].name, node.idx);
                let runs = self.runs.entry(place).or_default();
                let has_ended = matches!(news, Ended(..));
                *runs = if has_ended { *runs + 1 } else { 0 };
                if *runs >= *most {
                    return Done(true);
                }
                if has_ended && state.began == self.poll {
                    return self.next_poll(active);
                }
                self.iteration(active)
            }

            // “F as soon as the clock reaches t. What was due before the deadline counts first; then a
            // polled child runs once more and wins if it ends; else it is aborted.”
            (Kind::Timeout(time), Entered) => {
                self.set_timer(active, *time);
                Enter(0)
            }
            (Kind::Timeout(_), Timer) => Done(false),
            (Kind::Timeout(_), Ended(_, success)) => Done(success),

            // “The child is entered when the clock has reached t.”
            (Kind::Delay(0), Entered) | (Kind::Delay(_), Timer) => Enter(0),
            (Kind::Delay(time), Entered) => {
                self.set_timer(active, *time);
                Wait
            }
            (Kind::Delay(_), Ended(_, success)) => Done(success),

            // “Starts when the child ends, not when it is aborted; F while cooling.”
            (Kind::Cooldown { .. }, Entered) => match self.kept.get(&kept) {
                Some(until) if self.now < *until => Done(false),
                _ => Enter(0),
            },
            (Kind::Cooldown { time, on_success }, Ended(_, success)) => {
                if success || !on_success {
                    self.kept.insert(kept, self.now + time);
                }
                Done(success)
            }

            // “Counts completed runs, F afterwards; `reset_if` that is true on entry starts the count
            // afresh.”
            (Kind::RunLimit { count, .. }, Entered) => match self.kept.get(&kept).unwrap_or(&0) {
                runs if runs >= count => Done(false),
                _ => Enter(0),
            },
            (Kind::RunLimit { on, .. }, Ended(_, success)) => {
                if on.is_none_or(|on| on == success) {
                    *self.kept.entry(kept).or_default() += 1;
                }
                Done(success)
            }

            // “S (F) for n-1 ends of the child, then F (S); n < 0: S (F) for ever.”
            (Kind::SuccessUntil(_) | Kind::FailureUntil(_), Entered) => Enter(0),
            (kind @ (Kind::SuccessUntil(ends) | Kind::FailureUntil(ends)), Ended(..)) => {
                let before = matches!(kind, Kind::SuccessUntil(_));
                if *ends < 0 {
                    return Done(before);
                }
                let kept = self.kept.entry(kept).or_default();
                *kept += 1;
                let is_over = *kept >= ends.unsigned_abs();
                Done(if is_over { !before } else { before })
            }

            // “S in the n-th poll, the one it was entered in counted, after the child ran in it; a child
            // that ends before is entered again next poll. It counts and ends in its turn only (on entry with
            // n = 1: in that pass).”
            (Kind::Frames(0), Entered) => Done(true),
            (Kind::Frames(_), Entered) => Enter(0),
            (Kind::Frames(_), Turn) if active.below.is_empty() && state.began != self.poll => {
                Enter(0)
            }
            (Kind::Frames(polls), Waits(_) | Ended(..) | TurnOver) => {
                if matches!(news, Ended(..)) {
                    state.began = self.poll;
                }
                let is_to_come = active.stamp != self.poll;
                match self.poll - active.entered + 1 >= *polls && !is_to_come {
                    true => Done(true),
                    false => Wait,
                }
            }

            // “Repeats the first result.”
            (Kind::Once, Entered) => match self.kept.get(&kept) {
                Some(success) => Done(*success == 1),
                None => Enter(0),
            },
            (Kind::Once, Ended(_, success)) => {
                self.kept.insert(kept, success.into());
                Done(success)
            }

            (Kind::Condition(about) | Kind::Check(about), Entered) => {
                Done(self.ask(about, |reference| reference.key_of(active, about)))
            }
            (Kind::AlwaysRunning, Entered) => Wait,
            // “Ends this tree, or with `outside` the agent's current tree, with that status … at once.”
            (Kind::End { success, outside }, Entered) => {
                let (success, outside) = (*success, *outside);
                self.own_request = Some(Request::End { success, outside });
                Done(success)
            }
            // “Abort everything, clear the blackboard, restart the root in the next poll.”
            (Kind::Reset { keep_blackboard }, Entered) => {
                let clear = !keep_blackboard;
                self.own_request = Some(Request::Reset { clear });
                Wait
            }
            // “Abort the whole current tree … then start the other.”
            (Kind::Transfer(tree), Entered) => {
                self.own_request = Some(Request::Load(*tree));
                Wait
            }
            _ => self.leaf(id, active, news),
        }
    }

    /// The child that runs of a node that runs one.
    fn running(&self, active: &Active<'t>) -> Option<usize> {
        let (child, id) = active.below.first_key_value()?;
        let runs = self.active.get(id).is_some_and(|below| !below.is_due);
        runs.then_some(*child)
    }

    /// The child with the highest score: of those that do not run, if it exceeds that of the one that does.
    fn best(&mut self, active: &Active<'t>, running: Option<usize>) -> Option<usize> {
        let Kind::Utility { scores, keep, .. } = &active.node.kind else {
            return None;
        };
        // In halves.
        let mut all = Vec::new();
        for (about, score) in scores {
            all.push(match self.value_of(active, about) {
                count if COUNTS.contains(about) => Some(2 * count + score),
                0 => (score % 2 == 0).then_some(0),
                _ => Some(*score),
            });
        }
        let others = all.iter().enumerate();
        let mut others = others.filter(|(child, _)| running != Some(*child));
        let first = others.find(|(_, score)| score.is_some())?;
        let best = others.fold(first, |best, other| match other.1 > best.1 {
            true => other,
            false => best,
        });
        let own = running
            .and_then(|running| all[running])
            .map(|own| own + keep);
        (*best.1 > own).then_some(best.0).or(running)
    }

    /// The run of the next element of a list: “overwritten per element”.
    fn element(&mut self, id: Id, active: &mut Active<'t>) -> Next {
        let Kind::ForEach {
            item, index, until, ..
        } = &active.node.kind
        else {
            return Wait;
        };
        let place = active.own.done;
        let Some(element) = active.own.list.get(place as usize).copied() else {
            return Done(*until != Some(true));
        };
        self.count("runs for elements of lists");
        self.write_of(id, active, item, element);
        if let Some(index) = index {
            self.write_of(id, active, index, place);
        }
        Enter(0)
    }

    /// The value of a flag or a key.
    fn value_of(&mut self, active: &Active<'t>, about: &str) -> i64 {
        match FLAGS.contains(&about) {
            true => self.ask(about, |_| 0).into(),
            false => self.key_of(active, about),
        }
    }

    /// The answer of the probe's own composite: it is asked on entry, or when that child has ended so.
    fn steered(&mut self, active: &mut Active<'t>, ended: Option<(usize, bool)>) -> Next {
        let Kind::Steers(known, most) = &active.node.kind else {
            return Wait;
        };
        let place = place(self.trees[active.tree].name, active.node.idx);
        let runs = self.runs.entry(place).or_default();
        *runs = if ended.is_some() { *runs + 1 } else { 0 };
        if *runs >= *most {
            return Done(ended.is_none_or(|(_, success)| success));
        }
        let next = match ended {
            None => 0,
            Some((child, true)) => (child + 1) % known,
            Some((child, false)) => (child + known - 1) % known,
        };
        let has_run = active.own.order.contains(&next);
        // “One that ran: as loops without limit.”
        if has_run && active.own.began == self.poll {
            self.count("children that a composite runs again in the next poll");
            active.own.order.retain(|child| *child != next);
            active.own.order.push(next);
            return self.next_poll(active);
        }
        self.chosen(active, next)
    }

    /// The child that a composite runs.
    fn chosen(&mut self, active: &mut Active<'t>, next: usize) -> Next {
        if next >= active.node.children.len() {
            self.count("children that a composite does not have");
            return Done(false);
        }
        active.own.began = self.poll;
        if !active.own.order.contains(&next) {
            active.own.order.push(next);
        }
        Enter(next)
    }

    /// The child that the probe's composite runs by a flag.
    fn watched(&mut self, flag: &str, last: usize) -> usize {
        match self.ask(flag, |_| 0) {
            true => 0,
            false => last,
        }
    }

    /// The child that a `switch` chooses.
    fn case(&mut self, active: &Active<'t>) -> Option<usize> {
        let Kind::Switch { on, cases, .. } = &active.node.kind else {
            return None;
        };
        let value = self.value_of(active, on);
        let count = active.node.children.len();
        let default = (cases.len() < count).then_some(count - 1);
        cases.iter().position(|case| *case == value).or(default)
    }

    /// Begins an iteration.
    fn iteration(&mut self, active: &mut Active<'t>) -> Next {
        active.own.began = self.poll;
        Enter(0)
    }

    /// The next iteration begins in the turn of the next poll.
    fn next_poll(&mut self, active: &mut Active<'t>) -> Next {
        active.own.again = true;
        active.stamp = self.poll;
        Wait
    }

    /// The answer of the agent's condition, or of a key.
    pub(super) fn ask(&mut self, about: &str, key: impl FnOnce(&Self) -> i64) -> bool {
        if FLAGS.contains(&about) {
            self.log.push(format!("ask {about}"));
            return self.flags.get(about).copied().unwrap_or(false);
        }
        key(self) == 1
    }

    pub(super) fn set_timer(&mut self, active: &mut Active<'t>, time: u64) {
        let order = self.next_order();
        active.timers.push((self.now + time, order, None));
    }
}

/// “A composite with no child left: a sequence S, a select F.” *Chosen*: a tree and a parallel S, any other F.
pub(super) fn empty(node: &Node) -> Option<bool> {
    if !node.children.is_empty() {
        return None;
    }
    match node.kind {
        Kind::Root
        | Kind::Sequence { .. }
        | Kind::MemorySequence { .. }
        | Kind::ReactiveSequence
        | Kind::RandomSeq
        | Kind::AlwaysSeq
        | Kind::And
        | Kind::Parallel { .. }
        | Kind::AnyFinish => Some(true),
        Kind::Select { .. }
        | Kind::MemorySelect { .. }
        | Kind::ReactiveSelect
        | Kind::RandomSelect
        | Kind::Or
        | Kind::Probability(_)
        | Kind::Switch { .. }
        | Kind::Utility { .. }
        | Kind::Steers(..)
        | Kind::Watches(..)
        | Kind::IfElse
        | Kind::WhileLoop => Some(false),
        _ => None,
    }
}

/// The next child while children end so, else that result.
fn in_order(child: usize, success: bool, on: bool, count: usize) -> Next {
    match child + 1 < count && success == on {
        true => Enter(child + 1),
        false => Done(success),
    }
}

fn take(again: &mut bool, next: Next) -> Next {
    match std::mem::take(again) {
        true => next,
        false => Wait,
    }
}
