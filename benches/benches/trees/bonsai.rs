//! bonsai-bt: a behavior is an enum whose leaves are an enum of the user's, and a closure that gets
//! both the leaf and the blackboard does what the leaf says.

use std::collections::HashMap;
use std::error::Error;
use std::marker::PhantomData;
use std::time::Duration;

use bonsai_bt::{BT, Behavior, Event, Failure, Float, Running, Status, Success, UpdateArgs};
use bt_benches::trees::{Body, Engine, Leaf, Loads, Shape};
use serde::{Deserialize, Serialize};

/// The leaves; arguments are their payload.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Act {
    Nop,
    Strike { target: i64, range: f64 },
    StrikeByBoard,
    IsCalm,
    IsAngry,
    IsAnswered,
}

/// A blackboard is of whatever type one gives it.
pub(crate) trait Board: 'static {
    fn filled() -> Self;
    fn target(&self) -> Option<i64>;
    fn range(&self) -> Option<f64>;
}

/// Values by name, as in the crate's own example.
pub(crate) type Named = HashMap<String, Value>;

/// A value by name.
pub(crate) enum Value {
    Int(i64),
    Real(f64),
}

impl Board for Named {
    fn filled() -> Named {
        HashMap::from([
            ("target".to_owned(), Value::Int(Body::TARGET)),
            ("range".to_owned(), Value::Real(Body::RANGE)),
        ])
    }

    fn target(&self) -> Option<i64> {
        match self.get("target")? {
            Value::Int(target) => Some(*target),
            Value::Real(_) => None,
        }
    }

    fn range(&self) -> Option<f64> {
        match self.get("range")? {
            Value::Real(range) => Some(*range),
            Value::Int(_) => None,
        }
    }
}

/// No values.
impl Board for () {
    fn filled() {}

    fn target(&self) -> Option<i64> {
        None
    }

    fn range(&self) -> Option<f64> {
        None
    }
}

/// bonsai-bt with a blackboard.
pub(crate) struct Bonsai<B>(PhantomData<B>);

/// The state of an agent: its tree, and the time of its last poll.
pub(crate) struct Runner<B> {
    tree: BT<Act, B>,
    now: Duration,
}

impl<B: Board> Engine for Bonsai<B> {
    const NAME: &'static str = "bonsai-bt";
    type Body = Body;
    type Trees = Behavior<Act>;
    type Runner = Runner<B>;

    fn trees(shape: &Shape) -> Result<Behavior<Act>, Box<dyn Error>> {
        behavior(shape)
    }

    fn runner(trees: &mut Behavior<Act>, _: &Body) -> Result<Runner<B>, Box<dyn Error>> {
        Ok(Runner {
            tree: BT::new(trees.clone(), B::filled()),
            now: Duration::ZERO,
        })
    }

    fn poll(runner: &mut Runner<B>, body: &mut Body, now: Duration) {
        let dt = (now - runner.now).as_secs_f64();
        runner.now = now;
        let event: Event = UpdateArgs { dt }.into();
        let result = runner.tree.tick(&event, &mut |args, board: &mut B| {
            let status = act(args.action, body, board);
            let rest: Float = if status == Running { 0.0 } else { args.dt };
            (status, rest)
        });
        // A tree that has ended stays ended, unless it is told to begin again.
        if !matches!(result, Some((Running, _))) {
            runner.tree.reset_bt();
        }
    }

    fn tally(body: &Body) -> u64 {
        body.tally()
    }
}

impl Loads for Bonsai<()> {
    fn text(shape: &Shape) -> Result<String, Box<dyn Error>> {
        Ok(serde_json::to_string_pretty(&behavior(shape)?)?)
    }

    fn load(_: &mut Behavior<Act>, text: &str, body: &Body) -> Result<Runner<()>, Box<dyn Error>> {
        Self::runner(&mut serde_json::from_str(text)?, body)
    }
}

fn act(act: &Act, body: &mut Body, board: &impl Board) -> Status {
    let holds = |holds| if holds { Success } else { Failure };
    match act {
        Act::Nop => {
            body.count_up();
            Success
        }
        Act::Strike { target, range } => {
            body.strike(*target, *range);
            Success
        }
        Act::StrikeByBoard => match (board.target(), board.range()) {
            (Some(target), Some(range)) => {
                body.strike(target, range);
                Success
            }
            _ => Failure,
        },
        Act::IsCalm => holds(body.is_calm()),
        Act::IsAngry => holds(body.is_angry()),
        Act::IsAnswered => {
            if body.answered {
                Success
            } else {
                Running
            }
        }
    }
}

fn behavior(shape: &Shape) -> Result<Behavior<Act>, Box<dyn Error>> {
    let all = |children: &[Shape]| children.iter().map(behavior).collect::<Result<Vec<_>, _>>();
    let one = |child: &Shape| behavior(child).map(Box::new);
    Ok(match shape {
        Shape::Sequence(children) => Behavior::Sequence(all(children)?),
        Shape::Select(children) => Behavior::Select(all(children)?),
        Shape::Invert(child) => Behavior::Invert(one(child)?),
        Shape::Succeed(child) => Behavior::AlwaysSucceed(one(child)?),
        Shape::IfElse(children) => {
            let [condition, then, otherwise] = &**children;
            Behavior::If(one(condition)?, one(then)?, one(otherwise)?)
        }
        Shape::Leaf(leaf) => match leaf {
            Leaf::Timer => Behavior::Wait(Body::WAIT),
            Leaf::Nop => Behavior::Action(Act::Nop),
            Leaf::Literals => Behavior::Action(Act::Strike {
                target: Body::TARGET,
                range: Body::RANGE,
            }),
            Leaf::Keys | Leaf::Fields => Behavior::Action(Act::StrikeByBoard),
            Leaf::Calm => Behavior::Action(Act::IsCalm),
            Leaf::Angry => Behavior::Action(Act::IsAngry),
            Leaf::Answer => Behavior::Action(Act::IsAnswered),
            Leaf::Either | Leaf::KeepCounting => return Err("bonsai-bt has no such leaf".into()),
        },
    })
}
