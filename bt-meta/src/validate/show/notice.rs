//! Problems that are reported with a line of a file, whichever command found them: of `check` and `diff`.

use bt_core::tree::Level;
use serde_json::{Value, json};

use super::pretty::pretty;
use super::{github, sarif};

/// Something to be reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// None of what is no reason to stop.
    pub level: Option<Level>,
    /// The sort of finding, such as `stale-file`.
    pub rule: String,
    /// The message.
    pub message: String,
    /// The place, if there is one: the file, and the line and the column, from 1.
    pub place: Option<(String, usize, usize)>,
}

impl Notice {
    fn word(&self, none: &'static str) -> &'static str {
        self.level.map_or(none, super::super::finding::word)
    }
}

/// As commands that annotate a pull request on GitHub.
pub fn github(notices: &[Notice]) -> String {
    let line = |notice: &Notice| {
        let place = notice.place.as_ref().map(|(file, line, column)| {
            format!("file={},line={line},col={column},", github::value(file))
        });
        format!(
            "::{} {}title={}::{}\n",
            notice.word("notice"),
            place.unwrap_or_default(),
            github::value(&notice.rule),
            github::data(&notice.message)
        )
    };
    notices.iter().map(line).collect()
}

/// As SARIF 2.1.0.
pub fn sarif(notices: &[Notice]) -> String {
    let mut rules: Vec<&str> = notices.iter().map(|notice| &*notice.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.iter().map(|rule| json!({ "id": rule })).collect();
    let result = |notice: &Notice| {
        let places = notice.place.iter().map(|(file, line, column)| {
            json!({"physicalLocation": {
                "artifactLocation": {"uri": sarif::uri(file)},
                "region": {"startLine": line, "startColumn": column},
            }})
        });
        json!({
            "ruleId": notice.rule,
            "level": notice.word("note"),
            "message": {"text": notice.message},
            "locations": places.collect::<Vec<_>>(),
        })
    };
    let results: Vec<Value> = notices.iter().map(result).collect();
    pretty(&sarif::log(&rules, &results))
}
