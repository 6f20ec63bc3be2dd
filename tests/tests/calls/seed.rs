//! The first seed document's catalogue, written as annotated Rust: it exports to that document's
//! file, and its actions, called by name, do what the file says; so do the built-in ones.

use std::path::Path;
use std::time::Duration;

use bt_core::CallError;
use bt_core::builtin::ActionAgent;
use bt_core::prelude::*;
use bt_core::registry::catalogue::Catalogue;
use bt_meta::files::render;
use bt_meta::layout::{Briefs, Layout, Options, TypeNames};
use seed_agent::SeedAgent;
use serde_json::{Value, json};

/// The faults of the original's data: the action, the place in its entry, the text there, the text that is
/// exported, the reason.
const SLIPS: [(&str, &str, &str, &str, &str); 9] = [
    (
        "log_info",
        "/name",
        "log",
        "log_info",
        "the entry calls itself by another name than its key, which is what trees use",
    ),
    (
        "log_bb",
        "/return",
        "永远返回true\t",
        "永远返回true",
        TAB_AT_THE_END,
    ),
    (
        "number_add",
        "/return",
        "如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true\t\t\t\t",
        CALCULATED,
        TAB_AT_THE_END,
    ),
    (
        "number_dec",
        "/return",
        CALCULATED_WITH_TAB,
        CALCULATED,
        TAB_AT_THE_END,
    ),
    (
        "number_multiply",
        "/return",
        CALCULATED_WITH_TAB,
        CALCULATED,
        TAB_AT_THE_END,
    ),
    (
        "number_div",
        "/return",
        CALCULATED_WITH_TAB,
        CALCULATED,
        TAB_AT_THE_END,
    ),
    (
        "number_div",
        "/args/1/comment",
        "用来乘以的值 需要为数值类型",
        "用来除以的值 需要为数值类型",
        "copied from the multiplication: it divides",
    ),
    (
        "number_larger_than",
        "/return",
        "如果黑板不存在 返回false 如果两个相比较的值不都是数值类型 返回false 如果黑板值大于传入的值 返回true\t否则返回false",
        "如果黑板不存在 返回false 如果两个相比较的值不都是数值类型 返回false 如果黑板值大于传入的值 返回true 否则返回false",
        "a tab for a space",
    ),
    (
        "number_less_than",
        "/return",
        "如果黑板不存在 返回false 如果两个相比较的值不都是数值类型 返回false 如果黑板值小于传入的值 返回true\t否则返回false",
        "如果黑板不存在 返回false 如果两个相比较的值不都是数值类型 返回false 如果黑板值小于传入的值 返回true 否则返回false",
        "a tab for a space",
    ),
];

const TAB_AT_THE_END: &str = "white space at the end";
const CALCULATED: &str = "如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true";
const CALCULATED_WITH_TAB: &str = "如果黑板key不存在返回false 如果黑板key对应的值不是数值返回false 如果传入的value不是数值类型返回false 操作成功返回true\t";

fn original() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mosaic/actions.json");
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["action_agent"].take()
}

fn export(layout: Layout) -> Value {
    let options = Options {
        agent: Some("seed_agent".to_owned()),
        layout,
        type_names: TypeNames::Cpp,
        briefs: Briefs::Plain,
        ..Options::default()
    };
    let rendered = render(&Catalogue::collect(), &options).unwrap();
    assert_eq!(rendered.warnings, Vec::<String>::new());
    let file = rendered
        .files
        .iter()
        .find(|file| file.name == "action_types.json");
    serde_json::from_str(&file.unwrap().text).unwrap()
}

