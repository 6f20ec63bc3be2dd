//! What the compiler says of the attribute macros' use, right and wrong.
//!
//! `ui/<attribute>/pass` compiles and runs; `ui/<attribute>/fail` does not compile, and says what
//! the file beside it says. `TRYBUILD=overwrite` writes those files anew: read them.

#[test]
fn messages_are_as_written() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/*/pass/*.rs");
    cases.compile_fail("ui/*/fail/*.rs");
}
