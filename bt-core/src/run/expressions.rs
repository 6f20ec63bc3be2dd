//! Expressions in trees that run: as guards, leaves and arguments.

use std::time::Duration;

use serde_json::{Value, json};

use super::Runner;
use crate::kinds::Kind;
use crate::prelude::*;
use crate::tree::asset::spec::{
    NodeSpec, action, check, decorator, expr, node, select, sequence, set, sub_tree, writes,
};
use crate::tree::{Code, check as checks};
use crate::{TreeAsset, TreeSet, Trees};

/// It has hit points, and notes what it is given.
#[derive(Debug, Default, Agent)]
#[agent(name = "expressive")]
pub(super) struct Walker {
    #[property(max = 200)]
    max_hp: i64,
    strength: u8,
    #[property]
    name: String,
    #[property]
    mood: Stance,
    pub(super) got: Vec<Value>,
}

#[derive(Debug, Default, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
enum Stance {
    #[default]
    Calm,
    Angry,
}

/// Where something is.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
struct Place {
    x: f64,
    seen: bool,
}

#[agent]
impl Walker {
    #[action]
    fn take(&mut self, value: Value) {
        self.got.push(value);
    }
    #[action]
    fn count_to(&mut self, #[arg(min = 0, max = 10)] count: u8) {
        self.got.push(count.into());
    }
    #[action]
    fn walk(&mut self) -> Status {
        Status::Running
    }
    #[property]
    fn strength(&self) -> u8 {
        self.strength
    }
    #[property(set)]
    fn set_strength(&mut self, strength: u8) -> Result<(), String> {
        if strength == 0 {
            return Err("nobody has none".to_owned());
        }
        self.strength = strength;
        Ok(())
    }
    #[condition]
    fn is_big(size: f64, #[arg(default = 10.0)] than: f64) -> bool {
        size > than
    }
    #[condition]
    fn reads(cx: &Context) -> bool {
        cx.get("secret") == true
    }
    #[condition]
    fn looks(&self) -> bool {
        self.max_hp > 0
    }
    #[query]
    fn distance_to(&self, target: i64, #[arg(default = 1)] scale: i64) -> i64 {
        (self.max_hp - target).abs() * scale
    }
    #[query]
    fn secret(cx: &Context) -> Value {
        cx.get("secret")
    }
    #[query]
    fn place(of: &str) -> Result<Place, String> {
        match of {
            "home" => Ok(Place { x: 1.5, seen: true }),
            "moon" => panic!("too far"),
            other => Err(format!("nobody knows {other}")),
        }
    }
    #[decorator]
    fn limits(&mut self, times: usize, ended: Option<bool>) -> Next {
        match ended {
            Some(_) if self.got.len() >= times => Next::Succeed,
            _ => Next::Run,
        }
    }
    #[condition]
    fn fails() -> Result<bool, String> {
        Err("no idea".to_owned())
    }
}

pub(super) fn built(top: NodeSpec) -> Trees<Walker> {
    let mut trees = TreeSet::<Walker>::new();
    trees.add(TreeAsset::build("main", "expressive", top));
    trees.build().unwrap()
}

pub(super) struct Game {
    pub(super) runner: Runner<Walker>,
    pub(super) walker: Walker,
    polls: u64,
}

impl Game {
    pub(super) fn new(top: NodeSpec, keys: &[(&str, Value)]) -> Game {
        Game::of(&built(top), keys)
    }

    pub(super) fn of(trees: &Trees<Walker>, keys: &[(&str, Value)]) -> Game {
        let mut runner = Runner::new(trees, "main").unwrap();
        for (key, value) in keys {
            runner.blackboard().set(key, value.clone());
        }
        runner.start();
        let walker = Walker {
            max_hp: 100,
            name: "Bo".to_owned(),
            ..Walker::default()
        };
        let mut game = Game {
            runner,
            walker,
            polls: 0,
        };
        game.poll();
        game
    }