/// An entry with the keys that the original knows, and no others.
fn with_original_keys(entry: &Value) -> Value {
    let argument =
        |arg: &Value| json!({"comment": arg["comment"], "name": arg["name"], "type": arg["type"]});
    let args: Vec<Value> = entry["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(argument)
        .collect();
    json!({"args": args, "brief": entry["brief"], "name": entry["name"], "return": entry["return"]})
}

#[test]
fn the_seeds_own_catalogue_is_exported_but_for_its_slips() {
    let mut expect = original();
    for (action, pointer, theirs, ours, why) in SLIPS {
        let value = expect[action].pointer_mut(pointer).unwrap();
        assert_eq!(value, theirs, "{action}{pointer}: {why}");
        *value = ours.into();
    }
    let exported = export(Layout::Flat);
    let exported = exported.as_object().unwrap();
    assert_eq!(exported.len(), 17);
    assert_eq!(
        exported.keys().collect::<Vec<_>>(),
        expect.as_object().unwrap().keys().collect::<Vec<_>>()
    );
    for (name, entry) in exported {
        assert_eq!(with_original_keys(entry), expect[name], "{name}");
    }
    assert_eq!(
        export(Layout::ByAgent),
        json!({"seed_agent": exported}),
        "the same entries, below their agent"
    );
}

/// The two agents that have the file's actions.
enum Either {
    Seed(SeedAgent),
    BuiltIn,
}

impl Either {
    fn both() -> [Either; 2] {
        [Either::Seed(SeedAgent::default()), Either::BuiltIn]
    }

    fn invoke(
        &mut self,
        cx: &mut Context,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        let registry = Registry::global().unwrap();
        match self {
            Either::Seed(agent) => registry.invoke(agent, &mut (), cx, action, args),
            Either::BuiltIn => registry.invoke(&mut ActionAgent, &mut (), cx, action, args),
        }
    }
}

/// An agent and its blackboard.
struct Bench {
    agent: Either,
    session: Session,
}

impl Bench {
    fn new(board: Value) -> Bench {
        Bench::of(Either::Seed(SeedAgent::default()), board)
    }

    fn of(agent: Either, board: Value) -> Bench {
        let session = Session::new(7);
        for (key, value) in board.as_object().unwrap() {
            session.blackboard().set(key, value.clone());
        }
        Bench { agent, session }
    }

    fn outcome(&mut self, action: &str, args: Value) -> Outcome {
        let mut cx = self.session.context();
        self.agent.invoke(&mut cx, action, &args).unwrap()
    }

    fn call(&mut self, action: &str, args: Value) -> bool {
        match self.outcome(action, args) {
            Outcome::Done(success) => success,
            other => panic!("{action}: {other:?}"),
        }
    }

    fn board(&self) -> Value {
        json!(self.session.blackboard().to_map())
    }
}

/// One call: the blackboard before, the call, its result, the blackboard after.
fn check(before: Value, action: &str, args: Value, result: bool, after: Value) {
    for agent in Either::both() {
        let mut bench = Bench::of(agent, before.clone());
        let place = format!("{action}{args} on {before}");
        assert_eq!(bench.call(action, args.clone()), result, "{place}");
        assert_eq!(bench.board(), after, "{place}");
    }
}

/// A call that changes nothing.
fn asks(board: Value, action: &str, args: Value, result: bool) {
    check(board.clone(), action, args, result, board);
}

#[test]
fn keys_are_tested_and_set() {
    asks(json!({"hp": 1}), "has_key", json!(["hp"]), true);
    asks(json!({"hp": null}), "has_key", json!(["hp"]), true);
    asks(json!({"hp": 1}), "has_key", json!(["mp"]), false);
    asks(json!({"hp": 1}), "has_key_value", json!(["hp", 1]), true);
    asks(json!({"hp": 1}), "has_key_value", json!(["hp", 1.0]), true);
    asks(json!({"hp": 1}), "has_key_value", json!(["hp", "1"]), false);
    asks(json!({}), "has_key_value", json!(["hp", null]), false);
    let list = json!({"list": [1, {"a": null}]});
    let same = json!(["list", [1, {"a": null}]]);
    asks(list, "has_key_value", same, true);
    check(
        json!({"hp": 1}),
        "set_key_value",
        json!(["hp", ["any", 2]]),
        true,
        json!({"hp": ["any", 2]}),
    );
}

#[test]
fn numbers_are_calculated_as_the_names_say() {
    let calculates = |action: &str, held: Value, value: Value, expect: Value| {
        let args = json!(["n", value]);
        check(json!({"n": held}), action, args, true, json!({"n": expect}));
    };
    calculates("number_add", json!(7), json!(2), json!(9));
    calculates("number_add", json!(7), json!(0.5), json!(7.5));
    calculates("number_dec", json!(7), json!(9), json!(-2));
    calculates("number_dec", json!(u64::MAX), json!(1), json!(u64::MAX - 1));
    calculates("number_multiply", json!(7), json!(-3), json!(-21));
    calculates("number_div", json!(6), json!(3), json!(2));
    calculates("number_div", json!(7), json!(2), json!(3.5));
    calculates("number_div", json!(1.5), json!(0.5), json!(3.0));
    let beyond = json!(u64::MAX as f64 * 2.0);
    calculates("number_multiply", json!(u64::MAX), json!(2), beyond);
    let beyond = json!((u64::MAX as f64).powi(2));
    calculates("number_multiply", json!(u64::MAX), json!(u64::MAX), beyond);
    calculates("number_div", json!(i64::MIN), json!(-1), json!(1_u64 << 63));
}

#[test]
fn arithmetic_on_a_value_that_is_no_number_fails_and_keeps_it() {
    for action in ["number_add", "number_dec", "number_multiply", "number_div"] {
        asks(json!({}), action, json!(["n", 1]), false);
        asks(json!({"n": "7"}), action, json!(["n", 1]), false);
        asks(json!({"n": 7}), action, json!(["n", "1"]), false);
        asks(json!({"n": 7}), action, json!(["n", null]), false);
    }
    asks(json!({"n": 7}), "number_div", json!(["n", 0]), false);
    asks(json!({"n": 0.0}), "number_div", json!(["n", 0.0]), false);
    asks(
        json!({"n": 1e308}),
        "number_multiply",
        json!(["n", 10]),
        false,
    );
}

#[test]
fn numbers_are_compared_one_way_each() {
    let compares = |held: Value, other: Value, larger: bool, less: bool| {
        let args = json!(["n", other]);
        let board = json!({"n": held});
        asks(board.clone(), "number_larger_than", args.clone(), larger);
        asks(board, "number_less_than", args, less);
    };
    compares(json!(2), json!(1), true, false);
    compares(json!(1), json!(2), false, true);
    compares(json!(1), json!(1.0), false, false);
    compares(json!(1), json!(1.5), false, true);
    compares(json!(u64::MAX), json!(u64::MAX - 1), true, false);
    compares(json!("2"), json!(1), false, false);
    compares(json!(2), json!(null), false, false);
    asks(json!({}), "number_larger_than", json!(["n", 1]), false);
    asks(json!({}), "number_less_than", json!(["n", 1]), false);
}

#[test]
fn an_array_is_counted_and_picked_from_its_first_to_its_last() {
    let board = json!({"list": ["a", "b"], "no": 5});
    let after = |key: &str, value: Value| {
        let mut board = board.clone();
        board[key] = value;
        board
    };
    let size = |list: &str| json!([list, "size"]);
    let counted = after("size", json!(2));
    check(board.clone(), "get_array_size", size("list"), true, counted);
    asks(board.clone(), "get_array_size", size("no"), false);
    asks(board.clone(), "get_array_size", size("none"), false);
    let empty = json!({"list": []});
    let zero = json!({"list": [], "size": 0});
    check(empty.clone(), "get_array_size", size("list"), true, zero);

    let pick = |idx: u32, list: &str| json!([idx, list, "chosen"]);
    let [first, last] = ["a", "b"].map(|item| after("chosen", json!(item)));
    check(board.clone(), "choose_idx", pick(0, "list"), true, first);
    check(board.clone(), "choose_idx", pick(1, "list"), true, last);
    asks(board.clone(), "choose_idx", pick(2, "list"), false);
    asks(board.clone(), "choose_idx", pick(u32::MAX, "list"), false);
    asks(board.clone(), "choose_idx", pick(0, "no"), false);
    asks(board, "choose_idx", pick(0, "none"), false);
    asks(empty, "choose_idx", pick(0, "list"), false);
}

#[test]
fn one_is_drawn_and_every_one_can_be() {
    for agent in Either::both() {
        let mut bench = Bench::of(agent, json!({"list": [0, 1, 2], "empty": [], "no": 5}));
        let mut drawn = [0; 3];
        for _ in 0..60 {
            assert!(bench.call("choose_one_random", json!(["list", "one", false])));
            drawn[bench.board()["one"].as_u64().unwrap() as usize] += 1;
            assert_eq!(bench.board()["list"], json!([0, 1, 2]), "it is put back");
        }
        assert!(drawn.iter().all(|times| *times > 5), "{drawn:?}");
        let mut taken: Vec<u64> = Vec::new();
        for left in [2, 1, 0] {
            assert!(bench.call("choose_one_random", json!(["list", "one", true])));
            taken.push(bench.board()["one"].as_u64().unwrap());
            assert_eq!(bench.board()["list"].as_array().unwrap().len(), left);
        }
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2], "each once");
        for list in ["list", "empty", "no", "none"] {
            assert!(!bench.call("choose_one_random", json!([list, "one", true])));
        }
    }
}

