//! The error of a description that cannot be.

use std::fmt;

/// A description that cannot be: what is wrong with it.
#[derive(Clone, PartialEq, Eq)]
pub struct DescribeError(String);

impl DescribeError {
    pub(super) fn new(message: String) -> DescribeError {
        DescribeError(message)
    }
}

impl fmt::Display for DescribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As it is displayed, because this is what `main` and `unwrap` show of an error.
impl fmt::Debug for DescribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for DescribeError {}