    pub(super) fn poll(&mut self) {
        self.polls += 1;
        let now = Duration::from_millis(self.polls * 10);
        self.runner.poll(&mut self.walker, now);
    }

    pub(super) fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.runner.blackboard().set(key, value.into());
        self.poll();
    }

    /// The names of the leaves that run; that of `always_running` is empty.
    pub(super) fn active(&self) -> Vec<String> {
        let active = self.runner.active_leaves();
        active.iter().map(|leaf| leaf.name.to_string()).collect()
    }

    pub(super) fn said(&mut self) -> Vec<String> {
        let all = self.runner.take_diagnostics();
        all.iter().map(ToString::to_string).collect()
    }
}

/// The value that an expression gives an action, and what is said of it.
fn given(text: &str) -> (Vec<Value>, Vec<String>) {
    let keys = [
        ("hp", json!(73)),
        ("name", json!("Al")),
        ("pos", json!({"x": [1, 2]})),
    ];
    let mut game = Game::new(action("take").expression(text), &keys);
    let said = game.said();
    game.walker.got.truncate(1);
    (game.walker.got, said)
}

#[test]
fn an_argument_may_be_an_expression() {
    for (text, expected) in [
        ("$hp / @max_hp", json!(0.73)),
        ("1 + 2", json!(3)),
        ("'a' + $name + @name", json!("aAlBo")),
        ("$pos.x[1] * 2", json!(4)),
        ("[$hp, $none ?? null]", json!([73, null])),
        ("is_big($hp) && !is_big(size: 1, than: $hp)", json!(true)),
        ("is_big($hp + @max_hp, 172.5)", json!(true)),
    ] {
        assert_eq!(given(text), (vec![expected], Vec::new()), "{text}");
    }
}

#[test]
fn a_query_answers_with_its_value() {
    for (text, expected) in [
        ("distance_to($hp)", json!(27)),
        ("distance_to(scale: 2, target: 90) + 1", json!(21)),
        ("$hp > distance_to(distance_to($hp))", json!(false)),
        ("place('home')", json!({"x": 1.5, "seen": true})),
        ("place('home').x * 2", json!(3.0)),
        ("place('home').seen && $hp > 1", json!(true)),
        ("secret() ?? 'none'", json!("none")),
    ] {
        assert_eq!(given(text), (vec![expected], Vec::new()), "{text}");
    }
}

#[test]
fn an_err_and_a_panic_of_a_query_are_mistakes_of_the_expression() {
    for (text, why) in [
        (
            "place('sea').seen || true",
            "`place('sea')`, column 1: `place`: nobody knows sea",
        ),
        ("true || place('sea').seen", ""),
        (
            "false || place('moon').seen",
            "`place('moon')`, column 10: `place` panicked: too far",
        ),
        (
            "place('sea') ?? 1",
            "`place('sea')`, column 1: `place`: nobody knows sea",
        ),
    ] {
        let (got, said) = given(text);
        match why {
            "" => assert_eq!((got, said), (vec![json!(true)], Vec::new())),
            why => {
                assert_eq!((got.len(), said.len()), (0, 1), "{text}: {said:?}");
                assert!(said[0].contains(why), "{text}: {said:?}");
            }
        }
    }
}

#[test]
fn an_argument_without_a_value_fails_its_node_with_the_place_in_the_text() {
    let (got, said) = given("1 + $none");
    assert_eq!(got, [json!(null); 0]);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("`1 + $none`: `$none`, column 5: it is unset"),
        "{said:?}"
    );
    let (_, said) = given("fails() || true");
    assert!(
        said[0].contains("`fails()`, column 1: `fails`: no idea"),
        "{said:?}"
    );
}

