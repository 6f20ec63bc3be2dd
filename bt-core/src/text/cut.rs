//! Values that are too long to be shown: their beginning, and how much is missing.

use std::borrow::Cow;
use std::fmt::Display;

use serde_json::{Map, Value};

/// The number of bytes that a container, an item or a number counts for.
const ITEM: usize = 8;

/// The name of a value of which nothing but the end is shown.
const REST: &str = "…";

/// Room for values: so many bytes for all of them, and for each. What has none is cut, which costs no more than what is
/// shown.
#[derive(Debug)]
pub struct Room {
    left: usize,
    each: usize,
    names: usize,
    cuts: Vec<Cut>,
}

/// A value of which only the beginning is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its place, as a JSON pointer.
    pub at: String,
    /// The number of bytes of a text, items or entries that are missing.
    pub missing: usize,
}

impl Room {
    /// Room for so many bytes, and so many of each value; and for names half as much.
    pub fn new(all: usize, each: usize) -> Room {
        Room {
            left: all,
            each,
            names: all / 2,
            cuts: Vec::new(),
        }
    }

    /// Returns true if there is no room for anything more.
    pub fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Takes room for a name, if it has enough; whether it has.
    pub fn take_name(&mut self, name: &str) -> bool {
        let left = self.names.checked_sub(name.len() + REST.len() * ITEM);
        self.names = left.unwrap_or(0);
        left.is_some()
    }

    /// Takes room for a value, if it has enough; whether it has.
    pub fn fits(&mut self, value: &Value) -> bool {
        let room = self.left.min(self.each);
        let mut left = room;
        let fits = weigh(value, &mut left);
        if fits {
            self.left -= room - left;
        }
        fits
    }

    /// As much of a value as has room; `at` says where it is.
    pub fn show<'v>(&mut self, at: impl Display, value: &'v Value) -> Cow<'v, Value> {
        if self.fits(value) {
            return Cow::Borrowed(value);
        }
        let room = self.left.min(self.each);
        let mut left = room;
        let mut at = at.to_string();
        let shown = self.cut(&mut at, value, &mut left);
        self.left -= room - left;
        Cow::Owned(shown)
    }

    /// Notes what is missing of something that is no value.
    pub fn miss(&mut self, at: impl Display, missing: usize) {
        if missing > 0 {
            let at = at.to_string();
            self.cuts.push(Cut { at, missing });
        }
    }

    /// The cuts so far.
    pub fn into_cuts(self) -> Vec<Cut> {
        self.cuts
    }

    fn cut(&mut self, at: &mut String, value: &Value, left: &mut usize) -> Value {
        let mut copy = *left;
        if weigh(value, &mut copy) {
            *left = copy;
            return value.clone();
        }
        match value {
            Value::String(text) => {
                let shown = &text[..text.floor_char_boundary((*left).saturating_sub(ITEM))];
                let missing = text.len() - shown.len();
                *left = 0;
                self.miss(at, missing);
                format!("{shown}{}", rest(missing, "byte")).into()
            }
            Value::Array(items) => {
                let mut shown = Vec::new();
                *left = left.saturating_sub(ITEM);
                for item in items {
                    if *left == 0 {
                        break;
                    }
                    let place = at.len();
                    at.push_str(&format!("/{}", shown.len()));
                    shown.push(self.cut(at, item, left));
                    at.truncate(place);
                }
                let missing = items.len() - shown.len();
                self.miss(at, missing);
                shown.extend((missing > 0).then(|| rest(missing, "item").into()));
                shown.into()
            }
            Value::Object(fields) => {
                let mut shown = Map::new();
                *left = left.saturating_sub(ITEM);
                for (name, field) in fields {
                    let bytes = name.len() + ITEM;
                    if *left <= bytes {
                        *left = 0;
                        break;
                    }
                    *left -= bytes;
                    let place = at.len();
                    push_pointer(at, name);
                    shown.insert(name.clone(), self.cut(at, field, left));
                    at.truncate(place);
                }
                let missing = fields.len() - shown.len();
                self.miss(at, missing);
                if missing > 0 {
                    shown.insert(REST.to_owned(), rest(missing, "entry").into());
                }
                shown.into()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                *left = 0;
                value.clone()
            }
        }
    }
}

