//! One JSON object.

use serde_json::{Value, json};

use super::super::{Outcome, Played, Report};

pub(super) fn text(report: &Report) -> String {
    let scenarios: Vec<_> = report.played.iter().map(one).collect();
    let failed = report.failed();
    let mut all = json!({
        "scenarios": scenarios,
        "passed": scenarios.len() - failed,
        "failed": failed,
    });
    if let Some(coverage) = &report.coverage {
        all["coverage"] = serde_json::to_value(coverage).unwrap_or_default();
    }
    format!("{all:#}\n")
}

fn one(played: &Played) -> Value {
    let mut one = json!({
        "file": played.file,
        "tree": played.tree,
        "passed": played.passed(),
    });
    match &played.outcome {
        Outcome::Verdict(verdict) => {
            let failures = verdict.failures.iter().map(|failure| {
                json!({
                    "line": failure.line,
                    "column": failure.column,
                    "seconds": seconds(failure.time),
                    "expected": failure.expected,
                    "happened": failure.happened,
                    "why": failure.why,
                    "trace": failure.trace,
                })
            });
            one["polls"] = verdict.polls.into();
            one["seconds"] = seconds(verdict.time).into();
            one["result"] = verdict.result.into();
            one["failures"] = failures.collect();
            one["diagnostics"] = verdict.diagnostics.clone().into();
        }
        Outcome::Refused(problems) => {
            let problems = problems.iter().map(|problem| {
                json!({"line": problem.line, "column": problem.column, "message": problem.message})
            });
            one["problems"] = problems.collect();
        }
    }
    one
}

fn seconds(time: u64) -> f64 {
    time as f64 / 1e9
}
