//! Times that no clock can say, and the clock's own end.

use std::time::Duration;

use bt_core::tree::asset::spec::{NodeSpec, action, call, node, parallel, sequence};

use crate::hostile::{Run, one, tree, wrong};

fn timed(kind: &str, seconds: f64) -> NodeSpec {
    let child = action("starts").arg("a");
    node(kind).extra("seconds", seconds).child(child)
}

#[test]
fn a_time_that_no_clock_can_say_is_refused_at_its_node() {
    for kind in ["timeout", "delay", "cooldown"] {
        for seconds in [
            "1e308",
            "1e20",
            "1.8446744073709552e19",
            "-1e308",
            "-1e-300",
        ] {
            let why = wrong(&one(kind, 1, &format!(r#""seconds":{seconds}"#)));
            let expected = "t.json: node 1: `seconds`: expected ";
            assert!(why.starts_with(expected), "{kind} {seconds}: {why}");
        }
        for seconds in ["1e999", "-1e999"] {
            let why = wrong(&one(kind, 1, &format!(r#""seconds":{seconds}"#)));
            assert!(
                why.contains("t.json:3:") && why.contains("out of range"),
                "{why}"
            );
        }
        for seconds in [
            "\"NaN\"", "\"1\"", "null", "NaN", "Infinity", "[1]", "{}", "true",
        ] {
            let why = wrong(&one(kind, 1, &format!(r#""seconds":{seconds}"#)));
            assert!(why.starts_with("t.json:"), "{kind} {seconds}: {why}");
            // An object may be a key or an expression.
            let says = why.contains("node 1: `seconds`: expected a number")
                || why.contains("node 1: `seconds`: the key `arg_type` is missing");
            assert!(why.contains(":3:") || says, "{kind} {seconds}: {why}");
        }
    }
    let service = |seconds| format!(r#""services":[{{"seconds":{seconds},"action_name":"nop"}}]"#);
    for seconds in ["1e308", "-1", "-1e-300", "\"NaN\""] {
        let why = wrong(&one("sequence", 1, &service(seconds)));
        assert!(
            why.contains("node 1: `services[0].seconds`: expected "),
            "{seconds}: {why}"
        );
    }
}

#[test]
fn a_wait_of_a_time_that_no_clock_can_say_fails() {
    for seconds in [1e308, 1e20, f64::MAX] {
        let trees = tree(action("wait_for_seconds").arg(seconds));
        let mut run = Run::new(&trees);
        run.polls(2);
        assert_eq!(run.runner.result(), Some(false), "{seconds}");
    }
}

#[test]
fn times_of_centuries_are_waited_for_and_never_come() {
    let long = 1.8e10;
    let tops = [
        timed("timeout", long),
        timed("delay", long),
        timed("cooldown", long),
        action("wait_for_seconds").arg(long),
        action("starts").arg("a").service(long, call("nop")),
        action("wait_frames").arg(u32::MAX),
    ];
    let trees = tree(parallel(6, 6, tops));
    let mut run = Run::new(&trees);
    // So late that what it waits for is after the clock's end.
    for _ in 0..3 {
        run.poll(Duration::from_secs(1 << 33));
        assert!(run.runner.is_running());
    }
    run.poll(Duration::MAX);
    run.poll(Duration::MAX);
    run.stop(Duration::MAX);
}

#[test]
fn at_the_end_of_the_clock_nothing_is_due_for_ever() {
    // A service that is called again at the same time would be called without end.
    for seconds in [1e-300, 1e-9, 0.5, 1e9] {
        for top in [
            action("starts")
                .arg("a")
                .service(seconds, call("note").arg("x")),
            timed("timeout", seconds),
            timed("delay", seconds),
            sequence([
                action("wait_for_seconds").arg(seconds),
                timed("timeout", seconds),
            ]),
        ] {
            let trees = tree(top);
            let mut run = Run::new(&trees);
            run.poll(Duration::ZERO);
            for now in [Duration::from_secs(1 << 40), Duration::MAX, Duration::MAX] {
                run.probe.log.take();
                run.poll(now);
                assert!(run.probe.log.take().len() <= 3);
            }
            run.stop(Duration::MAX);
        }
    }
    // From the first poll on, and with nothing that waits for a time.
    for top in [action("starts").arg("a"), timed("cooldown", 1.0)] {
        let trees = tree(parallel(1, 1, [top]));
        let mut run = Run::new(&trees);
        for _ in 0..3 {
            run.poll(Duration::MAX);
        }
        assert!(run.runner.is_running());
        run.runner.pause();
        run.poll(Duration::MAX);
        run.runner.resume();
        run.poll(Duration::MAX);
        run.stop(Duration::MAX);
    }
}

#[test]
fn a_service_that_is_due_every_nanosecond_is_called_once_a_poll() {
    let called = action("starts")
        .arg("a")
        .service(1e-300, call("note").arg("x"));
    let trees = tree(called);
    let mut run = Run::new(&trees);
    run.poll(Duration::ZERO);
    run.probe.log.take();
    for second in 1..=5 {
        run.poll(Duration::from_secs(second));
        assert_eq!(run.probe.log.take(), ["x"]);
    }
    run.stop(Duration::from_secs(5));
}
