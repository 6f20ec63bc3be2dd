//! Agents that are described by hand and by a catalogue, at work.

mod refusals;

use std::time::Duration;

use serde_json::{Value, json};

use super::{Answer, Describe, DynAgent, DynType, Handler, Type};
use crate::prelude::*;
use crate::tree::asset::spec::{NodeSpec, action, condition, guard, sequence, set, wait_event};
use crate::{Left, Mode, Runner, TreeAsset, Trees};

/// A guard whose calls are noted in its state, a list of lines.
fn guard_of(describe: Describe) -> DynType {
    let handler = |agent: &mut DynAgent, name: &str, args: &[Value], _: &mut Context<'_>| {
        let line = format!("{name} {}", Value::from(args.to_vec()));
        agent.state::<Vec<String>>().unwrap().push(line);
        Answer::success()
    };
    describe.handler(handler).build().unwrap()
}

fn guard_type() -> Describe {
    Describe::agent("guard")
        .property("hp", Type::of::<u32>().max(100).default(80).alias("health"))
        .property("mood", Type::of::<String>())
        .read_only("height", Type::of::<f64>().default(1.8))
        .action("walk_to", |method| {
            let speed = Type::of::<f64>().min(0.0).max(9.0).default(2.0);
            method
                .arg("target", Type::of::<u64>())
                .arg("speed", speed)
                .arg("why", Type::of::<Option<String>>())
        })
        .condition("sees", |method| method.arg("who", Type::of::<u64>()))
        .event("noise", |event| {
            event
                .param("place", Type::of::<String>())
                .param("loud", Type::of::<u8>().max(9))
        })
}

fn trees(ty: &DynType, top: NodeSpec) -> Result<Trees<DynAgent>, String> {
    let mut trees = ty.trees();
    trees.add(TreeAsset::build("main", ty.name(), top));
    trees.build().map_err(|error| error.to_string())
}

fn runner(ty: &DynType, top: NodeSpec) -> Runner<DynAgent> {
    let trees = trees(ty, top).unwrap_or_else(|error| panic!("{error}"));
    let mut runner = Runner::new(&trees, "main").unwrap().mode(Mode::Once);
    runner.start();
    runner
}

/// The lines of one poll, its status, and the diagnostics.
fn poll(ty: &DynType, top: NodeSpec) -> (Vec<String>, Status, String) {
    let mut runner = runner(ty, top);
    let mut agent = DynAgent::new(ty).with_state(Vec::<String>::new());
    let status = runner.poll(&mut agent, Duration::ZERO).status;
    let said: Vec<_> = runner
        .diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    (
        agent.state().cloned().unwrap_or_default(),
        status,
        said.join("; "),
    )
}

#[test]
fn a_described_method_gets_its_arguments_with_defaults() {
    let ty = guard_of(guard_type());
    let top = sequence([
        action("walk_to").arg(7),
        action("walk_to").arg(8).arg(1.5).arg("noise"),
        condition("sees").property("hp"),
        action("walk_to").key("enemy"),
    ]);
    let mut runner = runner(&ty, top);
    runner.blackboard().set("enemy", 3);
    let mut agent = DynAgent::new(&ty).with_state(Vec::<String>::new());
    assert_eq!(
        runner.poll(&mut agent, Duration::ZERO).status,
        Status::Success
    );
    let lines = [
        "walk_to [7,2.0,null]",
        r#"walk_to [8,1.5,"noise"]"#,
        "sees [80]",
        "walk_to [3,2.0,null]",
    ];
    assert_eq!(agent.state::<Vec<String>>().unwrap(), &lines);
}

#[test]
fn a_tree_writes_a_property_and_the_host_one_that_is_read_only() {
    let ty = guard_of(guard_type());
    let mut agent = DynAgent::new(&ty);
    let mut runner = runner(&ty, set([("@hp", "@hp - 30")]));
    assert_eq!(
        runner.poll(&mut agent, Duration::ZERO).status,
        Status::Success
    );
    assert_eq!(agent.get("hp"), Some(&json!(50)));
    assert_eq!(agent.get("health"), Some(&json!(50)));
    agent.set("height", 1.7).unwrap();
    assert_eq!(agent.values().len(), 2);
    let error = agent.set("hp", 101).unwrap_err();
    assert_eq!(
        error.to_string(),
        "property `hp`: argument `hp` is 101, expected 100 at most"
    );
    let error = agent.set("mod", "calm").unwrap_err();
    assert_eq!(error.to_string(), "no property `mod`; did you mean `mood`?");
    agent.unset("hp");
    assert_eq!(agent.get("hp"), None);
}

