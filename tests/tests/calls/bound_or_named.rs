//! One call made in four ways comes to one thing: bound to literals, bound to keys, by name with
//! arguments by position and by name.

use std::collections::BTreeMap;

use bt_core::prelude::*;
use bt_core::registry::catalogue::MethodEntry;
use bt_core::{CallError, Source};
use proptest::prelude::*;
use proptest::sample::select;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Humour {
    Calm,
    VeryAngry,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Place {
    x: f64,
    #[serde(rename = "Name")]
    name: String,
    mood: Option<Humour>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
enum Shape {
    Dot,
    Circle(f64),
    Line(i32, i32),
    Rect { w: u8, h: u8 },
}

/// Writes down what its actions are given.
#[derive(Agent, Default)]
struct Scribe {
    seen: Vec<Value>,
}

#[agent]
impl Scribe {
    #[action]
    #[allow(clippy::too_many_arguments)]
    fn by_value(
        &mut self,
        small: i8,
        big: u64,
        signed: i64,
        narrow: f32,
        wide: f64,
        truth: bool,
        letter: char,
        text: String,
    ) -> bool {
        self.seen.push(json!([
            small, big, signed, narrow, wide, truth, letter, text
        ]));
        truth
    }

    #[action]
    fn lent(
        &mut self,
        text: &str,
        numbers: &[f64],
        place: &Place,
        any: &Value,
        mood: &Humour,
        shapes: &[Shape],
    ) -> Result<(), String> {
        let all = json!([text, numbers, place, any, mood, shapes]);
        self.seen.push(all.clone());
        if text.is_empty() {
            Err(all.to_string())
        } else {
            Ok(())
        }
    }

    #[action]
    fn optional(
        &mut self,
        number: Option<i32>,
        #[arg(default = 5, min = 0, max = 10)] bounded: i32,
        #[arg(default = "left", choices = ["left", "right"], alias = ["hand"])] side: &str,
        #[arg(default = Humour::Calm)] mood: Humour,
        place: Option<Place>,
        any: Option<Value>,
    ) -> Option<bool> {
        self.seen
            .push(json!([number, bounded, side, mood, place, any]));
        number.map(|number| number > 0)
    }

    #[action]
    fn change(
        &mut self,
        cx: &mut Context,
        number: &mut i32,
        text: &str,
        #[arg(out)] list: &mut Vec<String>,
        shape: &mut Shape,
        by: i32,
    ) -> Status {
        self.seen.push(json!([number, text, shape, by]));
        cx.set("changed", by);
        *number = number.wrapping_add(by);
        *shape = Shape::Line(*number, by);
        list.push(text.to_owned());
        Status::Running
    }

    #[action]
    fn nested(
        &mut self,
        map: BTreeMap<String, Vec<Place>>,
        pair: (i16, Option<Shape>),
        shape: Shape,
    ) {
        self.seen.push(json!([map, pair, shape]));
    }

    #[condition]
    fn is_like(a: Place, b: &Place) -> bool {
        a == *b
    }

    #[decorator]
    fn repeat(&mut self, limit: u32, ended: Option<bool>) -> Next {
        self.seen.push(json!([limit, ended]));
        if limit > 5 { Next::Run } else { Next::Succeed }
    }
}

/// Values that arguments may take, each in one of its spellings, and some that they may not.
fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        (-3..12_i32).prop_map(Value::from),
        (-3..12_i32).prop_map(|number| f64::from(number).into()),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
    ];
    prop_oneof![
        6 => number,
        1 => any::<bool>().prop_map(Value::from),
        2 => select(&["", "left", "right", "calm", "very_angry", "ß", "Dot"]).prop_map(Value::from),
        1 => "\\PC{0,8}".prop_map(Value::from),
        1 => Just(Value::Null),
        1 => (any::<bool>(), 0..9_u8).prop_map(|(truth, n)| json!([truth, n])),
    ]
}

fn place() -> impl Strategy<Value = Value> {
    let mood = prop_oneof![Just(json!(null)), Just(json!("calm")), value()];
    let parts = (any::<i16>(), "\\PC{0,4}", mood, 0..3_u8);
    parts.prop_map(|(x, name, mood, way)| match way {
        0 => json!({"x": x, "Name": name, "mood": mood}),
        1 => json!([["mood", mood], ["x", x], ["Name", name]]),
        _ => json!({"x": f64::from(x), "Name": name}),
    })
}

fn shape() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("Dot")),
        any::<i32>().prop_map(|r| json!({"Circle": r})),
        any::<[i32; 2]>().prop_map(|ends| json!([["Line", ends]])),
        any::<[u8; 2]>().prop_map(|[w, h]| json!({"Rect": [["w", w], ["h", h]]})),
        any::<[u16; 2]>().prop_map(|[w, h]| json!({"Rect": {"w": w, "h": h}})),
    ]
}

fn list(of: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(of, 0..4).prop_map(Value::from)
}