#[test]
fn an_integer_takes_a_float_without_a_fraction_and_its_bounds_count() {
    let mut game = Game::new(
        action("count_to").expression("6 / $three"),
        &[("three", json!(3))],
    );
    assert_eq!(game.walker.got, [json!(2)]);
    game.set("three", 4);
    game.set("three", 0.1);
    let said = game.said();
    assert_eq!(game.walker.got, [json!(2)]);
    assert!(said.iter().any(|line| line.contains("1.5")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("10")), "{said:?}");
}

#[test]
fn check_is_a_leaf_that_stands_below_and_too() {
    let top = |text: &str| {
        let both = node(Kind::And).children([check("$hp < 80"), check(text)]);
        select([
            sequence([both, action("take").arg("yes")]),
            action("take").arg("no"),
        ])
    };
    for (text, expected) in [
        ("@max_hp == 100", "yes"),
        ("@max_hp < $hp", "no"),
        ("$none", "no"),
    ] {
        let game = Game::new(top(text), &[("hp", json!(73))]);
        assert_eq!(game.walker.got[0], expected, "{text}");
    }
    // What has no value is F, with the reason.
    let top = select([check("$none == 1"), action("take").arg("no")]);
    let mut game = Game::new(top, &[]);
    assert_eq!(game.walker.got[0], "no");
    let said = game.said().concat();
    assert!(said.contains("it is unset"), "{said}");
}

fn guarded(text: &str, abort: &str) -> NodeSpec {
    let guard = expr(text).set("abort", abort);
    select([action("walk").guard(guard), node(Kind::AlwaysRunning)])
}

#[test]
fn a_guard_follows_the_keys_of_its_expression_whether_they_were_evaluated_or_not() {
    let keys = [("hp", json!(73)), ("safe", json!(false))];
    let mut game = Game::new(guarded("$hp < 20 || $safe", "both"), &keys);
    assert_eq!(game.active(), [""]);
    game.set("hp", 10);
    assert_eq!(game.active(), ["walk"]);
    game.set("safe", true);
    game.set("hp", 73);
    assert_eq!(game.active(), ["walk"]);
    game.set("safe", false);
    assert_eq!(game.active(), [""]);
    // `$safe` was not evaluated, and takes over all the same once it counts.
    game.set("safe", true);
    assert_eq!(game.active(), ["walk"]);
}

#[test]
fn a_guard_follows_what_its_conditions_read_and_asks_the_agent_every_poll() {
    let mut game = Game::new(guarded("$on && reads()", "both"), &[("on", json!(true))]);
    game.set("secret", true);
    assert_eq!(game.active(), ["walk"]);
    let mut game = Game::new(guarded("$on && looks()", "both"), &[("on", json!(true))]);
    assert_eq!(game.active(), ["walk"]);
    game.walker.max_hp = 0;
    game.poll();
    assert_eq!(game.active(), [""]);
    let mut game = Game::new(guarded("secret() == 1", "both"), &[]);
    game.set("secret", 1);
    assert_eq!(game.active(), ["walk"]);
    game.set("secret", 2);
    assert_eq!(game.active(), [""]);
    let mut game = Game::new(guarded("distance_to(0) > 1", "both"), &[]);
    assert_eq!(game.active(), ["walk"]);
    game.walker.max_hp = 1;
    game.poll();
    assert_eq!(game.active(), [""]);
    let mut game = Game::new(guarded("@max_hp > 1", "both"), &[]);
    game.walker.max_hp = 1;
    game.poll();
    assert_eq!(game.active(), [""]);
}

#[test]
fn a_mistake_lets_no_guard_hold_and_is_said_once_until_it_is_evaluated_well() {
    for not in [false, true] {
        let guard = expr("$hp < 20").set("not", not);
        let game = Game::new(
            select([action("walk").guard(guard), node(Kind::AlwaysRunning)]),
            &[],
        );
        assert_eq!(game.active(), [""], "not: {not}");
    }
    let mut game = Game::new(guarded("@max_hp < $hp", "both"), &[]);
    game.poll();
    game.poll();
    let said = game.said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("`@max_hp < $hp`: `$hp`, column 11: it is unset"),
        "{said:?}"
    );
    game.set("hp", 200);
    assert_eq!(
        (game.active(), game.said().len()),
        (vec!["walk".to_owned()], 0)
    );
}

