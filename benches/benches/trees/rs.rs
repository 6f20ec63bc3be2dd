//! behaviortree-rs, a port of BehaviorTree.CPP: trees from XML, leaves are async functions that hold
//! what they act upon, ports are typed and looked up by name.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use behaviortree_rs::Blackboard;
use behaviortree_rs::basic_types::{NodeStatus, PortsList};
use behaviortree_rs::derive::{bt_node, register_action_node};
use behaviortree_rs::macros::{define_ports, input_port};
use behaviortree_rs::nodes::NodeResult;
use behaviortree_rs::tree::{Factory, SyncTree};
use bt_benches::trees::{Body, Engine, Leaf, Loads, Shape};

/// behaviortree-rs.
pub(crate) struct Rs;

/// The body that leaves act upon: they hold it, and have to be `Send` and `Sync`. Nobody else writes while a
/// tree runs, so that no instruction has to be atomic and no lock is needed, which is as cheap as it gets.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    visits: AtomicU64,
    targets: AtomicI64,
    ranges: AtomicU64,
    angry: AtomicBool,
    answered: AtomicBool,
    now: AtomicU64,
}

impl Shared {
    fn count_up(&self) {
        self.visits.store(self.visits.load(Relaxed) + 1, Relaxed);
    }

    fn strike(&self, target: i64, range: f64) {
        self.count_up();
        self.targets
            .store(self.targets.load(Relaxed) + target, Relaxed);
        let ranges = f64::from_bits(self.ranges.load(Relaxed)) + range;
        self.ranges.store(ranges.to_bits(), Relaxed);
    }
}

impl Engine for Rs {
    const NAME: &'static str = "behaviortree-rs";
    type Body = Arc<Shared>;
    type Trees = (Factory, bool);
    type Runner = SyncTree;

    fn trees(shape: &Shape) -> Result<Self::Trees, Box<dyn Error>> {
        let mut factory = Factory::new();
        factory.register_bt_from_text(Rs::text(shape)?)?;
        Ok((factory, shape.has_keys()))
    }

    fn runner(
        (factory, has_keys): &mut Self::Trees,
        body: &Arc<Shared>,
    ) -> Result<SyncTree, Box<dyn Error>> {
        register(factory, body);
        Ok(factory.instantiate_sync_tree(&board(*has_keys), "main")?)
    }

    fn poll(tree: &mut SyncTree, body: &mut Arc<Shared>, now: Duration) {
        body.now.store(now.as_millis() as u64, Relaxed);
        // A failure would show in the tally.
        let _ = tree.tick_once();
    }

    fn tally(body: &Arc<Shared>) -> u64 {
        let ranges = f64::from_bits(body.ranges.load(Relaxed));
        Body::tally_of(
            body.visits.load(Relaxed),
            body.targets.load(Relaxed),
            ranges,
        )
    }
}

impl Loads for Rs {
    fn text(shape: &Shape) -> Result<String, Box<dyn Error>> {
        let mut text = "<root>\n  <BehaviorTree ID=\"main\">\n".to_owned();
        write(shape, 2, &mut text)?;
        text += "  </BehaviorTree>\n</root>\n";
        Ok(text)
    }

    fn load(
        (factory, has_keys): &mut Self::Trees,
        text: &str,
        body: &Arc<Shared>,
    ) -> Result<SyncTree, Box<dyn Error>> {
        register(factory, body);
        Ok(factory.create_sync_tree_from_text(text.to_owned(), &board(*has_keys))?)
    }
}

fn board(has_keys: bool) -> Blackboard {
    let mut board = Blackboard::create();
    if has_keys {
        board.set("target", Body::TARGET);
        board.set("range", Body::RANGE);
    }
    board
}

fn register(factory: &mut Factory, body: &Arc<Shared>) {
    let body = body.clone();
    register_action_node!(factory, "Nop", Nop, body);
    register_action_node!(factory, "Strike", Strike, body);
    register_action_node!(factory, "IsCalm", IsCalm, body);
    register_action_node!(factory, "IsAngry", IsAngry, body);
    register_action_node!(factory, "IsAnswered", IsAnswered, body);
    register_action_node!(factory, "Wait", Wait, body);
}

