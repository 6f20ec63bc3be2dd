//! A user's own meta binary, and a user's own test: the agents are linked into it, so nothing is built.

use std::path::Path;
use std::process::ExitCode;

use crate::catalogue::Catalogue;
use crate::check::{self, Committed, Mode};
use crate::error::Error;
use crate::layout::Options;
pub use crate::registered::all_registered;
use crate::registered::registered;

/// Makes the `main` of a meta binary that exports the agents of the crates named.
///
/// The crates are linked even if nothing else mentions them, and one that registers nothing is an
/// error. The program takes `bt-meta`'s commands and options, but for those about building.
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

/// The body of [`main!`](crate::main); `crates` are names as Rust spells them.
pub fn main(crates: &[&str]) -> ExitCode {
    crate::cli::own_main(crates)
}

/// Asserts that the exported files in a folder are what the code says.
///
/// For a test in the package that has the agents, so that `cargo test` fails when somebody changed an
/// annotation and did not export. With `fn` and a name in front it is a whole test, for the top level of a
/// test file; without, a statement for the body of a test that says more.
///
/// The folder is relative to the package (`CARGO_MANIFEST_DIR`). After it
/// come the crates whose agents are to be there, each linked even if nothing else mentions it: in
/// `tests/` the package's own library is such a crate; in the library itself nothing need be named. What
/// else is linked into the test is exported too, and so are agents that the test itself defines.
///
/// With `BT_META=overwrite` in the environment the files are rewritten instead. The files are those that
/// `bt-meta export` writes without further options; [`own::assert_fresh`](crate::own::assert_fresh) takes
/// others.
///
/// # Panics
/// Where a file is missing or has other content, with what `bt-meta check` prints: the lines that differ,
/// what changed in meaning, and how to bring the files up to date.
///
/// `tests/fresh.rs` of a package `monster`:
///
/// ```ignore
/// bt_meta::assert_fresh!(fn the_exported_files_are_what_the_code_says, "editor/", monster);
/// ```
///
/// In a test's body:
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path().join("editor");
/// # let options = bt_meta::layout::Options::default();
/// # let files = bt_meta::files::render(&bt_meta::catalogue::Catalogue::collect(), &options)?;
/// # bt_meta::write::write(&folder, &files.files)?;
/// bt_meta::assert_fresh!(folder, bt_core);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! assert_fresh {
    (fn $name:ident, $folder:expr $(, $krate:ident)* $(,)?) => {
        #[test]
        fn $name() {
            $crate::assert_fresh!($folder $(, $krate)*);
        }
    };
    ($folder:expr $(, $krate:ident)* $(,)?) => {{
        $(use ::$krate as _;)*

        $crate::own::assert_fresh(
            &$crate::own::Package {
                folder: ::core::env!("CARGO_MANIFEST_DIR"),
                name: ::core::env!("CARGO_PKG_NAME"),
                crates: &[$(::core::stringify!($krate)),*],
            },
            ::std::convert::AsRef::<::std::path::Path>::as_ref(&$folder),
            &::core::default::Default::default(),
        );
    }};
}

/// A package whose test asks whether its exported files are fresh.
#[derive(Debug, Clone, Copy)]
pub struct Package<'p> {
    /// The folder of its Cargo.toml.
    pub folder: &'p str,
    /// Its name.
    pub name: &'p str,
    /// The crates that must have registered something; none where it is not said.
    pub crates: &'p [&'p str],
}

/// The body of [`assert_fresh!`](crate::assert_fresh); `folder` is relative to the package.
///
/// # Panics
/// Where a file is missing or has other content, a crate registered nothing, or a file cannot be read or
/// written.
#[track_caller]
pub fn assert_fresh(package: &Package<'_>, folder: &Path, options: &Options) {
    if let Err(error) = fresh(package, folder, options) {
        panic!("{error}");
    }
}

fn fresh(package: &Package<'_>, folder: &Path, options: &Options) -> Result<(), Error> {
    let mode = Mode::of_environment()?;
    let catalogue = Catalogue::collect();
    registered(&catalogue, package.crates, "bt_meta::assert_fresh!")?;
    if package.crates.is_empty() && catalogue.crates.iter().all(|one| one.name == "bt_core") {
        return Err(Error::finding(
            "no agents but bt-core's own are linked into this test: name the crate that has them, \
             `bt_meta::assert_fresh!(fn fresh, \"editor/\", my_game);`",
        ));
    }
    let committed = Committed {
        folder: &Path::new(package.folder).join(folder),
        shown: folder,
    };
    let checked = check::check(&catalogue, options, committed, &[])?;
    if mode == Mode::Overwrite {
        let written = check::overwrite(&checked, committed)?;
        #[expect(
            clippy::print_stdout,
            reason = "the output of a test, shown by `cargo test -- --nocapture`"
        )]
        {
            print!("{written}");
        }
        return Ok(());
    }
    if checked.is_fresh() {
        return Ok(());
    }
    let command = format!("BT_META=overwrite cargo test -p {}", package.name);
    let report = checked.text();
    Err(Error::finding(format!(
        "{}\n\n{report}",
        checked.summary(&command)
    )))
}
