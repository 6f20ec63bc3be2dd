//! Measures what it costs to validate many trees: `cargo run --release -p bt-tests --bin validate_cost`.
//!
//! Writes 100, 1,000 and 10,000 files of 32 nodes each, with arguments, guards and a sub-tree, and
//! validates them on all cores as `bt-meta validate` does, nine times each; the median counts. The time
//! to read the catalogue is not in it.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bt_core::TreeAsset;
use bt_core::tree::asset::spec::{NodeSpec, action, guard, node, select, sequence, sub_tree};
use bt_meta::catalogue::Catalogue;
use bt_meta::validate::{Options, input::inputs, run};

const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    println!("| files of 32 nodes | time | each | memory |\n|---|---|---|---|");
    for files in [100, 1_000, 10_000] {
        let folder = tempfile::tempdir()?;
        write(folder.path(), files)?;
        let inputs = inputs(&[folder.path().to_owned()])?;
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let catalogue = Catalogue::collect();
            let began = Instant::now();
            let report = run(catalogue, &Options::default(), &inputs, &|| ())?;
            times.push(began.elapsed());
            if report.errors + report.warnings > 0 {
                return Err(report.summary().into());
            }
        }
        times.sort_unstable();
        let time = times[ROUNDS / 2];
        println!(
            "| {files} | {:.0} ms | {:.1} µs | {} |",
            millis(time),
            millis(time) * 1_000.0 / files as f64,
            memory()
        );
    }
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The most memory that this process has had, where the system says it.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "?".to_owned(), |most| most.trim().to_owned())
}

fn write(folder: &Path, files: usize) -> Result<(), Box<dyn Error>> {
    for at in 0..files {
        let name = format!("tree_{at}.json");
        let next = format!("tree_{}.json", (at + 1) % files);
        let tree = TreeAsset::build(&name, "action_agent", life(&next));
        if tree.nodes().len() != 32 {
            return Err(format!("{} nodes", tree.nodes().len()).into());
        }
        fs::write(folder.join(name), tree.to_json())?;
    }
    Ok(())
}

/// 31 nodes; with the root 32.
fn life(next: &str) -> NodeSpec {
    let branch = |number: usize| {
        let key = format!("key_{number}");
        sequence([
            node("condition").extra("action_name", "has_key").extra(
                "action_args",
                serde_json::json!([{"arg_type": "plain", "arg_value": key}]),
            ),
            action("set_key_value").arg(key.as_str()).arg(number),
            action("number_add").arg(key.as_str()).arg(2),
            action("wait_for_seconds").arg(0.5),
        ])
        .guard(guard("has_key").arg(key.as_str()).set("abort", "self"))
    };
    let mut branches: Vec<NodeSpec> = (0..5).map(branch).collect();
    branches.push(sequence([
        action("wait_for_seconds").arg(1),
        sub_tree(next),
    ]));
    branches.extend([action("nop"), action("nop")]);
    select(branches).guard(guard("has_key").arg("key_0"))
}
