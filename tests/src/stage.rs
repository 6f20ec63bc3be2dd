//! One leaf on a stage: called, polled and left as a tree would, and nothing else.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bt_core::call::CallRequests;
use bt_core::{
    ActionSet, Agent, BoundCall, CallError, Context, Exit, Left, Outcome, Registry, Session, Source,
};
use serde_json::Value;

/// An agent that acts on no world, and the one leaf that it runs.
///
/// What a parent would see is `Some`: how the leaf was left. `None` is a leaf that stays.
pub struct Stage<A: Agent> {
    /// The agent.
    pub agent: A,
    /// Its blackboard, clock and out-tray.
    pub session: Session,
    name: &'static str,
    actions: &'static ActionSet<A>,
    leaf: Option<Leaf<A>>,
    polls: u32,
    reports: Vec<String>,
    /// Actions whose `None` was reported.
    stuck: BTreeSet<String>,
}

struct Leaf<A: Agent> {
    action: String,
    call: Box<dyn BoundCall<A>>,
    state: State,
    /// The number of the poll that it was entered in.
    began: u32,
    asked: CallRequests,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// To be called again.
    Running,
    /// Until something ends it.
    Pending,
    /// Its exit method has been called, and takes its time.
    Cancelling,
}

/// The outcome of calling the agent's code.
enum Called {
    Ended(bool),
    Stays(State),
    /// It never began: its arguments are not there.
    Not,
}