#[test]
fn several_are_drawn_with_or_without_putting_them_back() {
    for agent in Either::both() {
        let all: Vec<u64> = (0..20).collect();
        let mut bench = Bench::of(agent, json!({"list": all, "no": 5}));
        let some = |bench: &Bench| -> Vec<u64> {
            serde_json::from_value(bench.board()["some"].clone()).unwrap()
        };
        assert!(bench.call("choose_random", json!(["list", "some", 20, false])));
        let mut drawn = some(&bench);
        assert_eq!(drawn.len(), 20);
        drawn.sort_unstable();
        drawn.dedup();
        assert!(drawn.len() < 20, "put back, so one comes up again");
        assert_eq!(bench.board()["list"], json!(all));

        assert!(bench.call("choose_random", json!(["list", "some", 15, true])));
        let taken = some(&bench);
        assert_eq!(taken.len(), 15);
        let left: Vec<u64> = serde_json::from_value(bench.board()["list"].clone()).unwrap();
        let mut both = [taken, left].concat();
        both.sort_unstable();
        assert_eq!(both, all, "each is drawn or left, once");

        assert!(!bench.call("choose_random", json!(["list", "some", 6, false])));
        assert!(bench.call("choose_random", json!(["list", "some", 0, true])));
        assert!(some(&bench).is_empty());
        assert!(!bench.call("choose_random", json!(["no", "some", 0, false])));
        assert!(!bench.call("choose_random", json!(["none", "some", 0, false])));
    }
}

