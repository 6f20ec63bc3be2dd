//! Everything that a description refuses, and the words for it.

use super::*;
use crate::dynamic::DescribeError;

#[test]
fn arguments_that_a_description_refuses_are_load_errors() {
    let ty = guard_of(guard_type());
    let refused = |node: NodeSpec| trees(&ty, node).unwrap_err();
    for (node, expected) in [
        (action("walk_to"), "argument `target` is missing"),
        (
            action("walk_to").arg(-1),
            "argument `target`: expected an integer from 0 to 18446744073709551615, found -1",
        ),
        (
            action("walk_to").arg(1).arg(9.5),
            "argument `speed` is 9.5, expected 0.0 to 9.0",
        ),
        (
            action("walk_to").arg(1).arg(1).arg(2).arg(3),
            "takes 3 arguments",
        ),
        (action("walk_ot").arg(1), "did you mean `walk_to`?"),
        (condition("sees").property("hpp"), "did you mean `hp`?"),
        (set([("@hp", "101")]), "expected 100 at most"),
        (set([("@height", "2")]), "can only be read"),
    ] {
        let error = refused(node);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_key_that_a_description_refuses_fails_the_node_with_a_diagnostic() {
    let ty = guard_of(guard_type());
    for (held, expected) in [
        (Value::Null, "which is not set"),
        (json!("seven"), "expected an integer"),
        (json!(-1), "expected an integer"),
    ] {
        let mut runner = runner(&ty, action("walk_to").key("enemy"));
        if !held.is_null() {
            runner.blackboard().set("enemy", held);
        }
        let mut agent = DynAgent::new(&ty).with_state(Vec::<String>::new());
        assert_eq!(
            runner.poll(&mut agent, Duration::ZERO).status,
            Status::Failure
        );
        let said = runner.diagnostics()[0].to_string();
        assert!(
            said.contains(expected) && said.contains("blackboard key `enemy`"),
            "{said}"
        );
        assert!(agent.state::<Vec<String>>().unwrap().is_empty());
    }
}

#[test]
fn an_answer_that_a_method_cannot_give_is_a_diagnostic() {
    let with = |answer: Answer| {
        let ty = Describe::agent("answerer")
            .action("walk", |method| method)
            .action("look", |method| method.polled())
            .action("jump", |method| method.at_once())
            .condition("sees", |method| method)
            .query("far", Type::of::<u8>(), |method| method)
            .handler(
                move |_: &mut DynAgent, _: &str, _: &[Value], _: &mut Context<'_>| answer.clone(),
            );
        ty.build().unwrap()
    };
    let cases = [
        (
            "jump",
            Answer::running(),
            "the answer is running, expected success or failure",
        ),
        (
            "sees",
            Answer::after(Duration::ZERO, true),
            "the answer is running, expected success or failure",
        ),
        (
            "walk",
            Answer::run(),
            "the answer is to run the child, expected success, failure or running",
        ),
        ("walk", Answer::value(3), "the answer is the value 3"),
        (
            "walk",
            Answer::success().write("way", 3),
            "writes `way`, which is no argument that is written back",
        ),
        (
            "walk",
            Answer::refused("no answer in the scenario"),
            "no answer in the scenario",
        ),
    ];
    for (method, answer, expected) in cases {
        let (_, status, said) = poll(&with(answer), action(method));
        assert_eq!(status, Status::Failure);
        assert!(said.contains(expected), "{said}");
    }
    let (_, _, said) = poll(
        &with(Answer::value(300)),
        crate::tree::asset::spec::check("far() == 300"),
    );
    assert!(
        said.contains("the answer is 300: expected an integer from 0 to 255"),
        "{said}"
    );
    // As of a typed method that answers `None`.
    let (_, status, said) = poll(&with(Answer::running()), action("walk"));
    assert_eq!(status, Status::Running);
    assert!(said.contains("nothing can finish it"), "{said}");
    for (method, answer, expected) in [
        ("look", Answer::running(), Status::Running),
        (
            "walk",
            Answer::from(Err::<(), _>("no way")),
            Status::Failure,
        ),
        ("jump", Answer::from(true), Status::Success),
    ] {
        let (_, status, said) = poll(&with(answer), action(method));
        assert_eq!((status, said.as_str()), (expected, ""), "{method}");
    }
}

#[test]
fn a_description_that_cannot_be_says_why() {
    let why = |describe: Describe| describe.build().unwrap_err().to_string();
    let twice = Describe::agent("a").action("x", |m| m).action("x", |m| m);
    assert!(why(twice).contains("agent `a` registers the action `x` twice"));
    let hides = Describe::agent("a").action("nop", |m| m);
    assert!(why(hides).contains("hides the one of its base agent"));
    let unknown = Describe::agent("a")
        .action("walk", |m| m)
        .on("wlak", |_, _, _| true);
    assert_eq!(why(unknown), "no action `wlak`; did you mean `walk`?");
    let real = Describe::agent("a").on("nop", |_, _, _| true);
    assert_eq!(
        why(real),
        "`nop` is `action_agent`'s own: nothing else answers for it"
    );
    let exit = Describe::agent("a")
        .action("x", |m| m)
        .on_exit("x", |_, _, _, _| Left::Now);
    assert!(why(exit).contains("has no exit method"));
    let bound = Describe::agent("a").property("hp", Type::of::<f64>().max(f64::INFINITY));
    assert!(why(bound).contains("infinite"));
}

fn from_json(catalogue: Value, agent: &str) -> Result<Describe, DescribeError> {
    Describe::from_json(&catalogue.to_string(), agent)
}

#[test]
fn a_catalogue_that_is_none_or_contradicts_itself_is_an_error() {
    let agent = |name: &str, base: &str| json!({"name": name, "full_name": name, "base": base, "crate": "", "file": "", "line": 1});
    let catalogue = |agents: Value| json!({"schema_version": 1, "agents": agents});
    let why = |catalogue: Value, name: &str| from_json(catalogue, name).unwrap_err().to_string();
    let circle = catalogue(json!([agent("a", "b"), agent("b", "a")]));
    assert!(why(circle, "a").contains("agents are based on each other: a -> b -> a"));
    let lost = catalogue(json!([agent("a", "nobody")]));
    assert!(why(lost, "a").contains("agent `a` is based on `nobody`"));
    let one = catalogue(json!([
        agent("guard", "action_agent"),
        agent("action_agent", "x")
    ]));
    assert!(why(one, "guard").contains("based on `x`"));
    let newer = json!({"schema_version": 99});
    assert!(why(newer, "a").contains("schema version 99"));
    assert!(why(json!([1, 2]), "a").starts_with("this is no catalogue: "));
    let deep = format!(
        "{{\"schema_version\": 1, \"$defs\": {{\"a\": {}",
        "[".repeat(100_000)
    );
    let error = Describe::from_json(&deep, "a").unwrap_err().to_string();
    assert!(
        error.starts_with("this is no catalogue: recursion limit"),
        "{error}"
    );
    let own = serde_json::to_value(Registry::global().unwrap().catalogue()).unwrap();
    assert!(why(own.clone(), "actoin_agent").contains("did you mean `action_agent`?"));
    assert!(why(own, "action_agent").contains("is built in"));
    let mut bad = agent("a", "action_agent");
    bad["decorators"] = json!([{"name": "d", "kind": "decorator", "result": "bool", "args": [], "crate": "", "file": "", "line": 1}]);
    let mut real = agent("action_agent", "x");
    real["base"] = Value::Null;
    let bad = from_json(catalogue(json!([bad, real])), "a").unwrap();
    assert!(
        bad.build()
            .unwrap_err()
            .to_string()
            .contains("has a result that no decorator has: `bool`")
    );
}

#[test]
fn trees_of_dyn_agents_without_a_description_are_refused() {
    let mut trees = crate::TreeSet::<DynAgent>::new();
    trees.add(TreeAsset::build("main", "guard", action("nop")));
    let error = trees.build().unwrap_err().to_string();
    assert!(error.contains("collected by `DynType::trees`"), "{error}");
}
