//! The lines that an annotation adds to a crate: exact, so asserted (times are only reported, by `cargo run
//! --release -p bt-tests --bin annotation_cost`).

use std::path::Path;

use bt_tests::cost::{Crates, Size, Style};

/// The lines that each method adds to a crate of plain ones.
fn added(crates: &Crates, methods: usize) -> (f64, f64) {
    let size = |style| -> Size {
        let dir = crates.write(style, methods).unwrap();
        crates.size(&dir).unwrap()
    };
    let (with, without) = (size(Style::Bt), size(Style::Plain));
    let each = |with: usize, without: usize| (with - without) as f64 / methods as f64;
    (
        each(with.llvm_lines, without.llvm_lines),
        each(with.expanded_lines, without.expanded_lines),
    )
}

#[test]
fn an_annotation_stays_within_its_budget_of_lines() {
    // The tests of bt-meta build their packages there too: bt-core is built once for all.
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let crates = Crates::in_dir(tmp.join("cost"), tmp.join("packages ü 樹")).unwrap();
    let (few, expanded_few) = added(&crates, 50);
    let (many, expanded_many) = added(&crates, 200);
    // What 150 further methods add, without what a crate's first method brings.
    let each = (many * 200.0 - few * 50.0) / 150.0;
    println!("LLVM lines: {few:.0} of 50, {many:.0} of 200, {each:.0} each further one");
    println!("expanded lines: {expanded_few:.1} of 50, {expanded_many:.1} of 200");
    assert!(each <= 190.0, "{each} LLVM lines for each further method");
    assert!(many <= 265.0, "{many} LLVM lines for each of 200 methods");
    assert!(expanded_few <= 45.0 && expanded_many <= 45.0);
}
