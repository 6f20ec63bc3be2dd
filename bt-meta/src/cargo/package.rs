//! The package that is named, and its target.

use std::path::Path;

use cargo_metadata::{Metadata, Package, Target, TargetKind};

use super::build::Build;
use super::tool::Cargo;
use crate::error::{Error, did_you_mean, quoted};

/// The package and the target whose agents are taken.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    pub(super) package: Package,
    pub(super) target: Target,
}

impl Chosen {
    /// Returns true if the target is a binary, not the package's library.
    pub(super) fn is_binary(&self) -> bool {
        self.target.is_bin()
    }

    /// The target's name as Rust spells it.
    pub(super) fn crate_name(&self) -> String {
        self.target.name.replace('-', "_")
    }
}

/// Finds the package that is meant.
///
/// # Errors
/// A failure when cargo finds no manifest, none or several packages are meant, or the package has no
/// such target.
pub(super) fn choose(cargo: &Cargo, build: &Build) -> Result<Chosen, Error> {
    let mut command = cargo.command("metadata");
    command.arg("--no-deps").args(build.lock_args());
    if let Some(path) = &build.manifest_path {
        let is_dir = path.is_dir();
        let path = if is_dir {
            path.join("Cargo.toml")
        } else {
            path.clone()
        };
        command.arg("--manifest-path").arg(path);
    }
    let metadata = cargo.metadata(command)?;
    let package = match &build.package {
        Some(name) => by_name(&metadata, name)?,
        None => the_one(&metadata, build)?,
    };
    let target = match &build.bin {
        Some(name) => binary(package, name)?,
        None => library_or_only_binary(package)?,
    };
    Ok(Chosen {
        package: package.clone(),
        target: target.clone(),
    })
}

fn by_name<'a>(metadata: &'a Metadata, wanted: &str) -> Result<&'a Package, Error> {
    let mut members = metadata.workspace_packages().into_iter();
    members
        .find(|member| member.name.as_str() == wanted)
        .ok_or_else(|| {
            let members = metadata.workspace_packages();
            let names = members.iter().map(|member| member.name.as_str());
            let hint = did_you_mean(wanted, names)
                .unwrap_or_else(|| "`cargo metadata --no-deps` lists its members".to_owned());
            Error::failure(format!(
                "the workspace `{}` has no package `{wanted}`; {hint}",
                metadata.workspace_root
            ))
        })
}

/// The package of the manifest that cargo found, or the only member of a workspace.
fn the_one<'a>(metadata: &'a Metadata, build: &Build) -> Result<&'a Package, Error> {
    let members = metadata.workspace_packages();
    if let [only] = members.as_slice() {
        return Ok(only);
    }
    let start = match &build.manifest_path {
        Some(path) if path.is_dir() => path.canonicalize(),
        Some(path) => path.canonicalize().map(|mut path| {
            path.pop();
            path
        }),
        None => std::env::current_dir().and_then(|dir| dir.canonicalize()),
    };
    let start =
        start.map_err(|error| Error::failure(format!("cannot find the manifest: {error}")))?;
    let of_dir = |dir: &Path| {
        let here = |member: &&&Package| {
            let folder = member.manifest_path.parent();
            folder.is_some_and(|folder| folder.as_std_path().canonicalize().is_ok_and(|f| f == dir))
        };
        members.iter().find(here).copied()
    };
    let root = metadata.workspace_root.as_std_path().canonicalize().ok();
    for dir in start.ancestors() {
        if let Some(package) = of_dir(dir) {
            return Ok(package);
        }
        if root.as_deref() == Some(dir) || dir.join("Cargo.toml").is_file() {
            break;
        }
    }
    Err(Error::failure(format!(
        "which package? Say `--package NAME`; the workspace has {}",
        quoted(members.iter().map(|member| &member.name))
    )))
}

fn binary<'a>(package: &'a Package, wanted: &str) -> Result<&'a Target, Error> {
    let mut binaries = package.targets.iter().filter(|target| target.is_bin());
    binaries
        .find(|target| target.name == wanted)
        .ok_or_else(|| {
            let binaries = package.targets.iter().filter(|target| target.is_bin());
            let names: Vec<&str> = binaries.map(|target| target.name.as_str()).collect();
            let hint = did_you_mean(wanted, names).unwrap_or_else(|| "it has none".to_owned());
            Error::failure(format!(
                "package `{}` has no binary `{wanted}`; {hint}",
                package.name
            ))
        })
}

fn library_or_only_binary(package: &Package) -> Result<&Target, Error> {
    if let Some(library) = package.targets.iter().find(|target| is_library(target)) {
        return Ok(library);
    }
    let binaries: Vec<&Target> = package
        .targets
        .iter()
        .filter(|target| target.is_bin())
        .collect();
    let name = &package.name;
    match binaries.as_slice() {
        [only] => Ok(only),
        [] => Err(Error::failure(format!(
            "package `{name}` has neither a library nor a binary whose agents could be taken"
        ))),
        several => Err(Error::failure(format!(
            "package `{name}` has no library and several binaries; say which with `--bin NAME`: {}",
            quoted(several.iter().map(|target| &target.name))
        ))),
    }
}

/// Returns true if it is a library that a program can link.
pub(super) fn is_library(target: &Target) -> bool {
    let library = |kind: &TargetKind| {
        matches!(
            kind,
            TargetKind::Lib
                | TargetKind::RLib
                | TargetKind::DyLib
                | TargetKind::CDyLib
                | TargetKind::StaticLib
        )
    };
    target.kind.iter().any(library)
}
