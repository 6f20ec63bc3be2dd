//! A property of all cases, looked at for many seeds. `BT_SEED=7 cargo test …` looks at one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Case, Profile, shrink};
use crate::probe::TRACED;

/// A property of each case: most are written with [`drive`](super::drive). A panic is a fault, too.
pub type Property = fn(&Case) -> Result<(), String>;

/// Looks at a property of so many cases.
///
/// # Panics
/// If one does not have it: its seed is told, and a case as small as was found.
pub fn for_seeds(runs: u64, profile: Profile, property: Property) {
    let one = std::env::var("BT_SEED").ok();
    let one = one.and_then(|seed| seed.parse::<u64>().ok());
    // A traced run takes several times as long.
    let runs = if std::env::var_os(TRACED).is_some() {
        runs / 5
    } else {
        runs
    };
    let seeds = one.map_or(0..runs, |seed| seed..seed + 1);
    for seed in seeds {
        let case = Case::of(seed, profile);
        if fault(&case, property).is_some() {
            panic!("BT_SEED={seed} fails:\n{}", explain(&case, property));
        }
    }
}

/// The reason why a case does not have a property.
pub fn fault(case: &Case, property: Property) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| property(case))) {
        Ok(found) => found.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!(
                "it panicked: {}",
                text.unwrap_or("without a reason")
            ))
        }
    }
}

/// A case that does not have a property, as small as it can be made, and why not.
pub fn explain(case: &Case, property: Property) -> String {
    let small = shrink(case, |case| fault(case, property).is_some());
    let why = fault(&small, property);
    format!("{small}{}", why.unwrap_or_default())
}