#[cfg(feature = "trace")]
#[test]
fn an_explanation_has_the_values_that_a_guard_saw() {
    let mut game = Game::new(guarded("$hp < 20", "both"), &[("hp", json!(73))]);
    game.poll();
    let text = game.runner.explain().to_string();
    assert!(
        text.contains("its guard `$hp < 20` does not hold: `$hp` is 73"),
        "{text}"
    );
    game.set("hp", 10);
    let text = game.runner.explain().to_string();
    let expected =
        "aborted when guard `$hp < 20` of node 2 (action `walk`) no longer holds: `$hp` is 10";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_decorator_takes_the_values_of_expressions_at_each_question() {
    let counts = sequence([action("take").arg("in"), set([("$n", "$n + 1")])]);
    let top = sequence([
        decorator("limits", counts).expression("min($n, 4) + @strength"),
        node(Kind::AlwaysRunning),
    ]);
    let mut game = Game::new(top, &[("n", json!(1))]);
    (0..9).for_each(|_| game.poll());
    assert_eq!((game.walker.got.len(), game.said().len()), (4, 0));
}

#[test]
fn another_tree_is_given_the_value_of_an_expression() {
    let mut trees = TreeSet::<Walker>::new();
    let args = json!({"n": {"arg_type": "expression", "arg_value": "$hp * 2 + @max_hp"}});
    trees.add(TreeAsset::build(
        "main",
        "expressive",
        sub_tree("two").extra("args", args),
    ));
    let mut two = TreeAsset::build("two", "expressive", action("take").key("n"));
    let root = two.root().idx();
    let declared = json!({"n": {"type": "int32", "scope": "tree"}});
    two.node_mut(root)
        .unwrap()
        .extra
        .insert("blackboard".to_owned(), declared);
    trees.add(two);
    let mut runner = Runner::new(&trees.build().unwrap(), "main").unwrap();
    runner.blackboard().set("hp", 7);
    runner.start();
    let mut walker = Walker {
        max_hp: 100,
        ..Walker::default()
    };
    runner.poll(&mut walker, Duration::ZERO);
    assert_eq!(walker.got, [json!(114)]);
}

#[cfg(feature = "save")]
#[test]
fn a_saved_agent_goes_on_with_the_guards_and_the_keys_of_its_expressions() {
    use crate::snapshot::Saved;

    let keys = [("hp", json!(10)), ("safe", json!(false))];
    let mut game = Game::new(guarded("$hp < 20 && !$safe", "both"), &keys);
    assert_eq!(game.active(), ["walk"]);
    let saved = Saved::from_json(&game.runner.save().to_json()).unwrap();
    game.runner = Runner::restore(game.runner.trees(), &saved).unwrap();
    game.poll();
    assert_eq!(game.active(), ["walk"]);
    game.set("safe", true);
    assert_eq!(game.active(), [""]);
    game.set("safe", false);
    assert_eq!(game.active(), ["walk"]);
}

#[cfg(feature = "save")]
#[test]
fn a_reload_evaluates_an_expression_anew_if_it_means_something_else() {
    use crate::reload::Changes;

    let keys = [("hp", json!(10))];
    let mut game = Game::new(guarded("$hp < 20", "both"), &keys);
    let move_to = |game: &mut Game, text: &str| {
        let new = built(guarded(text, "both"));
        game.runner
            .reload(&Changes::between(game.runner.trees(), &new));
        game.poll();
    };
    move_to(&mut game, "$hp<20 # as before");
    assert!(game.runner.last_reload().unwrap().is_quiet());
    assert_eq!(game.active(), ["walk"]);
    move_to(&mut game, "$hp < 5");
    assert_eq!(game.active(), [""]);
    game.set("hp", 4);
    assert_eq!(game.active(), ["walk"]);
}

#[cfg(feature = "trace")]
#[test]
fn a_trace_has_the_text_of_an_expression_and_the_values_that_it_read() {
    use crate::trace::{Record, Tracer};

    #[derive(Default)]
    struct Guards(Vec<String>);

    impl Tracer for Guards {
        fn record(&mut self, record: &Record<'_>) {
            let line = serde_json::to_value(record).unwrap();
            if line["cmd"] == "guard" {
                self.0.push(format!(
                    "{} {} {}",
                    line["call"], line["args"], line["holds"]
                ));
            }
        }
    }

    let mut game = Game::new(guarded("$hp < 20 || $none", "both"), &[("hp", json!(10))]);
    game.runner.set_tracer(Some(Box::new(Guards::default())));
    game.set("hp", 73);
    game.set("hp", 11);
    let guards = game.runner.tracer::<Guards>().unwrap();
    assert_eq!(
        guards.0,
        [
            r#""$hp < 20 || $none" [73,null] false"#,
            r#""$hp < 20 || $none" [11,null] true"#,
        ]
    );
}

#[cfg(feature = "trace")]
#[test]
fn a_trace_has_the_values_of_expressions_that_kinds_take() {
    use crate::trace::{Record, Tracer, Words};

    #[derive(Default)]
    struct Values(Vec<String>);

    impl Tracer for Values {
        fn record(&mut self, record: &Record<'_>) {
            let line = serde_json::to_value(record).unwrap();
            if line["note"] == "value" {
                let words = Words(record).to_string();
                self.0
                    .push(words.split_once("main: ").unwrap().1.to_owned());
            }
        }
    }

    let leaf = || node(Kind::AlwaysRunning);
    let tops = [
        (
            node(Kind::Switch)
                .child(leaf())
                .extra("on", "$hp + $n")
                .extra("cases", json!([74])),
            "node 1 (switch `$hp + $n`) `$hp + $n` is 74: `$hp` is 73, `$n` is 1",
        ),
        (
            node(Kind::Utility)
                .child(leaf())
                .extra("scores", json!(["$none ?? @max_hp"])),
            "node 1 (utility `$none ?? @max_hp`) `$none ?? @max_hp` is 100: `$none` is not set",
        ),
        (
            node(Kind::ForEach)
                .child(leaf())
                .extra("in", "[$n]")
                .extra("as", "one"),
            "node 1 (for_each `[$n]`) `[$n]` is [1]: `$n` is 1",
        ),
        (
            node(Kind::Timeout)
                .child(leaf())
                .extra("seconds", expr("$n * 2")),
            "node 1 (timeout) `$n * 2` is 2: `$n` is 1",
        ),
    ];
    for (top, expected) in tops {
        let trees = built(top);
        let mut runner = Runner::new(&trees, "main")
            .unwrap()
            .tracing(Values::default());
        runner.blackboard().set("hp", 73);
        runner.blackboard().set("n", 1);
        runner.start();
        let mut walker = Walker {
            max_hp: 100,
            ..Walker::default()
        };
        runner.poll(&mut walker, Duration::ZERO);
        assert_eq!(runner.tracer::<Values>().unwrap().0, [expected]);
    }
}

/// The keys and properties after a tree that writes, and what is said of it.
fn written(all: &[(&str, &str)]) -> (Value, [i64; 2], Vec<String>) {
    let top = select([set(all.iter().copied()), action("take").arg("F")]);
    let mut game = Game::new(top, &[("hp", json!(73)), ("n", json!(1))]);
    let said = game.said();
    let walker = &game.walker;
    (
        game.runner.blackboard().to_json(),
        [walker.max_hp, walker.strength.into()],
        said,
    )
}

#[test]
fn a_set_writes_properties_and_keys_once_all_values_are_known() {
    let (keys, properties, said) = written(&[
        ("$n", "$n + 1"),
        ("$hp", "$n + @max_hp"),
        ("@max_hp", "$hp * 2"),
        ("$'new key'", "null"),
    ]);
    assert_eq!(keys, json!({"hp": 101, "n": 2, "new key": null}));
    assert_eq!((properties, said.len()), ([146, 0], 0), "{said:?}");
}

#[test]
fn a_set_that_cannot_write_everything_writes_nothing() {
    for (all, expected) in [
        (
            [("$n", "5"), ("$hp", "$none + 1")],
            "`$none`, column 1: it is unset",
        ),
        (
            [("$n", "5"), ("@max_hp", "$hp * 3")],
            "property `max_hp` refuses 219",
        ),
        ([("$n", "5"), ("@strength", "$n - 1")], "nobody has none"),
        (
            [("$n", "5"), ("@strength", "$hp * 10")],
            "property `strength` refuses 730",
        ),
        (
            [("@max_hp", "5"), ("@strength", "$hp * 10")],
            "property `strength` refuses 730: expected an integer from 0 to 255",
        ),
        (
            [("@max_hp", "5"), ("@mood", "@name")],
            "property `mood` refuses \"Bo\": there is no `Bo`; expected one of `Calm`, `Angry`",
        ),
    ] {
        let (keys, properties, said) = written(&all);
        assert_eq!(keys, json!({"hp": 73, "n": 1}), "{expected}");
        assert_eq!(properties, [100, 0], "{expected}");
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(expected), "{said:?}");
    }
}

