//! The compiler's messages about uses of the attribute macros, right and wrong.
//!
//! `ui/<attribute>/pass` compiles and runs; `ui/<attribute>/fail` does not compile, and says what
//! the file beside it says. `TRYBUILD=overwrite` writes those files anew: read them.

use std::fs;
use std::path::Path;

/// By themselves: trybuild checks them all at once, where none of them is to run.
#[test]
fn messages_are_as_written() {
    trybuild::TestCases::new().compile_fail("ui/*/fail/*.rs");
}

#[test]
fn right_uses_compile_and_run() {
    trybuild::TestCases::new().pass("ui/*/pass/*.rs");
}

#[test]
fn block_with_seven_mistakes_reports_seven() {
    assert_eq!(errors("agent_block/fail/seven_mistakes").len(), 7);
}

/// Bodies are not parsed: half a body costs what it costs without the macros.
#[test]
fn a_half_typed_body_costs_the_compilers_own_errors() {
    for case in ["unfinished_expression", "nonsense_in_a_body"] {
        let annotated = errors(&format!("agent_block/fail/{case}"));
        let plain = errors(&format!("agent_block/fail/{case}_unannotated"));
        assert_eq!(annotated, plain, "{case}");
        assert!(!annotated.is_empty());
    }
}

/// The first line of each error that a case has.
fn errors(case: &str) -> Vec<String> {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let said = fs::read_to_string(ui.join(case).with_extension("stderr")).unwrap();
    said.lines()
        .filter(|line| line.starts_with("error"))
        .map(str::to_owned)
        .collect()
}
