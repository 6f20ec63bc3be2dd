//! An explanation in words: place, what it waits for, since when, what to do.

mod parts;

use std::fmt::{self, Display, Formatter};

use super::{Above, CallArgument, EventNote, Explanation, Fate, ForcedEnd, Refusal, Said};
use super::{TreeState, Waiting, Why};
use crate::kinds::{Group, Kind, Leaf};
use crate::text;

use crate::trace::{Place, Seconds, is_endless, is_never, wakes};
use parts::{list, nanos, path, short, values_in};

/// The number of refusals that are shown.
const MOST: usize = 16;

struct Words<'e>(&'e Explanation);

impl Words<'_> {
    /// "15 s, in 3 s".
    fn when(&self, until: u64) -> String {
        let at = Seconds(until);
        if is_never(until) {
            return at.to_string();
        }
        match (self.0.left(until), self.0.paused) {
            (Some(left), None) => format!("{at}, in {}", nanos(left)),
            (Some(left), Some(_)) => format!("{} after it is resumed", nanos(left)),
            (None, None) if self.0.at > until => {
                let ago = Seconds(self.0.at - until);
                format!("{at}, {ago} ago")
            }
            (None, _) => format!("{at}, which is now"),
        }
    }

    fn state(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let why = self.0;
        if let Some(agent) = &why.agent {
            write!(f, "{}: ", text::name(agent))?;
        }
        let tree = &why.tree;
        match why.state {
            TreeState::NeverStarted => write!(f, "{tree} never ran: call `start()`")?,
            TreeState::Due if why.paused.is_some() => {
                write!(f, "{tree} begins in the first poll after it is resumed")?;
            }
            TreeState::Due if why.ended == Some(false) => {
                let next = match why.next_turn {
                    None => ", and begins again in the next",
                    Some(_) => "",
                };
                write!(f, "{tree} failed in the last poll{next}")?;
            }
            TreeState::Due if why.poll == 0 => {
                write!(f, "{tree} begins in the next poll: poll it")?
            }
            TreeState::Due if why.next_turn.is_some() => write!(f, "{tree} has ended")?,
            TreeState::Due => write!(f, "{tree} begins in the next poll")?,
            TreeState::Running => match why.paused {
                Some(since) => {
                    let since = Seconds(since);
                    let (how, help) = self.pause();
                    write!(f, "{tree} is {how} since {since}: {help}")?;
                }
                None => write!(f, "{tree} runs")?,
            },
            TreeState::Stopping => write!(f, "{tree} was stopped, and is still cancelling")?,
            TreeState::Stopped => write!(f, "{tree} was stopped: call `start()`")?,
            TreeState::Ended(success) => {
                let how = if success { "success" } else { "failure" };
                write!(
                    f,
                    "{tree} ended with {how}, and does not begin again: call `start()`, or run it in \
                     `Mode::Loop`"
                )?;
            }
        }
        if why.poll == 0 && why.paused.is_some() {
            // Polls in a pause are not counted.
            return writeln!(f);
        }
        if why.poll == 0 {
            return writeln!(f, "; it was not polled yet");
        }
        let polled = Seconds(why.polled_at);
        if why.polled_at == why.at {
            writeln!(f, "; at {polled}, in poll {}", why.poll)
        } else {
            let at = Seconds(why.at);
            writeln!(f, "; at {at}, poll {} was the last, at {polled}", why.poll)
        }
    }

    /// The reason why its clock stands, and the way to let it continue.
    fn pause(&self) -> (&'static str, &'static str) {
        match self.0.stopped {
            true => ("stopped by a debugger", "let it continue"),
            false => ("paused", "call `resume()`"),
        }
    }

    /// The reason why nothing of it runs.
    fn whole(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let why = self.0;
        if let Some(back) = why.went_back {
            writeln!(
                f,
                "polled at {}, after {}: the clock went back, so no time passes",
                Seconds(back),
                Seconds(why.polled_at)
            )?;
        }
        if why.clock_stands {
            writeln!(
                f,
                "the clock stands at {} since the first polls: `now` is the time since the start, not since \
                 the last frame",
                Seconds(why.at)
            )?;
        }
        if let Some(end) = why.trace_end {
            let last = Seconds(end);
            match why.at > end {
                true => writeln!(f, "nothing was recorded after {last}")?,
                false => writeln!(f, "the trace ends at {last}, in poll {}", why.poll)?,
            }
        }
        if let Some(since) = why.paused.filter(|_| why.state != TreeState::Running) {
            let paused = Seconds(since);
            let (how, help) = self.pause();
            writeln!(f, "{how}: since {paused}: {help}")?;
        }
        if why.spent {
            writeln!(
                f,
                "budget exceeded: the last poll entered as many nodes as its budget allows; the agent \
                 continues in the next poll, so look for a loop whose children end at once"
            )?;
        }
        if why.is_overdue() {
            let last = Seconds(why.polled_at);
            match why.next_wake.filter(|wanted| *wanted > why.polled_at) {
                Some(wanted) => writeln!(
                    f,
                    "overdue: poll it: the last poll was at {last}, and it wanted to be woken at {}",
                    Seconds(wanted)
                )?,
                None => writeln!(
                    f,
                    "overdue: poll it: the last poll was at {last}, and it wanted another as soon as \
                     there is one"
                )?,
            }
        }
        if !why.queued.is_empty() {
            let events: Vec<_> = why.queued.iter().map(|name| text::name(name)).collect();
            let events = events.join("`, `");
            writeln!(f, "queued: `{events}`, not delivered yet")?;
        }
        if let Some(next) = why.next_turn {
            let at = if why.paused.is_some() { "" } else { "at " };
            let what = match why.state {
                TreeState::Due => "begins again",
                TreeState::NeverStarted
                | TreeState::Running
                | TreeState::Stopping
                | TreeState::Stopped
                | TreeState::Ended(_) => "looks again",
            };
            writeln!(f, "{what} {at}{}", self.when(next))?;
        }
        if why.waiting.is_empty() && why.state == TreeState::Running {
            writeln!(f, "nothing of it waits")?;
        }
        Ok(())
    }

    fn waiting(&self, f: &mut Formatter<'_>, leaf: &Waiting) -> fmt::Result {
        let what = match (leaf.suspended, leaf.wait.cancelling) {
            (Some(_), true) => "cancelling, suspended",
            (Some(_), false) => "waiting, suspended",
            (None, true) => "cancelling",
            (None, false) => "waiting",
        };
        writeln!(f, "{what}: {}", leaf.node)?;
        if !leaf.path.is_empty() {
            writeln!(f, "  in {}", path(&leaf.path))?;
        }
        if !leaf.arguments.is_empty() {
            writeln!(f, "  with {}", list(&leaf.arguments))?;
        }
        let since = leaf.wait.since;
        match self.0.at.saturating_sub(since) {
            0 => writeln!(f, "  since {}", Seconds(since))?,
            long => writeln!(f, "  since {}, for {}", Seconds(since), Seconds(long))?,
        }
        for line in wakes(&leaf.wait, |until| self.when(until)) {
            match (line.split_once(": fire it"), leaf.suspended) {
                (Some((event, _)), Some(_)) => {
                    writeln!(f, "  {event}, which it takes once its tree resumes")?;
                }
                _ => writeln!(f, "  {line}")?,
            }
        }
        for unknown in &leaf.unknown_events {
            writeln!(f, "  the agent registers no event {unknown}")?;
        }
        if leaf.wait.cancelling {
            writeln!(f, "  it was aborted, and its clean-up has not ended")?;
        }
        self.endless(f, leaf)?;
        for above in &leaf.above {
            self.above(f, above)?;
        }
        Ok(())
    }

    fn suspended(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, one) in self.0.suspended.iter().enumerate() {
            write!(f, "suspended: {}", one.current)?;
            if let Some(since) = one.since {
                write!(f, " at {}", Seconds(since))?;
            }
            if let Some(event) = &one.event {
                write!(f, " by event `{}`", text::name(event))?;
            }
            if let Some(by) = &one.by {
                write!(f, ", which {by} took")?;
            }
            let next = self.0.suspended.get(number + 1);
            let other = next.map_or(&self.0.tree, |next| &next.current);
            writeln!(f, ": it resumes when {other} has ended")?;
        }
        Ok(())
    }

    /// The leaves that failed, but for those whose reasons are shown; or how to find out.
    fn failed(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let why = self.0;
        if why.ended != Some(false) && why.state != TreeState::Ended(false) {
            return Ok(());
        }
        let is_shown = |place: &str| why.failures.iter().any(|said| said.place == place);
        let failed = why.failed.iter().map(ToString::to_string);
        let mut failed = failed.filter(|place| !is_shown(place));
        let shown = failed.by_ref().take(MOST);
        shown
            .into_iter()
            .try_for_each(|place| self.failed_one(f, &place))?;
        match failed.count() {
            0 => {}
            more => writeln!(f, "failed: and {more} more")?,
        }
        let wrong = why.diagnostics.iter().any(|said| said.poll == why.poll);
        let is_shown = why.failures.iter().any(|said| said.poll == why.poll);
        if wrong || is_shown || !why.failed.is_empty() || !why.refusals.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "to see which node fails: `keep_results(true)` and `node_status`, or a tracer"
        )
    }

    /// A node that failed, and the path to it where it is the one by which the tree did.
    fn failed_one(&self, f: &mut Formatter<'_>, place: &str) -> fmt::Result {
        writeln!(f, "failed: {place}")?;
        self.failed_path(f, place)
    }

    fn failed_path(&self, f: &mut Formatter<'_>, place: &str) -> fmt::Result {
        match &self.0.failed[..] {
            [one] if !self.0.failed_path.is_empty() && one.to_string() == place => {
                writeln!(f, "  in {}", path(&self.0.failed_path))
            }
            _ => Ok(()),
        }
    }

    fn endless(&self, f: &mut Formatter<'_>, leaf: &Waiting) -> fmt::Result {
        if leaf.wait.can_end() || leaf.wait.cancelling {
            return Ok(());
        }
        if let Some(about) = Kind::named(leaf.node.kind()).map(Kind::about) {
            if about.group == Group::Leaf(Leaf::Action) {
                writeln!(
                    f,
                    "  it returned `None`, and nothing can finish it: ask the context for a \
                     `completion()`, `finish_after` or `finish_on` before returning `None`"
                )?;
                return match leaf.above.as_slice() {
                    [] => Ok(()),
                    _ => writeln!(f, "  but:"),
                };
            }
            if about.waits_for_aborts {
                return writeln!(f, "  until the aborted nodes have finished cancelling");
            }
        }
        match leaf.is_endless() {
            true => writeln!(f, "  nothing can end it"),
            false => writeln!(f, "  it does not end by itself, but:"),
        }
    }

    fn above(&self, f: &mut Formatter<'_>, above: &Above) -> fmt::Result {
        match above {
            Above::Guard { node, condition } => {
                let node = short(node);
                let values = values_in(condition, None);
                writeln!(
                    f,
                    "  aborted when guard {condition} of {node} no longer holds{values}"
                )
            }
            Above::Timeout { node, until } => {
                let at = if self.0.paused.is_some() { "" } else { "at " };
                let when = self.when(*until);
                writeln!(f, "  aborted by {} {at}{when}", short(node))
            }
            Above::Frames { node, until_poll } => {
                writeln!(f, "  aborted by {} in poll {until_poll}", short(node))
            }
            Above::Event {
                node,
                event,
                tree,
                comes_back,
            } => {
                let what = if *comes_back { "suspended" } else { "aborted" };
                let node = short(node);
                writeln!(
                    f,
                    "  {what} by event `{event}`, which {node} takes to run {tree}"
                )
            }
            Above::Choice { node } => writeln!(
                f,
                "  aborted when {} chooses another child, as it may in every poll",
                short(node)
            ),
            Above::Reactive { node } => writeln!(
                f,
                "  aborted when an earlier child of {} takes over; every poll runs those again",
                short(node)
            ),
        }
    }

    fn forced(&self, f: &mut Formatter<'_>, forced: &ForcedEnd) -> fmt::Result {
        let ForcedEnd { node, result } = forced;
        let is_it = |other: &Place<'_>| other.tree() == node.tree() && other.idx() == node.idx();
        let mut waiting = self.0.waiting.iter();
        let runs = waiting.any(|leaf| is_it(&leaf.node) || leaf.path.iter().any(is_it));
        match result.as_str() {
            "disabled" => writeln!(f, "forced: {node} is disabled: release it to let it run"),
            _ if runs => writeln!(
                f,
                "forced: {node} runs on, and ends with {result} when it is entered next: release it to \
                 let it run"
            ),
            _ => writeln!(
                f,
                "forced: {node} ends with {result} and does not run: release it to let it run"
            ),
        }
    }

    fn refusal(&self, f: &mut Formatter<'_>, refusal: &Refusal) -> fmt::Result {
        writeln!(f, "refused: {}", refusal.node)?;
        let when = match (refusal.at, refusal.poll) {
            (Some(at), Some(poll)) => {
                format!(", last evaluated at {}, in poll {poll}", Seconds(at))
            }
            (_, Some(poll)) => format!(", last evaluated in poll {poll}"),
            _ => String::new(),
        };
        match &refusal.why {
            Why::Guard {
                condition,
                saw,
                aborted,
                takes_over,
                on_entry,
            } => {
                let values = values_in(condition, saw.as_deref());
                write!(f, "  its guard {condition} does not hold{values}{when}")?;
                let now: Vec<_> = condition
                    .arguments
                    .iter()
                    .map(CallArgument::to_value)
                    .collect();
                match saw {
                    Some(saw) if *saw != now && !condition.expression => {
                        writeln!(f, ", when it saw {}", list(saw))?
                    }
                    _ => writeln!(f)?,
                }
                if *aborted {
                    writeln!(f, "  the node ran, and was aborted")?;
                }
                if *takes_over {
                    writeln!(f, "  as soon as it holds, it takes over from what runs")?;
                }
                if *on_entry {
                    writeln!(f, "  it is evaluated on entry only: its `abort` is `none`")?;
                }
                Ok(())
            }
            Why::Cooldown { left } if is_endless(*left) => {
                writeln!(f, "  it cools down without end")
            }
            Why::Cooldown { left } => {
                let left = Seconds(*left);
                match self.0.paused {
                    None => writeln!(f, "  it cools down for {left} more"),
                    Some(_) => writeln!(f, "  it cools down for {left} more, once resumed"),
                }
            }
            Why::RunLimit { runs } => {
                writeln!(f, "  its child has run as often as it may: {runs} times")
            }
            Why::Once => writeln!(f, "  it failed once, and so it does each time"),
            Why::Other { words } => writeln!(f, "  {words}"),
        }
    }
}