#[test]
fn a_value_that_a_property_never_takes_is_found_before_the_tree_runs() {
    let mut trees = TreeSet::<Walker>::new();
    let top = set([("@mood", "'Angri'")]);
    trees.add(TreeAsset::build("main", "expressive", top));
    let error = trees.build().unwrap_err().to_string();
    let expected = "property `mood` is `Stance`: there is no `Angri`; did you mean `Angry`?";
    assert!(error.contains(expected), "{error}");
    // An alias of which only the type knows is possible for a catalogue.
    let catalogue = crate::Registry::global().unwrap().catalogue().clone();
    let registry = crate::Registry::from_catalogue(catalogue).unwrap();
    let asset = TreeAsset::build("main", "expressive", set([("@mood", "'Angri'")]));
    let found = checks::check(&[asset], &registry, &checks::Rules::default());
    assert_eq!(found.problems.len(), 0);
    assert_eq!(found.warnings.len(), 1);
    assert_eq!(found.warnings[0].code(), Code::DoubtfulArgument);
}

#[test]
fn a_declared_key_takes_its_type_alone() {
    let mut game = Game::new(
        select([
            set([("$count", "$given")]).extra("blackboard", json!({"count": {"type": "int32"}})),
            action("take").arg("F"),
        ]),
        &[("given", json!("text"))],
    );
    let said = game.said();
    assert_eq!(game.walker.got[0], "F");
    assert!(
        said[0].contains("is declared as `int32` and cannot hold"),
        "{said:?}"
    );
}

#[test]
fn effects_and_services_write_and_guards_see_all_of_it_at_once() {
    let flee = action("walk")
        .guard(expr("$a != $b").set("abort", "both"))
        .effect("enter", writes([("$fled", "true")]));
    let other =
        node(Kind::AlwaysRunning).service(0.01, writes([("$a", "$a + 1"), ("$b", "$b + 1")]));
    let mut game = Game::new(select([flee, other]), &[("a", json!(1)), ("b", json!(1))]);
    (0..5).for_each(|_| game.poll());
    assert_eq!(game.runner.blackboard().get("fled"), json!(null));
    assert!(game.runner.blackboard().get("a").as_i64() > Some(3));
    game.set("b", 0);
    assert_eq!(
        (game.active(), game.runner.blackboard().get("fled")),
        (vec!["walk".to_owned()], json!(true))
    );
}
