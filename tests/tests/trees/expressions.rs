//! Expressions in trees have the values that the reference gives them: see `bt_tests::expressions`.
//!
//! `BT_EXPRESSIONS=100000` looks at so many, `BT_SEED=7` at one, `--nocapture` shows how often each operator, type and
//! outcome occurred.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::AssetError;
use bt_core::tree::asset::spec::{action, node};
use bt_core::{Mode, Random, Runner, TreeAsset, TreeSet, Trees};
use bt_tests::expressions::{
    Expression, Fit, Generated, Method, Mistake, Named, Names, Parameter, Scope, Tally, Type, Why,
    evaluate, garbled, generate, known, read,
};
use serde_json::{Map, Value, json};

/// Records the arguments of its action.
#[derive(Agent, Default)]
struct Calculator {
    #[property]
    speed: f64,
    #[property]
    count: i64,
    #[property]
    label: String,
    #[property(name = "is-on")]
    on: bool,
    recorded: Vec<Value>,
}

#[agent]
impl Calculator {
    #[action]
    fn record(&mut self, value: Value) {
        self.recorded.push(value);
    }

    #[condition]
    fn is_even(number: i64) -> bool {
        number % 2 == 0
    }

    #[condition]
    fn is_between(
        value: f64,
        #[arg(default = 0.0)] low: f64,
        #[arg(default = 10.0, alias = ["top"])] high: f64,
    ) -> bool {
        low <= value && value <= high
    }

    #[condition]
    fn is_same(a: &str, #[arg(default = "wolf")] b: &str) -> bool {
        a == b
    }

    #[condition]
    fn is_allowed(answer: bool) -> Result<bool, String> {
        answer.then_some(true).ok_or_else(|| "it is not".to_owned())
    }
}

fn parameter(name: &'static str, takes: Type, default: Option<Value>) -> Parameter {
    Parameter {
        name,
        alias: (name == "high").then_some("top"),
        takes,
        default,
    }
}

/// The conditions of the calculator, written down a second time.
fn methods() -> Vec<Method> {
    vec![
        Method {
            name: "is_even",
            parameters: vec![parameter("number", Type::Whole, None)],
            answer: |given| Ok((given[0].as_i64().unwrap() % 2 == 0).into()),
        },
        Method {
            name: "is_between",
            parameters: vec![
                parameter("value", Type::Float, None),
                parameter("low", Type::Float, Some(json!(0.0))),
                parameter("high", Type::Float, Some(json!(10.0))),
            ],
            answer: |given| {
                let [value, low, high] = [0, 1, 2].map(|at: usize| given[at].as_f64().unwrap());
                Ok((low <= value && value <= high).into())
            },
        },
        Method {
            name: "is_same",
            parameters: vec![
                parameter("a", Type::Text, None),
                parameter("b", Type::Text, Some(json!("wolf"))),
            ],
            answer: |given| Ok((given[0] == given[1]).into()),
        },
        Method {
            name: "is_allowed",
            parameters: vec![parameter("answer", Type::Bool, None)],
            answer: |given| match given[0] == json!(true) {
                true => Ok(true.into()),
                false => Err("it is not".to_owned()),
            },
        },
    ]
}

/// The keys: those of a type are declared, but for the last, which is not.
fn keys() -> Vec<Named> {
    let list = |of: Type| Type::List(of.into());
    let optional = |of: Type| Type::Optional(of.into());
    let all = [
        ("hp", Type::Whole),
        ("hp max", Type::Whole),
        ("_edge", Type::Whole),
        ("größe", Type::Float),
        ("pos.x", Type::Float),
        ("in", Type::Bool),
        ("alert", Type::Bool),
        ("it's", Type::Text),
        ("name", Type::Text),
        ("targets", list(Type::Whole)),
        ("ways", list(Type::Float)),
        ("flags", list(Type::Bool)),
        ("names", list(Type::Text)),
        ("pos", Type::Map(Type::Float.into())),
        ("maybe hp", optional(Type::Whole)),
        ("maybe_speed", optional(Type::Float)),
        ("maybe_on", optional(Type::Bool)),
        ("maybe_name", optional(Type::Text)),
        ("anything", Type::Any),
        ("undeclared", Type::Any),
    ];
    all.map(|(name, takes)| Named { name, takes }).into()
}

fn properties() -> Vec<Named> {
    let all = [
        ("speed", Type::Float),
        ("count", Type::Whole),
        ("label", Type::Text),
        ("is-on", Type::Bool),
    ];
    all.map(|(name, takes)| Named { name, takes }).into()
}

