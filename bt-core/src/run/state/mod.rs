//! An agent's state, each part with its owner: private fields, and the methods that keep them right.
//!
//! [`Core`](super::core::Core) composes the owners; those that many agents never have share one box,
//! [`Cold`](super::core::Cold). What an owner hands out is a plain value: a timer, an observed guard,
//! a diagnostic. A test sees to it that no field of an owner is open to others.

pub(super) mod continuations;
#[cfg(feature = "debug")]
pub(super) mod debugger;
#[cfg(feature = "trace")]
pub(super) mod explained;
pub(super) mod inbox;
pub(super) mod interrupted;
pub(super) mod memory;
pub(super) mod numbers;
pub(super) mod observers;
pub(super) mod pace;
pub(super) mod pauses;
#[cfg(feature = "trace")]
pub(super) mod refusals;
pub(super) mod reports;
pub(super) mod requests;
pub(super) mod results;
#[cfg(feature = "trace")]
mod sink;
pub(super) mod suspended;
pub(super) mod timers;
#[cfg(feature = "trace")]
pub(super) mod trace;

#[cfg(test)]
mod tests {
    /// The fields of each struct of a file that others may touch.
    fn open_fields(text: &str) -> Vec<&str> {
        let lines = text.lines().map(str::trim);
        let is_open = |line: &&str| line.starts_with("pub(crate) ") || line.starts_with("pub ");
        let fields = lines.filter(is_open).filter(|line| line.contains(':'));
        let fields = fields.filter(|line| {
            !["fn ", "const ", "use ", "struct "]
                .iter()
                .any(|item| line.contains(item))
        });
        fields.collect()
    }

    #[test]
    fn owners_of_state_have_private_fields() {
        let run = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/run");
        let files = std::fs::read_dir(run.join("state")).expect("the sources are there");
        let mut files: Vec<_> = files
            .map(|file| file.expect("it can be listed").path())
            .collect();
        assert!(files.len() > 5);
        // What composes the owners lends them to this folder alone.
        files.push(run.join("core.rs"));
        for path in files {
            let text = std::fs::read_to_string(&path).expect("it is text");
            assert_eq!(open_fields(&text), Vec::<&str>::new(), "{}", path.display());
        }
    }
}