#[test]
fn a_property_without_a_value_is_asked_for_or_refused() {
    let ty = guard_of(guard_type());
    let node = || condition("sees").property("hp");
    let mut agent = DynAgent::new(&ty).with_state(Vec::<String>::new());
    agent.unset("hp");
    let mut runner = runner(&ty, node());
    assert_eq!(
        runner.poll(&mut agent, Duration::ZERO).status,
        Status::Failure
    );
    let said = runner.diagnostics()[0].to_string();
    assert!(
        said.contains("property `hp`: it has no value yet"),
        "{said}"
    );

    struct Asked;
    impl Handler for Asked {
        fn call(&self, _: &mut DynAgent, _: &str, args: &[Value], _: &mut Context<'_>) -> Answer {
            (args[0] == 33).into()
        }
        fn property(&self, _: &mut DynAgent, name: &str, _: &mut Context<'_>) -> Option<Value> {
            (name == "hp").then(|| 33.into())
        }
    }
    let ty = ty.with_handler(Asked);
    let mut agent = DynAgent::new(&ty);
    agent.unset("hp");
    let mut runner = self::runner(&ty, node());
    assert_eq!(
        runner.poll(&mut agent, Duration::ZERO).status,
        Status::Success
    );
    assert_eq!(agent.get("hp"), Some(&json!(33)));
}

#[test]
fn an_answer_after_a_time_ends_actions_of_both_sorts() {
    let ty = Describe::agent("waiter")
        .action("once", |method| method)
        .action("polled", |method| method.polled())
        .handler(
            |_: &mut DynAgent, _: &str, _: &[Value], _: &mut Context<'_>| {
                Answer::after(Duration::from_secs(2), true)
            },
        )
        .build()
        .unwrap();
    for method in ["once", "polled"] {
        let mut runner = runner(&ty, action(method));
        let mut agent = DynAgent::new(&ty);
        let statuses =
            [5, 6, 7].map(|now| runner.poll(&mut agent, Duration::from_secs(now)).status);
        assert_eq!(
            statuses,
            [Status::Running, Status::Running, Status::Success],
            "{method}"
        );
    }
}

#[test]
fn an_argument_is_written_back_where_it_changed() {
    let ty = Describe::agent("writer")
        .action("find", |method| {
            method
                .arg("count", Type::of::<u32>().in_out())
                .arg("place", Type::of::<String>().out())
        })
        .on("find", |_, args, _| {
            assert_eq!(args[1], Value::Null);
            let count = args[0].as_u64().unwrap() + 1;
            Answer::success()
                .write("place", "gate")
                .write("count", count)
        })
        .build()
        .unwrap();
    let mut runner = runner(&ty, action("find").key("n").key("where"));
    runner.blackboard().set("n", 4);
    runner.poll(&mut DynAgent::new(&ty), Duration::ZERO);
    assert_eq!(runner.blackboard().get("n"), 5);
    assert_eq!(runner.blackboard().get("where"), "gate");
    // What the description does not take is not written.
    let ty = Describe::agent("writer2")
        .action("find", |method| {
            method.arg("count", Type::of::<u8>().in_out())
        })
        .on("find", |_, _, _| Answer::success().write("count", 300));
    let (_, status, said) = poll_with("n", 4, &ty.build().unwrap(), action("find").key("n"));
    assert_eq!(status, Status::Failure);
    assert!(
        said.contains("the answer writes argument `count`"),
        "{said}"
    );
}

fn poll_with(key: &str, value: i64, ty: &DynType, top: NodeSpec) -> (Value, Status, String) {
    let mut runner = runner(ty, top);
    runner.blackboard().set(key, value);
    let status = runner.poll(&mut DynAgent::new(ty), Duration::ZERO).status;
    let said = runner.diagnostics().first().map(ToString::to_string);
    (
        runner.blackboard().get(key),
        status,
        said.unwrap_or_default(),
    )
}

