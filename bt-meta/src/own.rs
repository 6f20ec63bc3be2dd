//! A user's own meta binary: the agents are linked into it, so nothing is built.

use std::process::ExitCode;

use crate::catalogue::Catalogue;
use crate::error::{Error, quoted};

/// Makes the `main` of a meta binary that exports the agents of the crates named.
///
/// The crates are linked even if nothing else mentions them, and one that registers nothing is an
/// error. The program takes `export` and `list` with `bt-meta`'s options, but for those about building.
///
/// ```ignore
/// // src/main.rs of a package that depends on bt-meta, monster and npc:
/// bt_meta::main!(monster, npc);
/// ```
#[macro_export]
macro_rules! main {
    ($($krate:ident),+ $(,)?) => {
        $(use ::$krate as _;)+

        fn main() -> ::std::process::ExitCode {
            $crate::own::main(&[$(::core::stringify!($krate)),+])
        }
    };
}

/// What [`main!`](crate::main) expands to; `crates` are names as Rust spells them.
pub fn main(crates: &[&str]) -> ExitCode {
    crate::cli::own_main(crates)
}

/// Refuses crates that were listed and registered nothing.
///
/// # Errors
/// A finding that names them.
pub fn all_registered(catalogue: &Catalogue, crates: &[&str]) -> Result<(), Error> {
    let silent: Vec<&str> = crates
        .iter()
        .map(|name| name.trim_start_matches("r#"))
        .filter(|name| catalogue.crates.iter().all(|entry| entry.name != *name))
        .collect();
    if silent.is_empty() {
        return Ok(());
    }
    let there = quoted(catalogue.crates.iter().map(|entry| &entry.name));
    Err(Error::finding(format!(
        "{} in `bt_meta::main!` registered nothing: annotate an agent there, or take the name out of \
         the list; what registered something is {there}",
        quoted(silent),
    )))
}

/// The catalogue of this program.
///
/// # Errors
/// As [`all_registered`].
pub(crate) fn collect(crates: &[&str]) -> Result<Catalogue, Error> {
    let catalogue = Catalogue::collect();
    all_registered(&catalogue, crates)?;
    Ok(catalogue)
}
