//! Properties are read and written by name, as JSON.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

static HERDS: AtomicU32 = AtomicU32::new(3);

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Animal {
    /// Hit points left.
    #[property(min = 0, max = 10, alias = ["health"])]
    hp: i32,
    #[property(read_only)]
    id: u64,
    #[property(choices = ["calm", "angry"])]
    mood: Option<String>,
    speed: f64,
    weight: f64,
}

#[agent]
impl Animal {
    /// In metres.
    #[property]
    const SIGHT: f64 = 30.0;

    #[property]
    const NO_NUMBER: f64 = f64::NAN;

    #[property(min = 0.5)]
    fn speed(&self) -> f64 {
        self.speed
    }
    #[property(set, max = 9.0)]
    fn set_speed(&mut self, #[world] world: &Crew, metres_a_second: f64) -> Result<(), String> {
        if metres_a_second > f64::from(world.level.size) {
            return Err(format!("a level of {} is too small", world.level.size));
        }
        self.speed = metres_a_second;
        Ok(())
    }

    #[property]
    fn weight(&self) -> f64 {
        self.weight
    }
    #[property(set)]
    fn set_weight(&mut self, weight: f64) -> bool {
        self.weight = weight;
        weight < 1000.0
    }

    #[property]
    fn here(&self, #[world] world: &Crew<'_, '_>, cx: &Context) -> (u32, u64) {
        (world.level.size, cx.now().as_secs())
    }

    #[property]
    fn pairs(&self) -> BTreeMap<(u8, u8), u8> {
        BTreeMap::from([((1, 2), 3)])
    }

    #[property]
    fn herds() -> u32 {
        HERDS.load(Ordering::Relaxed)
    }
    #[property(set)]
    fn set_herds(#[world] world: &mut Crew, herds: u32) {
        world.log.push(format!("{herds} herds"));
        HERDS.store(herds, Ordering::Relaxed);
    }

    #[action]
    fn graze(&mut self) {}

    #[condition]
    fn is_hungry(&self) -> bool {
        true
    }

    #[event]
    fn collided(other: u64);
}

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Horse {
    #[agent(base)]
    animal: Animal,
    #[property]
    rider: Option<String>,
}

/// Two levels above `Animal`; overrides two of its properties.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Pony {
    #[agent(base)]
    horse: Horse,
    #[property(override, max = 5)]
    hp: i32,
}

#[agent]
impl Pony {
    /// Ponies do not say how they are made slower.
    #[property(override)]
    fn speed(&self) -> f64 {
        self.horse.animal.speed / 2.0
    }
}

fn get<A>(agent: &mut A, name: &str) -> Result<Value, CallError>
where
    A: for<'w, 's> Agent<World<'w, 's> = Crew<'w, 's>>,
{
    let mut session = Session::new(0);
    in_level(8, |world| {
        registry().get(agent, world, &mut session.context(), name)
    })
    .0
}

fn set<A>(agent: &mut A, name: &str, value: Value) -> Result<(), CallError>
where
    A: for<'w, 's> Agent<World<'w, 's> = Crew<'w, 's>>,
{
    let mut session = Session::new(0);
    in_level(8, |world| {
        registry().set(agent, world, &mut session.context(), name, &value)
    })
    .0
}

fn refusal<A>(agent: &mut A, name: &str, value: Value) -> String
where
    A: for<'w, 's> Agent<World<'w, 's> = Crew<'w, 's>>,
{
    set(agent, name, value).unwrap_err().to_string()
}

#[test]
fn fields_and_accessors_are_read_and_written() {
    let mut animal = Animal::default();
    set(&mut animal, "hp", json!(7)).unwrap();
    set(&mut animal, "mood", json!("calm")).unwrap();
    set(&mut animal, "speed", json!(2.5)).unwrap();
    assert_eq!((animal.hp, animal.speed), (7, 2.5));
    assert_eq!(get(&mut animal, "hp"), Ok(json!(7)));
    assert_eq!(get(&mut animal, "mood"), Ok(json!("calm")));
    assert_eq!(get(&mut animal, "speed"), Ok(json!(2.5)));
    assert_eq!(get(&mut animal, "SIGHT"), Ok(json!(30.0)));
    assert_eq!(get(&mut animal, "here"), Ok(json!([8, 0])));
    set(&mut animal, "mood", Value::Null).unwrap();
    assert_eq!(get(&mut animal, "mood"), Ok(Value::Null));
}

