//! SARIF 2.1.0 (OASIS): the form in which code hosts and editors take findings.

use std::collections::BTreeSet;

use bt_core::tree::Code;
use serde_json::{Value, json};

use super::super::Report;
use super::super::finding::{Finding, word};
use super::pretty;

pub(super) fn text(report: &Report) -> String {
    let codes: BTreeSet<Code> = report.findings.iter().map(|finding| finding.code).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = report.findings.iter().map(result).collect();
    pretty(&json!({
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
    }))
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.to_string(),
        "name": code.name(),
        "shortDescription": {"text": code.brief()},
        "defaultConfiguration": {"level": word(code.level())},
    })
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

/// A relative reference: what no URI has by itself is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::new();
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
    use super::uri;

    #[test]
    fn a_path_is_escaped_byte_by_byte() {
        assert_eq!(uri("trees/a b/日#1.json"), "trees/a%20b/%E6%97%A5%231.json");
    }
}