#[test]
fn an_exit_method_gets_the_arguments_that_it_takes() {
    let ty = Describe::agent("carrier")
        .action("carry", |method| {
            let why = Type::of::<String>().default("duty");
            method
                .arg("load", Type::of::<u32>())
                .arg("why", why)
                .exit(["why"])
        })
        .on("carry", |_, _, _| Answer::running())
        .on_exit("carry", |agent, exit, args, _| {
            let line = format!("{exit:?} {}", Value::from(args.to_vec()));
            agent.state::<Vec<String>>().unwrap().push(line);
            Left::Now
        })
        .build()
        .unwrap();
    let mut runner = runner(&ty, action("carry").arg(3));
    let mut agent = DynAgent::new(&ty).with_state(Vec::<String>::new());
    runner.poll(&mut agent, Duration::ZERO);
    runner.stop(&mut agent, Duration::ZERO);
    assert_eq!(
        agent.state::<Vec<String>>().unwrap(),
        &[r#"Aborted ["duty"]"#]
    );
}

#[test]
fn a_described_agent_inherits_from_a_described_base_and_from_action_agent() {
    let base = guard_type().build().unwrap();
    let ty = Describe::agent("captain")
        .base(&base)
        .action("shout", |method| method)
        .condition("sees", |method| {
            method.arg("who", Type::of::<u64>()).overriding()
        });
    let ty = guard_of(ty);
    let top = sequence([
        action("shout"),
        condition("sees").arg(3),
        action("walk_to").arg(1),
        action("number_add").arg("n").arg(2),
    ]);
    let (lines, status, said) = poll_keyed(&ty, top);
    assert_eq!((status, said.as_str()), (Status::Success, ""));
    assert_eq!(lines, ["shout []", "sees [3]", "walk_to [1,2.0,null]"]);
    let names: Vec<_> = ty.info().lineage().map(|agent| agent.name()).collect();
    assert_eq!(names, ["captain", "guard", "action_agent"]);
    // A tree of the base is one of its own.
    let mut trees = ty.trees();
    trees.add(TreeAsset::build("main", "guard", action("walk_to").arg(1)));
    assert!(trees.build().is_ok());
}

fn poll_keyed(ty: &DynType, top: NodeSpec) -> (Vec<String>, Status, String) {
    let mut runner = runner(ty, top);
    runner.blackboard().set("n", 1);
    let mut agent = DynAgent::new(ty).with_state(Vec::<String>::new());
    let status = runner.poll(&mut agent, Duration::ZERO).status;
    let said = runner.diagnostics().first().map(ToString::to_string);
    (
        agent.state().cloned().unwrap_or_default(),
        status,
        said.unwrap_or_default(),
    )
}

#[test]
fn events_of_a_description_are_checked_when_they_are_fired() {
    let ty = guard_of(guard_type());
    let fired = |event: Event| {
        let mut runner = runner(&ty, wait_event("noise"));
        let mut agent = DynAgent::new(&ty);
        runner.poll(&mut agent, Duration::ZERO);
        runner.fire(event);
        let status = runner.poll(&mut agent, Duration::ZERO).status;
        let said = runner.diagnostics().first().map(ToString::to_string);
        (status, said.unwrap_or_default())
    };
    let noise = |loud: i64| Event::new("noise").with("place", "gate").with("loud", loud);
    assert_eq!(fired(noise(3)), (Status::Success, String::new()));
    let (status, said) = fired(noise(10));
    assert_eq!(status, Status::Running);
    assert!(
        said.contains("parameter `loud` is 10, expected 9 at most"),
        "{said}"
    );
    let (_, said) = fired(Event::new("noise").with("place", 3));
    assert!(
        said.contains("parameter `place`: expected a string"),
        "{said}"
    );
    let made = ty
        .registry()
        .event("guard", "noise", &json!(["gate", 2]))
        .unwrap();
    assert_eq!(
        made,
        Event::new("noise").with("place", "gate").with("loud", 2)
    );
}

#[test]
fn a_fallback_answers_for_names_that_nothing_describes() {
    let ty = Describe::agent("mime").fallback();
    let ty = guard_of(ty);
    let (lines, status, _) = poll(&ty, action("anything").arg(1).arg("x"));
    assert_eq!(
        (lines, status),
        (vec![r#"anything [1,"x"]"#.to_owned()], Status::Success)
    );
}

#[test]
fn a_decorator_and_a_composite_say_what_runs_next() {
    let ty = Describe::agent("steerer")
        .decorator("twice", |method| method)
        .composite("last_first", (1, None), |method| method)
        .action("note", |method| method.arg("n", Type::of::<u8>()))
        .on("twice", |agent, _, cx| {
            let runs = agent.state::<Vec<String>>().unwrap().len();
            match cx.asked() {
                Asked::Entry => Next::Run,
                Asked::Ended { .. } | Asked::Running if runs < 4 => Next::Run,
                Asked::Ended { .. } | Asked::Running => Next::Succeed,
            }
        })
        .on("last_first", |_, _, cx| match cx.asked() {
            Asked::Entry => NextChild::Run(1),
            Asked::Ended { child: 1, .. } => NextChild::Run(0),
            Asked::Ended { .. } | Asked::Running => NextChild::Succeed,
        })
        .on("note", |agent, args, _| {
            agent
                .state::<Vec<String>>()
                .unwrap()
                .push(args[0].to_string());
        });
    let ty = ty.build().unwrap();
    let pair = [action("note").arg(0), action("note").arg(1)];
    let inner = crate::tree::asset::spec::composite("last_first", pair);
    let mut runner = runner(&ty, crate::tree::asset::spec::decorator("twice", inner));
    let mut agent = DynAgent::new(&ty).with_state(Vec::<String>::new());
    let statuses = [0, 1].map(|now| runner.poll(&mut agent, Duration::from_secs(now)).status);
    assert_eq!(statuses, [Status::Running, Status::Success]);
    assert_eq!(agent.state::<Vec<String>>().unwrap(), &["1", "0", "1", "0"]);
}

#[test]
fn a_condition_by_keys_is_evaluated_when_these_change() {
    let asked = || {
        let ty = Describe::agent("watcher")
            .condition("near", |method| {
                method.arg("d", Type::of::<f64>()).by_keys()
            })
            .on("near", |agent, args, _| {
                agent
                    .state::<Vec<String>>()
                    .unwrap()
                    .push(args[0].to_string());
                true
            });
        ty.build().unwrap()
    };
    let ty = asked();
    let top = wait_event("e").guard(guard("near").key("d").set("abort", "self"));
    let mut runner = runner(&ty, top);
    runner.blackboard().set("d", 1);
    let mut agent = DynAgent::new(&ty).with_state(Vec::<String>::new());
    for d in [1, 1, 2] {
        runner.blackboard().set("d", d);
        runner.poll(&mut agent, Duration::ZERO);
    }
    assert_eq!(agent.state::<Vec<String>>().unwrap(), &["1", "2"]);
}

#[test]
fn equal_descriptions_are_one_and_others_do_not_run_each_others_trees() {
    let (one, same) = (guard_type().build().unwrap(), guard_type().build().unwrap());
    assert!(std::ptr::eq(one.registry(), same.registry()));
    let other = guard_type().action("duck", |method| method);
    let other = guard_of(other);
    let mut runner = runner(&other, action("duck"));
    let mut agent = DynAgent::new(&one).with_state(Vec::<String>::new());
    agent.set("hp", 3).unwrap();
    runner.poll(&mut agent, Duration::ZERO);
    let said = runner.diagnostics()[0].to_string();
    assert!(said.contains("another description of `guard`"), "{said}");
    agent.redescribe(&other);
    assert_eq!(agent.get("hp"), Some(&json!(3)));
    runner.start();
    runner.poll(&mut agent, Duration::ZERO);
    assert_eq!(agent.state::<Vec<String>>().unwrap(), &["duck []"]);
}

#[test]
fn a_saved_agent_of_a_description_is_restored() {
    let ty = Describe::agent("saver")
        .action("wait", |method| method)
        .on("wait", |_, _, _| {
            Answer::after(Duration::from_secs(3), true)
        })
        .build()
        .unwrap();
    let mut runner = runner(&ty, action("wait"));
    let mut agent = DynAgent::new(&ty);
    runner.poll(&mut agent, Duration::ZERO);
    #[cfg(feature = "save")]
    {
        let saved = crate::Saved::from_json(&runner.save().to_json()).unwrap();
        let mut restored = Runner::restore(runner.trees(), &saved).unwrap();
        let statuses =
            [10, 13].map(|now| restored.poll(&mut agent, Duration::from_secs(now)).status);
        assert_eq!(statuses, [Status::Running, Status::Success]);
    }
}

#[test]
fn many_agents_of_one_description_run_in_a_pool() {
    let ty = Describe::agent("soldier")
        .property("steps", Type::of::<u32>().default(0))
        .action("step", |method| method)
        .on("step", |agent, _, _| {
            let steps = agent.get("steps").and_then(Value::as_u64).unwrap_or(0);
            agent
                .set("steps", steps + 1)
                .map(|()| Answer::after(Duration::from_secs(1), true))
        })
        .build()
        .unwrap();
    let trees = trees(&ty, action("step")).unwrap();
    let mut pool = crate::pool::Pool::new();
    for _ in 0..10 {
        let mut runner = Runner::new(&trees, "main").unwrap();
        runner.start();
        pool.spawn(DynAgent::new(&ty), runner);
    }
    for now in 0..3 {
        pool.poll(Duration::from_secs(now));
    }
    let steps = pool.iter().map(|(_, agent, _)| agent.get("steps").cloned());
    assert_eq!(steps.collect::<Vec<_>>(), vec![Some(json!(3)); 10]);
}
