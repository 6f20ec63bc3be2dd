//! Import, export, import: what comes back.

use std::collections::BTreeMap;

use super::{agent, cases, imported, losses, of_body};
use crate::error::Error;
use crate::formats::{Format, render_trees};
use crate::import::Imported;
use crate::layout::Options;

/// The file that an export of imported trees is.
fn exported(of: &Imported) -> Result<String, Error> {
    let options = Options {
        agent: Some(agent::NAME.to_owned()),
        ..Options::default()
    };
    let files = render_trees(&of.catalogue, &options, &[Format::Btcpp], &of.trees)?;
    Ok(files.files.into_iter().next().unwrap().text)
}

/// The trees by their names.
fn by_name(of: &Imported) -> BTreeMap<String, String> {
    let trees = of.trees.iter();
    trees
        .map(|tree| (tree.name().to_owned(), tree.to_json()))
        .collect()
}

#[test]
fn an_exported_case_comes_back_as_it_was_and_does_the_same() {
    let (mut refused, mut changed, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases::all() {
        let first = of_body(&case.tree);
        let text = match exported(&first) {
            Ok(text) => text,
            Err(error) => {
                let why = error.to_string();
                refused.push(format!("{}: {}", case.name, why.lines().next().unwrap()));
                continue;
            }
        };
        let second = imported(&[("a.xml", &text)]).unwrap();
        let lost = losses(&second);
        assert!(lost.is_empty(), "{}: {lost:?}\n{text}", case.name);
        if by_name(&first) != by_name(&second) {
            changed.push(case.name.clone());
        }
        let third = imported(&[("a.xml", &exported(&second).unwrap())]).unwrap();
        assert_eq!(by_name(&second), by_name(&third), "{}", case.name);
        wrong.extend(cases::differs(&case, second.trees));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!(format!(
        "refused:\n{}\n\nchanged:\n{}",
        refused.join("\n"),
        changed.join("\n")
    ));
}
