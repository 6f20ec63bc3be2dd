//! The cost of an annotation: generated crates, built beside equal crates of plain methods.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The style of a generated crate's methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain methods.
    Plain,
    /// `#[action]`s of bt-core.
    Bt,
    /// `#[pymethods]` of PyO3.
    PyO3,
    /// `#[tool]`s of rmcp.
    Rmcp,
}

impl Style {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Style::Plain => "plain",
            Style::Bt => "bt",
            Style::PyO3 => "PyO3",
            Style::Rmcp => "rmcp",
        }
    }
}

/// The three parameters of a method, and its return type: a few shapes that recur, as in a game.
const SHAPES: [([&str; 3], &str); 8] = [
    (["u64", "f64", "&str"], "bool"),
    (["u64", "f64", "bool"], "Option<bool>"),
    (["i32", "i32", "f64"], "bool"),
    (["&str", "f64", "f64"], "bool"),
    (["u64", "u64", "u32"], "Option<bool>"),
    (["f64", "f64", "f64"], "bool"),
    (["String", "u64", "bool"], "bool"),
    (["u32", "bool", "&str"], "bool"),
];

fn used(name: &str, ty: &str) -> String {
    match ty {
        "&str" | "String" => format!("{name}.len() as f64"),
        "bool" => format!("f64::from(u8::from({name}))"),
        "f64" => name.to_owned(),
        _ => format!("{name} as f64"),
    }
}

/// The source of a crate with so many methods of three arguments each.
pub fn source(style: Style, methods: usize) -> String {
    let mut out = String::new();
    let w = &mut out;
    let head = match style {
        Style::Plain => {
            "#[derive(Default)]\npub struct Subject {\n    total: f64,\n}\n\nimpl Subject {\n"
        }
        Style::Bt => {
            "use bt_core::prelude::*;\n\n#[derive(Default, Agent)]\npub struct Subject {\n    \
             total: f64,\n}\n\n#[agent]\nimpl Subject {\n"
        }
        Style::PyO3 => {
            "use pyo3::prelude::*;\n\n#[pyclass]\n#[derive(Default)]\npub struct Subject {\n    \
             total: f64,\n}\n\n#[pymethods]\nimpl Subject {\n"
        }
        Style::Rmcp => {
            "use rmcp::handler::server::wrapper::Parameters;\nuse rmcp::{tool, tool_router};\n\n\
             #[derive(Default)]\npub struct Subject {\n    total: std::sync::Mutex<f64>,\n}\n\n"
        }
    };
    w.push_str(head);
    if style == Style::Rmcp {
        for n in 0..methods {
            let (types, _) = SHAPES[n % SHAPES.len()];
            let owned = types.map(|ty| if ty == "&str" { "String" } else { ty });
            let _ = write!(
                w,
                "#[derive(serde::Deserialize, rmcp::schemars::JsonSchema)]\npub struct Args{n} {{\n    \
                 /// The first.\n    first: {},\n    /// The second.\n    second: {},\n    /// The \
                 third.\n    third: {},\n}}\n\n",
                owned[0], owned[1], owned[2]
            );
        }
        w.push_str("#[tool_router]\nimpl Subject {\n");
    }
    for n in 0..methods {
        let ([a, b, c], returns) = SHAPES[n % SHAPES.len()];
        let sum = format!(
            "{} + {} + {}",
            used("first", a),
            used("second", b),
            used("third", c)
        );
        let answer = |total: &str| match returns {
            "bool" => format!("{total} > 1.0"),
            _ => format!("({total} > 1.0).then_some(true)"),
        };
        let _ = writeln!(w, "    /// Does number {n}.");
        match style {
            Style::Rmcp => {
                let _ = write!(
                    w,
                    "    #[tool]\n    fn method_{n}(\n        &self,\n        \
                     Parameters(Args{n} {{ first, second, third }}): Parameters<Args{n}>,\n    ) -> \
                     String {{\n        let mut total = self.total.lock().unwrap();\n        *total \
                     += {sum};\n        (*total > 1.0).to_string()\n    }}\n\n"
                );
            }
            _ => {
                let (mark, doc) = match style {
                    Style::Bt => ("    #[action]\n", true),
                    _ => ("", false),
                };
                let doc = |text: &str| {
                    if doc {
                        format!("        /// {text}\n")
                    } else {
                        String::new()
                    }
                };
                let _ = write!(
                    w,
                    "{mark}    pub fn method_{n}(\n        &mut self,\n{}        first: {a},\n{}        \
                     second: {b},\n{}        third: {c},\n    ) -> {returns} {{\n        self.total += \
                     {sum};\n        {}\n    }}\n\n",
                    doc("The first."),
                    doc("The second."),
                    doc("The third."),
                    answer("self.total")
                );
            }
        }
    }
    w.push_str("}\n");
    out
}

/// Generated crates below one folder, which share their built dependencies.
#[derive(Debug)]
pub struct Crates {
    dir: PathBuf,
    target: PathBuf,
}

/// The size of one crate.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Lines of LLVM IR in the bodies of functions, unoptimised.
    pub llvm_lines: usize,
    /// Lines of the expanded source, formatted.
    pub expanded_lines: usize,
}

