//! The door to all files, and its refusals as answers to the page.

use std::fmt::Display;

use bt_live::protocol::{Error, ErrorCode};
pub use bt_meta::door::*;

use crate::protocol::Failure;

/// A refusal as the answer to a request.
pub trait AsFailure {
    /// The reason why a file cannot be read.
    fn unread(&self, name: &str) -> Failure;
    /// The reason why a file cannot be written.
    fn unwritten(&self, name: &str) -> Failure;
    /// The answer to a request that cannot be done. `what`: such as "cannot rename `hunt.json`".
    fn failure(&self, what: impl Display) -> Failure;
}

impl AsFailure for Refusal {
    fn unread(&self, name: &str) -> Failure {
        failure(self, self.not_read(name))
    }

    fn unwritten(&self, name: &str) -> Failure {
        failure(self, self.not_written(name))
    }

    fn failure(&self, what: impl Display) -> Failure {
        failure(self, format!("{what}: {self}"))
    }
}

fn failure(refusal: &Refusal, why: String) -> Failure {
    match refusal {
        Refusal::Missing => Failure::unknown(why),
        Refusal::Large(_) => Failure::limit(why),
        Refusal::ReadOnly => Error::new(ErrorCode::ReadOnly, why).into(),
        Refusal::Link(_)
        | Refusal::NoFile(_)
        | Refusal::NoFolder(_)
        | Refusal::Taken
        | Refusal::System(_) => Failure::refused(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_of_a_read_only_file_has_its_code() {
        let failure = Refusal::ReadOnly.unwritten("a.json");
        assert_eq!(failure.code, ErrorCode::ReadOnly as i32);
        assert!(
            failure
                .message
                .starts_with("cannot write `a.json`: it is read-only")
        );
    }
}