fn said(f: &mut Formatter<'_>, what: &str, said: &Said) -> fmt::Result {
    let (at, poll) = (Seconds(said.at), said.poll);
    let Said { place, message, .. } = said;
    match said.times {
        0 | 1 => writeln!(f, "{what}: {place}: {message} (at {at}, in poll {poll})"),
        times => writeln!(
            f,
            "{what}: {place}: {message} ({times} times of late, last at {at}, in poll {poll})"
        ),
    }
}

impl Display for EventNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let event = text::name(&self.event);
        let (at, poll) = (Seconds(self.at), self.poll);
        write!(f, "`{event}` ")?;
        match (self.fate, &self.node) {
            (Fate::Fired, None) => f.write_str("was fired by the host")?,
            (Fate::Fired, Some(node)) => write!(f, "was fired by {node}")?,
            (Fate::Consumed, Some(node)) => write!(f, "was taken by {node}")?,
            (Fate::Consumed, None) => f.write_str("was taken")?,
            (Fate::Dropped, _) => f.write_str("was taken by nobody")?,
            (Fate::Kept, _) => f.write_str("is kept for who waits for it next")?,
        }
        write!(f, " at {at}, in poll {poll}")
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let words = Words(self);
        words.state(f)?;
        words.whole(f)?;
        words.suspended(f)?;
        self.waiting
            .iter()
            .try_for_each(|leaf| words.waiting(f, leaf))?;
        let mut refusals = self.refusals.iter();
        let shown = refusals.by_ref().take(MOST);
        shown
            .into_iter()
            .try_for_each(|one| words.refusal(f, one))?;
        match refusals.len() {
            0 => {}
            more => writeln!(f, "refused: and {more} more")?,
        }
        self.forced
            .iter()
            .try_for_each(|one| words.forced(f, one))?;
        words.failed(f)?;
        let failures = self.failures.iter();
        failures.into_iter().try_for_each(|one| {
            said(f, "failed", one)?;
            words.failed_path(f, &one.place)
        })?;
        let wrong = self.diagnostics.iter();
        wrong
            .into_iter()
            .try_for_each(|one| said(f, "wrong", one))?;
        self.events
            .iter()
            .try_for_each(|note| writeln!(f, "event: {note}"))
    }
}