impl Crates {
    /// Uses (or makes) a folder. Cargo builds into `target`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn in_dir(dir: impl Into<PathBuf>, target: impl Into<PathBuf>) -> io::Result<Crates> {
        let (dir, target) = (dir.into(), target.into());
        std::fs::create_dir_all(&dir)?;
        Ok(Crates { dir, target })
    }

    /// Writes a crate; its manifest's folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, style: Style, methods: usize) -> io::Result<PathBuf> {
        let name = format!("cost-{}-{methods}", style.name().to_lowercase());
        let dir = self.dir.join(&name);
        std::fs::create_dir_all(dir.join("src"))?;
        let core = workspace().join("bt-core");
        let dependencies = match style {
            Style::Plain => String::new(),
            Style::Bt => format!("bt-core = {{ path = {core:?} }}\n"),
            Style::PyO3 => {
                "pyo3 = { version = \"0.30\", features = [\"extension-module\", \"abi3-py39\"] }\n"
                    .to_owned()
            }
            Style::Rmcp => "rmcp = \"3\"\nserde = { version = \"1\", features = [\"derive\"] }\n\
                            schemars = \"1\"\n"
                .to_owned(),
        };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n[profile.dev]\nincremental = false\n\n\
             [profile.dev.package.\"*\"]\ndebug = 0\n\n[workspace]\n"
        );
        std::fs::write(dir.join("Cargo.toml"), manifest)?;
        std::fs::write(dir.join("src/lib.rs"), source(style, methods))?;
        if style == Style::Bt && !dir.join("Cargo.lock").exists() {
            std::fs::copy(workspace().join("Cargo.lock"), dir.join("Cargo.lock"))?;
        }
        Ok(dir)
    }

    fn cargo(&self, dir: &Path, args: &[&str]) -> io::Result<Output> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .current_dir(dir)
            .args(args)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("PYO3_NO_PYTHON", "1")
            .env_remove("RUSTFLAGS");
        succeeds(&mut command)
    }

    /// The macros' expansion of a crate. Rustc is called by itself: with the variable that allows
    /// `-Zunpretty`, which only prints, cargo would build the dependencies again.
    fn expanded(&self, dir: &Path, built: &[u8]) -> io::Result<Vec<u8>> {
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--edition=2024", "--crate-type=lib", "-Zunpretty=expanded"])
            .arg(dir.join("src/lib.rs"))
            .arg("-L")
            .arg(self.target.join("debug/deps"))
            .env("RUSTC_BOOTSTRAP", "1");
        for message in serde_json::Deserializer::from_slice(built).into_iter::<Value>() {
            let message = message?;
            let (name, files) = (&message["target"]["name"], &message["filenames"]);
            if let (Some(name @ ("bt_core" | "pyo3" | "rmcp" | "serde")), Some(file)) =
                (name.as_str(), files[0].as_str())
            {
                rustc.arg("--extern").arg(format!("{name}={file}"));
            }
        }
        Ok(succeeds(&mut rustc)?.stdout)
    }

    /// Builds and expands a crate; counts.
    ///
    /// # Errors
    /// If cargo or rustfmt fails, with what it said.
    pub fn size(&self, dir: &Path) -> io::Result<Size> {
        let offline = self.offline();
        let mut args = vec!["rustc", "--lib"];
        args.extend(offline);
        args.extend([
            "--message-format=json",
            "--",
            "--emit=llvm-ir",
            "-Ccodegen-units=1",
        ]);
        self.touch(dir)?;
        let built = self.cargo(dir, &args)?.stdout;
        let name = dir
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .replace('-', "_");
        let deps = self.target.join("debug/deps");
        let mut newest: Option<(std::time::SystemTime, PathBuf)> = None;
        for entry in std::fs::read_dir(deps)? {
            let entry = entry?;
            let file = entry.file_name().to_string_lossy().into_owned();
            if file.starts_with(&format!("{name}-")) && file.ends_with(".ll") {
                let modified = entry.metadata()?.modified()?;
                if newest.as_ref().is_none_or(|(when, _)| *when < modified) {
                    newest = Some((modified, entry.path()));
                }
            }
        }
        let (_, ll) = newest.ok_or_else(|| io::Error::other("no LLVM IR was written"))?;
        let llvm_lines = llvm_lines(&std::fs::read_to_string(ll)?);
        let expanded = self.expanded(dir, &built)?;
        Ok(Size {
            llvm_lines,
            expanded_lines: formatted_lines(&expanded, &self.dir)?,
        })
    }

    fn offline(&self) -> &'static [&'static str] {
        if std::env::var_os("BT_COST_ONLINE").is_some() {
            &[]
        } else {
            &["--offline"]
        }
    }

    fn touch(&self, dir: &Path) -> io::Result<()> {
        let file = std::fs::File::options()
            .append(true)
            .open(dir.join("src/lib.rs"))?;
        file.set_modified(std::time::SystemTime::now())
    }

    /// The time that the crate itself takes to build (or to check), its dependencies built.
    ///
    /// # Errors
    /// If cargo fails, with what it said.
    pub fn time(&self, dir: &Path, check: bool) -> io::Result<Duration> {
        let mut args = vec![if check { "check" } else { "build" }];
        args.extend(self.offline());
        self.touch(dir)?;
        let start = Instant::now();
        self.cargo(dir, &args)?;
        Ok(start.elapsed())
    }
}

fn succeeds(command: &mut Command) -> io::Result<Output> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output);
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command:?}: {why}")))
}

/// The workspace's folder.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The lines between the braces of `define`s.
pub fn llvm_lines(text: &str) -> usize {
    let mut inside = false;
    let mut count = 0;
    for line in text.lines() {
        if line.starts_with("define ") {
            inside = true;
        } else if line == "}" {
            inside = false;
        } else if inside && !line.trim().is_empty() {
            count += 1;
        }
    }
    count
}

fn formatted_lines(source: &[u8], dir: &Path) -> io::Result<usize> {
    let file = dir.join("expanded.rs");
    std::fs::write(&file, source)?;
    let status = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .arg(&file)
        .status()?;
    if !status.success() {
        return Err(io::Error::other("rustfmt failed on the expansion"));
    }
    Ok(std::fs::read_to_string(&file)?.lines().count())
}
