//! `#[fallback]` answers for actions that nothing registers.

use super::*;
use bt_core::Source;

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Puppet {
    heard: Vec<String>,
}

#[agent]
impl Puppet {
    #[fallback]
    fn any(
        &mut self,
        cx: &mut Context,
        #[world] world: &mut Crew,
        name: &str,
        args: &[Value],
    ) -> Option<bool> {
        cx.set("asked", name);
        self.heard.push(format!("{name}{args:?}"));
        world.log.push(name.to_owned());
        match name {
            "wait" => None,
            _ => Some(name.starts_with('j')),
        }
    }

    #[property]
    fn jumps(&self) -> usize {
        self.heard.len()
    }
}

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Doll {
    #[agent(base)]
    puppet: Puppet,
}

#[agent]
impl Doll {
    #[action]
    fn blink(&mut self) {}
}

/// Two levels above `Puppet`.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Marionette {
    #[agent(base)]
    doll: Doll,
}

/// Answers by itself.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Robot {
    #[agent(base)]
    puppet: Puppet,
    own: u32,
}

#[agent]
impl Robot {
    #[fallback]
    fn any(&mut self, _: &mut Context, _: &str, args: &[Value]) -> Option<bool> {
        self.own += args.len() as u32;
        Some(true)
    }
}

fn invoke<A>(agent: &mut A, name: &str, args: Value) -> Result<Outcome, CallError>
where
    A: for<'w, 's> Agent<World<'w, 's> = Crew<'w, 's>>,
{
    let mut session = Session::new(0);
    in_level(1, |world| {
        registry().invoke(agent, world, &mut session.context(), name, &args)
    })
    .0
}

#[test]
fn an_unregistered_name_reaches_the_fallback_with_its_arguments() {
    let mut puppet = Puppet::default();
    let result = invoke(&mut puppet, "jump", json!([1, "high"]));
    assert_eq!(result, Ok(Outcome::Done(true)));
    assert_eq!(
        invoke(&mut puppet, "wait", Value::Null),
        Ok(Outcome::Pending)
    );
    assert_eq!(
        invoke(&mut puppet, "fall", json!({"far": 2})),
        Ok(Outcome::Done(false))
    );
    assert_eq!(
        puppet.heard,
        [
            r#"jump[Number(1), String("high")]"#,
            "wait[]",
            r#"fall[Object {"far": Number(2)}]"#
        ]
    );
    let error = invoke(&mut puppet, "jump", json!(7)).unwrap_err();
    assert!(error.is_arguments());
    assert_eq!(
        error.to_string(),
        "`jump`: arguments are an array by position or an object by name, found 7"
    );
}

#[test]
fn a_base_agents_fallback_answers_for_the_derived_agent() {
    let mut marionette = Marionette::default();
    let result = invoke(&mut marionette, "jump", json!([]));
    assert_eq!(result, Ok(Outcome::Done(true)));
    assert_eq!(marionette.doll.puppet.heard, ["jump[]"]);
    // What is registered is called.
    assert_eq!(
        invoke(&mut marionette, "blink", json!([])),
        Ok(Outcome::Done(true))
    );
    assert_eq!(marionette.doll.puppet.heard.len(), 1);
}

#[test]
fn the_nearest_fallback_answers() {
    let mut robot = Robot::default();
    invoke(&mut robot, "jump", json!([1, 2])).unwrap();
    assert_eq!((robot.own, robot.puppet.heard.len()), (2, 0));
}

/// Actions and properties have names of their own: a property's does not hide a script's action.
#[test]
fn a_propertys_name_is_an_action_that_nothing_registers() {
    let mut puppet = Puppet::default();
    assert_eq!(
        invoke(&mut puppet, "jumps", json!([])),
        Ok(Outcome::Done(true))
    );
}

#[test]
fn a_bound_fallback_keeps_literals_and_reads_keys_at_each_call() {
    let actions = ActionSet::<Marionette>::collect().unwrap();
    assert!(actions.has_fallback());
    let mut session = Session::new(0);
    let bind = |sources: Vec<Source>, session: &Session| {
        actions
            .bind("jump", sources, &mut session.blackboard())
            .unwrap()
    };
    let plain = bind(vec![Source::literal(1)], &session);
    let keyed = bind(vec![Source::literal(1), Source::key("how")], &session);
    let mut marionette = Marionette::default();
    in_level(1, |world| {
        let cx = &mut session.context();
        plain.call(&mut marionette, world, cx).unwrap();
        let error = keyed.call(&mut marionette, world, cx).unwrap_err();
        assert!(error.is_key());
        assert_eq!(
            error.to_string(),
            "`jump`: argument `2` takes blackboard key `how`, which is not set"
        );
        for how in ["far", "high"] {
            cx.set("how", how);
            keyed.call(&mut marionette, world, cx).unwrap();
        }
    });
    assert_eq!(
        marionette.doll.puppet.heard,
        [
            "jump[Number(1)]",
            r#"jump[Number(1), String("far")]"#,
            r#"jump[Number(1), String("high")]"#
        ]
    );
}

#[test]
fn without_a_fallback_an_unregistered_name_is_an_error() {
    let error = invoke(&mut Hero::default(), "jump", json!([])).unwrap_err();
    assert!(error.is_unknown());
    assert_eq!(error.to_string(), "no action `jump`");
    let actions = ActionSet::<Hero>::collect().unwrap();
    assert!(!actions.has_fallback());
    let session = Session::new(0);
    let bound = actions.bind("shuot", [], &mut session.blackboard());
    let error = bound.err().unwrap().to_string();
    assert_eq!(error, "no action `shuot`; did you mean `shout`?");
}

#[test]
fn a_fallback_needs_an_agent() {
    let mut session = Session::new(0);
    let (result, _) = in_level(1, |world| {
        let cx = &mut session.context();
        registry().invoke_static::<Puppet>(world, cx, "jump", &json!([]))
    });
    let error = result.unwrap_err();
    assert!(error.is_unknown());
    assert_eq!(error.to_string(), "no action `jump`");
}
