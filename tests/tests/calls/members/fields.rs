//! Properties that are fields, as arguments of their own types.

use std::time::Duration;

use bt_core::tree::asset::spec::action;
use bt_core::{Mode, Runner, Source, TreeAsset, TreeSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// Of which JSON has less than there is.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Route {
    stops: Vec<f64>,
    #[serde(skip)]
    travelled: u32,
}

/// Is copied once.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Seal(bool);

impl Clone for Seal {
    fn clone(&self) -> Seal {
        assert!(self.0, "it is broken");
        Seal(true)
    }
}

#[derive(Agent)]
struct Cart {
    #[property]
    route: Route,
    #[property]
    weight: f64,
    #[property]
    serial: i128,
    #[property]
    seal: Seal,
    seen: Vec<u32>,
}

impl Default for Cart {
    fn default() -> Cart {
        Cart {
            route: Route::default(),
            weight: 1.5,
            serial: 7,
            seal: Seal(true),
            seen: Vec::new(),
        }
    }
}

#[agent]
impl Cart {
    #[action]
    fn travel(&mut self, route: &Route) {
        self.seen.push(route.travelled);
    }

    #[action]
    fn carry(&mut self, weight: f64, serial: i128) -> bool {
        weight > 1.0 && serial == 7
    }

    #[action]
    fn open(&mut self, _seal: Seal) {}
}

/// Has a field of its own, and all of a cart's.
#[derive(Agent, Default)]
struct Lorry {
    #[agent(base)]
    cart: Cart,
    #[property]
    detour: Route,
}

#[agent]
impl Lorry {
    #[action(exit = "arrive")]
    fn haul(&mut self, cx: &mut Context, route: &Route, detour: Route) -> Option<bool> {
        self.cart.seen.extend([route.travelled, detour.travelled]);
        cx.finish_after(Duration::from_secs(1), true);
        None
    }

    fn arrive(&mut self, _: &mut Context, _: Exit, route: &Route) {
        self.cart.seen.push(route.stops.len() as u32);
    }
}

fn call<A>(agent: &mut A, name: &str, properties: &[&str]) -> Result<Outcome, CallError>
where
    A: for<'w, 's> Agent<World<'w, 's> = ()>,
{
    let actions = ActionSet::<A>::collect().unwrap();
    let mut session = Session::new(0);
    let sources = properties.iter().map(|name| Source::property(*name));
    let bound = actions.bind(name, sources, &mut session.blackboard())?;
    bound.call(agent, &mut (), &mut session.context())
}

fn lorry() -> Lorry {
    let mut lorry = Lorry::default();
    lorry.cart.route.travelled = 3;
    lorry.cart.route.stops = vec![1.5, 2.5];
    lorry.detour.travelled = 5;
    lorry
}

#[test]
fn a_field_reaches_an_argument_of_its_own_type_as_it_is() {
    let mut lorry = lorry();
    assert_eq!(
        call(&mut lorry.cart, "travel", &["route"]),
        Ok(Outcome::Done(true))
    );
    // The method's agent and the field's: both the base, and a derived agent with its base.
    assert_eq!(
        call(&mut lorry, "travel", &["route"]),
        Ok(Outcome::Done(true))
    );
    assert_eq!(
        call(&mut lorry, "haul", &["route", "detour"]),
        Ok(Outcome::Pending)
    );
    assert_eq!(lorry.cart.seen, [3, 3, 3, 5]);
    // A method of the base cannot reach what the derived agent has: that comes as JSON.
    assert_eq!(
        call(&mut lorry, "travel", &["detour"]),
        Ok(Outcome::Done(true))
    );
    assert_eq!(lorry.cart.seen[4..], [0]);
}

#[test]
fn a_field_is_the_same_to_a_call_whose_arguments_are_kept() {
    let mut trees = TreeSet::<Lorry>::new();
    let haul = action("haul").property("route").property("detour");
    trees.add(TreeAsset::build("haul.json", "lorry", haul));
    let runner = Runner::new(&trees.build().unwrap(), "haul.json").unwrap();
    let mut runner = runner.mode(Mode::Once);
    let mut lorry = lorry();
    runner.start();
    for second in 0..2 {
        runner.poll(&mut lorry, Duration::from_secs(second));
    }
    assert_eq!(lorry.cart.seen, [3, 5, 2]);
}

#[test]
fn a_field_without_a_json_form_is_refused() {
    let mut cart = Cart::default();
    let mut refused = |change: fn(&mut Cart), name: &str, properties: &[&str]| {
        change(&mut cart);
        let error = call(&mut cart, name, properties).unwrap_err();
        assert!(error.is_refused(), "{error:?}");
        error.to_string()
    };
    assert_eq!(
        refused(
            |cart| cart.weight = f64::INFINITY,
            "carry",
            &["weight", "serial"]
        ),
        "property `weight`: value has no JSON form: the number inf is not finite"
    );
    let travels = |cart: &mut Cart| cart.route.stops = vec![1.0, f64::NAN];
    assert_eq!(
        refused(travels, "travel", &["route"]),
        "property `route`: value has no JSON form: the number NaN is not finite"
    );
    let change = |cart: &mut Cart| (cart.weight, cart.serial) = (1.5, i128::MAX);
    assert_eq!(
        refused(change, "carry", &["weight", "serial"]),
        "property `serial`: value has no JSON form: number out of range"
    );
    assert_eq!(
        refused(|cart| cart.seal.0 = false, "open", &["seal"]),
        "property `seal` panicked: it is broken"
    );
    assert!(cart.seen.is_empty());
}
