//! Panics, completions that nobody finishes or somebody finishes twice, and calls at the wrong time.

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{
    NodeSpec, action, call, decorator, guard, parallel, select, sequence,
};
use bt_core::{LeafId, Mode, Runner, TreeAsset, TreeSet};
use bt_tests::probe::{F, Log, Play, R, Reply, S, now, of, paired, panics, polled, starts, timed};
use std::time::Duration;

use super::aborts;

#[test]
fn a_panic_in_enter_is_a_failure_that_is_reported_and_left() {
    for leaf in [panics("p"), starts("p"), polled("p"), now("p")] {
        let mut play = Play::new(select([paired("n", sequence([leaf])), starts("b")]));
        play.always("p", Reply::Panic);
        assert_eq!(play.poll(0.0), R);
        assert_eq!(play.brief(), "+n +p p:F -n +b");
        let [why] = play.diagnostics().try_into().unwrap();
        assert!(
            why.contains("p panics") && why.contains("main: node 3"),
            "{why}"
        );
    }
}

#[test]
fn a_panic_in_a_later_call_is_the_same() {
    let mut play = Play::new(select([polled("p"), starts("b")]));
    play.reply("p", [Reply::On, Reply::On, Reply::Panic]);
    play.polls::<3>();
    assert_eq!(play.brief(), "+p ~p ~p p:F +b");
    assert_eq!(play.diagnostics().len(), 1);
}

#[derive(Agent, Default)]
struct Clumsy {
    log: Log,
    /// The place of the panic.
    at: &'static str,
}

impl Clumsy {
    fn here(&self, place: &str) {
        if self.at == place {
            panic!("clumsy in {place}");
        }
    }
}

#[agent]
impl Clumsy {
    #[condition]
    fn asked(&self) -> bool {
        self.here("condition");
        true
    }

    #[condition]
    fn asked_again(cx: &Context) -> bool {
        if cx.get("fall") == true {
            panic!("clumsy in watched");
        }
        true
    }

    #[action]
    fn serve(&mut self) {
        self.here("service");
    }

    #[action]
    fn effect(&mut self) {
        self.here("effect");
    }

    #[decorator]
    fn decorate(&mut self, ended: Option<bool>) -> Next {
        self.here(if ended.is_some() { "end" } else { "entry" });
        if ended.is_some() {
            Next::Succeed
        } else {
            Next::Run
        }
    }

    #[action(exit = "left")]
    fn work(&mut self, cx: &mut Context, name: &str) -> Option<bool> {
        self.log.note(format!("+{name}"));
        cx.finish_on(name, true);
        None
    }

    #[action(exit = "left")]
    fn answer(cx: &mut Context) -> Option<bool> {
        assert!(cx.completion().finish(true));
        None
    }

    fn left(&mut self, _cx: &mut Context, exit: Exit) {
        self.log.note(format!("{exit:?}"));
        self.here("exit");
    }

    /// Ends the work `a`.
    #[event]
    fn a();

    /// Ends the work `b`.
    #[event]
    fn b();

    #[property]
    fn name(&self) -> String {
        self.here("property");
        "x".to_owned()
    }
}

fn clumsy(at: &'static str, top: NodeSpec) -> (Runner<Clumsy>, Clumsy) {
    let mut set = TreeSet::<Clumsy>::new();
    set.add(TreeAsset::build("main", "clumsy", top));
    let mut runner = Runner::new(&set.build().unwrap(), "main").unwrap();
    runner = runner.mode(Mode::Once);
    runner.start();
    let agent = Clumsy {
        at,
        ..Clumsy::default()
    };
    (runner, agent)
}

fn work(name: &str) -> NodeSpec {
    action("work").arg(name)
}

/// After a poll and an event that ends `a`: what happened, and what was reported.
fn fall(at: &'static str, top: NodeSpec) -> (String, Vec<String>) {
    let (mut runner, mut agent) = clumsy(at, top);
    runner.poll(&mut agent, Duration::ZERO);
    runner.fire(Event::new("a"));
    runner.poll(&mut agent, Duration::ZERO);
    let reports = runner.take_diagnostics();
    let reports = reports.iter().map(ToString::to_string).collect();
    (agent.log.take().join(" "), reports)
}

fn or_b(spec: NodeSpec) -> NodeSpec {
    select([spec, work("b")])
}

#[test]
fn a_panic_in_a_guard_is_a_guard_that_does_not_hold() {
    let (log, reports) = fall("condition", or_b(work("a").guard(guard("asked"))));
    assert_eq!(log, "+b");
    assert!(reports[0].contains("clumsy in condition"), "{reports:?}");
    assert!(reports[0].contains("node 2"), "{reports:?}");
    let watched = work("a").guard(aborts(guard("asked_again"), "self"));
    let (mut runner, mut agent) = clumsy("", or_b(watched));
    runner.poll(&mut agent, Duration::ZERO);
    runner.blackboard().set("fall", true);
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(agent.log.take(), ["+a", "Aborted", "+b"]);
    assert_eq!(runner.take_diagnostics().len(), 1);
    // It recovers: its keys are still watched.
    runner.blackboard().set("fall", false);
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(runner.take_diagnostics().len(), 0);
}

