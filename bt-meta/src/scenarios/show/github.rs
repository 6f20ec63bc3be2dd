//! GitHub's workflow commands: `::error file=…,line=…,col=…,title=…::message`.

use super::super::{Outcome, Report};
use crate::validate::show::github::{data, value};

pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    let mut error = |file: &str, (line, column): (usize, usize), message: &str| {
        let (file, message) = (value(file), data(message));
        text +=
            &format!("::error file={file},line={line},col={column},title=scenario::{message}\n");
    };
    for played in &report.played {
        match &played.outcome {
            Outcome::Verdict(verdict) => {
                for failure in &verdict.failures {
                    let at = (failure.line, failure.column);
                    error(&played.file, at, failure.to_string().trim_end());
                }
            }
            Outcome::Refused(problems) => {
                for problem in problems {
                    let at = (problem.line, problem.column);
                    error(&played.file, at, &problem.message);
                }
            }
        }
    }
    text
}