fn write(shape: &Shape, depth: usize, text: &mut String) -> Result<(), Box<dyn Error>> {
    let element = match shape {
        Shape::Sequence(_) => "Sequence",
        Shape::Select(_) => "Fallback",
        Shape::Invert(_) => "Inverter",
        Shape::Succeed(_) => "ForceSuccess",
        Shape::IfElse(_) => "IfThenElse",
        Shape::Leaf(leaf) => match leaf {
            Leaf::Nop => "Nop",
            Leaf::Literals => r#"Strike target="7" range="2.5""#,
            Leaf::Keys => r#"Strike target="{target}" range="{range}""#,
            Leaf::Calm => "IsCalm",
            Leaf::Angry => "IsAngry",
            Leaf::Timer => "Wait",
            Leaf::Answer => "IsAnswered",
            Leaf::Fields | Leaf::Either | Leaf::KeepCounting => {
                return Err("behaviortree-rs has no such leaf".into());
            }
        },
    };
    let indent = "  ".repeat(depth);
    if shape.children().is_empty() {
        *text += &format!("{indent}<{element}/>\n");
        return Ok(());
    }
    *text += &format!("{indent}<{element}>\n");
    for child in shape.children() {
        write(child, depth + 1, text)?;
    }
    *text += &format!("{indent}</{element}>\n");
    Ok(())
}

fn holds(holds: bool) -> NodeResult {
    Ok(if holds {
        NodeStatus::Success
    } else {
        NodeStatus::Failure
    })
}

#[bt_node(SyncActionNode)]
struct Nop {
    body: Arc<Shared>,
}

#[bt_node(SyncActionNode, tick = tick)]
impl Nop {
    async fn tick(&mut self) -> NodeResult {
        self.body.count_up();
        Ok(NodeStatus::Success)
    }
}

#[bt_node(SyncActionNode)]
struct Strike {
    body: Arc<Shared>,
}

#[bt_node(SyncActionNode, ports = ports, tick = tick)]
impl Strike {
    async fn tick(&mut self) -> NodeResult {
        let target: i64 = node_.config.get_input("target")?;
        let range: f64 = node_.config.get_input("range")?;
        self.body.strike(target, range);
        Ok(NodeStatus::Success)
    }

    fn ports() -> PortsList {
        define_ports!(input_port!("target"), input_port!("range"))
    }
}

#[bt_node(SyncActionNode)]
struct IsCalm {
    body: Arc<Shared>,
}

#[bt_node(SyncActionNode, tick = tick)]
impl IsCalm {
    async fn tick(&mut self) -> NodeResult {
        holds(!self.body.angry.load(Relaxed))
    }
}

#[bt_node(SyncActionNode)]
struct IsAngry {
    body: Arc<Shared>,
}

#[bt_node(SyncActionNode, tick = tick)]
impl IsAngry {
    async fn tick(&mut self) -> NodeResult {
        holds(self.body.angry.load(Relaxed))
    }
}

#[bt_node(StatefulActionNode)]
struct IsAnswered {
    body: Arc<Shared>,
}

#[bt_node(StatefulActionNode, on_start = on_start, on_running = on_running)]
impl IsAnswered {
    async fn on_start(&mut self) -> NodeResult {
        Ok(NodeStatus::Running)
    }

    async fn on_running(&mut self) -> NodeResult {
        if self.body.answered.load(Relaxed) {
            return Ok(NodeStatus::Success);
        }
        Ok(NodeStatus::Running)
    }
}

/// The crate has no wait of its own.
#[bt_node(StatefulActionNode)]
struct Wait {
    body: Arc<Shared>,
    #[bt(default)]
    until: u64,
}

#[bt_node(StatefulActionNode, on_start = on_start, on_running = on_running)]
impl Wait {
    async fn on_start(&mut self) -> NodeResult {
        self.until = self.body.now.load(Relaxed) + (Body::WAIT * 1e3) as u64;
        Ok(NodeStatus::Running)
    }

    async fn on_running(&mut self) -> NodeResult {
        if self.body.now.load(Relaxed) < self.until {
            return Ok(NodeStatus::Running);
        }
        Ok(NodeStatus::Success)
    }
}