#[test]
fn a_panic_in_a_condition_node_is_a_failure() {
    let asks = sequence([bt_core::tree::asset::spec::condition("asked"), work("a")]);
    let (log, reports) = fall("condition", or_b(asks));
    assert_eq!((log.as_str(), reports.len()), ("+b", 1));
}

#[test]
fn panic_in_a_service_or_an_effect_is_reported_and_the_node_continues() {
    let service = work("a").service(1.0, call("serve"));
    let (log, reports) = fall("service", or_b(service));
    assert_eq!(log, "+a Success");
    assert!(
        reports[0].contains("`serve` panicked: clumsy in service"),
        "{reports:?}"
    );
    for when in ["enter", "success", "exit"] {
        let (log, reports) = fall("effect", or_b(work("a").effect(when, call("effect"))));
        assert_eq!((log.as_str(), reports.len()), ("+a Success", 1), "{when}");
    }
}

#[test]
fn a_panic_in_a_decorator_is_its_failure() {
    let (log, reports) = fall("entry", or_b(decorator("decorate", work("a"))));
    assert_eq!((log.as_str(), reports.len()), ("+b", 1));
    let (log, reports) = fall("end", or_b(decorator("decorate", work("a"))));
    assert_eq!((log.as_str(), reports.len()), ("+a Success +b", 1));
}

#[test]
fn a_panic_in_an_exit_method_leaves_the_result_as_it_is() {
    let (log, reports) = fall("exit", or_b(work("a")));
    assert_eq!(log, "+a Success");
    assert!(
        reports[0].contains("exit method panicked: clumsy in exit"),
        "{reports:?}"
    );
}

#[test]
fn a_panic_in_a_property_is_a_failure_of_who_reads_it() {
    let (log, reports) = fall("property", or_b(action("work").property("name")));
    assert_eq!((log.as_str(), reports.len()), ("+b", 1));
    assert!(reports[0].contains("clumsy in property"), "{reports:?}");
}

#[test]
fn a_completion_that_is_dropped_is_a_failure_that_is_reported() {
    #[derive(Agent, Default)]
    struct Forgetful;
    #[agent]
    impl Forgetful {
        #[action]
        fn forget(cx: &mut Context) -> Option<bool> {
            drop(cx.completion());
            None
        }
    }
    let mut set = TreeSet::<Forgetful>::new();
    set.add(TreeAsset::build(
        "main",
        "forgetful",
        sequence([action("forget")]),
    ));
    let mut runner = Runner::new(&set.build().unwrap(), "main").unwrap();
    runner = runner.mode(Mode::Once);
    runner.start();
    let poll = runner.poll(&mut Forgetful, Duration::ZERO);
    assert_eq!(poll.status, F, "in the same poll");
    let [why] = runner.take_diagnostics().try_into().unwrap();
    assert!(why.to_string().contains("dropped unused"), "{why}");
    assert_eq!(why.node(), Some(2));
}

#[test]
fn a_completion_may_be_finished_from_another_thread_and_wakes_the_agent() {
    let mut play = Play::new(starts("a"));
    let (send, receive) = std::sync::mpsc::channel();
    play.on_call("a", move |cx| send.send(cx.completion()).unwrap());
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.wake(), None);
    let completion: Completion = receive.recv().unwrap();
    let done = std::thread::spawn(move || completion.finish(true));
    assert!(done.join().unwrap());
    assert_eq!(play.wake(), Some(0.0));
    assert_eq!(play.again(), S);
}

#[test]
fn of_two_answers_the_first_counts() {
    let mut play = Play::new(sequence([starts("a"), starts("b")]));
    play.poll(0.0);
    assert!(play.end("a", true));
    assert!(!play.end("a", false));
    assert_eq!(play.again(), R);
    assert!(!play.end("a", false));
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a a:S +b");
}

#[test]
fn an_answer_within_the_call_ends_it_in_this_poll() {
    let (mut runner, mut agent) = clumsy("", sequence([action("answer"), work("b")]));
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(agent.log.take(), ["Success", "+b"]);
}

#[test]
fn late_finish_of_the_host_has_no_effect() {
    let mut play = Play::new(sequence([timed("timeout", 1.0, starts("a"))]));
    play.poll(0.0);
    let leaf: LeafId = play.runner.active_leaves()[0].id;
    play.poll(1.0);
    play.runner.start();
    play.again();
    // The same leaf, entered again.
    play.runner.finish(leaf, true);
    assert_eq!(play.again(), R);
    let leaf = play.runner.active_leaves()[0].id;
    play.runner.finish(leaf, true);
    play.runner.finish(leaf, false);
    assert_eq!(play.again(), S);
}

