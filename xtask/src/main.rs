//! `cargo xtask check | bless | semver | api`: what contributors run.

mod api;
mod semver;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

const HELP: &str = "\
cargo xtask check    what every change passes: format, packages, lints, documentation, cargo features, tests
cargo xtask check --without-tests
cargo xtask bless    writes all generated files anew; look at what changed before you commit it
cargo xtask semver   compares the version with what changed in the public API since the last tag; `check` does, too
cargo xtask api      writes the public API to xtask/api; `check` compares it
";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["check"] => steps::check(true),
        ["check", "--without-tests"] => steps::check(false),
        ["bless"] => write_api().and_then(|()| steps::bless()),
        ["semver"] => semver::check(),
        ["api"] => write_api(),
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprint!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn write_api() -> Result<(), String> {
    for listing in api::listings(&root()) {
        let text = text(&listing);
        let written = fs::write(root().join(&listing.file), text);
        written.map_err(|error| format!("cannot write `{}`: {error}\n", listing.file))?;
    }
    Ok(())
}

fn text(listing: &api::Listing) -> String {
    listing
        .lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{api, fs, root, steps, text};

    #[test]
    fn each_published_crate_has_a_readme_and_the_licences() {
        let read = |path: &str| {
            let text = fs::read_to_string(root().join(path));
            text.unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        for name in steps::PUBLISHED {
            for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
                assert_eq!(read(&format!("{name}/{licence}")), read(licence), "{name}");
            }
            let title = format!("# {name}\n");
            assert!(
                read(&format!("{name}/README.md")).starts_with(&title),
                "{name}"
            );
        }
    }

    #[test]
    fn public_api_is_as_committed() {
        for listing in api::listings(&root()) {
            let committed = fs::read_to_string(root().join(&listing.file)).unwrap_or_default();
            let committed: std::collections::BTreeSet<_> =
                committed.lines().map(str::to_owned).collect();
            let new: Vec<_> = listing.lines.difference(&committed).collect();
            let gone: Vec<_> = committed.difference(&listing.lines).collect();
            assert!(
                new.is_empty() && gone.is_empty(),
                "{}: run `cargo xtask api`, look at what changed, and say in CHANGELOG.md how to migrate\n\
                 new: {new:#?}\ngone: {gone:#?}",
                listing.file
            );
            assert!(
                text(&listing).lines().count() > 2,
                "{} is empty",
                listing.file
            );
        }
    }
}
