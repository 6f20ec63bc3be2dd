//! One plain rustc links the program that prints the catalogue.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cargo_metadata::PackageId;

use super::compile::Compiled;
use super::linked::Closure;
use super::settings::Settings;
use crate::error::Error;

/// The variable that tells a program where its dynamic libraries are.
pub(super) const LIBRARY_PATH: &str = if cfg!(windows) {
    "PATH"
} else if cfg!(target_os = "macos") {
    "DYLD_FALLBACK_LIBRARY_PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// A program that prints its catalogue when it is asked to.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// The value of [`LIBRARY_PATH`] that it needs.
    pub(super) library_path: OsString,
    /// The dependencies that were linked though nothing need mention them.
    pub(super) linked: Vec<PackageId>,
}

/// Links the package, the bt-core that it resolves to, and every dependency that itself depends on
/// bt-core, so that none is lost because no line mentions it.
///
/// # Errors
/// A failure with rustc's own messages.
pub(super) fn link(
    settings: &Settings,
    closure: &Closure,
    compiled: &Compiled,
    scratch: &Path,
) -> Result<Program, Error> {
    let mut externs = vec![("user".to_owned(), compiled.own.clone())];
    let mut chosen = vec![compiled.own.clone()];
    let candidates = |package| {
        compiled
            .libraries
            .get(package)
            .map_or(&[][..], Vec::as_slice)
    };
    if let Some(file) = choose(candidates(&closure.bt_core), &chosen) {
        externs.push(("bt_core".to_owned(), file.clone()));
        chosen.push(file.clone());
    }
    let mut linked = Vec::new();
    for (index, package) in closure.dependents.iter().enumerate() {
        // A proc macro is not linked, and what the build did not need is not there.
        if let Some(file) = choose(candidates(package), &chosen) {
            externs.push((format!("dependency_{index}"), file.clone()));
            chosen.push(file.clone());
            linked.push(package.clone());
        }
    }
    let mut source: String = externs
        .iter()
        .map(|(name, _)| format!("extern crate {name} as _;\n"))
        .collect();
    source += "fn main() {\n    bt_core::export_if_asked();\n}\n";
    let main = scratch.join("main.rs");
    fs::write(&main, source)
        .map_err(|error| Error::failure(format!("cannot write `{}`: {error}", main.display())))?;
    let path = scratch.join(format!("catalogue{}", env::consts::EXE_SUFFIX));

    let mut flags: Vec<OsString> = ["--edition", "2024", "--crate-name", "bt_meta_catalogue"]
        .map(OsString::from)
        .to_vec();
    flags.extend(["--cap-lints", "allow", "--out-dir"].map(OsString::from));
    flags.push(scratch.into());
    flags.extend([OsString::from("-o"), path.clone().into()]);
    for (name, file) in &externs {
        flags.push("--extern".into());
        flags.push(joined([
            OsStr::new(name),
            OsStr::new("="),
            file.as_os_str(),
        ]));
    }
    for dir in &compiled.dependency_dirs {
        flags.push("-L".into());
        flags.push(joined([OsStr::new("dependency="), dir.as_os_str()]));
    }
    for linked in &compiled.linked_paths {
        flags.extend(["-L".into(), OsString::from(linked)]);
    }
    if let Some(target) = &settings.target {
        flags.extend(["--target".into(), OsString::from(target)]);
    }
    if let Some(linker) = &settings.linker {
        flags.extend(["-C".into(), OsString::from(format!("linker={linker}"))]);
    }
    flags.extend(
        compiled
            .flags
            .iter()
            .chain(&settings.rustflags)
            .map(OsString::from),
    );

    let rustc = |extra: &[&str]| -> Result<Output, Error> {
        let mut command = Command::new(&settings.rustc);
        command.args(&flags).args(extra).arg(&main);
        command.output().map_err(|error| {
            Error::failure(format!(
                "cannot run the compiler `{}`: {error}",
                settings.rustc
            ))
        })
    };
    let first = rustc(&[])?;
    // Whether the profile aborts on a panic is written in four kinds of places; rustc knows, and
    // refuses the other way.
    if !first.status.success() && !rustc(&["-C", "panic=abort"])?.status.success() {
        return Err(Error::failure(format!(
            "the package was built, but cannot be linked to the program that prints its catalogue:\n{}",
            String::from_utf8_lossy(&first.stderr).trim_end()
        )));
    }
    Ok(Program {
        path,
        library_path: library_path(settings, compiled),
        linked,
    })
}

/// The library of a package that is linked.
///
/// A package that is built for the host and for the target, or twice with different features, has
/// several. The right one is that which the libraries chosen so far were compiled against: their
/// metadata has its name's hash; else one that was compiled against them.
fn choose<'a>(candidates: &'a [PathBuf], chosen: &[PathBuf]) -> Option<&'a PathBuf> {
    if let [] | [_] = candidates {
        return candidates.first();
    }
    let needed = |file: &&PathBuf| chosen.iter().any(|other| mentions(other, file));
    let needs = |file: &&PathBuf| chosen.iter().any(|other| mentions(file, other));
    let mut files = candidates.iter();
    files
        .find(needed)
        .or_else(|| candidates.iter().find(needs))
        .or(candidates.last())
}

/// Returns true if a library's metadata has the hash in another one's name.
fn mentions(library: &Path, other: &Path) -> bool {
    let stem = other.file_stem().and_then(OsStr::to_str);
    let Some((_, hash)) = stem.and_then(|stem| stem.rsplit_once('-')) else {
        return false;
    };
    let hash = hash.as_bytes();
    fs::read(library).is_ok_and(|bytes| bytes.windows(hash.len()).any(|window| window == hash))
}

fn joined<const N: usize>(parts: [&OsStr; N]) -> OsString {
    let mut whole = OsString::new();
    parts.iter().for_each(|part| whole.push(part));
    whole
}

/// The library path that cargo gives a program: the search paths of build scripts, the build's own folders,
/// and the standard library's.
fn library_path(settings: &Settings, compiled: &Compiled) -> OsString {
    let linked = compiled.linked_paths.iter().map(|path| {
        let path = path.split_once('=').map_or(path.as_str(), |(_, path)| path);
        PathBuf::from(path)
    });
    let mut paths: Vec<PathBuf> = linked.chain(compiled.dependency_dirs.clone()).collect();
    let mut query = Command::new(&settings.rustc);
    query.args(["--print", "target-libdir"]);
    if let Some(target) = &settings.target {
        query.args(["--target", target]);
    }
    if let Ok(output) = query.output() {
        paths.push(String::from_utf8_lossy(&output.stdout).trim_end().into());
    }
    if let Some(before) = env::var_os(LIBRARY_PATH) {
        paths.extend(env::split_paths(&before).collect::<Vec<_>>());
    }
    // A path with the separator in it cannot be said; then the old value is better than none.
    env::join_paths(paths).unwrap_or_else(|_| env::var_os(LIBRARY_PATH).unwrap_or_default())
}
