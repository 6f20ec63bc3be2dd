//! Texts in XML.

/// Texts in XML.
pub(super) trait Escaped {
    fn escaped(&self) -> String;
}

impl Escaped for str {
    fn escaped(&self) -> String {
        let mut escaped = String::with_capacity(self.len());
        for c in self.chars() {
            match c {
                '&' => escaped += "&amp;",
                '<' => escaped += "&lt;",
                '>' => escaped += "&gt;",
                '"' => escaped += "&quot;",
                '\'' => escaped += "&#39;",
                c => escaped.push(c),
            }
        }
        escaped
    }
}