#[test]
fn an_alias_reaches_the_property() {
    let mut animal = Animal::default();
    set(&mut animal, "health", json!(3)).unwrap();
    assert_eq!(get(&mut animal, "health"), Ok(json!(3)));
    let properties = bt_core::PropertySet::<Animal>::collect().unwrap();
    let hp = properties.find("health").unwrap();
    assert_eq!((hp.name(), hp.is_alias("health")), ("hp", true));
    assert!(!hp.is_alias("hp"));
}

#[test]
fn a_value_out_of_bounds_or_of_another_type_is_refused() {
    let mut animal = Animal::default();
    let error = set(&mut animal, "hp", json!(11)).unwrap_err();
    assert!(error.is_arguments());
    assert_eq!(
        error.to_string(),
        "property `hp` refuses 11: expected 0 to 10"
    );
    assert_eq!(
        refusal(&mut animal, "hp", json!("many")),
        "property `hp` refuses \"many\": expected an integer from -2147483648 to 2147483647"
    );
    assert_eq!(
        refusal(&mut animal, "mood", json!("sad")),
        "property `mood` refuses \"sad\": expected one of \"calm\", \"angry\""
    );
    assert_eq!((animal.hp, animal.mood), (0, None));
}

#[test]
fn the_bounds_of_getter_and_setter_both_hold() {
    let mut animal = Animal::default();
    assert_eq!(
        refusal(&mut animal, "speed", json!(9.5)),
        "property `speed` refuses 9.5: expected 9.0 at most"
    );
    assert_eq!(
        refusal(&mut animal, "speed", json!(0.25)),
        "property `speed` refuses 0.25: expected 0.5 at least"
    );
    // Not by the name of the setter's own parameter.
    assert_eq!(
        refusal(&mut animal, "speed", json!([])),
        "property `speed` refuses []: expected a number that 64 bits hold"
    );
}

#[test]
fn a_setters_refusal_says_why() {
    let mut animal = Animal::default();
    let error = set(&mut animal, "speed", json!(8.5)).unwrap_err();
    assert!(error.is_refused());
    assert_eq!(
        error.to_string(),
        "property `speed` refuses 8.5: a level of 8 is too small"
    );
    assert_eq!(
        refusal(&mut animal, "weight", json!(1000)),
        "property `weight` refuses 1000: its setter answered `false`"
    );
}

#[test]
fn a_setters_refusal_is_no_failure_of_an_action() {
    let mut animal = Animal::default();
    let mut session = Session::new(0);
    in_level(8, |world| {
        let cx = &mut session.context();
        let speed = json!(8.5);
        registry()
            .set(&mut animal, world, cx, "speed", &speed)
            .unwrap_err();
    });
    assert_eq!(session.take_failure(), None);
}

#[test]
fn setting_a_read_only_property_is_refused() {
    let mut pony = Pony::default();
    for name in ["id", "SIGHT", "pairs", "speed"] {
        let error = set(&mut pony, name, json!(7)).unwrap_err();
        assert!(error.is_refused());
        assert_eq!(
            error.to_string(),
            format!("property `{name}` refuses 7: it can only be read")
        );
    }
}

#[test]
fn inherited_properties_are_reached_and_overrides_respected() {
    let mut pony = Pony::default();
    set(&mut pony, "rider", json!("Ann")).unwrap();
    set(&mut pony, "weight", json!(99.5)).unwrap();
    assert_eq!(pony.horse.rider.as_deref(), Some("Ann"));
    assert_eq!(get(&mut pony, "weight"), Ok(json!(99.5)));
    // Its own: the base's field stays as it was, and so do the base's bounds.
    set(&mut pony, "hp", json!(4)).unwrap();
    assert_eq!((pony.hp, pony.horse.animal.hp), (4, 0));
    assert!(refusal(&mut pony, "hp", json!(6)).contains("expected 5 at most"));
    set(&mut pony.horse, "speed", json!(4.0)).unwrap();
    assert_eq!(get(&mut pony, "speed"), Ok(json!(2.0)));
    assert_eq!(get(&mut pony.horse, "speed"), Ok(json!(4.0)));
}

