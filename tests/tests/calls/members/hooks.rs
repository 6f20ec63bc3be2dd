//! Exit and resume methods are reached through the action's name; what is known of an action.

use super::*;
use bt_core::Left;
use bt_core::registry::catalogue::{MethodKind, ReturnKind};

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Digger {
    depth: u32,
    exits: Vec<Exit>,
}

#[agent]
impl Digger {
    #[action(exit = "climb_out", resume = "dig_on", alias = ["delve"])]
    fn dig(&mut self, cx: &mut Context) -> Option<bool> {
        self.depth += 1;
        cx.keep(self.depth);
        None
    }

    fn climb_out(
        &mut self,
        cx: &mut Context,
        #[world] world: &mut Crew,
        exit: Exit,
    ) -> Option<bool> {
        self.exits.push(exit);
        world.log.push(format!("{} at {:?}", self.depth, cx.now()));
        if exit == Exit::Aborted {
            None
        } else {
            Some(true)
        }
    }

    fn dig_on(
        &mut self,
        cx: &mut Context,
        kept: u32,
        #[world] world: &Crew,
    ) -> Result<Option<bool>, String> {
        cx.set("kept", kept);
        self.depth = kept;
        if kept > world.level.size {
            return Err(format!("{kept} is too deep"));
        }
        Ok(None)
    }

    #[deprecated(note = "use `dig`")]
    #[action]
    fn scratch(&mut self) -> Result<bool, String> {
        Ok(true)
    }

    #[condition]
    fn is_deep(&self) -> bool {
        self.depth > 3
    }
}

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Mole {
    #[agent(base)]
    digger: Digger,
}

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct BlindMole {
    #[agent(base)]
    mole: Mole,
}

#[agent]
impl BlindMole {
    #[action(override)]
    fn scratch(&mut self) {}
}

#[test]
fn an_exit_method_is_reached_by_its_actions_name_from_a_derived_agent() {
    let actions = ActionSet::<BlindMole>::collect().unwrap();
    let dig = actions.find("dig").unwrap();
    assert!(dig.has_exit() && dig.has_resume());
    let mut mole = BlindMole::default();
    let mut session = Session::new(0);
    let ((), log) = in_level(5, |world| {
        let cx = &mut session.context();
        let dug = dig.invoke(&mut mole, world, cx, &json!([])).unwrap();
        assert_eq!(dug, Outcome::Pending);
        assert_eq!(dig.exit(&mut mole, world, cx, Exit::Success), Left::Now);
        assert_eq!(dig.exit(&mut mole, world, cx, Exit::Aborted), Left::Later);
    });
    assert_eq!(mole.mole.digger.exits, [Exit::Success, Exit::Aborted]);
    assert_eq!(log, ["1 at 0ns", "1 at 0ns"]);
}

#[test]
fn an_action_without_an_exit_method_is_left_at_once() {
    let actions = ActionSet::<BlindMole>::collect().unwrap();
    let nop = actions.find("nop").unwrap();
    assert!(!nop.has_exit());
    let mut session = Session::new(0);
    let (left, _) = in_level(5, |world| {
        let cx = &mut session.context();
        nop.exit(&mut BlindMole::default(), world, cx, Exit::Aborted)
    });
    assert_eq!(left, Left::Now);
}

fn resume(action: &str, kept: Value) -> (Result<Outcome, CallError>, BlindMole, Session) {
    let actions = ActionSet::<BlindMole>::collect().unwrap();
    let mut mole = BlindMole::default();
    let mut session = Session::new(0);
    let (resumed, _) = in_level(5, |world| {
        let cx = &mut session.context();
        let action = actions.find(action).unwrap();
        action.resume(&mut mole, world, cx, &kept)
    });
    (resumed, mole, session)
}

#[test]
fn resume_method_gets_the_saved_value() {
    let (resumed, mole, session) = resume("dig", json!(4));
    assert_eq!(resumed, Ok(Outcome::Pending));
    assert_eq!(mole.mole.digger.depth, 4);
    assert_eq!(session.blackboard().get("kept"), 4);
}

#[test]
fn a_resume_methods_err_is_a_failure_with_its_reason() {
    let (resumed, _, mut session) = resume("dig", json!(6));
    assert_eq!(resumed, Ok(Outcome::Done(false)));
    assert_eq!(session.take_failure().as_deref(), Some("6 is too deep"));
}

#[test]
fn resume_error_names_the_value_and_the_expected_type() {
    let error = resume("dig", json!("deep")).0.unwrap_err();
    assert!(error.is_arguments());
    assert_eq!(
        error.to_string(),
        "`dig`: what the action kept is \"deep\", which does not decode: expected an integer from \
         0 to 4294967295, found \"deep\""
    );
}

#[test]
fn an_action_without_a_resume_method_says_so() {
    let error = resume("nop", json!(1)).0.unwrap_err();
    assert!(error.is_refused());
    assert_eq!(error.to_string(), "`nop` has no resume method");
}

#[test]
fn an_action_says_what_it_is() {
    let actions = ActionSet::<BlindMole>::collect().unwrap();
    let dig = actions.find("delve").unwrap();
    assert_eq!((dig.name(), dig.kind()), ("dig", MethodKind::Action));
    assert!(dig.is_alias("delve") && !dig.is_alias("dig"));
    assert!(dig.is_async() && !dig.is_fallible() && !dig.is_static());
    assert_eq!(dig.deprecated(), None);
    let is_deep = actions.find("is_deep").unwrap();
    assert_eq!(is_deep.kind(), MethodKind::Condition);
    assert_eq!(
        (is_deep.result(), is_deep.is_async()),
        (ReturnKind::Bool, false)
    );
    // Its own, not the base's: that one is deprecated.
    assert_eq!(actions.find("scratch").unwrap().deprecated(), None);
    let actions = ActionSet::<Mole>::collect().unwrap();
    let scratch = actions.find("scratch").unwrap();
    assert_eq!(scratch.deprecated(), Some("use `dig`"));
    assert!(scratch.is_fallible());
}
