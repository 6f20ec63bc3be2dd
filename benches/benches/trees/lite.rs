//! behavior-tree-lite: nodes are boxed, ports map to values by name, and leaves reach the agent
//! through a callback that takes messages of any type.

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::time::Duration;

use behavior_tree_lite::{
    BehaviorCallback, BehaviorNode, BehaviorNodeContainer, BehaviorResult, Context, Lazy, PortSpec,
    Registry, Symbol, boxify, load, parse_file,
};
use bt_benches::trees::{Body, Engine, Leaf, Loads, Shape};

/// behavior-tree-lite.
pub(crate) struct Lite;

/// Everything that agents share: constructors of nodes, and the text to make them from.
pub(crate) struct Trees {
    registry: Registry,
    text: String,
    has_keys: bool,
}

/// The state of an agent.
pub(crate) struct Runner {
    root: BehaviorNodeContainer,
    context: Context,
}

impl Engine for Lite {
    const NAME: &'static str = "behavior-tree-lite";
    type Body = Body;
    type Trees = Trees;
    type Runner = Runner;

    fn trees(shape: &Shape) -> Result<Trees, Box<dyn Error>> {
        let mut registry = Registry::default();
        registry.register("Nop", boxify(|| Nop));
        registry.register("Strike", boxify(|| Strike));
        registry.register("IsCalm", boxify(|| IsCalm));
        registry.register("IsAngry", boxify(|| IsAngry));
        registry.register("IsAnswered", boxify(|| IsAnswered));
        registry.register("Wait", boxify(Wait::default));
        let text = Lite::text(shape)?;
        Ok(Trees {
            registry,
            text,
            has_keys: shape.has_keys(),
        })
    }

    fn runner(trees: &mut Trees, _: &Body) -> Result<Runner, Box<dyn Error>> {
        runner(trees, &trees.text)
    }

    fn poll(runner: &mut Runner, body: &mut Body, now: Duration) {
        let mut answer = |message: &dyn Any| -> Option<Box<dyn Any>> {
            match message.downcast_ref()? {
                Message::Nop => body.count_up(),
                Message::Strike(target, range) => body.strike(*target, *range),
                Message::IsCalm(answer) => answer.set(body.is_calm()),
                Message::IsAngry(answer) => answer.set(body.is_angry()),
                Message::IsAnswered(answer) => answer.set(body.answered),
                Message::Now(answer) => answer.set(now),
            }
            None
        };
        runner.root.tick(&mut answer, &mut runner.context);
    }

    fn tally(body: &Body) -> u64 {
        body.tally()
    }
}

impl Loads for Lite {
    fn text(shape: &Shape) -> Result<String, Box<dyn Error>> {
        let mut text = "tree main = ".to_owned();
        write(shape, 0, &mut text)?;
        Ok(text)
    }

    fn load(trees: &mut Trees, text: &str, _: &Body) -> Result<Runner, Box<dyn Error>> {
        runner(trees, text)
    }
}

fn runner(trees: &Trees, text: &str) -> Result<Runner, Box<dyn Error>> {
    let (_, source) = parse_file(text).map_err(|error| error.to_string())?;
    let root = load(&source, &trees.registry, true).map_err(|error| error.to_string())?;
    let mut context = Context::default();
    if trees.has_keys {
        context.set("target", Body::TARGET);
        context.set("range", Body::RANGE);
    }
    Ok(Runner { root, context })
}

