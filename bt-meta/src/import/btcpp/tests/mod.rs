//! Trees of the engine, imported and run.

mod agent;
mod cases;
mod reading;
mod round;
// What an import writes; that it compiles is its test.
#[allow(dead_code, unreachable_pub, clippy::todo)]
#[rustfmt::skip]
mod skeleton;

use std::fs;

use tempfile::TempDir;

use super::import;
use crate::error::Error;
use crate::import::{Engine, Imported, Level, Options};

/// The leaves of the tests' agent.
const MODEL: &str = r#"<TreeNodesModel>
    <Condition ID="P"/><Condition ID="Q"/><Condition ID="T"/>
    <Action ID="Say"><input_port name="message"/></Action>
    <Action ID="Copy"><input_port name="in"/><output_port name="out"/></Action>
</TreeNodesModel>"#;

fn options() -> Options {
    Options {
        engine: Engine::Btcpp,
        agent: agent::NAME.to_owned(),
        known: None,
        enums: [("RED".to_owned(), 1), ("BLUE".to_owned(), 2)].into(),
    }
}

/// Imports files of a folder; the first is the one that is named.
fn imported(files: &[(&str, &str)]) -> Result<Imported, Error> {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    import(&folder.path().join(files[0].0), &options())
}

/// Imports trees, or the body of one.
fn of_body(body: &str) -> Imported {
    let trees = match body.contains("<BehaviorTree") {
        true => body.to_owned(),
        false => format!("<BehaviorTree ID=\"Main\">{body}</BehaviorTree>"),
    };
    let text =
        format!("<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">{trees}{MODEL}</root>");
    imported(&[("a.xml", &text)]).unwrap()
}

/// The losses of an import, each with its line and column alone.
fn losses(imported: &Imported) -> Vec<String> {
    let losses = imported
        .problems
        .iter()
        .filter(|problem| problem.level == Level::Loss);
    losses
        .map(|problem| {
            format!(
                "{}:{}: {}",
                problem.place.line, problem.place.column, problem.message
            )
        })
        .collect()
}
