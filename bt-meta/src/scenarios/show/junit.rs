//! JUnit's XML, as build servers read it.

use quick_xml::escape::escape;

use super::super::{Outcome, Played, Report};

pub(super) fn text(report: &Report) -> String {
    let (all, failed) = (report.played.len(), report.failed());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{all}\" failures=\"{failed}\">\n  \
         <testsuite name=\"scenarios\" tests=\"{all}\" failures=\"{failed}\" errors=\"0\">\n"
    );
    for played in &report.played {
        text += &one(played);
    }
    text + "  </testsuite>\n</testsuites>\n"
}

fn one(played: &Played) -> String {
    let (name, class) = (attribute(&played.file), attribute(&played.tree));
    let head = format!("    <testcase name=\"{name}\" classname=\"{class}\"");
    let failures = match &played.outcome {
        Outcome::Verdict(verdict) => {
            let failures = verdict.failures.iter();
            let failures = failures.map(|one| (one.line, one.happened.clone(), one.to_string()));
            failures.collect::<Vec<_>>()
        }
        Outcome::Refused(problems) => {
            let problems = problems.iter();
            let problems = problems.map(|one| (one.line, one.message.clone(), one.message.clone()));
            problems.collect()
        }
    };
    if failures.is_empty() {
        return head + "/>\n";
    }
    let mut text = head + ">\n";
    for (line, short, long) in failures {
        let (short, long) = (attribute(&short), content(&long));
        text += &format!("      <failure message=\"line {line}: {short}\">{long}</failure>\n");
    }
    text + "    </testcase>\n"
}

/// A text without the characters that XML has no place for.
fn content(text: &str) -> String {
    let is_control =
        |c: char| (c < ' ' && c != '\n' && c != '\t') || ('\u{fffe}'..='\u{ffff}').contains(&c);
    let text: String = text
        .chars()
        .map(|c| if is_control(c) { '\u{fffd}' } else { c })
        .collect();
    escape(&text).into_owned()
}

/// The same, in one line.
fn attribute(text: &str) -> String {
    content(text).replace('\n', "&#10;").replace('\t', "&#9;")
}
