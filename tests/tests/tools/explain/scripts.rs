//! Trees from scripts: people know their nodes by lines.

use super::scene::Scene;

const MAIN: &str = "# What an ogre does.
AGENT ogre
FALLBACK True

    # Down the hole.
    SUB_TREE 'hole.bt'
    roars
";

const HOLE: &str = "AGENT ogre
SEQUENCE True
    roars
        GUARD near 2.0, 5.0

    waits 'event'
";

#[test]
fn waiting_node_of_a_script_and_its_path_have_lines() {
    let mut scene = Scene::scripts([("main.bt", MAIN), ("hole.bt", HOLE)]);
    scene.poll(0.0);
    let words = scene.words();
    for half in words.split("--- from the trace") {
        for expected in [
            "waiting: hole.bt: node 3, line 6 (action `waits`)",
            "main.bt: 0 root > 1 select (line 3) > 2 sub_tree `hole.bt` (line 6) > hole.bt: 0 root > 1 sequence (line 2)",
        ] {
            assert!(half.contains(expected), "{expected}\n{words}");
        }
    }
}

#[test]
fn failure_and_refusal_in_a_script_have_lines() {
    let fails = HOLE.replace("waits 'event'", "trips");
    let refuses = MAIN.replace("    roars", "    roars\n        GUARD angry");
    let mut scene = Scene::scripts([("main.bt", &*refuses), ("hole.bt", &fails)]).once();
    scene.poll(0.0);
    let words = scene.words();
    for half in words.split("--- from the trace") {
        for expected in [
            "hole.bt: node 3, line 6 (action `trips`): there is a stone",
            "refused: main.bt: node 3, line 7 (action `roars`)",
        ] {
            assert!(half.contains(expected), "{expected}\n{words}");
        }
    }
}