#[test]
fn the_host_finishes_what_waits_and_polled_leaves_too() {
    for leaf in [
        starts("a"),
        polled("a"),
        bt_core::tree::asset::spec::wait_event("e"),
    ] {
        let mut play = Play::new(leaf);
        play.poll(0.0);
        let id = play.runner.active_leaves()[0].id;
        play.runner.finish(id, true);
        assert_eq!(play.again(), S);
    }
}

#[test]
fn loading_a_tree_that_there_is_not_is_an_error_and_changes_nothing() {
    let mut play = Play::trees([("main", starts("a")), ("other", starts("o"))]);
    play.poll(0.0);
    let error = play.runner.load("ohter").unwrap_err().to_string();
    assert!(error.contains("did you mean `other`"), "{error}");
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
    // From an action: reported, and it goes on.
    let mut play = Play::trees([
        ("main", sequence([now("l"), starts("a")])),
        ("other", now("o")),
    ]);
    play.on_call("l", |cx| cx.load("ohter"));
    assert_eq!(play.poll(0.0), R);
    assert_eq!(play.brief(), "+l l:S +a");
    let [why] = play.diagnostics().try_into().unwrap();
    assert!(why.contains("`ohter`") && why.contains("`other`"), "{why}");
}

#[test]
fn stopped_runner_drops_events() {
    use bt_core::tree::asset::spec::wait_event;
    let mut play = Play::new(sequence([wait_event("go"), now("a")]));
    play.poll(0.0);
    play.stop();
    play.fire("go").again();
    assert_eq!(play.wake(), None);
    play.runner.start();
    assert_eq!(play.again(), R);
    // The same once it has ended.
    play.fire("go").again();
    assert_eq!(play.runner.result(), Some(true));
    play.fire("go").again();
    play.runner.start();
    assert_eq!(play.again(), R);
}

#[test]
fn runner_delivers_events_fired_before_the_start() {
    use bt_core::tree::asset::spec::wait_event;
    let mut play = Play::new(sequence([wait_event("go"), now("a")]));
    play.fire("go");
    assert_eq!(play.poll(0.0), S);
}

#[test]
fn a_runner_that_is_dropped_drops_guards_and_calls_no_exit_method() {
    struct Dropped(Log);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.note("dropped");
        }
    }
    let main = parallel(2, 1, [work("a"), work("b")]);
    let (mut runner, mut agent) = clumsy("", main);
    runner.poll(&mut agent, Duration::ZERO);
    drop(runner);
    assert_eq!(agent.log.take(), ["+a", "+b"]);
    let mut play = Play::new(starts("a"));
    let log = Log::default();
    let held = log.clone();
    play.on_call("a", move |cx| cx.on_exit(Dropped(held.clone())));
    play.poll(0.0);
    let other = Play::new(now("x"));
    drop(std::mem::replace(&mut play.runner, {
        let trees = other.runner.trees().clone();
        Runner::new(&trees, "main").unwrap()
    }));
    assert_eq!(log.take(), ["dropped"]);
    // The probe notices that there was no exit method: that is as it should be.
    assert_eq!(play.probe.log.faults().len(), 1);
    std::mem::forget(play);
}

#[test]
fn stop_pause_and_start_work_from_any_state() {
    let mut play = Play::new(starts("a"));
    play.stop();
    play.stop();
    assert!(!play.runner.is_running());
    play.runner.pause();
    play.runner.pause();
    play.runner.start();
    play.poll(0.0);
    assert_eq!(play.brief(), "");
    play.runner.resume();
    play.runner.resume();
    assert_eq!(play.again(), R);
    play.runner.start();
    assert_eq!(play.again(), R);
    assert_eq!(play.brief(), "+a");
    play.runner.pause();
    play.stop();
    assert_eq!(play.brief(), "a:A");
    play.runner.start();
    play.runner.resume();
    assert_eq!(play.again(), R);
}

#[test]
fn a_panic_leaves_the_other_agents_trees_alone() {
    let mut first = Play::new(sequence([panics("p")]));
    let mut second = first_clone(&first);
    first.poll(0.0);
    assert_eq!(second.poll(0.0), F);
    assert_eq!(of("sequence", [now("a")]), sequence([now("a")]));
}

/// Another agent on the same trees.
fn first_clone(play: &Play) -> Play {
    let mut other = Play::new(now("x"));
    other.runner = Runner::new(play.runner.trees(), "main")
        .unwrap()
        .mode(Mode::Once);
    other.runner.start();
    other
}