#[test]
fn unknown_names_are_met_with_the_nearest_and_other_kinds_with_what_they_are() {
    let mut pony = Pony::default();
    let unknown = |result: Result<Value, CallError>| {
        let error = result.unwrap_err();
        assert!(error.is_unknown());
        error.to_string()
    };
    assert_eq!(
        unknown(get(&mut pony, "weihgt")),
        "no property `weihgt`; did you mean `weight`?"
    );
    assert_eq!(
        unknown(get(&mut pony, "graze")),
        "`graze` is an action, not a property: `invoke` calls it"
    );
    assert_eq!(
        unknown(get(&mut pony, "is_hungry")),
        "`is_hungry` is a condition, not a property: `invoke` calls it"
    );
    assert_eq!(
        unknown(get(&mut pony, "collided")),
        "`collided` is an event, not a property: fire it"
    );
    let actions = ActionSet::<Pony>::collect().unwrap();
    let unknown = |name: &str| actions.find(name).unwrap_err().to_string();
    assert_eq!(
        unknown("health"),
        "`health` is a property, not an action: `get` reads it, `set` writes it"
    );
    assert_eq!(
        unknown("collided"),
        "`collided` is an event, not an action: fire it"
    );
}

#[test]
fn static_properties_need_no_agent() {
    let mut session = Session::new(0);
    let cx = &mut session.context();
    let (_, log) = in_level(8, |world| {
        let get = |world: &mut Crew<'_, '_>, cx: &mut Context, name| {
            registry().get_static::<Pony>(world, cx, name)
        };
        assert_eq!(get(world, cx, "SIGHT"), Ok(json!(30.0)));
        let error = get(world, cx, "hp").unwrap_err();
        assert_eq!(error.to_string(), "`hp` needs an agent: call `get`");
        let set = |world: &mut Crew<'_, '_>, cx: &mut Context, name, value| {
            registry().set_static::<Pony>(world, cx, name, &value)
        };
        set(world, cx, "herds", json!(5)).unwrap();
        assert_eq!(get(world, cx, "herds"), Ok(json!(5)));
        let error = set(world, cx, "hp", json!(1)).unwrap_err();
        assert_eq!(error.to_string(), "`hp` needs an agent: call `set`");
        let error = set(world, cx, "herds", json!(-5)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "property `herds` refuses -5: expected an integer from 0 to 4294967295"
        );
        let error = set(world, cx, "SIGHT", json!(5.0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "property `SIGHT` refuses 5.0: it can only be read"
        );
    });
    assert_eq!(log, ["5 herds"]);
}

#[test]
fn a_generic_agents_properties_know_the_instance() {
    let mut session = Session::new(0);
    let cx = &mut session.context();
    let mut tile = Tile::<Hexagon> {
        shape: std::marker::PhantomData,
    };
    let name = registry().get(&mut tile, &mut (), cx, "name");
    assert_eq!(name, Ok(json!("tile of 6 sides")));
    let sides = registry().get_static::<Tile<Square>>(&mut (), cx, "sides");
    assert_eq!(sides, Ok(json!(4)));
}

#[test]
fn a_snapshot_has_every_property_and_the_reason_of_those_that_cannot_be_shown() {
    let mut pony = Pony::default();
    pony.horse.animal.weight = f64::INFINITY;
    let mut session = Session::new(0);
    let (snapshot, _) = in_level(8, |world| {
        registry().snapshot(&mut pony, world, &mut session.context())
    });
    let snapshot = snapshot.unwrap();
    let names: Vec<_> = snapshot.iter().map(|(name, _)| name).collect();
    let expected = [
        "NO_NUMBER",
        "SIGHT",
        "herds",
        "here",
        "hp",
        "id",
        "mood",
        "pairs",
        "rider",
        "speed",
        "weight",
    ];
    assert_eq!(names, expected);
    assert_eq!(snapshot.get("SIGHT"), Some(Ok(&json!(30.0))));
    assert_eq!(snapshot.get("nothing"), None);
    let errors: Vec<_> = snapshot.errors().map(ToString::to_string).collect();
    let begin = "value has no JSON form";
    assert_eq!(
        errors[0],
        format!("property `NO_NUMBER`: {begin}: the number NaN is not finite")
    );
    assert!(
        errors[1].starts_with(&format!("property `pairs`: {begin}: key")),
        "{errors:?}"
    );
    assert_eq!(
        errors[2],
        format!("property `weight`: {begin}: the number inf is not finite")
    );
    assert_eq!(snapshot.values().count(), expected.len() - errors.len());
}
