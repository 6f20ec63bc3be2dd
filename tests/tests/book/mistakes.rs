//! The mistakes that `--bin mutate` makes: by rule, and known by names that a refactoring keeps.

use bt_tests::mutations::{USUAL, find};

use super::read;

#[test]
fn every_usual_mistake_is_found_by_its_name() {
    for (file, name) in USUAL {
        let found = find(&read(&format!("bt-core/src/{file}"))).unwrap();
        let function = name.split(':').next().unwrap();
        let near: Vec<_> = found.iter().map(|one| &*one.name).collect();
        let in_function = near.iter().filter(|name| name.starts_with(function));
        let in_function: Vec<_> = in_function.collect();
        assert!(
            near.contains(name),
            "{file} has no `{name}`, but {in_function:#?}"
        );
    }
}

#[test]
fn mistake_is_made_in_its_place_alone() {
    let text = "impl A { const N: u8 = 1; fn f(&self) { if self.a && !self.b { g(1); } } }";
    let made = |name: &str| {
        let found = find(text).unwrap();
        found
            .iter()
            .find(|one| one.name == name)
            .map(|one| one.made(text))
    };
    let with = |body: &str| {
        Some(format!(
            "impl A {{ const N: u8 = 1; fn f(&self) {{ {body} }} }}"
        ))
    };
    assert_eq!(made("A::f: `if` never holds"), with("if false { g(1); }"));
    assert_eq!(made("A::f: without `self.a`"), with("if !self.b { g(1); }"));
    assert_eq!(made("A::f: without `!self.b`"), with("if self.a { g(1); }"));
    assert_eq!(
        made("A::f: without `!`"),
        with("if self.a && self.b { g(1); }")
    );
    assert_eq!(made("A::f: without `g`"), with("if self.a && !self.b {  }"));
    assert_eq!(
        made("A::f: `1` becomes `2`"),
        with("if self.a && !self.b { g(2); }")
    );
    assert_eq!(find(text).unwrap().len(), 6);
}

#[test]
fn mistakes_of_one_name_are_counted_and_tests_have_none() {
    let text =
        "fn f(a: u8) -> bool { a < 1 || a < 2 }\n#[cfg(test)]\nmod tests { fn g() { h(); } }";
    let names: Vec<_> = find(text)
        .unwrap()
        .into_iter()
        .map(|one| one.name)
        .collect();
    let expected = [
        "f: without `a < 1`",
        "f: without `a < 2`",
        "f: `<` becomes `<=`",
        "f: `<` becomes `>`",
        "f: `1` becomes `2`",
        "f: `<` becomes `<=` (2)",
        "f: `<` becomes `>` (2)",
        "f: `2` becomes `3`",
    ];
    assert_eq!(names, expected);
}
