//! Arguments that say their names.

use serde_json::Value;

use super::*;
use crate::Source;
use crate::kinds::Path;
use crate::kinds::call::Arguments;
use crate::registry::Registry;

fn named(args: &[(&str, Value)]) -> Value {
    let args = args.iter().map(|(name, value)| match *name {
        "" => json!({"arg_type": "plain", "arg_value": value}),
        name => json!({"arg_type": "plain", "arg_value": value, "arg_name": name}),
    });
    args.collect()
}

fn chase(args: &[(&str, Value)]) -> NodeSpec {
    node("action")
        .extra("action_name", "chase")
        .extra("action_args", named(args))
}

#[test]
fn an_argument_with_a_name_may_stand_anywhere() {
    table([
        (chase(&[("range", json!(1)), ("target", json!(7))]), &[]),
        (
            chase(&[("", json!(7)), ("loud", json!(null))]),
            &["~1 action_args/1/arg_name: argument `loud` is deprecated"],
        ),
        (
            chase(&[("target", json!(7)), ("rnage", json!(1))]),
            &["1 action_args/1/arg_name: `chase` has no argument `rnage`; did you mean `range`?"],
        ),
        (
            chase(&[("target", json!(7)), ("mood", json!(1))]),
            &[
                "1 action_args/1/arg_name: `chase` has no argument `mood`; it has `target`, `range`, `gait` and `loud`",
            ],
        ),
        (
            node("action")
                .extra("action_name", "bark")
                .extra("action_args", named(&[("a", json!(1))])),
            &["1 action_args/0/arg_name: `bark` has no argument `a`; it has none"],
        ),
        (
            chase(&[("", json!(7)), ("target", json!(7))]),
            &["1 action_args/1: `chase`: argument `target` is given twice"],
        ),
        (
            chase(&[("target", json!(7)), ("", json!(7))]),
            &[
                "1 action_args/1: `chase`: an argument without a name comes after one with a name; give it an `arg_name`, or put it first",
            ],
        ),
        (
            chase(&[("gait", json!("fly"))]),
            &[
                "1 action_args: `chase`: argument `target` is missing",
                "1 action_args/0/arg_value: `chase`: argument `gait` is \"fly\", expected one of \"walk\", \"run\"",
            ],
        ),
        (
            chase(&[("reach", json!(99)), ("target", json!(7))]),
            &[
                "1 action_args/0/arg_value: `chase`: argument `range` is 99, expected 0.0 to 50.0",
                "~1 action_args/0/arg_name: argument `reach` is now called `range`",
            ],
        ),
    ]);
}

#[test]
fn sources_are_in_the_order_of_the_method() {
    let registry = Registry::global().unwrap();
    let chase = registry.agent("hound").unwrap().action("chase").unwrap();
    let sources = |method, list: Option<&Value>| match list {
        Some(list) => sources(method, &Arguments::read(list, &Path::TOP, &mut |_, _| {})),
        None => sources(method, &Arguments::LeftOut),
    };
    let sources_of = |args: &[(&str, Value)]| sources(Some(chase.entry), Some(&named(args)));
    let literal = |value: Value| Source::Literal(value);
    assert_eq!(
        sources_of(&[("gait", json!("run")), ("target", json!(7))]).unwrap(),
        [
            literal(json!(7)),
            literal(json!(2.0)),
            literal(json!("run"))
        ]
    );
    assert_eq!(
        sources_of(&[("", json!(7)), ("loud", json!(true))]).unwrap(),
        [7.into(), 2.0.into(), Value::Null, true.into()].map(literal)
    );
    // What is left out at the end, the binding fills in or misses.
    assert_eq!(sources_of(&[("", json!(7))]).unwrap(), [literal(json!(7))]);
    assert_eq!(sources(Some(chase.entry), None), Some(Vec::new()));
    assert_eq!(sources_of(&[("range", json!(1))]), None);
    assert_eq!(sources_of(&[("who", json!(1))]), None);
    assert_eq!(sources(Some(chase.entry), Some(&json!({}))), None);
    let more = named(&[("", json!(1)), ("", json!(2))]);
    assert_eq!(
        sources(None, Some(&more)).unwrap(),
        [1, 2].map(Source::literal)
    );
    let object = named(&[("a", json!(1)), ("b", json!(2))]);
    assert_eq!(
        sources(None, Some(&object)).unwrap(),
        [literal(json!({"a": 1, "b": 2}))]
    );
}
