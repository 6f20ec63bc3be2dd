//! Events are made by name, with parameters as JSON.

use super::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Place {
    x: f32,
    #[serde(default)]
    y: f32,
}

#[derive(Agent, Default)]
struct Boat {
    #[property]
    speed: f64,
}

#[agent]
impl Boat {
    #[event(alias = ["bumped"])]
    fn collided(other: u64, #[arg(min = 0.0, alias = ["force"])] impulse: f64);

    #[event]
    fn seen(by: &str, at: &Place, tags: &[String], any: &Value, note: Option<u8>);

    #[event]
    fn sank();

    #[action]
    fn sail(&mut self) {}
}

#[derive(Agent, Default)]
struct Ship {
    #[agent(base)]
    boat: Boat,
}

#[derive(Agent, Default)]
#[agent(namespace = "navy", world = u32)]
struct Cruiser {
    #[agent(base)]
    ship: Ship,
}

#[agent]
impl Cruiser {
    #[event]
    fn fired(gun: u8);
}

/// Carries what its parameter says.
#[derive(Agent)]
struct Crate<T: 'static> {
    goods: std::marker::PhantomData<T>,
}

#[agent]
impl<T: Serialize + serde::de::DeserializeOwned + JsonSchema + Clone + Send + Sync> Crate<T> {
    #[event]
    fn loaded(goods: T, more: &[T]);
}

register_agent!(Crate<u8>, name = "crate_of_bytes");

fn make(agent: &str, event: &str, args: Value) -> Result<Event, CallError> {
    registry().event(agent, event, &args)
}

fn refusal(event: &str, args: Value) -> String {
    let error = make("boat", event, args).unwrap_err();
    assert!(error.is_arguments());
    error.to_string()
}

#[test]
fn an_event_is_made_by_position_or_by_name() {
    let expected = Ok(Boat::collided(7, 3.5));
    assert_eq!(make("boat", "collided", json!([7, 3.5])), expected);
    let named = json!({"impulse": 3.5, "other": 7});
    assert_eq!(make("boat", "collided", named), expected);
    let named = json!({"force": 3.5, "other": 7});
    assert_eq!(make("boat", "bumped", named), expected);
    assert_eq!(make("boat", "sank", Value::Null), Ok(Boat::sank()));
    assert_eq!(make("boat", "sank", json!({})), Ok(Boat::sank()));
}

#[test]
fn values_are_written_as_their_types_write_them() {
    let event = make("boat", "seen", json!(["Ann", {"x": 1}, ["a"], {"any": []}]));
    let place = Place { x: 1.0, y: 0.0 };
    let tags = ["a".to_owned()];
    let any = json!({"any": []});
    assert_eq!(event, Ok(Boat::seen("Ann", &place, &tags, &any, None)));
    assert_eq!(event.unwrap().get("at"), Some(&json!({"x": 1.0, "y": 0.0})));
}

#[test]
fn inherited_events_are_made_for_the_derived_agent() {
    let expected = Ok(Boat::collided(7, 3.5));
    let args = json!([7, 3.5]);
    assert_eq!(make("navy::cruiser", "collided", args.clone()), expected);
    assert_eq!(make("cruiser", "bumped", args.clone()), expected);
    let ship = registry().agent("ship").unwrap();
    assert_eq!(ship.make_event("collided", &args), expected);
    assert_eq!(make("cruiser", "fired", json!([3])), Ok(Cruiser::fired(3)));
}

#[test]
fn a_generic_agents_events_have_the_instances_types() {
    let event = make("crate_of_bytes", "loaded", json!([7, [8]]));
    assert_eq!(event, Ok(Crate::<u8>::loaded(7, &[8])));
    let error = make("crate_of_bytes", "loaded", json!([700, []])).unwrap_err();
    assert!(error.to_string().contains("from 0 to 255"), "{error}");
}

#[test]
fn everything_that_is_wrong_with_the_parameters_is_said_at_once() {
    assert_eq!(
        refusal("collided", json!(["x", -1.0, 3])),
        "event `collided`: parameter `other`: expected an integer from 0 to 18446744073709551615, \
         found \"x\"; parameter `impulse` is -1.0, expected 0.0 at least; takes 2 \
         parameters (`other`, `impulse`), 3 given"
    );
    assert_eq!(
        refusal("collided", json!({"othr": 7})),
        "event `collided`: parameter `other` is missing; parameter `impulse` is missing; there is \
         no parameter `othr`; did you mean `other`?"
    );
    assert_eq!(
        refusal(
            "collided",
            json!({"other": 7, "force": 1.0, "impulse": 2.0})
        ),
        "event `collided`: parameter `impulse` is given twice, by its name and by an alias"
    );
    assert_eq!(
        refusal("collided", json!(7)),
        "event `collided`: parameters are an array by position or an object by name, found 7"
    );
    assert_eq!(
        refusal("sank", json!([1])),
        "event `sank`: takes 0 parameters, 1 given"
    );
}

#[test]
fn unknown_names_are_met_with_the_nearest() {
    let unknown = |agent, event| {
        let error = make(agent, event, json!([])).unwrap_err();
        assert!(error.is_unknown());
        error.to_string()
    };
    assert_eq!(
        unknown("boot", "collided"),
        "no agent `boot`; did you mean `boat`?"
    );
    let unlinked = unknown("teleporter", "collided");
    let linked = "no agent `teleporter`; linked are the agents of `bt_core`, ";
    let write = ": if another crate defines it, write `use that_crate as _;`";
    assert!(
        unlinked.starts_with(linked) && unlinked.ends_with(write),
        "{unlinked}"
    );
    assert_eq!(
        unknown("cruiser", "colided"),
        "no event `colided` of agent `navy::cruiser`; did you mean `collided`?"
    );
    assert_eq!(
        unknown("cruiser", "sail"),
        "`sail` is an action, not an event: `invoke` calls it"
    );
    assert_eq!(
        unknown("boat", "speed"),
        "`speed` is a property, not an event: `get` reads it, `set` writes it"
    );
}

#[test]
fn a_registry_of_a_file_says_that_it_knows_no_types() {
    let file = serde_json::to_value(registry().catalogue()).unwrap();
    let catalogue = serde_json::from_value(file).unwrap();
    let registry = Registry::from_catalogue(catalogue).unwrap();
    let error = registry.event("boat", "sank", &json!([])).unwrap_err();
    assert!(error.is_refused());
    assert_eq!(
        error.to_string(),
        "event `sank` cannot be made: this registry is of a catalogue from a file, which knows no \
         types (`Registry::global()` does)"
    );
}

#[test]
fn a_parameter_is_read_as_a_type() {
    let event = make("boat", "collided", json!([7, 3.5])).unwrap();
    assert_eq!(event.get_as::<u64>("other"), Ok(7));
    assert_eq!(event.get_as::<f64>("impulse"), Ok(3.5));
    let error = event.get_as::<String>("other").unwrap_err();
    assert!(error.is_arguments());
    assert_eq!(
        error.to_string(),
        "event `collided`: parameter `other`: expected a string, found 7"
    );
    let error = event.get_as::<u64>("othr").unwrap_err();
    assert!(error.is_unknown());
    assert_eq!(
        error.to_string(),
        "event `collided` has no parameter `othr`; did you mean `other`?"
    );
}
