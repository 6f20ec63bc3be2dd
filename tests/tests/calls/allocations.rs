//! The allocations of a call: none, but for the copies that its own parameters need.

use allocation_counter::measure;
use bt_core::blackboard::{Declaration, KeyTable, Keys, Scope};
use bt_core::prelude::*;
use bt_core::{ActionSet, BoundCall, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Temper {
    Calm,
    Angry,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Place {
    name: String,
    x: f64,
}

/// A base, whose actions are inherited.
#[derive(Agent, Default)]
struct Ledger {
    sum: f64,
}

#[agent]
impl Ledger {
    #[action]
    fn enter(&mut self, amount: f64) -> bool {
        self.sum += amount;
        true
    }

    #[action]
    fn round(amount: f64) -> bool {
        amount > 0.0
    }
}

#[derive(Agent, Default)]
struct Clerk {
    #[agent(base)]
    ledger: Ledger,
    sum: f64,
}

#[agent]
impl Clerk {
    #[action]
    fn nothing(&mut self) -> bool {
        true
    }

    #[action]
    fn plain(&mut self, truth: bool, small: u8, big: i64, float: f64, letter: char) -> bool {
        self.sum += f64::from(small) + big as f64 + float + f64::from(u32::from(letter));
        truth
    }

    #[action]
    fn wide(&mut self, a: u64, b: i32, c: f32, d: usize, e: Option<u16>) -> bool {
        self.sum += a as f64 + f64::from(b) + f64::from(c) + d as f64;
        e.is_some()
    }

    #[action]
    fn moody(&mut self, mood: Temper) -> bool {
        mood == Temper::Angry
    }

    #[action]
    fn text(&mut self, text: &str) -> bool {
        self.sum += text.len() as f64;
        true
    }

    #[action]
    fn lent(&mut self, place: &Place, numbers: &[f64], any: &Value, mood: &Temper) -> bool {
        self.sum += place.x + numbers.iter().sum::<f64>();
        any.is_string() && *mood == Temper::Angry
    }

    #[action]
    fn taken(&mut self, text: String) -> bool {
        self.sum += text.len() as f64;
        true
    }

    #[action]
    fn count_letters(&mut self, cx: &mut Context, text: &str) -> bool {
        cx.set("letters", text.len());
        true
    }

    /// Writes to the key that its argument is on loan from.
    #[action]
    fn forget(&mut self, cx: &mut Context, text: &str) -> bool {
        cx.set("words", text.len());
        cx.get("words") == text
    }

    #[action]
    fn double(number: &mut f64, #[arg(out)] was: &mut f64) -> bool {
        *was = *number;
        *number *= 2.0;
        true
    }

    #[action]
    fn picky(
        &mut self,
        #[arg(min = 1, max = 9, default = 5)] number: i32,
        #[arg(choices = ["left", "right"], default = "left")] side: &str,
        #[arg(default = "a way that is long enough to be none of a short string's")] how: &str,
        #[arg(default = true)] quick: bool,
        #[arg(default = Temper::Calm)] mood: Temper,
        count: Option<u32>,
    ) -> bool {
        self.sum += f64::from(number) + (side.len() + how.len()) as f64;
        quick && mood == Temper::Calm && count.is_none()
    }

    #[action]
    fn fixed(number: u32, text: &str) -> bool {
        number as usize == text.len()
    }

    #[condition]
    fn is_rich(&self, least: f64) -> bool {
        self.sum >= least
    }

    #[action]
    fn walk(&mut self, cx: &mut Context) -> Option<bool> {
        cx.finish_after(std::time::Duration::from_secs(1), true);
        None
    }

    #[action]
    fn shout(&mut self, cx: &mut Context) -> bool {
        cx.fire(Event::new(""));
        true
    }

    #[action]
    fn dig(&mut self) -> Result<Status, String> {
        Ok(Status::Running)
    }
}

/// A clerk, and a blackboard that holds what its actions take.
struct Desk {
    clerk: Clerk,
    session: Session,
    actions: ActionSet<Clerk>,
}

impl Desk {
    fn new() -> Desk {
        let session = Session::new(7);
        let board = session.blackboard();
        for (key, value) in [
            ("truth", json!(true)),
            ("small", json!(200)),
            ("big", json!(-9_000_000_000_i64)),
            ("float", json!(2.5)),
            ("letter", json!("ß")),
            ("mood", json!("angry")),
            ("words", json!("more words than a pointer has bytes")),
            ("place", json!({"name": "home", "x": 1.5})),
            ("numbers", json!([1.0, 2, 3.5])),
            ("letters", json!(0)),
            ("was", json!(0)),
            ("absent", json!(null)),
        ] {
            board.set(key, value);
        }
        Desk {
            clerk: Clerk::default(),
            session,
            actions: ActionSet::collect().unwrap(),
        }
    }

    fn bind(&self, name: &str, sources: Vec<Source>) -> Box<dyn BoundCall<Clerk>> {
        let bound = self
            .actions
            .bind(name, sources, &mut self.session.blackboard());
        bound.unwrap_or_else(|error| panic!("{error}"))
    }

    /// The allocations of a bound call, and its outcome.
    fn run(&mut self, bound: &dyn BoundCall<Clerk>) -> (u64, Outcome) {
        let mut outcome = None;
        let (clerk, session) = (&mut self.clerk, &mut self.session);
        let counted = measure(|| {
            outcome = Some(bound.call(clerk, &mut (), &mut session.context()));
        });
        (counted.count_total, outcome.unwrap().unwrap())
    }

    /// The allocations of the second call, and its outcome.
    fn bound(&mut self, name: &str, sources: Vec<Source>) -> (u64, Outcome) {
        let bound = self.bind(name, sources);
        self.run(&*bound);
        self.run(&*bound)
    }

    /// The allocations of the second call by name, and its outcome.
    fn named(&mut self, name: &str, args: Value) -> (u64, Outcome) {
        let registry = Registry::global().unwrap();
        let (clerk, session, actions) = (&mut self.clerk, &mut self.session, &self.actions);
        let mut once = |by_registry: bool| {
            let mut outcome = None;
            let counted = measure(|| {
                let cx = &mut session.context();
                outcome = Some(if by_registry {
                    registry.invoke(clerk, &mut (), cx, name, &args)
                } else {
                    actions.invoke(clerk, &mut (), cx, name, &args)
                });
            });
            (counted.count_total, outcome.unwrap().unwrap())
        };
        once(true);
        once(false);
        let (by_registry, by_set) = (once(true), once(false));
        assert_eq!(by_registry, by_set, "{name} {args}");
        by_set
    }
}

const DONE: Outcome = Outcome::Done(true);
const FAILED: Outcome = Outcome::Done(false);

fn literals<const N: usize>(values: [Value; N]) -> Vec<Source> {
    values.map(Source::Literal).into()
}

fn keys<const N: usize>(keys: [&str; N]) -> Vec<Source> {
    keys.map(Source::key).into()
}

#[test]
fn the_counter_counts() {
    let made = measure(|| drop(std::hint::black_box(String::from("made"))));
    assert_eq!((made.count_total, made.bytes_total), (1, 4));
}

#[test]
fn a_bound_call_without_arguments_allocates_nothing() {
    let mut desk = Desk::new();
    assert_eq!(desk.bound("nothing", vec![]), (0, DONE));
    assert_eq!(desk.bound("nop", vec![]), (0, DONE));
    assert_eq!(desk.bound("walk", vec![]), (0, Outcome::Pending));
    assert_eq!(desk.bound("dig", vec![]), (0, Outcome::Running));
}

#[test]
fn a_bound_call_with_plain_literals_allocates_nothing() {
    let mut desk = Desk::new();
    let args = [json!(true), json!(200.0), json!(-9), json!(2), json!("ß")];
    assert_eq!(desk.bound("plain", literals(args)), (0, DONE));
    let args = [json!(1), json!(-2), json!(0.5), json!(3), json!(null)];
    assert_eq!(desk.bound("wide", literals(args)), (0, FAILED));
    assert_eq!(desk.bound("moody", literals([json!("angry")])), (0, DONE));
}

#[test]
fn a_bound_call_with_plain_values_of_keys_allocates_nothing() {
    let mut desk = Desk::new();
    let args = keys(["truth", "small", "big", "float", "letter"]);
    assert_eq!(desk.bound("plain", args), (0, DONE));
    let args = keys(["small", "letters", "float", "small", "absent"]);
    assert_eq!(desk.bound("wide", args), (0, FAILED));
    assert_eq!(desk.bound("moody", keys(["mood"])), (0, DONE));
    // A number as it is, however it is spelt.
    desk.session.blackboard().set("small", 200.0);
    let args = keys(["small", "letters", "float", "small", "small"]);
    assert_eq!(desk.bound("wide", args), (0, DONE));
}

#[test]
fn a_bound_call_with_text_on_loan_allocates_nothing() {
    let mut desk = Desk::new();
    let words = json!("words that are written in the tree");
    assert_eq!(desk.bound("text", literals([words])), (0, DONE));
    assert_eq!(desk.bound("text", keys(["words"])), (0, DONE));
}

#[test]
fn a_bound_call_with_lent_literals_allocates_nothing() {
    let mut desk = Desk::new();
    let place = json!({"name": "home", "x": 1.5});
    let args = [place, json!([1, 2]), json!("any"), json!("angry")];
    assert_eq!(desk.bound("lent", literals(args)), (0, DONE));
}

#[test]
fn a_key_is_decoded_once_until_it_is_written() {
    let mut desk = Desk::new();
    let bound = desk.bind("lent", keys(["place", "numbers", "words", "mood"]));
    let (first, outcome) = desk.run(&*bound);
    assert!(first > 0 && outcome == DONE);
    for _ in 0..3 {
        assert_eq!(desk.run(&*bound), (0, DONE));
    }
    desk.session.blackboard().set("numbers", json!([1, 2, 3]));
    desk.clerk.sum = 0.0;
    assert!(desk.run(&*bound).0 > 0);
    assert_eq!(desk.clerk.sum, 1.5 + 6.0);
    assert_eq!(desk.run(&*bound), (0, DONE));
}

#[test]
fn a_write_to_another_key_beside_a_loan_allocates_nothing() {
    let mut desk = Desk::new();
    let words = desk.session.blackboard().get("words");
    assert_eq!(desk.bound("count_letters", keys(["words"])), (0, DONE));
    let letters = desk.session.blackboard().get("letters");
    assert_eq!(letters, words.as_str().unwrap().len());
    // By name too.
    assert_eq!(desk.named("count_letters", json!(["four"])), (0, DONE));
    assert_eq!(desk.session.blackboard().get("letters"), 4);
}

#[test]
fn a_write_to_the_key_on_loan_waits_for_the_end_of_the_call() {
    let mut desk = Desk::new();
    let bound = desk.bind("forget", keys(["words"]));
    let length = desk
        .session
        .blackboard()
        .get("words")
        .as_str()
        .unwrap()
        .len();
    // The action itself looks: until it returns, the key holds what it lent.
    assert_eq!(desk.run(&*bound).1, DONE);
    assert_eq!(desk.session.blackboard().get("words"), length);
}

#[test]
fn a_key_that_is_written_back_allocates_nothing() {
    let mut desk = Desk::new();
    let bound = desk.bind("double", keys(["float", "was"]));
    for expect in [2.5, 5.0, 10.0] {
        assert_eq!(desk.run(&*bound), (0, DONE));
        assert_eq!(desk.session.blackboard().get("was"), expect);
    }
    assert_eq!(desk.session.blackboard().get("float"), 20.0);
}

#[test]
fn inherited_and_static_actions_allocate_nothing() {
    let mut desk = Desk::new();
    for name in ["enter", "round"] {
        assert_eq!(desk.bound(name, literals([json!(2.5)])), (0, DONE));
        assert_eq!(desk.bound(name, keys(["float"])), (0, DONE));
        assert_eq!(desk.named(name, json!([2.5])), (0, DONE));
    }
    assert_eq!(desk.clerk.ledger.sum, 2.5 * 8.0);
    let args = [json!(4), json!("four")];
    assert_eq!(desk.bound("fixed", literals(args)), (0, DONE));
    assert_eq!(desk.bound("fixed", keys(["small", "words"])), (0, FAILED));
    assert_eq!(desk.named("fixed", json!([4, "four"])), (0, DONE));
}

#[test]
fn conditions_and_failures_allocate_nothing() {
    let mut desk = Desk::new();
    for (least, outcome) in [(json!(-1), DONE), (json!(1e9), FAILED)] {
        assert_eq!(
            desk.bound("is_rich", literals([least.clone()])),
            (0, outcome)
        );
        desk.session.blackboard().set("least", least.clone());
        assert_eq!(desk.bound("is_rich", keys(["least"])), (0, outcome));
        assert_eq!(desk.named("is_rich", json!([least])), (0, outcome));
    }
    assert_eq!(desk.bound("moody", literals([json!("calm")])), (0, FAILED));
}

#[test]
fn an_owned_string_costs_its_clone() {
    let mut desk = Desk::new();
    assert_eq!(desk.bound("taken", literals([json!("text")])), (1, DONE));
    assert_eq!(desk.bound("taken", keys(["words"])), (1, DONE));
    assert_eq!(desk.named("taken", json!(["text"])), (1, DONE));
    assert_eq!(desk.named("taken", json!({"text": "text"})), (1, DONE));
}

#[test]
fn a_call_by_name_with_plain_values_allocates_nothing() {
    let mut desk = Desk::new();
    assert_eq!(desk.named("nothing", json!([])), (0, DONE));
    assert_eq!(desk.named("nothing", json!({})), (0, DONE));
    assert_eq!(desk.named("nothing", json!(null)), (0, DONE));
    let by_name = json!({"letter": "ß", "float": 2, "big": -9.0, "small": 200, "truth": true});
    assert_eq!(
        desk.named("plain", json!([true, 200, -9.0, 2, "ß"])),
        (0, DONE)
    );
    assert_eq!(desk.named("plain", by_name), (0, DONE));
    assert_eq!(desk.named("wide", json!([1, -2, 0.5, 3, 4])), (0, DONE));
    let by_name = json!({"a": 1, "b": -2, "c": 0.5, "d": 3});
    assert_eq!(desk.named("wide", by_name), (0, FAILED));
    assert_eq!(desk.named("moody", json!(["angry"])), (0, DONE));
    assert_eq!(desk.named("moody", json!({"mood": "angry"})), (0, DONE));
}

#[test]
fn a_call_by_name_with_text_allocates_nothing() {
    let mut desk = Desk::new();
    let words = "words that are longer than a string without its heap";
    assert_eq!(desk.named("text", json!([words])), (0, DONE));
    assert_eq!(desk.named("text", json!({"text": words})), (0, DONE));
}

#[test]
fn defaults_bounds_and_choices_of_a_call_by_name_allocate_nothing() {
    let mut desk = Desk::new();
    for args in [
        json!([]),
        json!({}),
        json!([1]),
        json!([9.0, "right"]),
        json!([5, "left", "how", true, "calm"]),
        json!([5, "left", "how", true, "calm", null]),
        json!({"side": "right", "number": 1}),
        json!({"how": "slowly", "mood": "calm", "quick": true}),
    ] {
        assert_eq!(desk.named("picky", args.clone()), (0, DONE), "{args}");
    }
}

#[test]
fn defaults_bounds_and_choices_of_a_bound_call_allocate_nothing() {
    let mut desk = Desk::new();
    assert_eq!(desk.bound("picky", vec![]), (0, DONE));
    let args = literals([json!(9), json!("right"), json!("quickly")]);
    assert_eq!(desk.bound("picky", args), (0, DONE));
    let board = desk.session.blackboard();
    board.set("number", 3);
    board.set("side", "right");
    board.set("calm", "calm");
    let args = keys(["number", "side", "words", "truth", "calm", "absent"]);
    assert_eq!(desk.bound("picky", args), (0, DONE));
}

#[test]
fn a_session_allocates_the_slots_of_its_keys_only() {
    let mut table = KeyTable::new();
    for (key, name) in [("hp", "int32"), ("mood", "string")] {
        let declared = Declaration::new(key, name.parse().unwrap());
        table.declare(Scope::AGENT, declared).unwrap();
    }
    let range = Declaration::new("range", "float".parse().unwrap()).initial(2.5);
    table.declare(Scope::AGENT, range).unwrap();
    for key in ["name", "target"] {
        table.seen_from(Scope::AGENT).intern(key);
    }
    let table = std::sync::Arc::new(table);
    let made = || Session::with_board(7, Blackboard::with_keys(table.clone()));
    drop(made());
    let mut session = None;
    let cost = measure(|| session = Some(made()));
    let session = session.unwrap();
    assert_eq!(cost.count_total, 1);
    assert_eq!(cost.bytes_total, 5 * 48);
    assert!(size_of::<Session>() <= 88, "{}", size_of::<Session>());
    assert!(size_of::<Blackboard>() <= 48, "{}", size_of::<Blackboard>());
    // Declared keys are written and read as others are.
    let board = session.blackboard();
    let used = measure(|| {
        board.set("hp", 7);
        assert!(board.try_set("range", 3).is_ok());
    });
    assert_eq!(used.count_total, 0);
    assert_eq!((board.get("hp"), board.get("range")), (json!(7), json!(3)));
    // Without a table there is nothing to allocate yet.
    assert_eq!(measure(|| drop(Session::new(7))).count_total, 0);
}

#[test]
fn call_that_requests_a_time_or_fires_an_event_allocates_once() {
    let mut desk = Desk::new();
    let [walk, shout] = ["walk", "shout"].map(|name| desk.bind(name, vec![]));
    for _ in 0..3 {
        assert_eq!(desk.run(&*walk), (0, Outcome::Pending));
        assert!(desk.session.take_requests().after.is_some());
    }
    assert!(desk.run(&*shout).0 > 0);
    for _ in 0..3 {
        assert_eq!(desk.session.take_fired().len(), 1);
        assert_eq!(desk.run(&*shout), (0, DONE));
    }
}
