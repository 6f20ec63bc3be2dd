//! SARIF 2.1.0 (OASIS): the form in which code hosts and editors take findings.

use std::collections::BTreeSet;
use std::path::Path;

use bt_core::tree::Code;
use serde_json::{Value, json};

use super::super::Report;
use super::super::finding::{Finding, word};
use super::pretty::pretty;
use crate::pages::page;

pub(super) fn text(report: &Report) -> String {
    let codes: BTreeSet<Code> = report.findings.iter().map(|finding| finding.code).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = report.findings.iter().map(result).collect();
    pretty(&log(&rules, &results))
}

/// A log of one run.
pub(super) fn log(rules: &[Value], results: &[Value]) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "columnKind": "unicodeCodePoints",
            "tool": {"driver": {
                "name": "bt-meta",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    let page = page(code).unwrap_or_default();
    let mut rule = json!({
        "id": code.to_string(),
        "name": code.name(),
        "shortDescription": {"text": code.brief()},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": word(code.level())},
    });
    if let Some(uri) = help_uri(env!("CARGO_PKG_REPOSITORY"), code) {
        rule["helpUri"] = uri.into();
    }
    rule
}

/// The page of a code at the version that this is. SARIF takes whole URIs only (3.49.12), so there is none
/// without a repository; the page itself is in `help`.
fn help_uri(repository: &str, code: Code) -> Option<String> {
    let repository = repository.trim_end_matches('/');
    let version = env!("CARGO_PKG_VERSION");
    let page = format!("bt-meta/docs/codes/{code}.md");
    (!repository.is_empty()).then(|| format!("{repository}/blob/v{version}/{page}"))
}

fn result(finding: &Finding) -> Value {
    let text = match &finding.help {
        Some(help) => format!("{}; {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut place = json!({"artifactLocation": {"uri": uri(&finding.file)}});
    if let Some(at) = &finding.place {
        place["region"] = json!({
            "startLine": at.line,
            "startColumn": at.column,
            "endColumn": at.end_column,
        });
    }
    json!({
        "ruleId": finding.code.to_string(),
        "level": word(finding.level),
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    })
}

/// A reference to a file: relative, or of a whole path with `file:`. What no URI has by itself is escaped.
pub(super) fn uri(path: &str) -> String {
    let is_whole = Path::new(path).is_absolute();
    let path = match is_whole {
        true => path.replace(std::path::MAIN_SEPARATOR, "/"),
        false => path.to_owned(),
    };
    let mut uri = match (is_whole, path.starts_with('/')) {
        (false, _) => String::new(),
        (true, true) => "file://".to_owned(),
        (true, false) => "file:///".to_owned(),
    };
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_bears_its_page_and_links_to_it_where_there_is_a_repository() {
        let rule = rule(Code::UnknownAction);
        let page = rule["help"]["markdown"].as_str().unwrap();
        assert!(page.starts_with("# BT0034 unknown-action\n"), "{page}");
        assert_eq!(rule["help"]["text"], page);
        assert_eq!(help_uri("", Code::UnknownAction), None);
        let uri = help_uri("https://example.org/bt/", Code::UnknownAction).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let file = "bt-meta/docs/codes/BT0034.md";
        assert_eq!(
            uri,
            format!("https://example.org/bt/blob/v{version}/{file}")
        );
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(file);
        assert!(file.is_file(), "{}", file.display());
    }

    #[test]
    fn a_path_is_escaped_byte_by_byte() {
        assert_eq!(uri("trees/a b/日#1.json"), "trees/a%20b/%E6%97%A5%231.json");
    }

    #[cfg(unix)]
    #[test]
    fn a_whole_path_is_a_file_uri() {
        assert_eq!(uri("/game/a b.json"), "file:///game/a%20b.json");
    }
}
