//! The node kinds: a file for each, or for a pair of mirror images.
//!
//! A kind is a line in the list of [`kinds!`] and a type that is a [`Behaviour`]: it says what happens
//! when its node is entered, when a child of it has ended, when it has its turn, what it remembers,
//! and what saving, restoring and explaining have to know of it. `root`, `sequence`, `select`,
//! `negative`, `always_true`, `always_false`, `action` and `condition`, which most nodes are, are
//! walked through by [`Walk`](super::walk::Walk) itself as long as nothing is attached to them.

// What saving, restoring and explaining have to know of a kind stands with the kind.
#![cfg_attr(not(all(feature = "explain", feature = "save")), allow(dead_code))]

pub(crate) mod always_running;
pub(crate) mod always_seq;
pub(crate) mod cooldown;
pub(crate) mod decorator;
pub(crate) mod delay;
pub(crate) mod end;
pub(crate) mod frames;
pub(crate) mod if_else;
pub(crate) mod in_order;
pub(crate) mod keep_place;
pub(crate) mod leaves;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod once;
pub(crate) mod parallel;
pub(crate) mod probability;
pub(crate) mod random;
pub(crate) mod reactive;
pub(crate) mod remember;
pub(crate) mod repeat;
pub(crate) mod reset;
pub(crate) mod run_limit;
pub(crate) mod sub_tree;
pub(crate) mod success_until;
pub(crate) mod timeout;
pub(crate) mod until;
pub(crate) mod wait_event;
pub(crate) mod while_loop;

use std::borrow::Borrow;

use serde_json::Value;
use thin_vec::ThinVec;

use super::core::Core;
use super::node_ref::At;
use super::waits::Wait;
use super::walk::{Step, Walker};
use crate::Event;
#[cfg(feature = "explain")]
use crate::explain::Why;
use crate::tree::plan::Plan;
use remember::{Nothing, Remember, Spare, Translate, read, save};

/// What a kind does, and what others have to know of it. What it leaves out, never happens to it.
pub(crate) trait Behaviour {
    /// What it remembers while it is active; [`Nothing`] for most.
    type State: Remember
    where
        Self: Sized;

    /// Its retained counter, which outlives its exits; [`Nothing`] for most.
    type Retained: Remember
    where
        Self: Sized;

