//! A JSON text with some values changed, and everything else as it was written.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::position::without_mark;
use super::problem::{Fix, Item};
use super::scan::{end_of_value, scan};
use crate::kinds::step;

/// Writes fixes into the text of a file, each at its JSON pointer; how many could be made. What is not
/// in the text, or inside of what another fix replaces, is left out. Indentation, the order of keys and
/// all other values stay as they are.
///
/// ```
/// use bt_core::tree::asset::{Fix, patch};
///
/// let text = "{\n\t\"name\" : \"old\",\n\t\"params\": {\"by\": \"who\"}\n}";
/// let fixes = [
///     ("/name".to_owned(), Fix::Value("new".into())),
///     ("/params/by".to_owned(), Fix::Key("attacker".to_owned())),
/// ];
/// let (text, made) = patch(text, &fixes);
/// assert_eq!(made, 2);
/// assert_eq!(text, "{\n\t\"name\" : \"new\",\n\t\"params\": {\"attacker\": \"who\"}\n}");
/// ```
#[doc(hidden)]
pub fn patch(text: &str, fixes: &[(String, Fix)]) -> (String, usize) {
    let json = without_mark(text);
    let places = Places::of(json, fixes);
    let mut changes: Vec<Change> = fixes
        .iter()
        .filter_map(|(pointer, fix)| places.change(json, pointer, fix))
        .collect();
    changes.sort_by_key(|change| (change.at.start, std::cmp::Reverse(change.at.end)));
    let mut patched = text[..text.len() - json.len()].to_owned();
    let (mut from, mut made) = (0, 0);
    for change in changes {
        if change.at.start < from {
            continue;
        }
        patched += &json[from..change.at.start];
        patched += &change.with;
        from = change.at.end;
        made += 1;
    }
    patched += &json[from..];
    (patched, made)
}

/// Some bytes, and what takes their place.
struct Change {
    at: Range<usize>,
    with: String,
}

/// The start of a value, and its key.
#[derive(Clone, Copy)]
struct Place {
    value: usize,
    key: Option<usize>,
}

/// The places of the values that fixes are about, and of what is directly inside of them.
struct Places(BTreeMap<String, Option<Place>>);

impl Places {
    fn of(text: &str, fixes: &[(String, Fix)]) -> Places {
        let mut wanted = BTreeMap::new();
        for (pointer, fix) in fixes {
            wanted.insert(pointer.clone(), None);
            match fix {
                Fix::Insert { after, .. } => drop(wanted.insert(below(pointer, after), None)),
                Fix::Items(items) => {
                    let kept = items.iter().filter_map(|item| match item {
                        Item::Kept(at) => Some(format!("{pointer}/{at}")),
                        Item::New(_) => None,
                    });
                    wanted.extend(kept.map(|pointer| (pointer, None)));
                }
                Fix::Value(_) | Fix::Key(_) => {}
            }
        }
        scan(text, |found| {
            if let Some(place) = wanted.get_mut(found.pointer) {
                *place = Some(Place {
                    value: found.offset,
                    key: found.key,
                });
            }
        });
        Places(wanted)
    }

    fn get(&self, pointer: &str) -> Option<Place> {
        *self.0.get(pointer)?
    }

    fn change(&self, text: &str, pointer: &str, fix: &Fix) -> Option<Change> {
        let place = self.get(pointer)?;
        let whole = place.value..end_of_value(text, place.value);
        Some(match fix {
            Fix::Value(value) => Change {
                at: whole,
                with: value.to_string(),
            },
            Fix::Key(key) => {
                let start = place.key?;
                Change {
                    at: start..end_of_value(text, start),
                    with: written(key),
                }
            }
            Fix::Insert { after, key, value } => {
                let after = self.get(&below(pointer, after))?;
                let end = end_of_value(text, after.value);
                let start = after.key?;
                let gap = gap_around(text, start, end);
                let colon = &text[end_of_value(text, start)..after.value];
                Change {
                    at: end..end,
                    with: format!(",{gap}{}{colon}{value}", written(key)),
                }
            }
            Fix::Items(items) => Change {
                with: self.array(text, pointer, &whole, items)?,
                at: whole,
            },
        })
    }