/// A value of a type, at its edges at times.
fn value(random: &mut Random, of: &Type) -> Value {
    let mut pick = |all: &[Value]| random.choose(all).cloned().unwrap_or_default();
    match of {
        Type::Whole => pick(&[
            json!(0),
            json!(1),
            json!(2),
            json!(-3),
            json!(73),
            json!(i64::MIN),
            json!(i64::MAX),
            json!((1_i64 << 53) + 1),
        ]),
        Type::Float => pick(&[
            json!(0.0),
            json!(0.5),
            json!(2.0),
            json!(-1.5),
            json!(2.5),
            json!(f64::MAX),
            json!(5e-324),
            json!(18446744073709551616.0),
        ]),
        Type::Bool => pick(&[json!(false), json!(true)]),
        Type::Text => pick(&[
            json!(""),
            json!("a"),
            json!("wolf"),
            json!("it's"),
            json!("名前"),
        ]),
        Type::List(of) => {
            let count = random.int(0..=3);
            (0..count).map(|_| value(random, of)).collect()
        }
        Type::Map(of) => {
            let mut fields = Map::new();
            for name in ["x", "y", "in", "a b", "größe"] {
                if random.int(0..=3) > 0 {
                    fields.insert(name.to_owned(), value(random, of));
                }
            }
            fields.into()
        }
        Type::Optional(of) => match random.int(0..=2) {
            0 => Value::Null,
            _ => value(random, of),
        },
        Type::Any => pick(&[
            Value::Null,
            json!(true),
            json!(7),
            json!(u64::MAX),
            json!(0.5),
            json!("wolf"),
            json!([1, 2.0, "a"]),
            json!({"x": 1, "y": {"x": 2.5, "y": [3]}, "in": null}),
        ]),
    }
}

/// The values of all keys, of which some are not set, and of all properties.
fn scope(random: &mut Random) -> Scope {
    let mut scope = Scope {
        methods: methods(),
        ..Scope::default()
    };
    for key in keys() {
        if random.int(0..=5) > 0 {
            let value = value(random, &key.takes);
            scope.keys.insert(key.name.to_owned(), value);
        }
    }
    for property in properties() {
        let value = value(random, &property.takes);
        scope.properties.insert(property.name.to_owned(), value);
    }
    scope
}

fn built(text: &str) -> Result<Trees<Calculator>, AssetError> {
    let declared = keys().into_iter().filter(|key| key.name != "undeclared");
    let declared = declared.map(|key| {
        let declaration = json!({"type": key.takes.to_string()});
        (key.name.to_owned(), declaration)
    });
    let declared: Map<String, Value> = declared.collect();
    let argument = json!([{"arg_type": "expression", "arg_value": text}]);
    let record = action("record").extra("action_args", argument);
    let root = node("root").extra("blackboard", declared).child(record);
    let mut trees = TreeSet::new();
    trees.add(TreeAsset::build("main", "calculator", root));
    trees.build()
}

/// The value that the leaf was given, or why it failed.
fn ran(trees: &Trees<Calculator>, scope: &Scope) -> Result<Value, String> {
    let runner = Runner::new(trees, "main").unwrap_or_else(|error| panic!("{error}"));
    let mut runner = runner.mode(Mode::Once);
    for (key, value) in &scope.keys {
        runner.blackboard().set(key, value.clone());
    }
    let of = |name: &str| scope.properties[name].clone();
    let mut calculator = Calculator {
        speed: of("speed").as_f64().unwrap(),
        count: of("count").as_i64().unwrap(),
        label: of("label").as_str().unwrap().to_owned(),
        on: of("is-on").as_bool().unwrap(),
        recorded: Vec::new(),
    };
    runner.start();
    runner.poll(&mut calculator, Duration::ZERO);
    let told: Vec<_> = runner.take_diagnostics();
    let told: Vec<_> = told.iter().map(ToString::to_string).collect();
    match (runner.result(), &*calculator.recorded, &*told) {
        (Some(true), [value], []) => Ok(value.clone()),
        (Some(false), [], [why]) => Err(why.clone()),
        (result, recorded, told) => {
            panic!("it came to {result:?}, with {recorded:?} recorded and {told:?} told")
        }
    }
}

/// Fails where the two differ. Types of numbers count: 1 is not 1.0.
fn compare(
    text: &str,
    scope: &Scope,
    expected: &Result<Value, Mistake>,
    trees: &Trees<Calculator>,
) {
    match (ran(trees, scope), expected) {
        (Ok(found), Ok(expected)) => assert_eq!(found, *expected, "`{text}` with {scope:?}"),
        (Err(_), Err(_)) => {}
        (found, expected) => {
            panic!("`{text}` came to {found:?}, not {expected:?}, with {scope:?}")
        }
    }
}

