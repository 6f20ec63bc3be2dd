//! Measures what an export costs once the package is built: `cargo run --release -p bt-tests --bin
//! export_cost`.
//!
//! Writes a crate of 2,000 annotated methods of three arguments each (`export_cost 500` for another
//! number), exports it once, which builds it, and then again and again, as after a change elsewhere:
//! cargo finds nothing to do, the program that prints the catalogue is linked and run, the files are
//! rendered and written into an empty folder. The package is built as by `bt-meta export` without
//! options, in the dev profile.

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bt_meta::cargo::{Build, export};
use bt_meta::files::render;
use bt_meta::layout::Options;
use bt_meta::write::write;
use bt_tests::cost::{Crates, Style};

const METHODS: usize = 2000;
const ROUNDS: usize = 9;

/// The time of each part: querying cargo, linking and running; rendering; writing.
#[derive(Clone, Copy)]
struct Times([Duration; 3]);

impl Times {
    fn total(self) -> Duration {
        self.0.iter().sum()
    }
}

fn main() -> ExitCode {
    if let Some(code) = bt_meta::cargo::run_if_asked() {
        return code;
    }
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Box<dyn Error>> {
    let methods = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => METHODS,
    };
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let dir = std::path::absolute(target)?.join("export-cost");
    let package = Crates::in_dir(&dir, dir.join("target"))?.write(Style::Bt, methods)?;
    let build = Build {
        manifest_path: Some(package.join("Cargo.toml")),
        target_dir: Some(dir.join("target")),
        offline: std::env::var_os("BT_COST_ONLINE").is_none(),
        ..Build::default()
    };
    let out = dir.join("out");
    let round = || -> Result<(Times, usize), Box<dyn Error>> {
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        let start = Instant::now();
        let exported = export(&build, false)?;
        let asked = start.elapsed();
        let files = render(&exported.catalogue, &Options::default())?.files;
        let rendered = start.elapsed();
        write(&out, &files)?;
        let written = start.elapsed();
        let bytes = files.iter().map(|file| file.text.len()).sum();
        Ok((Times([asked, rendered - asked, written - rendered]), bytes))
    };
    let (first, bytes) = round()?;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push(round()?.0);
    }
    rounds.sort_by_key(|times| times.total());
    let median = rounds[ROUNDS / 2];
    let [asked, rendered, written] = median.0.map(ms);
    println!(
        "{methods} actions, {} kB in {} files",
        bytes / 1000,
        out.read_dir()?.count()
    );
    println!("| | ms |");
    println!("|---|---|");
    println!(
        "| the first export, which may build the package | {:.0} |",
        ms(first.total())
    );
    println!(
        "| an export after the build (median of {ROUNDS}) | {:.0} |",
        ms(median.total())
    );
    println!("| of that: cargo, which has nothing to do; linking; running | {asked:.0} |");
    println!("| rendering the files | {rendered:.0} |");
    println!("| writing them | {written:.0} |");
    println!(
        "| the slowest of the exports after the build | {:.0} |",
        ms(rounds[ROUNDS - 1].total())
    );
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
