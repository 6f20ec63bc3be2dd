//! Actions without a receiver need no agent.

use super::*;
use bt_core::Source;

fn invoke_static<A>(name: &str, args: Value) -> (Result<Outcome, CallError>, Vec<String>)
where
    A: for<'w, 's> Agent<World<'w, 's> = Crew<'w, 's>>,
{
    let mut session = Session::new(0);
    in_level(5, |world| {
        registry().invoke_static::<A>(world, &mut session.context(), name, &args)
    })
}

#[test]
fn a_static_action_is_called_without_an_agent() {
    let done = |success| Ok(Outcome::Done(success));
    assert_eq!(invoke_static::<Body>("is_larger", json!([4])).0, done(true));
    assert_eq!(invoke_static::<Body>("bigger", json!([5])).0, done(false));
    assert_eq!(invoke_static::<Hero>("sum", json!([10])).0, done(true));
    assert_eq!(
        invoke_static::<Hero>("sum", json!({"a": 10, "b": -5})).0,
        done(false)
    );
}

#[test]
fn an_inherited_static_action_is_called_without_an_agent() {
    let (result, log) = invoke_static::<Hero>("shout", json!(["land"]));
    assert_eq!(result, Ok(Outcome::Done(true)));
    assert_eq!(log, ["land"]);
    let (result, _) = invoke_static::<Walker>("is_larger", json!([4]));
    assert_eq!(result, Ok(Outcome::Done(true)));
    // The built-in agent's, three bases away, whose world is none.
    assert_eq!(
        invoke_static::<Hero>("nop", json!([])).0,
        Ok(Outcome::Done(true))
    );
}

#[test]
fn an_action_with_a_receiver_says_that_it_needs_an_agent() {
    let error = invoke_static::<Hero>("breathe", json!([])).0.unwrap_err();
    assert!(error.is_refused());
    assert_eq!(error.to_string(), "`breathe` needs an agent: call `invoke`");
    let error = invoke_static::<Hero>("shuot", json!([])).0.unwrap_err();
    assert!(error.is_unknown());
    assert!(
        error.to_string().contains("did you mean `shout`?"),
        "{error}"
    );
}

#[test]
fn a_static_actions_bad_arguments_are_all_listed() {
    let error = invoke_static::<Hero>("sum", json!(["x", null]))
        .0
        .unwrap_err();
    assert!(error.is_arguments());
    let text = error.to_string();
    assert!(text.starts_with("`sum`: "), "{text}");
    assert!(text.contains("`a`") && text.contains("`b`"), "{text}");
}

#[test]
fn a_static_action_is_also_called_and_bound_through_an_agent() {
    let mut hero = Hero::default();
    let mut session = Session::new(0);
    let actions = ActionSet::<Hero>::collect().unwrap();
    let sources = [Source::key("words")];
    let shout = actions
        .bind("shout", sources, &mut session.blackboard())
        .unwrap();
    session.blackboard().set("words", "ahoy");
    let ((), log) = in_level(5, |world| {
        let cx = &mut session.context();
        shout.call(&mut hero, world, cx).unwrap();
        actions
            .invoke(&mut hero, world, cx, "shout", &json!(["again"]))
            .unwrap();
        let shout = actions.find("shout").unwrap();
        shout.invoke_static(world, cx, &json!(["alone"])).unwrap();
    });
    assert_eq!(log, ["ahoy", "again", "alone"]);
    assert_eq!(session.blackboard().get("shouted"), "alone");
    assert!(actions.find("shout").unwrap().is_static());
    assert!(!actions.find("breathe").unwrap().is_static());
}

#[test]
fn a_static_action_of_a_generic_agent_knows_the_instance() {
    let mut session = Session::new(0);
    let cx = &mut session.context();
    let args = json!([6]);
    let square = registry().invoke_static::<Tile<Square>>(&mut (), cx, "has_sides", &args);
    let hexagon = registry().invoke_static::<Tile<Hexagon>>(&mut (), cx, "has_sides", &args);
    assert_eq!(square, Ok(Outcome::Done(false)));
    assert_eq!(hexagon, Ok(Outcome::Done(true)));
}
