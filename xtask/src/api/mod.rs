//! The public API as text, a line for each item, read from the sources. What macros make is not in it.

mod items;
mod modules;
mod text;

use std::collections::BTreeSet;
use std::path::Path;

use modules::{Crate, Sources};

/// A committed file: its name, and the lines that it is to have.
pub(crate) struct Listing {
    pub(crate) file: String,
    pub(crate) lines: BTreeSet<String>,
}

/// The cargo features of bt-core, each with those that it switches on.
const FEATURES: &[(&str, &[&str])] = &[
    ("debug", &["trace"]),
    ("dynamic", &[]),
    ("save", &[]),
    ("trace", &[]),
];

/// All listings: each crate without cargo features, and what each feature adds. `builtin` adds actions of
/// `ActionAgent` alone, which are called by name.
pub(crate) fn listings(root: &Path) -> Vec<Listing> {
    let mut sources = Sources::default();
    let mut of = |name: &str, features: &[&str]| {
        items::lines(&Crate::read(root, name, features, &mut sources))
    };
    let bare = of("bt-core", &[]);
    let mut all = vec![
        listing("bt-meta", of("bt-meta", &[])),
        listing("bt-macros", of("bt-macros", &[])),
        listing("bt-fleet", of("bt-fleet", &["nats"])),
        listing("bt-bevy", of("bt-bevy", &["asset", "port"])),
        listing(
            "bt-live",
            of("bt-live", &["client", "folder", "logs", "port", "protocol"]),
        ),
    ];
    for &(feature, needs) in FEATURES {
        let with = of("bt-core", &[needs, &[feature]].concat());
        let without = of("bt-core", needs);
        all.push(listing(&format!("bt-core.{feature}"), &with - &without));
    }
    all.push(listing("bt-core", bare));
    all
}

fn listing(name: &str, lines: BTreeSet<String>) -> Listing {
    Listing {
        file: format!("xtask/api/{name}.txt"),
        lines,
    }
}
