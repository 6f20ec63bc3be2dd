//! The way from a poll to the agent's method: frames of bt-core in a debug build, and the number of their
//! files.

use std::backtrace::Backtrace;
use std::collections::BTreeSet;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, sequence};
use bt_core::{Mode, Runner, TreeAsset, TreeSet};

#[derive(Agent, Default)]
struct Climber {
    backtraces: Vec<String>,
}

#[agent]
impl Climber {
    #[action]
    fn look_down(&mut self) {
        self.backtraces.push(Backtrace::force_capture().to_string());
    }
}

/// The functions of bt-core that a backtrace names, innermost first, and their files.
fn frames(backtrace: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut functions, mut files) = (Vec::new(), BTreeSet::new());
    let mut function = "";
    for line in backtrace.lines().map(str::trim) {
        match line.strip_prefix("at ") {
            None => function = line,
            Some(place) => {
                if let Some((_, file)) = place.split_once("bt-core/src/") {
                    functions.push(format!("{function} in {file}"));
                    files.extend(file.split(':').next().map(str::to_owned));
                }
            }
        }
    }
    (functions, files)
}

#[test]
fn a_poll_reaches_the_method_in_few_frames_of_few_files() {
    let mut trees = TreeSet::<Climber>::new();
    let wait = action("wait_for_seconds").arg(1);
    let climb = sequence([action("look_down"), wait, action("look_down")]);
    trees.add(TreeAsset::build("climb", "climber", climb));
    let trees = trees.build().unwrap();
    let mut runner = Runner::new(&trees, "climb").unwrap().mode(Mode::Once);
    let mut climber = Climber::default();
    runner.start();
    runner.poll(&mut climber, Duration::ZERO);
    runner.poll(&mut climber, Duration::from_secs(1));
    let [entered, woken] = &climber.backtraces[..] else {
        panic!("{} calls", climber.backtraces.len());
    };
    for (when, backtrace) in [("entry", entered), ("timer", woken)] {
        let (functions, files) = frames(backtrace);
        assert!(
            !functions.is_empty(),
            "a build without line tables names no file"
        );
        assert!(
            functions.len() <= 10 && files.len() <= 4,
            "{when}: {} frames: {functions:#?} {files:#?}",
            functions.len()
        );
    }
}
