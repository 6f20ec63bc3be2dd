//! This workspace's trees.

use std::error::Error;
use std::time::Duration;

use bt_core::tree::asset::spec::{NodeSpec, action, condition, negative, node, select, sequence};
use bt_core::{Mode, Runner, TreeAsset, TreeSet, Trees};

use super::{Body, Engine, Leaf, Loads, Shape};

/// This workspace's trees.
#[derive(Debug)]
pub struct Ours;

impl Engine for Ours {
    const NAME: &'static str = "bt";
    type Body = Body;
    type Trees = (Trees<Body>, bool);
    type Runner = Runner<Body>;

    fn trees(shape: &Shape) -> Result<Self::Trees, Box<dyn Error>> {
        let mut set = TreeSet::new();
        set.add(asset(shape));
        Ok((set.build()?, shape.has_keys()))
    }

    fn runner(
        (trees, has_keys): &mut Self::Trees,
        _: &Body,
    ) -> Result<Runner<Body>, Box<dyn Error>> {
        let runner = Runner::new(trees, "tree.json")?.mode(Mode::Loop);
        // A tree of 100,000 nodes is run through in one poll.
        let mut runner = runner.budget(u32::MAX);
        if *has_keys {
            runner.blackboard().set("target", Body::TARGET);
            runner.blackboard().set("range", Body::RANGE);
        }
        runner.start();
        Ok(runner)
    }

    fn poll(runner: &mut Runner<Body>, body: &mut Body, now: Duration) {
        runner.poll(body, now);
    }

    fn tally(body: &Body) -> u64 {
        body.tally()
    }
}

impl Loads for Ours {
    fn text(shape: &Shape) -> Result<String, Box<dyn Error>> {
        Ok(asset(shape).to_json())
    }

    fn load(
        (_, has_keys): &mut Self::Trees,
        text: &str,
        body: &Body,
    ) -> Result<Runner<Body>, Box<dyn Error>> {
        let mut set = TreeSet::new();
        set.add(TreeAsset::from_json("tree.json", text)?);
        Ours::runner(&mut (set.build()?, *has_keys), body)
    }
}

fn asset(shape: &Shape) -> TreeAsset {
    TreeAsset::build("tree.json", "body", spec(shape))
}

fn spec(shape: &Shape) -> NodeSpec {
    let children = shape.children().iter().map(spec);
    match shape {
        Shape::Sequence(_) => sequence(children),
        Shape::Select(_) => select(children),
        Shape::Invert(child) => negative(spec(child)),
        Shape::Succeed(_) => node("always_true").children(children),
        Shape::IfElse(_) => node("if_else").children(children),
        Shape::Leaf(leaf) => match leaf {
            Leaf::Nop => action("count_up"),
            Leaf::Literals => action("strike").arg(Body::TARGET).arg(Body::RANGE),
            Leaf::Keys => action("strike").key("target").key("range"),
            Leaf::Fields => action("strike").property("target").property("range"),
            Leaf::Calm => condition("is_calm"),
            Leaf::Angry => condition("is_angry"),
            Leaf::Timer => action("wait_for_seconds").arg(Body::WAIT),
            Leaf::Answer => action("wait_for_answer"),
            Leaf::Either => action("wait_for_either"),
            Leaf::KeepCounting => action("keep_counting"),
        },
    }
}
