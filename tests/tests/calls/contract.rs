//! Everything that an annotated file can say, line by line: what is written registers and calls
//! what it says.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::registry::catalogue::{InOut, MethodKind, ReturnKind};
use bt_core::{ActionSet, Context as Cx, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The world of the page's monster.
#[derive(Default)]
struct GameWorld {
    steps: u32,
}

/// Timers, path-finding, entity search.
#[derive(Agent, Default)]
struct ActorAgent {
    said: Vec<String>,
}

#[agent]
impl ActorAgent {
    /// Say something.
    #[action]
    fn say(&mut self, words: &str) {
        self.said.push(words.to_owned());
    }

    /// Overridden below.
    #[action]
    fn attack(&mut self) -> bool {
        false
    }
}

/// A monster that patrols, hunts and fights.
#[derive(Agent)]
#[agent(world = GameWorld, display = "怪物", meta(icon = "skull", tint = 0xff0000))]
struct MonsterAgent {
    #[agent(base)]
    actor: ActorAgent,
    /// Hit points left.
    #[property(min = 0, unit = "hp")]
    hp: i32,
    #[property(read_only, alias = ["old_id"])]
    id: u64,
    speed: f64,
    exits: Vec<Exit>,
}

impl MonsterAgent {
    fn new() -> MonsterAgent {
        MonsterAgent {
            actor: ActorAgent::default(),
            hp: 10,
            id: 7,
            speed: 1.5,
            exits: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mood {
    /// Does nothing.
    Calm,
    Angry,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Point {
    x: f64,
    y: f64,
}

type Metres = f64;
type Maybe<T> = Option<T>;

#[agent]
impl MonsterAgent {
    /// Walk towards the target until it is close.
    ///
    /// # Returns
    /// `true` once within range, `false` when the target is gone.
    #[action(category = "movement")]
    fn chase(
        &mut self,
        #[world] world: &mut GameWorld,
        cx: &mut Context,
        /// Online id of the entity to chase.
        target: u64,
        /// Stop this close.
        #[arg(default = 2.0, min = 0.0, unit = "m")]
        range: f64,
    ) -> Option<bool> {
        world.steps += 1;
        cx.set("target", target);
        cx.set("range", range);
        cx.finish_after(Duration::from_secs(1), true);
        None
    }

    /// Is anybody in sight?
    #[condition]
    fn sees_enemy(&self, #[world] world: &GameWorld) -> bool {
        world.steps > 0 && self.hp > 0
    }

    /// Speed in metres a second.
    #[property(unit = "m/s")]
    fn speed(&self) -> f64 {
        self.speed
    }
    #[property(set, max = 9.0)]
    fn set_speed(&mut self, speed: f64) {
        self.speed = speed;
    }

    /// Every monster's sight, in metres.
    #[property]
    const SIGHT: f64 = 30.0;

    /// Something ran into the monster.
    #[event]
    fn collided(
        /** Who. */
        other: u64,
        /** How hard, in newton-seconds. */
        impulse: f64,
    );

    #[action(override)]
    fn attack(&mut self) -> bool {
        true
    }

    /// Mixed.
    ///
    /// # Arguments
    /// * `list` - numbers
    /// * `rest`: anything
    #[action]
    #[allow(clippy::too_many_arguments)]
    fn mixed(
        cx: &Cx,
        list: &[u32],
        point: &Point,
        rest: &Value,
        any: Value,
        mood: Mood,
        mut maybe: Maybe<Metres>,
        #[arg(choices = ["a", "b"], default = "a", name = "letter", alias = ["char"])]
        which: String,
        map: BTreeMap<String, i32>,
    ) -> Result<bool, String> {
        let m = maybe.get_or_insert(0.5);
        let all = json!([
            list,
            point,
            rest,
            any,
            mood,
            m,
            which,
            map,
            cx.now().as_secs()
        ]);
        Err(all.to_string())
    }

    #[action]
    fn double(number: &mut i64, #[arg(out)] text: &mut String) -> bool {
        *number *= 2;
        *text = number.to_string();
        true
    }

    /// Old.
    #[deprecated(since = "2.0.0", note = "use `chase`")]
    #[action]
    fn old(&self) {}

    #[action]
    fn polled(&self) -> Status {
        Status::Running
    }

    #[decorator]
    fn three_times(&mut self, _cx: &mut Context, limit: u32, ended: Option<bool>) -> Next {
        match ended {
            None => Next::Run,
            Some(_) if self.hp < limit as i32 => Next::Succeed,
            Some(_) => Next::Fail,
        }
    }

    #[fallback]
    fn anything(&mut self, cx: &mut Context, name: &str, args: &[Value]) -> Option<bool> {
        cx.set(name, args.len());
        Some(true)
    }

    #[action(exit = "stopped", resume = "resumed")]
    fn walk(&mut self, cx: &mut Context) -> Option<bool> {
        cx.keep(7);
        None
    }

    fn stopped(&mut self, #[world] world: &mut GameWorld, _cx: &mut Context, exit: Exit) {
        world.steps = 0;
        self.exits.push(exit);
    }

    fn resumed(&mut self, _cx: &mut Context, kept: i32) -> Option<bool> {
        self.hp = kept;
        None
    }
}

trait Fights {
    type Weapon;
    fn strike(&mut self, weapon: Self::Weapon) -> bool;
}

#[agent]
impl Fights for MonsterAgent {
    type Weapon = u8;
    /// Strike with a weapon.
    #[action(alias = ["hit"], since = "1.0")]
    fn strike(&mut self, weapon: Self::Weapon) -> bool {
        weapon > 3
    }
}

fn call(monster: &mut MonsterAgent, name: &str, args: Value) -> (Result<Outcome, String>, Session) {
    let mut session = Session::new(0);
    session.blackboard().set("n", 21);
    let result = Registry::global()
        .unwrap()
        .invoke(
            monster,
            &mut GameWorld::default(),
            &mut session.context(),
            name,
            &args,
        )
        .map_err(|error| error.to_string());
    session.context();
    (result, session)
}

#[test]
fn actions_are_called_by_name_with_typed_arguments() {
    let mut monster = MonsterAgent::new();
    let (result, session) = call(&mut monster, "chase", json!([7]));
    assert_eq!(result, Ok(Outcome::Pending));
    assert_eq!(session.blackboard().get("range"), 2.0);
    let (result, session) = call(&mut monster, "chase", json!({"target": 7, "range": 3.5}));
    assert_eq!(result, Ok(Outcome::Pending));
    assert_eq!(session.blackboard().get("range"), 3.5);
    let (result, _) = call(&mut monster, "chase", json!(["7", -1.0]));
    assert_eq!(
        result.unwrap_err(),
        "`chase`: argument `target`: expected an integer from 0 to 18446744073709551615, found \
         \"7\"; argument `range` is -1.0, expected 0.0 at least"
    );
    // Nothing registers this, so the fallback answers.
    let (result, session) = call(&mut monster, "chsae", json!([7]));
    assert_eq!(result, Ok(Outcome::Done(true)));
    assert_eq!(session.blackboard().get("chsae"), 1);
}

#[test]
fn every_way_to_take_an_argument_works() {
    let mut monster = MonsterAgent::new();
    let args = json!([[1, 2], {"x": 1.0, "y": 2.0}, null, [1], "angry"]);
    let (result, _) = call(&mut monster, "mixed", args);
    let error = result.unwrap_err();
    assert!(error.contains("`map` is missing"), "{error}");
    let args = json!({
        "list": [1, 2], "point": {"x": 1.0, "y": 2.0}, "rest": null, "any": [1],
        "mood": "angry", "map": {"k": 1}, "char": "b",
    });
    let mut twice = args.clone();
    twice["letter"] = json!("a");
    let (result, _) = call(&mut monster, "mixed", twice);
    assert_eq!(
        result.unwrap_err(),
        "`mixed`: argument `letter` is given twice, once as `char`"
    );
    let (result, mut session) = call(&mut monster, "mixed", args);
    assert_eq!(result, Ok(Outcome::Done(false)));
    // A property that cannot be set is no call: the reason stays the call's.
    let (world, cx) = (&mut GameWorld::default(), &mut session.context());
    let registry = Registry::global().unwrap();
    let set = registry.set_static::<MonsterAgent>(world, cx, "hp", &json!(1));
    assert!(set.unwrap_err().is_refused());
    let why = session.take_failure().unwrap();
    assert_eq!(
        why,
        r#"[[1,2],{"x":1.0,"y":2.0},null,[1],"angry",0.5,"b",{"k":1},0]"#
    );
    let (result, session) = call(&mut monster, "double", json!(["n", "text"]));
    assert_eq!(result, Ok(Outcome::Done(true)));
    assert_eq!(session.blackboard().get("n"), 42);
    assert_eq!(session.blackboard().get("text"), "42");
}

#[test]
fn base_actions_and_overrides_are_reached() {
    let mut monster = MonsterAgent::new();
    assert_eq!(
        call(&mut monster, "say", json!(["boo"])).0,
        Ok(Outcome::Done(true))
    );
    assert_eq!(monster.actor.said, ["boo"]);
    assert_eq!(
        call(&mut monster, "attack", json!([])).0,
        Ok(Outcome::Done(true))
    );
    assert_eq!(
        call(&mut monster, "nop", json!([])).0,
        Ok(Outcome::Done(true))
    );
    assert_eq!(
        call(&mut monster, "hit", json!([4])).0,
        Ok(Outcome::Done(true))
    );
    assert_eq!(
        call(&mut monster, "polled", json!([])).0,
        Ok(Outcome::Running)
    );
    assert_eq!(
        call(&mut monster, "three_times", json!([4])).0,
        Ok(Outcome::Run)
    );
}

#[test]
fn bound_calls_take_literals_and_keys() {
    let mut monster = MonsterAgent::new();
    let mut session = Session::new(0);
    let actions = ActionSet::<MonsterAgent>::collect().unwrap();
    session.blackboard().set("range", 4.5);
    let sources = [Source::literal(7), Source::key("range")];
    let chase = actions
        .bind("chase", sources, &mut session.blackboard())
        .unwrap();
    let mut world = GameWorld::default();
    let outcome = chase
        .call(&mut monster, &mut world, &mut session.context())
        .unwrap();
    assert_eq!(outcome, Outcome::Pending);
    assert_eq!(world.steps, 1);
    let say = actions
        .bind("say", [Source::key("words")], &mut session.blackboard())
        .unwrap();
    let missing = say
        .call(&mut monster, &mut world, &mut session.context())
        .unwrap_err();
    assert!(
        missing.is_key() && missing.to_string().contains("`words`"),
        "{missing}"
    );
    session.blackboard().set("words", "hello");
    say.call(&mut monster, &mut world, &mut session.context())
        .unwrap();
    assert_eq!(monster.actor.said, ["hello"]);
}

#[test]
fn the_catalogue_says_what_was_written() {
    let registry = Registry::global().unwrap();
    let agent = registry.agent("monster_agent").unwrap();
    assert_eq!(
        agent.entry().item.brief,
        "A monster that patrols, hunts and fights."
    );
    assert_eq!(agent.entry().item.display.as_deref(), Some("怪物"));
    assert_eq!(agent.entry().item.meta["tint"], 0xff0000);
    assert_eq!(agent.base().unwrap().name(), "actor_agent");
    assert_eq!(agent.base().unwrap().base().unwrap().name(), "action_agent");
    assert!(agent.entry().world);
    assert!(agent.entry().fallback.is_some());
    assert_eq!(agent.entry().item.file, "tests/calls/contract.rs");

    let chase = agent.action("chase").unwrap();
    assert_eq!(chase.item.category.as_deref(), Some("movement"));
    assert_eq!(
        chase.returns,
        "`true` once within range, `false` when the target is gone."
    );
    assert_eq!(chase.result, ReturnKind::Async);
    assert!(chase.is_async && !chase.is_static);
    assert_eq!(chase.args.len(), 2);
    let range = &chase.args[1];
    assert_eq!(
        (range.ty.type_name.as_str(), range.comment.as_str()),
        ("double", "Stop this close.")
    );
    assert_eq!(range.ty.default, Some(json!(2.0)));
    assert_eq!(range.ty.min, Some(json!(0.0)));
    assert_eq!(range.ty.unit.as_deref(), Some("m"));
    assert!(range.ty.optional);
    assert_eq!(range.ty.schema["minimum"], 0.0);
    assert_eq!(range.ty.schema["description"], "Stop this close.");

    let mixed = agent.action("mixed").unwrap();
    let types: Vec<_> = mixed
        .args
        .iter()
        .map(|arg| arg.ty.type_name.as_str())
        .collect();
    let expect = [
        "array<uint32>",
        "Point",
        "any_value",
        "any_value",
        "Mood",
        "optional<double>",
        "string",
        "map<int32>",
    ];
    assert_eq!(types, expect);
    assert_eq!(
        mixed.args[4].ty.choices,
        Some(vec![json!("angry"), json!("calm")])
    );
    assert_eq!(mixed.args[0].comment, "numbers");
    assert_eq!(mixed.args[2].comment, "anything");
    assert_eq!(mixed.args[6].name, "letter");
    assert_eq!(mixed.args[6].ty.choices, Some(vec![json!("a"), json!("b")]));
    assert!(mixed.is_static && mixed.fallible);
    assert!(registry.catalogue().defs.contains_key("Mood"));

    let double = agent.action("double").unwrap();
    assert_eq!(double.args[0].ty.in_out, Some(InOut::InOut));
    assert_eq!(double.args[1].ty.in_out, Some(InOut::Out));
    let strike = agent.action("strike").unwrap();
    let old = agent
        .action("old")
        .unwrap()
        .item
        .deprecated
        .clone()
        .unwrap();
    assert_eq!(
        (old.since.as_str(), old.note.as_str()),
        ("2.0.0", "use `chase`")
    );
    assert_eq!(strike.item.since.as_deref(), Some("1.0"));
    assert_eq!(
        agent.action("sees_enemy").unwrap().kind,
        MethodKind::Condition
    );
    assert_eq!(
        agent.action("attack").unwrap().agent.name(),
        "monster_agent"
    );
    assert_eq!(agent.action("say").unwrap().agent.name(), "actor_agent");
    let walk = agent.action("walk").unwrap();
    assert_eq!(
        (walk.exit.as_deref(), walk.resume.as_deref()),
        (Some("stopped"), Some("resumed"))
    );

    let speed = agent.property("speed").unwrap();
    assert!(!speed.read_only && !speed.is_static);
    assert_eq!(speed.ty.max, Some(json!(9.0)));
    assert_eq!(speed.ty.unit.as_deref(), Some("m/s"));
    assert!(agent.property("SIGHT").unwrap().is_static);
    assert!(agent.property("old_id").unwrap().read_only);
    let hp = agent.property("hp").unwrap();
    assert_eq!(
        (hp.ty.type_name.as_str(), hp.item.brief.as_str()),
        ("int32", "Hit points left.")
    );

    let collided = agent.event("collided").unwrap();
    assert_eq!(collided.params[1].comment, "How hard, in newton-seconds.");
    let event = MonsterAgent::collided(7, 3.5);
    assert_eq!(event.get("other"), Some(&json!(7)));

    let error = registry.agent("monster_agnt").unwrap_err();
    assert_eq!(error.suggestions(), ["monster_agent"]);
    let error = agent.action("chas").unwrap_err();
    assert_eq!(error.suggestions()[0], "chase");
}