/// An argument that fits its name, mostly.
fn argument(name: &str) -> BoxedStrategy<Value> {
    let mostly = |fits: BoxedStrategy<Value>| prop_oneof![9 => fits, 1 => value()].boxed();
    match name {
        "small" => mostly(any::<i8>().prop_map(Value::from).boxed()),
        "big" => mostly(any::<u64>().prop_map(Value::from).boxed()),
        "signed" => mostly(any::<i64>().prop_map(Value::from).boxed()),
        "narrow" => mostly(any::<f32>().prop_map(Value::from).boxed()),
        "wide" => mostly(any::<f64>().prop_map(Value::from).boxed()),
        "by" | "limit" => mostly((-9..9_i32).prop_map(|by| f64::from(by).into()).boxed()),
        "bounded" => mostly((-1..12_i32).prop_map(Value::from).boxed()),
        "number" => mostly((-9..9_i32).prop_map(Value::from).boxed()),
        "truth" => mostly(any::<bool>().prop_map(Value::from).boxed()),
        "letter" => mostly(any::<char>().prop_map(|c| c.to_string().into()).boxed()),
        "text" => mostly("\\PC{0,8}".prop_map(Value::from).boxed()),
        "side" => mostly(
            select(&["left", "right", "up"])
                .prop_map(Value::from)
                .boxed(),
        ),
        "mood" => mostly(
            select(&["calm", "very_angry"])
                .prop_map(Value::from)
                .boxed(),
        ),
        "numbers" => mostly(list((-9..9_i32).prop_map(Value::from)).boxed()),
        "shapes" => mostly(list(shape()).boxed()),
        "place" | "a" | "b" => mostly(place().boxed()),
        "shape" => mostly(shape().boxed()),
        "pair" => {
            let pair = (any::<i16>(), prop::option::of(shape()));
            mostly(pair.prop_map(|pair| json!(pair)).boxed())
        }
        "map" => {
            let pairs = prop::collection::btree_map("[a-c]{1,2}", list(place()), 0..3);
            let map = pairs.prop_map(|map| json!(map));
            mostly(map.boxed())
        }
        _ => value().boxed(),
    }
}

fn methods() -> Vec<&'static MethodEntry> {
    let agent = Registry::global().unwrap().agent("scribe").unwrap();
    agent.entry().methods.iter().collect()
}

/// A method, and a value for each argument; how many of them are given.
#[derive(Debug, Clone)]
struct Made {
    method: &'static MethodEntry,
    values: Vec<Value>,
    given: usize,
    ended: Option<bool>,
}

fn made() -> impl Strategy<Value = Made> {
    let method = select(methods());
    method.prop_flat_map(|method| {
        let values: Vec<_> = method.args.iter().map(|arg| argument(&arg.name)).collect();
        let count = method.args.len();
        // Mostly all of them.
        let given = prop_oneof![5 => Just(count), 1 => 0..=count];
        let ended = any::<Option<bool>>();
        (values, given, ended).prop_map(move |(values, given, ended)| Made {
            method,
            values,
            given,
            ended,
        })
    })
}

/// The way in which a call is made.
#[derive(Debug, Clone, Copy)]
enum Way {
    Literals,
    Keys,
    ByPosition,
    ByName,
}

/// The outcome of a call.
#[derive(Debug, PartialEq)]
struct End {
    outcome: Option<Outcome>,
    failure: Option<String>,
    seen: Vec<Value>,
    board: Value,
}

impl Made {
    fn is_written(&self, at: usize) -> bool {
        self.method.args[at].ty.in_out.is_some()
    }

    /// The key that holds the value of an argument.
    fn key(at: usize) -> String {
        format!("key {at}")
    }

    /// The value of an argument of a call by name: of one that is written the key.
    fn value(&self, at: usize) -> Value {
        if self.is_written(at) {
            Self::key(at).into()
        } else {
            self.values[at].clone()
        }
    }

    fn source(&self, way: Way, at: usize) -> Source {
        match way {
            Way::Literals if !self.is_written(at) => Source::Literal(self.values[at].clone()),
            _ => Source::Key(Self::key(at)),
        }
    }

    fn call(
        &self,
        way: Way,
        scribe: &mut Scribe,
        session: &mut Session,
    ) -> Result<Outcome, CallError> {
        let registry = Registry::global().unwrap();
        let (name, all) = (&*self.method.item.name, 0..self.given);
        let args = match way {
            Way::Literals | Way::Keys => {
                let actions = registry.actions::<Scribe>()?;
                let sources: Vec<_> = all.map(|at| self.source(way, at)).collect();
                let bound = actions.bind(name, sources, &mut session.blackboard())?;
                return bound.call(scribe, &mut (), &mut session.context());
            }
            Way::ByPosition => all.map(|at| self.value(at)).collect(),
            Way::ByName => {
                let named = all.map(|at| (self.method.args[at].name.clone(), self.value(at)));
                Value::Object(named.collect::<Map<_, _>>())
            }
        };
        registry.invoke(scribe, &mut (), &mut session.context(), name, &args)
    }

    fn end(&self, way: Way) -> (End, Value, Option<CallError>) {
        let (mut scribe, mut session) = (Scribe::default(), Session::new(7));
        let board = session.blackboard();
        for (at, value) in self.values.iter().enumerate() {
            board.set(&Self::key(at), value.clone());
        }
        let before = board.to_json();
        session.set_asked(self.ended);
        let called = self.call(way, &mut scribe, &mut session);
        let end = End {
            outcome: called.as_ref().ok().copied(),
            failure: session.take_failure(),
            seen: scribe.seen,
            board: session.blackboard().to_json(),
        };
        (end, before, called.err())
    }
}

const WAYS: [Way; 4] = [Way::Literals, Way::Keys, Way::ByPosition, Way::ByName];

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_way_to_call_has_the_same_result(made in made()) {
        let (first, _, error) = made.end(Way::Literals);
        for way in WAYS {
            let (mut end, _, other) = made.end(way);
            if error.is_some() {
                // Whether it writes is another question.
                end.board = first.board.clone();
            }
            prop_assert_eq!(&end, &first, "{:?}: {:?} {:?}", way, &error, other);
        }
        prop_assert_eq!(error.is_some(), first.outcome.is_none());
    }

    #[test]
    fn a_refused_call_does_nothing(made in made()) {
        for way in WAYS {
            let (end, before, error) = made.end(way);
            if error.is_some() {
                prop_assert_eq!(&end.board, &before, "{:?}", way);
                prop_assert_eq!(&end.seen, &Vec::<Value>::new());
            }
        }
    }
}
