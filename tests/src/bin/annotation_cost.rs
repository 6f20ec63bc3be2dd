//! Measures what an annotation costs: `cargo run --release -p bt-tests --bin annotation_cost`.
//!
//! Builds generated crates of 50, 200 and 400 methods of three arguments each, annotated and plain,
//! and prints what an annotated method adds: time to build, time to check, lines of unoptimised
//! LLVM IR, lines of expanded source. `--peers` measures PyO3 and rmcp in the same way (needs the
//! package registry).

use std::error::Error;
use std::time::Duration;

use bt_tests::cost::{Crates, Style};

const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let peers = std::env::args().any(|arg| arg == "--peers");
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let dir = std::path::absolute(target)?.join("annotation-cost");
    let crates = Crates::in_dir(&dir, dir.join("target"))?;
    let mut styles = vec![Style::Bt];
    if peers {
        styles.extend([Style::PyO3, Style::Rmcp]);
    }
    println!(
        "what one method of three arguments adds to a crate of plain methods (medians of {ROUNDS})"
    );
    println!("| style | methods | build ms | check ms | LLVM lines | expanded lines |");
    println!("|---|---|---|---|---|---|");
    for style in styles {
        for methods in [50, 200, 400] {
            let annotated = crates.write(style, methods)?;
            let plain = crates.write(Style::Plain, methods)?;
            let (size, base) = (crates.size(&annotated)?, crates.size(&plain)?);
            let mut added = [Vec::new(), Vec::new()];
            for check in [false, true] {
                crates.time(&annotated, check)?;
                crates.time(&plain, check)?;
                for _ in 0..ROUNDS {
                    let with = crates.time(&annotated, check)?;
                    let without = crates.time(&plain, check)?;
                    added[usize::from(check)].push(ms(with) - ms(without));
                }
            }
            let each = |total: f64| total / methods as f64;
            let [build, check] = added.map(|list| each(median(list)));
            println!(
                "| {} | {methods} | {build:.2} | {check:.2} | {:.0} | {:.1} |",
                style.name(),
                each((size.llvm_lines - base.llvm_lines) as f64),
                each((size.expanded_lines - base.expanded_lines) as f64),
            );
        }
    }
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}
