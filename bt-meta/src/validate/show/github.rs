//! GitHub's workflow commands: `::error file=…,line=…,col=…,title=…::message`.

use super::super::Report;
use super::super::finding::{Finding, word};

pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text += &one(finding);
        text.push('\n');
    }
    if report.unlisted > 0 {
        text += &format!("::notice::and {} more\n", report.unlisted);
    }
    text
}

fn one(finding: &Finding) -> String {
    let mut command = format!("::{} file={}", word(finding.level), value(&finding.file));
    if let Some(place) = &finding.place {
        command += &format!(
            ",line={},col={},endColumn={}",
            place.line, place.column, place.end_column
        );
    }
    let title = format!("{} {}", finding.code, finding.code.name());
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message += &format!("; {help}");
    }
    if let Some(node) = finding.node {
        message = format!("node {node}: {message}");
    }
    format!("{command},title={}::{}", value(&title), data(&message))
}

/// Escapes the characters that a message cannot have, as the runner does.
pub(crate) fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// And in a property as well.
pub(crate) fn value(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn github_output_escapes_texts() {
        assert_eq!(data("50%\r\n::error::x"), "50%25%0D%0A::error::x");
        assert_eq!(value("a:b,c"), "a%3Ab%2Cc");
    }
}
