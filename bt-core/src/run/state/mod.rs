//! An agent's state, each part with its owner: private fields, and the methods that keep them right.
//!
//! [`Core`](super::core::Core) composes the owners; those that many agents never have share one box,
//! [`Cold`](super::core::Cold). What an owner hands out is a plain value: a timer, an observed guard,
//! a diagnostic. A test sees to it that no field of an owner is open to others.

pub(super) mod continuations;
pub(super) mod inbox;
pub(super) mod memory;
pub(super) mod observers;
pub(super) mod pauses;
pub(super) mod reports;
pub(super) mod requests;
pub(super) mod results;
pub(super) mod suspended;
pub(super) mod timers;

#[cfg(test)]
mod tests {
    /// The fields of each struct of a file that others may touch.
    fn open_fields(text: &str) -> Vec<&str> {
        let lines = text.lines().map(str::trim);
        let fields = lines.filter(|line| line.starts_with("pub(crate)") && line.contains(':'));
        let fields = fields.filter(|line| !line.contains("fn ") && !line.contains("const "));
        fields.collect()
    }

    #[test]
    fn owners_of_state_have_private_fields() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/run/state");
        let mut files = 0;
        for file in std::fs::read_dir(folder).expect("the sources are there") {
            let path = file.expect("it can be listed").path();
            let text = std::fs::read_to_string(&path).expect("it is text");
            assert_eq!(open_fields(&text), Vec::<&str>::new(), "{}", path.display());
            files += 1;
        }
        assert!(files > 5);
    }
}
