//! Our own trees at a revision and now, in turn: `cargo run --release -p bt-benches --bin against --
//! REV [WORDS]`. `WORDS` are what a case's name has, such as `leaf with`.
//!
//! REV is checked out and built below `target/against`, the working tree in `target`: two checkouts that
//! share a target directory look the same to cargo, which would run one program twice. A revision's bench prints a table for people, in
//! which ours is the second column: so both are read, whatever the revision. Instructions are counted
//! where valgrind is installed; unlike times, they are exact.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Done<T = ()> = Result<T, Box<dyn Error>>;

/// The number of times that each side is run.
const ROUNDS: usize = 7;

/// Nanoseconds of cases, or instructions, by name, in the order in which they are printed.
type Table = Vec<(String, f64)>;

fn main() -> Done {
    let mut args = std::env::args().skip(1);
    let rev = args.next().ok_or("which revision? `against REV [WORDS]`")?;
    let words = args.collect::<Vec<_>>().join(" ");
    let now = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    let below = now.join("target/against");
    let commit = git(
        &now,
        &["rev-parse", "--verify", &format!("{rev}^{{commit}}")],
    )?;
    let commit = commit.trim();
    let then = below.join(commit);
    if !then.join("Cargo.toml").exists() {
        let to = then.to_str().ok_or("the target directory is not UTF-8")?;
        git(&now, &["worktree", "prune"])?;
        git(
            &now,
            &["worktree", "add", "--detach", "--force", to, commit],
        )?;
    }
    let sides = [Side::build(&then)?, Side::build(&now)?];
    println!("{rev} is {commit}; {ROUNDS} rounds of both in turn");
    times(&sides, &rev, &words)?;
    instructions(&sides, &rev, &words)
}

fn git(folder: &Path, args: &[&str]) -> Done<String> {
    let output = Command::new("git")
        .current_dir(folder)
        .args(args)
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("git {}: {said}", args.join(" ")).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// A checkout, built.
struct Side {
    trees: PathBuf,
    instructions: PathBuf,
}

impl Side {
    fn build(folder: &Path) -> Done<Side> {
        eprintln!("building {}", folder.display());
        let build = |program: &str, args: &[&str]| -> Done<PathBuf> {
            let output = Command::new("cargo")
                .current_dir(folder)
                .env("CARGO_TARGET_DIR", folder.join("target"))
                .args([
                    "build",
                    "--message-format=json",
                    "--quiet",
                    "-p",
                    "bt-benches",
                ])
                .args(args)
                .stderr(Stdio::inherit())
                .output()?;
            if !output.status.success() {
                return Err(format!("{} does not build", folder.display()).into());
            }
            let built = String::from_utf8(output.stdout)?;
            let program = built.lines().find_map(|line| executable(line, program));
            Ok(program.ok_or("cargo built no program")?)
        };
        Ok(Side {
            trees: build("trees", &["--profile=bench", "--bench=trees"])?,
            instructions: build("instructions", &["--release", "--bin=instructions"])?,
        })
    }

    /// Reads the tables that a program prints: of each row the first column, and the first number after it;
    /// of a table of sizes a number for each.
    fn tables(&self, program: &Path, args: &[&str]) -> Done<Table> {
        let output = Command::new(program)
            .args(args)
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(format!("{} ended with {}", program.display(), output.status).into());
        }
        Ok(read_tables(&String::from_utf8(output.stdout)?))
    }
}

/// The program that a line of cargo's output reports, if it is of that target. Cargo reports the
/// package's other programs as well: a bench is built together with them.
fn executable(line: &str, target: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let is_ours = message["reason"] == "compiler-artifact" && message["target"]["name"] == target;
    let path = message["executable"].as_str().filter(|_| is_ours)?;
    Some(PathBuf::from(path))
}

fn read_tables(text: &str) -> Table {
    let mut table = Table::new();
    let mut head: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some(row) = line
            .strip_prefix('|')
            .and_then(|row| row.trim_end().strip_suffix('|'))
        else {
            head.clear();
            continue;
        };
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        if head.is_empty() {
            head = cells;
            continue;
        }
        let Some((name, numbers)) = cells.split_first() else {
            continue;
        };
        let name = name.trim_matches('`');
        // Where the columns are no engines, they are sizes, and all of them ours.
        let is_of_sizes = head[0].contains("in a tree of");
        let columns = if is_of_sizes { numbers.len() } else { 1 };
        for (cell, column) in numbers.iter().zip(&head[1..]).take(columns) {
            if let Ok(number) = cell.parse() {
                let name = match is_of_sizes {
                    true => format!("{name}, of {column}"),
                    false => name.to_owned(),
                };
                table.push((name, number));
            }
        }
    }
    table
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(f64::NAN)
}

fn times(sides: &[Side; 2], rev: &str, words: &str) -> Done {
    let mut order = Vec::new();
    let mut all: BTreeMap<String, [Vec<f64>; 2]> = BTreeMap::new();
    for round in 0..ROUNDS {
        eprintln!("round {} of {ROUNDS}", round + 1);
        // Who was second is first the next time.
        for side in [round % 2, 1 - round % 2] {
            let table = sides[side].tables(&sides[side].trees, &["--bench", "ratios"])?;
            for (name, time) in table.into_iter().filter(|(name, _)| name.contains(words)) {
                if !order.contains(&name) {
                    order.push(name.clone());
                }
                all.entry(name).or_default()[side].push(time);
            }
        }
    }
    println!("| ns | at {rev} | now | now to then | lowest | highest |");
    println!("|---|---|---|---|---|---|");
    for name in order {
        let [then, now] = &all[&name];
        let ratios: Vec<_> = then.iter().zip(now).map(|(then, now)| now / then).collect();
        if ratios.is_empty() {
            println!("| {name} | {} | {} | | | |", cell(then), cell(now));
            continue;
        }
        let (least, most) = ratios
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(least, most), one| {
                (least.min(*one), most.max(*one))
            });
        let (then, now) = (cell(then), cell(now));
        println!(
            "| {name} | {then} | {now} | {:.3} | {least:.2} | {most:.2} |",
            median(ratios)
        );
    }
    Ok(())
}

/// The median of what was measured on one side, if it has the case.
fn cell(list: &[f64]) -> String {
    match list {
        [] => String::new(),
        list => format!("{:.1}", median(list.to_vec())),
    }
}

fn instructions(sides: &[Side; 2], rev: &str, words: &str) -> Done {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        println!("\nvalgrind is not installed: instructions are not counted");
        return Ok(());
    }
    eprintln!("counting instructions");
    let [then, now] = sides;
    let then: BTreeMap<_, _> = then.tables(&then.instructions, &[])?.into_iter().collect();
    println!("\n| instructions | at {rev} | now | more |\n|---|---|---|---|");
    for (name, now) in now.tables(&now.instructions, &[])? {
        if name.contains(words) {
            match then.get(&name) {
                Some(then) => println!("| {name} | {then:.1} | {now:.1} | {:+.1} |", now - then),
                None => println!("| {name} | | {now:.1} | |"),
            }
        }
    }
    Ok(())
}