    /// The text of an array with other items, each after the blank that the first one is after.
    fn array(
        &self,
        text: &str,
        pointer: &str,
        was: &Range<usize>,
        items: &[Item],
    ) -> Option<String> {
        let inside = &text[was.start + 1..was.end - 1];
        let rest = inside.trim_start();
        let gap = &inside[..inside.len() - rest.len()];
        let last = &inside[inside.trim_end().len()..];
        let line = &text[..was.start].rsplit('\n').next().unwrap_or_default();
        let indent = &line[..line.len() - line.trim_start().len()];
        let (deeper, outer) = (format!("\n{indent}  "), format!("\n{indent}"));
        let (gap, last) = match rest.is_empty() {
            true if line.len() < was.start && !items.is_empty() => (&*deeper, &*outer),
            true => ("", ""),
            false => (gap, last),
        };
        let kept: Vec<Option<&str>> = items
            .iter()
            .map(|item| match item {
                Item::New(_) => Some(""),
                Item::Kept(at) => {
                    let place = self.get(&format!("{pointer}/{at}"))?;
                    Some(&text[place.value..end_of_value(text, place.value)])
                }
            })
            .collect();
        let texts = || kept.iter().flatten().filter(|text| !text.is_empty());
        let flat = texts().next().is_some() && texts().all(|text| !text.contains('\n'));
        let mut array = "[".to_owned();
        for (i, item) in items.iter().enumerate() {
            let comma = match (i, gap) {
                (0, _) => "",
                (_, "") => ", ",
                _ => ",",
            };
            array += comma;
            array += gap;
            match item {
                Item::New(value) if flat => array += &on_a_line(value),
                Item::New(value) => array += &laid_out(value, gap),
                Item::Kept(_) => array += kept[i]?,
            }
        }
        array += last;
        array.push(']');
        Some(array)
    }
}

/// A value on lines of its own where the others are, deeper by two.
fn laid_out(value: &Value, gap: &str) -> String {
    match gap.contains('\n') {
        true => format!("{value:#}").replace('\n', gap),
        false => on_a_line(value),
    }
}

/// A value on one line, with a blank after each comma and colon.
fn on_a_line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(on_a_line).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) => {
            let entries = map.iter();
            let entries: Vec<_> = entries
                .map(|(key, value)| format!("{}: {}", written(key), on_a_line(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

/// A key as JSON has it.
fn written(key: &str) -> String {
    Value::from(key).to_string()
}

fn below(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", step(key))
}

/// The blank between the keys of an object, as it is after the entry that begins and ends there; before
/// it if it is the last one.
fn gap_around(text: &str, start: usize, end: usize) -> &str {
    match text[end..].trim_start().strip_prefix(',') {
        Some(rest) => &rest[..rest.len() - rest.trim_start().len()],
        None => &text[text[..start].trim_end().len()..start],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(text: &str, pointer: &str, fix: Fix) -> String {
        let (text, made) = patch(text, &[(pointer.to_owned(), fix)]);
        assert_eq!(made, 1);
        text
    }

    #[test]
    fn a_key_is_added_as_the_one_before_it_is_written() {
        let insert = |after: &str| Fix::Insert {
            after: after.to_owned(),
            key: "parent".to_owned(),
            value: json!(0),
        };
        let lines = "[{\n  \"idx\": 1,\n  \"type\": \"nop\"\n}]";
        assert_eq!(
            patched(lines, "/0", insert("idx")),
            "[{\n  \"idx\": 1,\n  \"parent\": 0,\n  \"type\": \"nop\"\n}]"
        );
        assert_eq!(
            patched("{\"a\": {\"idx\":1}}", "/a", insert("idx")),
            "{\"a\": {\"idx\":1,\"parent\":0}}"
        );
    }

    #[test]
    fn items_change_their_places_and_others_are_laid_out_as_they_are() {
        let items = || {
            Fix::Items(vec![
                Item::Kept(1),
                Item::Kept(0),
                Item::New(json!({"c": 3})),
            ])
        };
        assert_eq!(
            patched("[[1, {\"a\" : 2}]]", "/0", items()),
            "[[{\"a\" : 2}, 1, {\"c\": 3}]]"
        );
        assert_eq!(
            patched("{\"x\": [\n  1,\n  2\n]}", "/x", items()),
            "{\"x\": [\n  2,\n  1,\n  {\"c\": 3}\n]}"
        );
    }

    #[test]
    fn an_empty_array_is_filled_as_its_file_is_laid_out() {
        let items = || Fix::Items(vec![Item::New(json!(1)), Item::New(json!({"c": []}))]);
        assert_eq!(
            patched("{\"x\": []}", "/x", items()),
            "{\"x\": [1, {\"c\": []}]}"
        );
        assert_eq!(
            patched("{\n  \"x\": []\n}", "/x", items()),
            "{\n  \"x\": [\n    1,\n    {\n      \"c\": []\n    }\n  ]\n}"
        );
        let none = Fix::Items(Vec::new());
        assert_eq!(
            patched("{\n  \"x\": []\n}", "/x", none),
            "{\n  \"x\": []\n}"
        );
    }

    #[test]
    fn patch_skips_fixes_without_a_place_or_with_a_taken_one() {
        let fixes = [
            ("/a".to_owned(), Fix::Value(json!([]))),
            ("/a/0".to_owned(), Fix::Value(json!(2))),
            ("/b".to_owned(), Fix::Value(json!(2))),
            ("/a/0".to_owned(), Fix::Key("no key".to_owned())),
        ];
        let (text, made) = patch("\u{feff}{\"a\": [1]}", &fixes);
        assert_eq!((text.as_str(), made), ("\u{feff}{\"a\": []}", 1));
    }
}