fn write(shape: &Shape, depth: usize, text: &mut String) -> Result<(), Box<dyn Error>> {
    *text += match shape {
        Shape::Sequence(_) => "Sequence",
        Shape::Select(_) => "Fallback",
        Shape::Invert(_) => "Inverter",
        Shape::Succeed(_) => "ForceSuccess",
        Shape::IfElse(_) => "if",
        Shape::Leaf(leaf) => match leaf {
            Leaf::Nop => "Nop",
            Leaf::Literals => r#"Strike (target <- "7", range <- "2.5")"#,
            Leaf::Keys => "Strike (target <- target, range <- range)",
            Leaf::Calm => "IsCalm",
            Leaf::Angry => "IsAngry",
            Leaf::Timer => "Wait",
            Leaf::Answer => "IsAnswered",
            Leaf::Fields | Leaf::Either | Leaf::KeepCounting => {
                return Err("behavior-tree-lite has no such leaf".into());
            }
        },
    };
    if !shape.children().is_empty() {
        *text += " {\n";
        for child in shape.children() {
            *text += &"  ".repeat(depth + 1);
            write(child, depth + 1, text)?;
        }
        *text += &"  ".repeat(depth);
        *text += "}";
    }
    *text += "\n";
    Ok(())
}

/// A leaf's request to the agent. The answer comes back in a cell: the callback could return it as well, but
/// that would be a box for each.
enum Message {
    Nop,
    Strike(i64, f64),
    IsCalm(Cell<bool>),
    IsAngry(Cell<bool>),
    IsAnswered(Cell<bool>),
    Now(Cell<Duration>),
}

struct Nop;

impl BehaviorNode for Nop {
    fn tick(&mut self, agent: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        agent(&Message::Nop);
        BehaviorResult::Success
    }
}

struct Strike;

/// Looked up once, as the crate advises for ports that are used a lot.
static TARGET: Lazy<Symbol> = Lazy::new(|| "target".into());
static RANGE: Lazy<Symbol> = Lazy::new(|| "range".into());

impl BehaviorNode for Strike {
    fn provided_ports(&self) -> Vec<PortSpec> {
        vec![PortSpec::new_in(*TARGET), PortSpec::new_in(*RANGE)]
    }

    fn tick(&mut self, agent: BehaviorCallback, context: &mut Context) -> BehaviorResult {
        let target = context.get_parse::<i64>(*TARGET);
        let range = context.get_parse::<f64>(*RANGE);
        let (Some(target), Some(range)) = (target, range) else {
            return BehaviorResult::Fail;
        };
        agent(&Message::Strike(target, range));
        BehaviorResult::Success
    }
}

struct IsCalm;

impl BehaviorNode for IsCalm {
    fn tick(&mut self, agent: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        let message = Message::IsCalm(Cell::new(false));
        agent(&message);
        holds(&message, BehaviorResult::Fail)
    }
}

struct IsAngry;

impl BehaviorNode for IsAngry {
    fn tick(&mut self, agent: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        let message = Message::IsAngry(Cell::new(false));
        agent(&message);
        holds(&message, BehaviorResult::Fail)
    }
}

struct IsAnswered;

impl BehaviorNode for IsAnswered {
    fn tick(&mut self, agent: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        let message = Message::IsAnswered(Cell::new(false));
        agent(&message);
        holds(&message, BehaviorResult::Running)
    }
}

/// Success, or what to say instead.
fn holds(message: &Message, otherwise: BehaviorResult) -> BehaviorResult {
    match message {
        Message::IsCalm(answer) | Message::IsAngry(answer) | Message::IsAnswered(answer)
            if answer.get() =>
        {
            BehaviorResult::Success
        }
        _ => otherwise,
    }
}

/// The crate has no wait of its own.
#[derive(Default)]
struct Wait {
    until: Option<Duration>,
}

impl BehaviorNode for Wait {
    fn tick(&mut self, agent: BehaviorCallback, _: &mut Context) -> BehaviorResult {
        let message = Message::Now(Cell::new(Duration::ZERO));
        agent(&message);
        let Message::Now(now) = message else {
            return BehaviorResult::Fail;
        };
        let now = now.get();
        let wait = Duration::from_secs_f64(Body::WAIT);
        if now < *self.until.get_or_insert(now + wait) {
            return BehaviorResult::Running;
        }
        self.until = None;
        BehaviorResult::Success
    }
}
