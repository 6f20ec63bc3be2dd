//! Tests of `completion`, which is compiled once more elsewhere, and there without them.

use std::sync::Arc;

use super::completion::{Completion, Inbox};

#[test]
fn the_first_answer_counts_and_arrives_once() {
    let inbox = Arc::new(Inbox::default());
    let completion = Completion::new(7, inbox.clone());
    let other = completion.clone();
    std::thread::spawn(move || assert!(other.finish(true)))
        .join()
        .unwrap();
    assert!(!completion.finish(false));
    drop(completion);
    assert_eq!(inbox.take(), [(7, Some(true))]);
    assert_eq!(inbox.take(), []);
}

#[test]
fn the_last_clone_dropped_unused_is_an_answer_too() {
    let inbox = Arc::new(Inbox::default());
    let completion = Completion::new(7, inbox.clone());
    let clone = completion.clone();
    drop(completion);
    assert_eq!(inbox.take(), []);
    drop(clone);
    assert_eq!(inbox.take(), [(7, None)]);
}
