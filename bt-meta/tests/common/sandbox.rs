//! Throw-away packages, and `bt-meta` run on them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder for packages. They are built offline, with the workspace's own lock and into one shared
/// target directory, so that bt-core is built once; so packages of different tests have different names.
pub struct Sandbox {
    dir: TempDir,
}

/// The result of a run of `bt-meta`.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Sandbox {
    pub fn new() -> Self {
        Self::named("bt-meta-test-")
    }

    /// With a folder whose name begins so.
    pub fn named(prefix: &str) -> Self {
        let dir = tempfile::Builder::new().prefix(prefix).tempdir().unwrap();
        Self { dir }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn file(&self, path: &str, text: &str) -> &Self {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    /// A manifest without dependencies but for those in `more`, which goes on in the table
    /// `[dependencies]`.
    pub fn manifest(&self, folder: &str, name: &str, more: &str) -> &Self {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{more}"
        );
        self.file(&format!("{folder}/Cargo.toml"), &manifest)
            .lock(folder)
    }

    /// A package that is its own workspace and depends on bt-core.
    pub fn package(&self, folder: &str, name: &str, more: &str, lib: &str) -> &Self {
        let more = format!("{}\n{more}\n[workspace]\n", bt_core());
        self.manifest(folder, name, &more)
            .file(&format!("{folder}/src/lib.rs"), lib)
    }

    /// The versions that the workspace uses are there without a network.
    pub fn lock(&self, folder: &str) -> &Self {
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        fs::copy(lock, self.path().join(folder).join("Cargo.lock")).unwrap();
        self
    }

    pub fn command(
        &self,
        folder: &str,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bt-meta"));
        command
            .args(args)
            .current_dir(self.path().join(folder))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TARGET_DIR", target_dir())
            // Without debug information there is less to write and to link.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0")
            // What a linker drops matters, so optimising less saves time and hides nothing.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            // So that all release builds of the tests share what they depend on.
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("BT_EXPORT");
        command
    }

    /// Exports into `out` beside the packages.
    pub fn export(&self, folder: &str, args: &[&str]) -> Run {
        let out = self.out();
        let mut all = vec![
            OsStr::new("export"),
            OsStr::new("--out-dir"),
            out.as_os_str(),
        ];
        all.extend(args.iter().map(OsStr::new));
        run(&mut self.command(folder, all))
    }

    pub fn out(&self) -> PathBuf {
        self.path().join("out")
    }

    /// The names in the exported hierarchy, without the built-in agent's.
    pub fn agents(&self) -> Vec<String> {
        let hierarchy = super::json(&self.out(), "agent_hierarchy.json");
        let names = hierarchy.as_object().unwrap().keys();
        names
            .filter(|name| *name != "action_agent")
            .cloned()
            .collect()
    }
}

pub fn run(command: &mut Command) -> Run {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    Run {
        code: status.code().unwrap_or(-1),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

impl Run {
    pub fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self
    }

    /// Ended with this code and said all of this, and never broke down.
    pub fn says(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        for part in parts {
            assert!(self.err.contains(part), "`{part}` in:\n{}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// The folder in which all tests build, those of other packages too, with a space and letters of other
/// alphabets in its name.
pub fn target_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages ü 樹")
}

/// The dependency on bt-core, by path.
pub fn bt_core() -> String {
    format!("bt-core = {{ path = {:?} }}", bt_core_path())
}

pub fn bt_core_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core")
}

/// Source with one agent of this name, which has one action.
pub fn agent(name: &str) -> String {
    let module = format!("{name}_module");
    format!(
        "mod {module} {{
            use bt_core::prelude::*;
            /// An agent.
            #[derive(Agent)]
            #[agent(name = \"{name}\")]
            pub struct It {{}}
            #[agent]
            impl It {{
                /// Goes.
                #[action]
                pub fn go(&mut self, /** How far. */ far: f64) -> bool {{ far > 0.0 }}
            }}
        }}\n"
    )
}