    /// The node is entered.
    fn enter(&self, walk: &mut Walker<'_>, node: u32) -> Step;

    /// A child of it has ended, and was left.
    fn child_done(&self, _: &mut Walker<'_>, _node: u32, _child: u32, success: bool) -> Step {
        Step::Done(success)
    }

    /// What it entered waits now; it had pushed work to be told.
    fn resume(&self, _: &mut Walker<'_>, _node: u32, _child: u32) -> Step {
        Step::Blocked
    }

    /// It has the turn that it asked for.
    fn turn(&self, _: &mut Walker<'_>, _node: u32) -> Step {
        Step::Blocked
    }

    /// Its time has come.
    fn timer(&self, _: &mut Walker<'_>, _node: u32) -> Step {
        Step::Blocked
    }

    /// Everything below it that was to run in this pass has run: it asked to decide then.
    fn decide(&self, _: &mut Walker<'_>, _at: At) -> Step {
        Step::Blocked
    }

    /// The event that it waits for has come.
    fn event(&self, _: &mut Walker<'_>, _at: At, _event: &Event) {}

    /// The tree that it started in place of its own was entered, with the values that it handed over.
    fn transferred(&self, _: &mut Walker<'_>, _root: At, _values: ThinVec<Value>) {}

    /// It was aborted, and so was its child, unless that is [`NONE`](crate::tree::plan::NONE). Its
    /// state and its timers are cleared in any case.
    fn aborted(&self, _: &mut Walker<'_>, _at: At, _child: u32) {}

    /// The call that it makes.
    fn call(&self) -> Option<u32> {
        None
    }

    /// The same, if that may wait, is called again, and is exited.
    fn action(&self) -> Option<u32> {
        None
    }

    /// Whether an event of that number ends its wait: whether it leaves the event to others, too.
    fn awaits(&self, _event: u32) -> Option<bool> {
        None
    }

    /// Whether it evaluates its earlier children in every poll.
    fn is_reactive(&self) -> bool {
        false
    }

    /// Whether more than one of its children may be active.
    fn runs_many(&self) -> bool {
        false
    }

    /// Whether it may begin at another child than its first.
    fn begins_later(&self) -> bool {
        false
    }

    /// Whether the last child that ends in a pass counts for it: it decides after those, too, that are
    /// polled a last time, or that the budget left over.
    fn counts_last(&self) -> bool {
        false
    }

    /// Whether it still decides in a later poll, if the budget of this one is spent.
    fn decides_later(&self) -> bool {
        true
    }

    /// What of it ends what is below it, at the latest.
    fn ends_below(&self, _: &Core, _at: At) -> Option<Ends> {
        None
    }

    /// Whether it waits like that between polls.
    fn may_wait(&self, _: Wait) -> bool {
        false
    }

    /// Whether a child of it, which is not active, waits like that between polls.
    fn child_may_wait(&self, _: Wait) -> bool {
        false
    }

    /// Whether it is told when what it entered waits.
    fn may_resume(&self) -> bool {
        false
    }

    /// Whether it calls that tree, by its number, and comes back.
    fn may_call(&self, _tree: u32) -> bool {
        false
    }

    /// When it has a timer of its own.
    fn timed(&self) -> Timed {
        Timed::Never
    }

    /// Whether it has a state whenever it is active.
    fn remembers(&self) -> bool
    where
        Self: Sized,
    {
        size_of::<Self::State>() > 0
    }

    /// It had no turn in so many polls more: its tree was suspended.
    fn skip_polls(&self, _: &mut Core, _at: At, _polls: u32) {}

    /// What is wrong with a state that was saved, if it is.
    fn check(&self, _: &Self::State, _: &Found<'_>) -> Result<(), &'static str>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// Whether a state that was saved says that it has still to [decide](Behaviour::decide).
    fn is_deciding(&self, _: &Self::State) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Why its retained counter does not let it be entered now; `awake` is the time without pauses.
    #[cfg(feature = "explain")]
    fn refuses(&self, _: &Self::Retained, _awake: u64) -> Option<Why>
    where
        Self: Sized,
    {
        None
    }
}

/// What ends the nodes below one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Its time, in nanoseconds.
    Time(u64),
    /// The end of the poll of that number.
    Poll(u32),
    /// Its earlier children, in any poll.
    Earlier,
}

/// When a node has a timer of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timed {
    Never,
    /// As long as it waits for it.
    Waiting,
    /// As long as it has a state.
    Remembering,
}

/// What was found of an active node that is restored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) node: u32,
    /// How many of its children are active, or about to be entered.
    pub(crate) running: u32,
    /// The number of the last poll.
    pub(crate) poll: u32,
    /// A walk is there, and continues once that part of the tree is open; or the node is being left.
    pub(crate) continues: bool,
    /// A part of some tree is closed, or is to be entered in the next poll.
    pub(crate) is_held: bool,
}

/// Where a kind's state and its retained counter are among those of all kinds.
pub(crate) trait Slot: Behaviour + Sized {
    fn state(state: &State) -> Option<&Self::State>;
    fn state_mut(state: &mut State) -> Option<&mut Self::State>;
    fn of_state(state: Self::State) -> State;
    fn retained(retained: &Retained) -> Option<&Self::Retained>;
    fn of_retained(retained: Self::Retained) -> Retained;
}

/// What a kind's variant holds.
macro_rules! held {
    ($what:ty) => { $what };
    ($what:ty, boxed) => { Box<$what> };
}

macro_rules! kinds {
    ($($kind:ident: $what:ty $(, $boxed:ident)?;)*) => {
        /// What a node is, with what its file says of it.
        #[derive(Debug)]
        pub(crate) enum Kind {
            Root,
            Sequence,
            Select,
            Negative,
            /// `always_true`, `always_false`.
            Always(bool),
            $($kind(held!($what $(, $boxed)?)),)*
        }

        /// What an active node remembers.
        #[derive(Debug)]
        pub(crate) enum State {
            $($kind(<$what as Behaviour>::State),)*
        }

        /// What a node remembers over its exits.
        #[derive(Debug)]
        pub(crate) enum Retained {
            $($kind(<$what as Behaviour>::Retained),)*
        }

        $(impl Slot for $what {
            fn state(state: &State) -> Option<&Self::State> {
                if let State::$kind(state) = state { Some(state) } else { None }
            }

            fn state_mut(state: &mut State) -> Option<&mut Self::State> {
                if let State::$kind(state) = state { Some(state) } else { None }
            }

            fn of_state(state: Self::State) -> State {
                State::$kind(state)
            }

            fn retained(retained: &Retained) -> Option<&Self::Retained> {
                if let Retained::$kind(retained) = retained { Some(retained) } else { None }
            }

            fn of_retained(retained: Self::Retained) -> Retained {
                Retained::$kind(retained)
            }
        })*

        impl Kind {
            /// What its nodes do.
            pub(crate) fn behaviour(&self) -> &dyn Behaviour {
                match self {
                    Kind::Root | Kind::Negative | Kind::Always(_) => &in_order::Plain,
                    Kind::Sequence => &in_order::InOrder { on: true },
                    Kind::Select => &in_order::InOrder { on: false },
                    $(Kind::$kind(kind) => Borrow::<$what>::borrow(kind),)*
                }
            }

            /// Whether its nodes have a state whenever they are active.
            pub(crate) fn remembers(&self) -> bool {
                match self {
                    $(Kind::$kind(kind) => kind.remembers(),)*
                    plain!() => false,
                }
            }

            /// The state of a node, from what was saved of it under the name of its form.
            pub(crate) fn read_state(
                &self,
                form: &str,
                saved: &Value,
                from: &mut dyn Translate,
            ) -> Result<State, String> {
                match self {
                    $(Kind::$kind(_) => read(form, saved, from).map(State::$kind),)*
                    plain!() => read(form, saved, from).map(|nothing: Nothing| match nothing {}),
                }
            }

            /// What is wrong with a state that was saved, if it is.
            pub(crate) fn check(&self, state: &State, found: &Found<'_>) -> Result<(), &'static str> {
                $(if let (Kind::$kind(kind), State::$kind(state)) = (self, state) {
                    return kind.check(state, found);
                })*
                Ok(())
            }

            /// Whether a state that was saved says that the node has still to decide.
            pub(crate) fn is_deciding(&self, state: &State) -> bool {
                $(if let (Kind::$kind(kind), State::$kind(state)) = (self, state) {
                    return kind.is_deciding(state);
                })*
                false
            }

            /// The retained counter of a node, from what was saved of it.
            pub(crate) fn read_retained(
                &self,
                saved: &Value,
                from: &mut dyn Translate,
            ) -> Result<Retained, String> {
                match self {
                    $(Kind::$kind(_) => read("", saved, from).map(Retained::$kind),)*
                    plain!() => read("", saved, from).map(|nothing: Nothing| match nothing {}),
                }
            }

            /// Why a retained counter does not let a node be entered now.
            #[cfg(feature = "explain")]
            pub(crate) fn refuses(&self, retained: &Retained, awake: u64) -> Option<Why> {
                $(if let (Kind::$kind(kind), Retained::$kind(retained)) = (self, retained) {
                    return kind.refuses(retained, awake);
                })*
                None
            }
        }

        impl State {
            /// As it is saved: the name of its form, and the rest.
            pub(crate) fn save(&self, to: &mut dyn Translate) -> Option<(&'static str, Value)> {
                match self {
                    $(State::$kind(state) => {
                        Some((<$what as Behaviour>::State::FORM, save(state, to)?))
                    })*
                }
            }

            pub(crate) fn recycle(self, spare: &mut Spare) {
                match self {
                    $(State::$kind(state) => state.recycle(spare),)*
                }
            }
        }

        impl Retained {
            /// As it is saved; none of what is over.
            pub(crate) fn save(&self, to: &mut dyn Translate) -> Option<Value> {
                match self {
                    $(Retained::$kind(retained) => save(retained, to),)*
                }
            }
        }
    };
}

/// The kinds that are nothing but their name.
macro_rules! plain {
    () => {
        Kind::Root | Kind::Sequence | Kind::Select | Kind::Negative | Kind::Always(_)
    };
}

// A new kind is its file, and a line here.
kinds! {
    Action: leaves::Action;
    Condition: leaves::Condition;
    Memory: memory::Memory;
    KeepPlace: keep_place::KeepPlace;
    Reactive: reactive::Reactive;
    AlwaysSeq: always_seq::AlwaysSeq;
    Random: random::RandomOrder;
    Probability: probability::Probability, boxed;
    Parallel: parallel::Parallel;
    IfElse: if_else::IfElse;
    WhileLoop: while_loop::WhileLoop;
    Conditions: in_order::InOrder;
    Repeat: repeat::Repeat;
    Until: until::Until;
    Loop: loops::Loop;
    Timeout: timeout::Timeout;
    Delay: delay::Delay;
    Cooldown: cooldown::Cooldown;
    RunLimit: run_limit::RunLimit, boxed;
    SuccessUntil: success_until::SuccessUntil;
    Frames: frames::Frames;
    Once: once::Once;
    Decorator: decorator::Decorator;
    WaitEvent: wait_event::WaitEvent, boxed;
    SubTree: sub_tree::SubTree, boxed;
    Reset: reset::Reset;
    End: end::End;
    AlwaysRunning: always_running::AlwaysRunning;
}
