//! A line for each leaf.

use bt_core::tree::asset::spec::{action, parallel};

use super::scene::Scene;
use super::{timed, waits};

#[test]
fn an_active_leaf_is_a_line() {
    let all = ["time", "polls", "all", "completion", "nothing"].map(waits);
    let chase = action("chases").arg(3).arg(7.5).property("hp");
    let top = parallel(
        9,
        9,
        all.into_iter().chain([
            chase,
            timed("delay", 3.25, action("roars")),
            action("digs"),
            timed("timeout", 4.0, action("digs")),
        ]),
    );
    let mut scene = Scene::new(top);
    scene.poll(10.0).poll(14.0);
    let leaves = scene.runner.active_leaves();
    let lines: Vec<_> = leaves.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!("lines", lines.join("\n"));
}