/// Adds a part to a JSON pointer.
pub fn push_pointer(at: &mut String, part: &str) {
    at.push('/');
    at.push_str(&part.replace('~', "~0").replace('/', "~1"));
}

/// The number of bytes that a value counts for, up to `most`.
pub fn weight(value: &Value, most: usize) -> usize {
    let mut left = most;
    match weigh(value, &mut left) {
        true => most - left,
        false => most,
    }
}

/// Takes the bytes that a value counts for; false as soon as there are too few.
fn weigh(value: &Value, left: &mut usize) -> bool {
    let mut take = |bytes: usize| {
        let rest = left.checked_sub(bytes);
        *left = rest.unwrap_or(0);
        rest.is_some()
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => take(ITEM),
        Value::String(text) => take(ITEM + text.len()),
        Value::Array(items) => take(ITEM) && items.iter().all(|item| weigh(item, left)),
        Value::Object(fields) => {
            take(ITEM)
                && fields.iter().all(|(name, field)| {
                    let rest = left.checked_sub(name.len() + ITEM);
                    *left = rest.unwrap_or(0);
                    rest.is_some() && weigh(field, left)
                })
        }
    }
}

/// "… (12 more items)".
fn rest(missing: usize, what: &str) -> String {
    let what = match (missing, what) {
        (1, what) => what.to_owned(),
        (_, "entry") => "entries".to_owned(),
        (_, what) => format!("{what}s"),
    };
    format!("{REST} ({missing} more {what})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn value_that_has_room_is_not_copied() {
        let mut room = Room::new(1_000, 100);
        let value = json!({"a": [1, "b"]});
        assert!(matches!(room.show("/x", &value), Cow::Borrowed(_)));
        assert!(room.into_cuts().is_empty());
    }

    #[test]
    fn value_without_room_is_cut_and_says_how_much_is_missing() {
        let mut room = Room::new(10_000, 100);
        let text = json!("ü".repeat(1_000));
        let shown = room.show("/text", &text).into_owned();
        assert_eq!(shown, format!("{}… (1908 more bytes)", "ü".repeat(46)));
        let list = json!(vec![7; 1_000]);
        let shown = room.show("/list", &list).into_owned();
        let items = shown.as_array().unwrap();
        assert_eq!(items.len(), 13);
        assert_eq!(items[12], "… (988 more items)");
        let deep = json!({"a/b": {"c": "x".repeat(500)}, "d": 1, "e": 2});
        let shown = room.show("/deep", &deep).into_owned();
        assert_eq!(shown["…"], "… (2 more entries)");
        let cut = |at: &str, missing| Cut {
            at: at.to_owned(),
            missing,
        };
        let cuts = room.into_cuts();
        assert_eq!(cuts[..2], [cut("/text", 1_908), cut("/list", 988)]);
        assert_eq!(cuts[2].at, "/deep/a~1b/c");
        assert_eq!(cuts[3], cut("/deep", 2));
    }

    #[test]
    fn room_is_for_all_values_together() {
        let mut room = Room::new(150, 100);
        let text = json!("x".repeat(80));
        assert!(matches!(room.show("/1", &text), Cow::Borrowed(_)));
        assert!(matches!(room.show("/2", &text), Cow::Owned(_)));
        assert!(room.is_full());
        assert_eq!(*room.show("/3", &text), "… (80 more bytes)");
        assert_eq!(*room.show("/4", &json!([1])), json!(["… (1 more item)"]));
    }

    #[test]
    fn what_is_cut_costs_no_more_than_what_is_shown() {
        let list = json!(vec![json!({"a": 1}); 200_000]);
        let before = std::time::Instant::now();
        let mut room = Room::new(1_000_000, 1_000);
        for _ in 0..1_000 {
            _ = room.show("", &list);
        }
        // A look at all of them would take minutes.
        assert!(before.elapsed() < std::time::Duration::from_secs(20));
    }
}
