//! Tests of the explanation of an agent that was restored and not polled since.

use std::any::Any;
use std::time::Duration;

use bt_core::Runner;
use bt_core::explain::Explainer;
use bt_core::trace::{JsonLines, read_lines};
use bt_core::tree::asset::spec::{NodeSpec, action};
use bt_tests::probe::agree;

use crate::snapshot::keeper::Shift;

/// The waits as the runner and its trace report them: before the first poll, and after it.
fn told(top: NodeSpec) -> [String; 2] {
    told_at(top, None)
}

/// The same, with the time on the host's clock at which it was restored.
fn told_at(top: NodeSpec, at: Option<Duration>) -> [String; 2] {
    let mut shift = Shift::new(top);
    shift.poll(0);
    shift.restored();
    if let Some(at) = at {
        let saved = shift.runner.save();
        shift.runner = Runner::restore(&shift.trees, &saved).unwrap().at(at);
    }
    let lines = JsonLines::new(Vec::new());
    shift.runner.set_tracer(Some(Box::new(lines)));
    let before = shift.runner.explain();
    shift.poll(7);
    let after = shift.runner.explain();
    let tracer: Box<dyn Any> = shift.runner.set_tracer(None).unwrap();
    let lines = *tracer.downcast::<JsonLines<Vec<u8>>>().unwrap();
    let lines = lines.finish().unwrap();
    let mut explainer = Explainer::new();
    let mut polled = false;
    for line in read_lines(&*lines) {
        let (_, record) = line.unwrap();
        if record.what.command() == "poll_begin" {
            polled = true;
            agree(&before, &explainer.explain_at(Duration::ZERO).unwrap());
        }
        explainer.apply(&record).unwrap();
    }
    assert!(polled);
    agree(&after, &explainer.explain_at(Duration::ZERO).unwrap());
    [before.to_string(), after.to_string()]
}

#[test]
fn explanation_of_a_restored_action_names_its_resume_method() {
    let [before, after] = told(action("carry").arg("wood"));
    let resumes = "  it continues with its resume method `carry_on` in the next poll\n";
    assert!(before.contains(resumes), "{before}");
    assert!(!before.contains("nothing can"), "{before}");
    assert!(
        after.contains("  until its `Completion` is finished"),
        "{after}"
    );
    assert!(!after.contains("resume"), "{after}");
}

#[test]
fn an_action_that_had_a_completion_is_called_anew() {
    let [before, after] = told(action("hold").arg("rope"));
    // Its time will be a new one.
    assert!(
        before.ends_with("since 0 s\n  it is called anew in the next poll\n"),
        "{before}"
    );
    assert!(after.contains("  until 17 s, in 10 s\n"), "{after}");
    assert!(
        after.contains("  until its `Completion` is finished"),
        "{after}"
    );
}

#[test]
fn explanation_after_a_restore_knows_waits_once_polled() {
    let at = Some(Duration::from_secs(5));
    let [before, after] = told_at(action("carry").arg("wood"), at);
    assert!(before.contains("resume method `carry_on`"), "{before}");
    assert!(!after.contains("resume"), "{after}");
    let [before, after] = told_at(action("hold").arg("rope"), at);
    assert!(before.contains("it is called anew"), "{before}");
    assert!(after.contains("  until 17 s, in 10 s\n"), "{after}");
}

#[test]
fn restored_wait_for_a_time_continues() {
    let [before, after] = told(action("rest"));
    assert!(before.contains("  until 10 s, in 10 s\n"), "{before}");
    assert!(!before.contains("next poll"), "{before}");
    assert!(after.contains("  until 17 s, in 10 s\n"), "{after}");
}

#[test]
fn restored_action_whose_completion_arrived_ends() {
    let mut shift = Shift::new(action("hold").arg("rope"));
    shift.poll(0);
    shift.keeper.completions.remove(0).finish(true);
    // Taken in, and not delivered yet.
    shift.runner.fire(bt_core::Event::new("call"));
    let before = shift.restored().runner.explain().to_string();
    assert!(
        before.contains("  it continues in the next poll\n"),
        "{before}"
    );
    assert!(!before.contains("anew"), "{before}");
}