/// Looks at a random stream for each seed.
fn for_seeds(mut look: impl FnMut(u64, &mut Random)) {
    let number = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let default = if cfg!(debug_assertions) {
        2_000
    } else {
        20_000
    };
    let count = number("BT_EXPRESSIONS").unwrap_or(default);
    let seeds = number("BT_SEED").map_or(0..count, |seed| seed..seed + 1);
    for seed in seeds {
        look(seed, &mut Random::new(seed));
    }
}

fn made(random: &mut Random, worst: Fit) -> Generated {
    let (keys, properties, methods) = (keys(), properties(), methods());
    let names = Names {
        keys: &keys,
        properties: &properties,
        methods: &methods,
    };
    generate(random, &names, worst)
}

/// The expression as the reference reads it, if all names are there.
fn understood(text: &str, scope: &Scope) -> Result<Expression, String> {
    let expression = read(text).map_err(|refusal| refusal.to_string())?;
    known(&expression, scope).map(|()| expression)
}

#[test]
fn expressions_in_trees_come_to_what_the_reference_comes_to() {
    let mut tally = Tally::default();
    for_seeds(|seed, random| {
        let (made, scope) = (made(random, Fit::Ill), scope(random));
        let text = &made.text;
        let expression = understood(text, &scope);
        let expression = expression.unwrap_or_else(|why| panic!("BT_SEED={seed} `{text}`: {why}"));
        tally.parts(&expression);
        let trees = match built(text) {
            Ok(trees) => trees,
            Err(error) => {
                let may = made.fit >= Fit::Unsure;
                assert!(may, "BT_SEED={seed} `{text}` is refused: {error}");
                return tally.count(format!("refused {:?}", made.fit));
            }
        };
        assert_ne!(made.fit, Fit::Ill, "BT_SEED={seed} `{text}` is not refused");
        tally.count(format!("loaded {:?}", made.fit));
        let outcome = evaluate(&expression, &scope);
        tally.outcome(&outcome);
        compare(text, &scope, &outcome, &trees);
    });
    println!("{tally}");
}

#[test]
fn expressions_whose_types_are_known_never_fail_for_their_types() {
    let mut tally = Tally::default();
    for_seeds(|seed, random| {
        let made = made(random, Fit::Ill);
        let text = &made.text;
        let Ok(trees) = built(text) else {
            return tally.count(format!("refused {:?}", made.fit));
        };
        // What is `any` may fail.
        if matches!(made.fit, Fit::Loose | Fit::Unsure) {
            return tally.count(format!("passed over {:?}", made.fit));
        }
        for _ in 0..3 {
            let scope = scope(random);
            let outcome = evaluate(&made.expression, &scope);
            tally.outcome(&outcome);
            let is_type = matches!(&outcome, Err(mistake) if mistake.why == Why::Type);
            assert!(
                !is_type,
                "BT_SEED={seed} `{text}` loads: {outcome:?} with {scope:?}"
            );
            compare(text, &scope, &outcome, &trees);
        }
    });
    println!("{tally}");
}

#[test]
fn garbled_expressions_load_or_are_refused_and_never_panic() {
    let mut tally = Tally::default();
    let mut differ: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for_seeds(|_, random| {
        let made = made(random, Fit::Unsure);
        let (text, scope) = (garbled(random, &made.text), scope(random));
        let names_column = |error: &AssetError| {
            let column = read(&text).err().map(|refusal| refusal.column);
            column.is_some_and(|column| error.to_string().contains(&format!("column {column}")))
        };
        match (built(&text), understood(&text, &scope)) {
            (Ok(trees), Ok(expression)) => {
                tally.count("read by both");
                compare(&text, &scope, &evaluate(&expression, &scope), &trees);
            }
            (Err(error), Err(_)) => {
                tally.count("refused by both");
                if names_column(&error) {
                    tally.count("refused by both at one column");
                }
            }
            // The reference knows no types.
            (Err(_), Ok(_)) => tally.count("refused, maybe for its types"),
            (Ok(_), Err(why)) => {
                tally.count("refused by the reference alone");
                differ
                    .entry("loads")
                    .or_default()
                    .push(format!("`{text}`: {why}"));
            }
        }
    });
    println!("{tally}");
    for line in differ.values().flatten().take(20) {
        println!("the reference refuses {line}");
    }
}
