//! Catalogues whose registrations contradict each other.

use bt_core::Registry;

use crate::catalogue::Catalogue;
use crate::error::Error;

/// Refuses a catalogue whose registrations contradict each other: it says so, or they do, as in an
/// `agents.json` that somebody changed.
///
/// # Errors
/// A finding for each problem, with its places.
pub fn refuse_problems(catalogue: &Catalogue) -> Result<(), Error> {
    let Err(error) = Registry::from_catalogue(catalogue.clone()) else {
        return Ok(());
    };
    let texts = error.problems().iter().map(|problem| {
        let mut text = problem.message.clone();
        for place in &problem.places {
            text += &format!("\n  at {} {}:{}", place.package, place.file, place.line);
            if !place.what.is_empty() {
                text += &format!(" ({})", place.what);
            }
        }
        text
    });
    Err(Error::findings(texts.collect()))
}
