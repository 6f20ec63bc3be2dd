//! The macros find bt-core in packages that call it something else.

use std::path::Path;
use std::process::Command;
use std::{fs, io};

#[test]
fn a_renamed_dependency_is_found() {
    check("renamed");
}

#[test]
fn a_reexport_that_the_manifest_names_is_found() {
    check("reexported");
}

/// Builds a copy of a fixture with the workspace's lock, so that nothing is downloaded.
fn check(name: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let copy = tmp.join("fixtures").join(name);
    let root = tests.ancestors().nth(2).unwrap();
    let fixture = root.join("tests/fixtures").join(name);
    copy_dir(&fixture, &copy, &root.join("bt-core")).unwrap();
    fs::copy(root.join("Cargo.lock"), copy.join("Cargo.lock")).unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--offline", "--workspace", "--quiet"])
        .current_dir(&copy)
        // As the tests of bt-meta build their packages, so that bt-core is built once for all.
        .env("CARGO_TARGET_DIR", tmp.join("packages ü 樹"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// Copies a folder; the relative paths to bt-core become absolute.
fn copy_dir(from: &Path, to: &Path, bt_core: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_dir(&from, &to, bt_core)?;
        } else if entry.file_name() == "Cargo.toml" {
            let absolute = format!("path = {:?}", bt_core.to_string_lossy());
            let text = fs::read_to_string(&from)?
                .replace("path = \"../../../../bt-core\"", &absolute)
                .replace("path = \"../../../bt-core\"", &absolute);
            fs::write(&to, text)?;
        } else {
            fs::copy(&from, &to)?;
        }
    }
    Ok(())
}
