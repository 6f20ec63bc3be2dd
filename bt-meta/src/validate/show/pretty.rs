//! JSON for programs, which people can read.

/// Pretty JSON with a line feed at the end.
pub(super) fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}
