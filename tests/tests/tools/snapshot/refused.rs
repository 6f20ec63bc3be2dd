//! Tests of refused saves, in words: what was expected, what was found, what to do.

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, action, sequence};
use bt_core::{RestoreError, Runner, Saved, TreeAsset, TreeSet, Trees};

use crate::snapshot::keeper::{Keeper, Shift, trees};

fn saved(top: NodeSpec) -> Saved {
    let mut shift = Shift::new(top);
    shift.poll(0);
    shift.runner.save()
}

fn refused<A: Agent>(trees: &Trees<A>, saved: &Saved) -> RestoreError {
    Runner::restore(trees, saved).expect_err("it is restored")
}

#[test]
fn a_tree_that_has_changed() {
    let saved = saved(sequence([action("rest"), action("say").arg("a")]));
    let now = trees([("main", sequence([action("rest"), action("say").arg("b")]))]);
    let error = refused(&now, &saved);
    assert!(
        error.is_changed() && error.tree() == Some("main"),
        "{error}"
    );
    let text = error.to_string();
    let start = "the agent cannot be restored: the tree `main` is not what it was: ";
    let same =
        "the nodes that were active are the same, and others are not (it was saved with hash ";
    assert!(text.starts_with(&(start.to_owned() + same)), "{text}");
    assert!(
        text.contains("with `restore_or_restart`, which moves the agent to the trees of now"),
        "{text}"
    );
    let says = |now: NodeSpec, what: &str| {
        let text = refused(&trees([("main", now)]), &saved).to_string();
        assert!(
            text.starts_with(&format!("{start}its node {what}")),
            "{text}"
        );
    };
    says(
        sequence([action("say").arg("a"), action("say").arg("a")]),
        "2 (action) has another `action_args` now (",
    );
    says(action("rest"), "1 (sequence) is of kind `action` now (");
    let gone = Runner::restore(&trees([("main", action("rest"))]), &saved.compact());
    let text = gone.expect_err("it is restored").to_string();
    assert!(
        text.starts_with("the agent cannot be restored: the tree `main` is not what it was (it"),
        "{text}"
    );
}

#[test]
fn a_tree_whose_layout_alone_has_changed_is_the_same() {
    let top = || sequence([action("rest"), action("say").arg("a")]);
    let saved = saved(top());
    let mut tree = TreeAsset::build("main", "keeper", top());
    for idx in 0..4 {
        let node = tree.node_mut(idx).unwrap();
        node.comment = "for people".to_owned();
        node.color = 7;
        node.is_collapsed = true;
        node.others.insert("x".to_owned(), 12.into());
    }
    let mut set = TreeSet::<Keeper>::new();
    set.add(tree);
    assert!(Runner::restore(&set.build().unwrap(), &saved).is_ok());
}

#[test]
fn a_tree_that_is_not_there() {
    let saved = saved(action("rest"));
    let error = refused(&trees([("mein", action("rest"))]), &saved);
    assert!(error.is_unknown_tree() && error.tree() == Some("main"));
    let text = error.to_string();
    assert!(
        text.contains("`main`") && text.contains("did you mean `mein`"),
        "{text}"
    );
}

#[derive(Agent, Default)]
struct Idler;

#[agent]
impl Idler {
    #[action]
    fn rest(&mut self) -> Option<bool> {
        None
    }
}

#[test]
fn another_agent() {
    let saved = saved(action("rest"));
    let mut set = TreeSet::<Idler>::new();
    set.add(TreeAsset::build("main", "idler", action("rest")));
    let set = set.build().unwrap();
    let error = refused(&set, &saved);
    assert!(error.is_other_agent() && !error.is_changed());
    let text = error.to_string();
    assert!(
        text.contains("`keeper`") && text.contains("`idler`"),
        "{text}"
    );
    assert!(
        Runner::restore_or_restart(&set, &saved)
            .unwrap_err()
            .is_other_agent()
    );
}

#[test]
fn a_newer_format() {
    let text = saved(action("rest"))
        .to_json()
        .replace(r#""format":1"#, r#""format":2,"new":[]"#);
    let error = Saved::from_json(&text).unwrap_err();
    assert!(error.is_newer() && !error.is_malformed());
    assert!(error.to_string().contains("format 2"), "{error}");
}

#[test]
fn a_text_that_is_cut_off() {
    let text = saved(action("rest")).to_json();
    for end in 0..text.len() {
        if text.is_char_boundary(end) {
            assert!(
                Saved::from_json(&text[..end]).unwrap_err().is_malformed(),
                "{end}"
            );
        }
    }
}

#[test]
fn restore_refuses_texts_that_are_no_saved_agent() {
    let deep = "[".repeat(200_000);
    for text in [
        "",
        "null",
        "7",
        "[]",
        "{}",
        r#"{"format":"one"}"#,
        r#"{"format":1}"#,
        &deep,
    ] {
        let error = Saved::from_json(text).unwrap_err();
        assert!(error.is_malformed(), "{text}");
        assert!(error.to_string().len() < 300, "{error}");
    }
    let error = Saved::from_json(r#"{"format":0}"#).unwrap_err();
    assert!(error.is_malformed());
}
