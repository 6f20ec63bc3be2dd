//! The changes of a value, found and applied.

use serde_json::Value;

use crate::trace::{Change, Step};

/// The changes that turn one value into the other.
pub(crate) fn changes(from: &Value, to: &Value) -> Vec<Change> {
    let mut all = Vec::new();
    compare(&mut Vec::new(), from, to, &mut all);
    all
}

fn compare(way: &mut Vec<Step>, from: &Value, to: &Value, all: &mut Vec<Change>) {
    let mut below = |step: Step, from: Option<&Value>, to: Option<&Value>| {
        way.push(step);
        match (from, to) {
            (Some(from), Some(to)) => compare(way, from, to, all),
            (_, to) => all.push(Change {
                way: way.clone(),
                is: to.cloned().unwrap_or_default(),
                gone: to.is_none(),
            }),
        }
        way.pop();
    };
    match (from, to) {
        _ if from == to => {}
        (Value::Object(from), Value::Object(to)) => {
            for (name, is) in to {
                below(Step::Field(name.clone()), from.get(name), Some(is));
            }
            for name in from.keys().filter(|name| !to.contains_key(*name)) {
                below(Step::Field(name.clone()), None, None);
            }
        }
        (Value::Array(from), Value::Array(to)) if from.len() == to.len() => {
            for (number, (from, to)) in from.iter().zip(to).enumerate() {
                below(Step::Item(number), Some(from), Some(to));
            }
        }
        _ => all.push(Change {
            way: way.clone(),
            is: to.clone(),
            gone: false,
        }),
    }
}

/// Changes a value; whether it has all parts that change.
pub(crate) fn apply_changes(value: &mut Value, changes: &[Change]) -> bool {
    changes.iter().all(|change| apply(value, change).is_some())
}

fn apply(value: &mut Value, change: &Change) -> Option<()> {
    let Some((last, way)) = change.way.split_last() else {
        value.clone_from(&change.is);
        return Some(());
    };
    let parent = way.iter().try_fold(value, |value, step| match step {
        Step::Item(number) => value.get_mut(number),
        Step::Field(name) => value.get_mut(name),
    })?;
    match last {
        Step::Item(number) => parent.get_mut(number)?.clone_from(&change.is),
        Step::Field(name) if change.gone => drop(parent.as_object_mut()?.remove(name)),
        Step::Field(name) => drop(
            parent
                .as_object_mut()?
                .insert(name.clone(), change.is.clone()),
        ),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The changes between two values, after a check that they apply, also when they were written and read.
    fn changed(from: &Value, to: &Value) -> Value {
        let text = serde_json::to_string(&changes(from, to)).unwrap();
        let read: Vec<Change> = serde_json::from_str(&text).unwrap();
        let mut value = from.clone();
        assert!(apply_changes(&mut value, &read));
        assert_eq!(value, *to);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_change_names_the_smallest_part_that_is_another() {
        let from = json!({"a": [{"b": 1, "c": null}, 2], "d": 5});
        let to = json!({"a": [{"b": null, "c": 3}, 2], "e": null});
        let expected = json!([
            {"in": ["a", 0, "b"]},
            {"in": ["a", 0, "c"], "is": 3},
            {"in": ["e"]},
            {"in": ["d"], "gone": true},
        ]);
        assert_eq!(changed(&from, &to), expected);
    }

    #[test]
    fn a_list_of_another_length_is_told_whole() {
        let (from, to) = (json!({"a": [1, 2]}), json!({"a": [1]}));
        assert_eq!(changed(&from, &to), json!([{"in": ["a"], "is": [1]}]));
        assert_eq!(changed(&Value::Null, &to), json!([{"is": {"a": [1]}}]));
        assert_eq!(changed(&to, &to), json!([]));
    }

    #[test]
    fn a_change_of_a_part_that_is_missing_does_not_fit() {
        let change = |json| serde_json::from_value::<Vec<Change>>(json).unwrap();
        for misfit in [
            json!([{"in": ["a", 1], "is": 5}]),
            json!([{"in": ["a", "b"], "is": 5}]),
            json!([{"in": ["x", "b"], "is": 5}]),
            json!([{"in": [0], "is": 5}]),
        ] {
            assert!(!apply_changes(&mut json!({"a": [1]}), &change(misfit)));
        }
    }
}
