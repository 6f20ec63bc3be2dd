//! Crates that are linked into a program, and must have registered something.

use crate::catalogue::Catalogue;
use crate::error::{Error, quoted};

/// Refuses crates that were listed and registered nothing.
///
/// # Errors
/// A finding that names them.
pub fn all_registered(catalogue: &Catalogue, crates: &[&str]) -> Result<(), Error> {
    registered(catalogue, crates, "bt_meta::main!")
}

/// As [`all_registered`], for crates that were listed in this macro.
pub(crate) fn registered(catalogue: &Catalogue, crates: &[&str], by: &str) -> Result<(), Error> {
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
        "{} in `{by}` registered nothing: annotate an agent there, or take the name out of \
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
