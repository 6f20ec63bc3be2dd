//! Tests of the host's requests: loads, stops, resets, pauses.

use super::*;

#[test]
fn load_while_paused_acts_when_resumed() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.runner.pause();
    play.runner.load("other").unwrap();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "a:A +o");
}

#[test]
fn stop_drops_a_load_of_the_host() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.stop();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a a:A +a");
}

#[test]
fn load_after_a_stop_counts() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.stop();
    play.runner.load("other").unwrap();
    play.runner.start();
    play.again();
    assert_eq!(play.brief(), "+a a:A +o");
}

#[test]
fn load_after_a_stop_that_waits_counts() {
    let mut play = Play::trees([("main", slow("a")), ("other", starts("o"))]);
    play.poll(0.0);
    play.stop();
    play.runner.load("other").unwrap();
    play.again();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a a:A a:gone +o");
}

#[test]
fn load_keeps_what_is_fired_while_the_abort_takes_its_time() {
    let other = sequence([wait_event("go"), now("z")]);
    let mut play = Play::trees([("main", slow("b")), ("other", other)]);
    play.poll(0.0);
    play.runner.load("other").unwrap();
    play.again();
    play.fire("go").again();
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+b b:A b:gone +z z:S");
}

#[test]
fn reset_keeps_what_is_fired_while_the_abort_takes_its_time() {
    let main = sequence([select([sequence([wait_event("go"), now("z")])])]);
    let mut play = Play::new(parallel(1, 2, [slow("b"), main]));
    play.poll(0.0);
    play.runner.reset();
    play.again();
    play.fire("go").again();
    play.end("b", true);
    play.again();
    play.again();
    assert_eq!(play.brief(), "+b b:A b:gone +b +z z:S b:A");
}

#[test]
fn transfer_keeps_what_is_fired_while_the_abort_takes_its_time() {
    let other = sequence([wait_event("told"), now("z")]);
    let main = takes(slow("b"), "go", "other", "transfer");
    let mut play = Play::trees([("main", main), ("other", other)]);
    play.poll(0.0);
    play.fire("go").again();
    play.fire("told").again();
    play.end("b", true);
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+b b:A b:gone +z z:S");
}

#[test]
fn paused_polls_count_for_no_frames() {
    let main = parallel(
        2,
        1,
        [
            sequence([frames(3), now("w")]),
            times("frames", 3, polled("p")),
        ],
    );
    let mut play = Play::new(main);
    play.poll(0.0);
    play.runner.pause();
    play.polls::<3>();
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "+p ~p");
    assert_eq!(play.again(), S);
    assert_eq!(play.brief(), "+w w:S ~p p:A");
}

#[test]
fn pause_while_it_stops_and_resume() {
    let mut play = Play::new(slow("a"));
    play.poll(0.0);
    play.stop();
    play.runner.pause();
    play.end("a", true);
    play.polls::<2>();
    assert_eq!(play.brief(), "+a a:A");
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "a:gone");
    assert!(!play.runner.is_running());
}

#[test]
fn start_while_paused_begins_when_resumed() {
    let mut play = Play::new(starts("a"));
    play.stop();
    play.runner.pause();
    play.runner.start();
    play.polls::<2>();
    assert_eq!(play.brief(), "");
    play.runner.resume();
    play.again();
    assert_eq!(play.brief(), "+a");
}