impl<A> Stage<A>
where
    A: for<'w, 's> Agent<World<'w, 's> = ()>,
{
    /// Sets up an agent, by its registered name. The first poll begins.
    pub fn new(name: &'static str, agent: A) -> Stage<A> {
        let registry = Registry::global().unwrap();
        Stage {
            agent,
            session: Session::new(7),
            name,
            actions: registry.actions().unwrap(),
            leaf: None,
            polls: 1,
            reports: Vec::new(),
            stuck: BTreeSet::new(),
        }
    }

    /// Returns true if the leaf stays.
    pub fn is_running(&self) -> bool {
        self.leaf.is_some()
    }

    /// Takes the reports since the last call.
    pub fn take_reports(&mut self) -> Vec<String> {
        std::mem::take(&mut self.reports)
    }

    /// The value that the leaf kept for its resume method.
    pub fn kept(&self) -> Option<Value> {
        self.leaf.as_ref()?.asked.kept.clone()
    }

    /// Enters a leaf, in the poll that was begun last.
    pub fn enter(
        &mut self,
        action: &str,
        sources: impl IntoIterator<Item = Source>,
    ) -> Option<Exit> {
        let leaf = match self.leaf(action, sources) {
            Ok(leaf) => leaf,
            Err(error) => return self.refused(&error),
        };
        self.call(leaf)
    }

    /// Enters a leaf that was saved while it was pending.
    pub fn resume(
        &mut self,
        action: &str,
        sources: impl IntoIterator<Item = Source>,
        kept: &Value,
    ) -> Option<Exit> {
        let leaf = match self.leaf(action, sources) {
            Ok(leaf) => leaf,
            Err(error) => return self.refused(&error),
        };
        let actions = self.actions;
        match actions.find(action) {
            Ok(found) if found.has_resume() => {
                self.make(leaf, |_, agent, cx| found.resume(agent, &mut (), cx, kept))
            }
            _ => self.call(leaf),
        }
    }

    /// Begins the next poll.
    pub fn poll(&mut self, now: Duration) -> Option<Exit> {
        self.polls += 1;
        self.session.set_now(now);
        match self.leaf.as_ref()?.state {
            State::Running => {
                let leaf = self.leaf.take()?;
                self.call(leaf)
            }
            State::Pending | State::Cancelling => self.look(),
        }
    }

    /// Delivers an event.
    pub fn event(&mut self, name: &str) -> Option<Exit> {
        let leaf = self.leaf.as_ref()?;
        let mut on = leaf.asked.on.iter();
        let (_, success) = on.find(|(event, _)| event == name)?;
        self.end(*success)
    }

    /// Something else takes over.
    pub fn abort(&mut self) -> Option<Exit> {
        let leaf = self.leaf.take()?;
        if leaf.state == State::Cancelling {
            self.leaf = Some(leaf);
            return None;
        }
        self.leave(leaf, Exit::Aborted)
    }

    fn leaf(
        &self,
        action: &str,
        sources: impl IntoIterator<Item = Source>,
    ) -> Result<Leaf<A>, CallError> {
        assert!(self.leaf.is_none(), "there is one leaf");
        let call = self
            .actions
            .bind(action, sources, &mut self.session.blackboard())?;
        Ok(Leaf {
            action: action.to_owned(),
            call,
            state: State::Running,
            began: self.polls,
            asked: CallRequests::default(),
        })
    }

    fn refused(&mut self, error: &CallError) -> Option<Exit> {
        self.reports.push(error.to_string());
        Some(Exit::Failure)
    }

    fn call(&mut self, leaf: Leaf<A>) -> Option<Exit> {
        self.make(leaf, |call, agent, cx| call.call(agent, &mut (), cx))
    }

    fn make(
        &mut self,
        mut leaf: Leaf<A>,
        call: impl FnOnce(&dyn BoundCall<A>, &mut A, &mut Context) -> Result<Outcome, CallError>,
    ) -> Option<Exit> {
        let (agent, session) = (&mut self.agent, &mut self.session);
        let made = catch_unwind(AssertUnwindSafe(|| {
            call(&*leaf.call, agent, &mut session.context())
        }));
        leaf.take(self.session.take_requests());
        match self.outcome(&leaf, made) {
            Called::Ended(success) => self.leave(leaf, exit(success)),
            Called::Not => {
                drop(leaf);
                Some(Exit::Failure)
            }
            Called::Stays(state) => {
                leaf.state = state;
                if state == State::Pending && !leaf.can_end() {
                    self.report_stuck(&leaf.action);
                }
                self.leaf = Some(leaf);
                self.look()
            }
        }
    }

    fn outcome(
        &mut self,
        leaf: &Leaf<A>,
        made: Result<Result<Outcome, CallError>, Box<dyn Any + Send>>,
    ) -> Called {
        match made {
            Ok(Ok(Outcome::Done(success))) => Called::Ended(success),
            Ok(Ok(Outcome::Pending)) => Called::Stays(State::Pending),
            Ok(Ok(Outcome::Running)) => Called::Stays(State::Running),
            Ok(Ok(Outcome::Run)) => {
                self.reports
                    .push(format!("`{}` has no child here", leaf.action));
                Called::Ended(false)
            }
            Ok(Err(error)) => {
                self.reports.push(error.to_string());
                // One that could not write its keys did begin; no argument of it is bad.
                if error.is_key() && error.problems().is_empty() {
                    Called::Ended(false)
                } else {
                    Called::Not
                }
            }
            Err(panic) => {
                self.report_panic(&leaf.action, &*panic);
                Called::Ended(false)
            }
        }
    }

    /// Looks for what ends a leaf that waits.
    fn look(&mut self) -> Option<Exit> {
        let leaf = self.leaf.as_ref()?;
        if leaf.state == State::Running {
            return None;
        }
        let ticket = leaf.asked.completion.as_ref().map(|it| it.ticket());
        let mut answer = None;
        for (other, given) in self.session.take_completions() {
            if Some(other) != ticket {
                continue;
            }
            if given.is_none() {
                self.reports.push(format!(
                    "`{}` failed: its last `Completion` was dropped unused",
                    leaf.action
                ));
            }
            answer = answer.or(Some(given.unwrap_or(false)));
        }
        let asked = &leaf.asked;
        let now = self.session.context().now();
        let polls = self.polls - leaf.began + 1;
        let after = asked.after.filter(|(at, _)| *at <= now);
        let by_poll = asked.polls.filter(|(count, _)| *count <= polls);
        let success = answer
            .or(after.map(|(_, success)| success))
            .or(by_poll.map(|(_, success)| success))?;
        self.end(success)
    }

    fn end(&mut self, success: bool) -> Option<Exit> {
        let leaf = self.leaf.take()?;
        if leaf.state == State::Cancelling {
            drop(leaf);
            return Some(Exit::Aborted);
        }
        self.leave(leaf, exit(success))
    }

    /// Calls the exit method, then drops the guards, then lets the parent see how it ended.
    fn leave(&mut self, mut leaf: Leaf<A>, exit: Exit) -> Option<Exit> {
        let left = self.exit_method(&leaf.action, exit);
        let asked = self.session.take_requests();
        if exit == Exit::Aborted && left == Left::Later {
            // What was to end the action ends no cancelling, but for its completion.
            let before = std::mem::take(&mut leaf.asked);
            leaf.asked.completion = before.completion;
            leaf.asked.guards = before.guards;
            leaf.take(asked);
            leaf.began = self.polls;
            if leaf.can_end() {
                leaf.state = State::Cancelling;
                self.leaf = Some(leaf);
                return self.look();
            }
            self.report_stuck(&leaf.action);
        } else {
            leaf.take(asked);
        }
        drop(leaf);
        Some(exit)
    }

    fn exit_method(&mut self, action: &str, exit: Exit) -> Left {
        let actions = self.actions;
        // What the fallback answered for has no exit method.
        let Ok(found) = actions.find(action) else {
            return Left::Now;
        };
        let (agent, session) = (&mut self.agent, &mut self.session);
        let left = catch_unwind(AssertUnwindSafe(|| {
            found.exit(agent, &mut (), &mut session.context(), exit)
        }));
        left.unwrap_or_else(|panic| {
            self.report_panic(action, &*panic);
            Left::Now
        })
    }

    fn report_panic(&mut self, action: &str, panic: &(dyn Any + Send)) {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("?");
        self.reports.push(format!("`{action}` panicked: {text}"));
    }

    /// Once for each action.
    fn report_stuck(&mut self, action: &str) {
        if !self.stuck.insert(action.to_owned()) {
            return;
        }
        let agent = Registry::global().unwrap().agent(self.name).unwrap();
        let place = match agent.action(action) {
            Ok(found) => {
                let item = &found.item;
                format!("{}/{}:{}", item.package, item.file, item.line)
            }
            Err(_) => match &agent.entry().fallback {
                Some(place) => place.to_string(),
                None => "?".to_owned(),
            },
        };
        self.reports.push(format!(
            "`{action}` returned `None`, and nothing can finish it ({place})"
        ));
    }
}

impl<A: Agent> Leaf<A> {
    /// Adds what a call asked for.
    fn take(&mut self, asked: CallRequests) {
        let own = &mut self.asked;
        own.after = asked.after.or(own.after);
        own.polls = asked.polls.or(own.polls);
        own.on.extend(asked.on);
        own.completion = asked.completion.or(own.completion.take());
        own.guards.extend(asked.guards);
        own.kept = asked.kept.or(own.kept.take());
    }

    fn can_end(&self) -> bool {
        let asked = &self.asked;
        asked.after.is_some()
            || asked.polls.is_some()
            || asked.completion.is_some()
            || !asked.on.is_empty()
    }
}

fn exit(success: bool) -> Exit {
    if success {
        Exit::Success
    } else {
        Exit::Failure
    }
}
