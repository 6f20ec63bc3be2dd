//! Makes deliberate mistakes in the runner, one at a time, and says whether the comparison with the
//! reference notices: `cargo run --release -p bt-tests --bin mutate`, and with a number of cases other
//! than 20,000 behind `--`. `-- all kinds/parallel.rs run/abort.rs` makes all mistakes that can be made by
//! rule in some files.
//!
//! Works on a copy in the target directory. Exit code 1 if a mistake is not noticed, or if its name is
//! not found.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use bt_tests::mutations::{Mistake, USUAL, find};

/// The number of cases that are compared for each mistake.
const RUNS: u64 = 20_000;
/// The time limit of a comparison: a mistake may make a tree run without end.
const TIMEOUT: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    match mutate(std::env::args().skip(1).collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether all was noticed.
fn mutate(mut args: Vec<String>) -> io::Result<bool> {
    let runs = args.first().and_then(|runs| runs.parse().ok());
    args.drain(..usize::from(runs.is_some()));
    let runs = runs.unwrap_or(RUNS);
    let copy = Workspace::copy()?;
    let mistakes = match args.split_first() {
        None => copy.usual()?,
        Some((first, files)) if first == "all" => copy.all(files)?,
        Some(_) => {
            let why = "expected a number of cases, `all` and files below bt-core/src, or both";
            return Err(io::Error::other(why));
        }
    };
    let outcome = copy.compare(runs)?;
    if !matches!(outcome, Outcome::Agree) {
        println!("without a mistake: {outcome}");
        return Ok(false);
    }
    let (mut missed, mut unbuilt) = (0, 0);
    for (file, mistake) in &mistakes {
        let outcome = copy.with(file, mistake, runs)?;
        missed += u32::from(matches!(outcome, Outcome::Agree));
        unbuilt += u32::from(matches!(outcome, Outcome::DoesNotBuild));
        println!("{file} {:<70} {outcome}", mistake.name);
    }
    let all = mistakes.len();
    println!("{all} mistakes, {missed} not noticed in {runs} cases each, {unbuilt} do not build");
    Ok(missed == 0)
}

/// The outcome of a comparison.
enum Outcome {
    Agree,
    /// After so many cases.
    Noticed(String),
    Hangs,
    DoesNotBuild,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Agree => write!(f, "not noticed"),
            Outcome::Noticed(seed) => write!(f, "noticed at seed {seed}"),
            Outcome::Hangs => write!(f, "noticed: it does not end"),
            Outcome::DoesNotBuild => write!(f, "does not build"),
        }
    }
}

/// A copy of what the comparison is built from.
struct Workspace(PathBuf);

impl Workspace {
    fn copy() -> io::Result<Workspace> {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let program = std::env::current_exe()?;
        let target = program.ancestors().nth(2).unwrap_or(Path::new("target"));
        let to = target.join("mutants");
        for folder in [
            "bt-core/src",
            "bt-macros/src",
            "tests/src/cases",
            "tests/src/reference",
        ] {
            copy_all(&from.join(folder), &to.join(folder))?;
        }
        copy_all(&from.join("tests/src/probe"), &to.join("tests/src/probe"))?;
        for file in [
            "Cargo.lock",
            "bt-core/Cargo.toml",
            "bt-macros/Cargo.toml",
            "tests/src/probe.rs",
            "tests/src/compare.rs",
            "tests/src/properties.rs",
            "tests/src/bin/prove.rs",
        ] {
            write(&to.join(file), &fs::read_to_string(from.join(file))?)?;
        }
        let manifest = fs::read_to_string(from.join("Cargo.toml"))?;
        let lines = manifest.lines().map(|line| match line {
            line if line.starts_with("members = ") => {
                "members = [\"bt-core\", \"bt-macros\", \"tests\"]"
            }
            line if line.starts_with("exclude = ") => "",
            line => line,
        });
        write(
            &to.join("Cargo.toml"),
            &lines.collect::<Vec<_>>().join("\n"),
        )?;
        write(&to.join("tests/Cargo.toml"), TESTS)?;
        let modules = ["cases", "compare", "probe", "properties", "reference"];
        let lib: String = modules.map(|name| format!("pub mod {name};\n")).concat();
        write(&to.join("tests/src/lib.rs"), &lib)?;
        Ok(Workspace(to))
    }

    /// The mistakes that are always made.
    fn usual(&self) -> io::Result<Vec<(String, Mistake)>> {
        let named = |(file, name): &(&str, &str)| {
            let found = self.found(file)?.into_iter().find(|one| one.name == *name);
            let why = || io::Error::other(format!("{file} has no mistake `{name}`"));
            Ok((file.to_string(), found.ok_or_else(why)?))
        };
        USUAL.iter().map(named).collect()
    }

    /// All mistakes of files, in their order.
    fn all(&self, files: &[String]) -> io::Result<Vec<(String, Mistake)>> {
        let mut all = Vec::new();
        for file in files {
            let found = self.found(file)?.into_iter();
            all.extend(found.map(|mistake| (file.clone(), mistake)));
        }
        Ok(all)
    }

    fn found(&self, file: &str) -> io::Result<Vec<Mistake>> {
        let text = fs::read_to_string(self.0.join("bt-core/src").join(file));
        let text =
            text.map_err(|error| io::Error::other(format!("bt-core/src/{file}: {error}")))?;
        find(&text).map_err(io::Error::other)
    }

    /// Compares with a mistake, and takes it back.
    fn with(&self, file: &str, mistake: &Mistake, runs: u64) -> io::Result<Outcome> {
        let file = self.0.join("bt-core/src").join(file);
        let text = fs::read_to_string(&file)?;
        write(&file, &mistake.made(&text))?;
        let outcome = self.compare(runs);
        write(&file, &text)?;
        outcome
    }

    fn compare(&self, runs: u64) -> io::Result<Outcome> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let target = self.0.join("target");
        // To build it again takes longer than to run it.
        let built = Command::new(cargo)
            .current_dir(&self.0)
            .args([
                "build",
                "--quiet",
                "--offline",
                "-p",
                "bt-tests",
                "--bin",
                "prove",
            ])
            .env("CARGO_TARGET_DIR", &target)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .output()?;
        if !built.status.success() {
            return Ok(Outcome::DoesNotBuild);
        }
        let prove = target.join("debug").join("prove");
        let mut child = Command::new(prove)
            .args([&runs.to_string(), "0", "brief"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let began = Instant::now();
        while child.try_wait()?.is_none() {
            if began.elapsed() > TIMEOUT {
                child.kill()?;
                child.wait()?;
                return Ok(Outcome::Hangs);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let output = child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            return Ok(Outcome::Agree);
        }
        let seed = text.lines().next().and_then(|line| line.split(' ').nth(3));
        let seed = seed.unwrap_or("it crashes").trim_end_matches([',', ':']);
        Ok(Outcome::Noticed(seed.to_owned()))
    }
}

const TESTS: &str = r#"[package]
name = "bt-tests"
version.workspace = true
edition.workspace = true

[dependencies]
bt-core = { workspace = true, features = ["debug"] }
schemars.workspace = true
serde.workspace = true
serde_json.workspace = true
"#;

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &to)?;
        } else {
            write(&to, &fs::read_to_string(entry.path())?)?;
        }
    }
    Ok(())
}

/// Writes a file whose content changes: what stays is not built again.
fn write(to: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(to).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(to, text)
}
