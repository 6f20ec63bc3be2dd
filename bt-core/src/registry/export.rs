//! The catalogue on its way out of a program, for `bt-meta`.

use std::io::Write;

use super::decoders::{Decoders, MARK};
use crate::describe::catalogue::Catalogue;

/// The environment variable that asks a program for its catalogue. Its value is the newest
/// [`SCHEMA_VERSION`](crate::describe::catalogue::SCHEMA_VERSION) that the asker reads, for messages only.
pub const ASK: &str = "BT_EXPORT";

/// The environment variable that asks a program which prints its catalogue to stay, and to decode
/// values for arguments until its standard input ends: the runtime's own decoders say what a tree's
/// arguments are worth.
pub const ASK_DECODER: &str = "BT_EXPORT_DECODER";

impl Catalogue {
    /// The catalogue of everything that is linked into this program, with its
    /// [`problems`](Catalogue::problems) if there are any.
    pub fn collect() -> Catalogue {
        let mut catalogue = super::build::collect();
        super::known::add(&mut catalogue);
        catalogue
    }
}

/// If the environment asks for it (`BT_EXPORT` is set), prints the catalogue of everything that is
/// linked into this program as one line of JSON and ends the process; else does nothing.
///
/// `bt-meta export --package …` links a program around a library crate by itself and needs no such
/// line. It is there for programs that want to export themselves, as the first line of `main`;
/// `bt-meta export --executable PATH` then asks that program:
///
/// ```
/// bt_core::export_if_asked();
/// // the game
/// ```
///
/// Where the platform does not run constructors before `main`, as on `wasm32-unknown-unknown`, the
/// host calls the module's `__wasm_call_ctors` once before anything that looks at the registry.
///
/// The process ends with code 2 if standard output cannot be written.
pub fn export_if_asked() {
    if std::env::var_os(ASK).is_none() {
        return;
    }
    let write = || -> std::io::Result<()> {
        let json = serde_json::to_string(&Catalogue::collect())?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{MARK}{json}")?;
        out.flush()?;
        if std::env::var_os(ASK_DECODER).is_some() {
            Decoders::linked().answer(std::io::stdin().lock(), out)?;
        }
        Ok(())
    };
    match write() {
        Ok(()) => std::process::exit(0),
        Err(why) => {
            eprintln!("bt-core: cannot print the catalogue: {why}");
            std::process::exit(2);
        }
    }
}