#[test]
fn the_same_seed_draws_the_same() {
    let draw = |agent: Either| {
        let mut bench = Bench::of(agent, json!({"list": [0, 1, 2, 3, 4, 5, 6, 7]}));
        bench.call("choose_random", json!(["list", "some", 8, true]));
        bench.board()
    };
    let [once, again] = [Either::both(), Either::both()].map(|both| both.map(draw));
    assert_eq!(once, again);
}

#[test]
fn the_log_gets_what_it_is_given() {
    let mut bench = Bench::new(json!({"hp": 3}));
    assert!(bench.call("log_info", json!(["warn", {"a": 1}])));
    assert!(bench.call("log_bb", json!(["info", "hp"])));
    assert!(bench.call("log_bb", json!(["error", "mp"])));
    let Either::Seed(agent) = &bench.agent else {
        panic!("the built-in agent logs elsewhere");
    };
    assert_eq!(
        agent.log,
        [r#"warn: {"a":1}"#, "info: 3", "error: key mp not exist"]
    );
}

#[test]
fn waiting_ends_with_success_after_its_time() {
    let mut bench = Bench::new(json!({}));
    bench.session.set_now(Duration::from_secs(10));
    for (seconds, until) in [
        (json!(1.5), Duration::from_millis(11_500)),
        (json!(0), Duration::from_secs(10)),
        (json!(1e300), Duration::MAX),
    ] {
        let outcome = bench.outcome("wait_for_seconds", json!([seconds]));
        assert_eq!(outcome, Outcome::Pending);
        let asked = bench.session.take_requests();
        assert_eq!(asked.after, Some((until, true)), "{seconds}");
    }
}

#[test]
fn nop_succeeds() {
    asks(json!({"hp": 1}), "nop", json!([]), true);
}
