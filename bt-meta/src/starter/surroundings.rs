//! The workspace around a new crate, if there is one.
//!
//! Cargo refuses to build a package in a workspace's folder that the workspace does not list. Somebody
//! else's manifest is not changed here; such a crate becomes a workspace of its own, so that it builds
//! at once, and it is said what to write where to join.

use std::path::{Path, PathBuf};

use cargo_metadata::MetadataCommand;

/// The workspace around a crate.
#[derive(Debug)]
pub(super) enum Surroundings {
    /// Nothing that matters, or nobody knows: there is no cargo.
    Open,
    /// It is a member of the workspace of this manifest.
    Member(PathBuf),
    /// The workspace of this manifest does not list it; and by which path it would.
    Stranger { workspace: PathBuf, member: String },
}

impl Surroundings {
    /// Of a crate that is there.
    pub(super) fn of(folder: &Path, manifest: &Path) -> Surroundings {
        let mut asked = MetadataCommand::new();
        asked.no_deps().manifest_path(manifest);
        // Its own manifest is sound: if cargo refuses it, it is for what is around it.
        match asked.exec() {
            Ok(metadata) if is_same(metadata.workspace_root.as_std_path(), folder) => {
                Surroundings::Open
            }
            Ok(metadata) => Surroundings::Member(metadata.workspace_root.join("Cargo.toml").into()),
            Err(cargo_metadata::Error::CargoMetadata { .. }) => stranger(folder),
            Err(_) => Surroundings::Open,
        }
    }

    /// The extra table in the crate's manifest.
    pub(super) fn table(&self, name: &str) -> Option<String> {
        let Surroundings::Stranger { member, .. } = self else {
            return None;
        };
        Some(format!(
            "\n# The workspace around `{name}` does not list it, so it is one of its own. To join that, write\n\
             # \"{member}\" into the list `members` there, and take this table away.\n[workspace]\n"
        ))
    }

    /// The note about it.
    pub(super) fn note(&self, name: &str) -> Option<String> {
        match self {
            Surroundings::Open => None,
            Surroundings::Member(workspace) => Some(format!(
                "`{name}` is a member of the workspace of `{}`",
                workspace.display()
            )),
            Surroundings::Stranger { workspace, member } => Some(format!(
                "the workspace around it does not list it, so `{name}` is a workspace of its own; to join \
                 that, add \"{member}\" to `members` in `{}`, and take the table `[workspace]` out of \
                 `{name}`'s Cargo.toml",
                workspace.display()
            )),
        }
    }
}

/// The nearest manifest of a workspace above a folder.
fn stranger(folder: &Path) -> Surroundings {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    for above in folder.ancestors().skip(1) {
        let manifest = above.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap_or_default();
        let is_table = |line: &str| line.trim_start().starts_with("[workspace");
        if text.lines().any(is_table) {
            let member = folder.strip_prefix(above).unwrap_or(&folder);
            return Surroundings::Stranger {
                member: member.to_string_lossy().replace('\\', "/"),
                workspace: manifest,
            };
        }
    }
    Surroundings::Open
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(one) == real(other)
}
