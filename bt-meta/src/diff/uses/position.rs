//! Where in a tree's file something stands: JSON pointers to lines and columns.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::value::RawValue;

/// The places of a file. Nodes are found once; what is below one when it is asked for.
pub(super) struct Places<'t> {
    text: &'t str,
    nodes: Vec<&'t RawValue>,
    /// Where each line begins.
    lines: Vec<usize>,
    /// What is inside the values that were looked into, by where they begin.
    insides: RefCell<HashMap<usize, Rc<Inside<'t>>>>,
}

/// What is inside a value.
enum Inside<'t> {
    Items(Vec<&'t RawValue>),
    Keys(HashMap<Key<'t>, &'t RawValue>),
}

#[derive(Deserialize)]
struct Tree<'t> {
    #[serde(borrow)]
    nodes: Vec<&'t RawValue>,
}

impl<'t> Places<'t> {
    pub(super) fn of(bytes: &'t [u8]) -> Self {
        let text = str::from_utf8(bytes).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let tree: Option<Tree<'t>> = serde_json::from_str(text).ok();
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            text,
            nodes: tree.map(|tree| tree.nodes).unwrap_or_default(),
            lines: std::iter::once(0)
                .chain(ends.map(|(at, _)| at + 1))
                .collect(),
            insides: RefCell::default(),
        }
    }

    /// The line and the column of a value in a node, from 1; of the nearest around it where it is not
    /// there.
    pub(super) fn position(&self, pointer: &str) -> Option<(usize, usize)> {
        let below = pointer.strip_prefix("/nodes/")?;
        let (node, below) = below.split_once('/').unwrap_or((below, ""));
        let mut value: &'t RawValue = self.nodes.get(node.parse::<usize>().ok()?)?;
        for step in below.split('/').filter(|step| !step.is_empty()) {
            match self.inside(value, step) {
                Some(inner) => value = inner,
                None => break,
            }
        }
        let offset = self.offset(value)?;
        let line = self.lines.partition_point(|begin| *begin <= offset);
        let begin = *self.lines.get(line.checked_sub(1)?)?;
        Some((line, self.text.get(begin..offset)?.chars().count() + 1))
    }

    /// The value is a part of the text, so its address says where.
    fn offset(&self, value: &RawValue) -> Option<usize> {
        (value.get().as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)
    }

    fn inside(&self, value: &'t RawValue, step: &str) -> Option<&'t RawValue> {
        let at = self.offset(value)?;
        let known = self.insides.borrow().get(&at).cloned();
        let inside = match known {
            Some(inside) => inside,
            None => {
                let inside = Rc::new(Inside::of(value.get())?);
                self.insides.borrow_mut().insert(at, Rc::clone(&inside));
                inside
            }
        };
        match &*inside {
            Inside::Items(items) => items.get(step.parse::<usize>().ok()?).copied(),
            Inside::Keys(keys) => {
                let step = step.replace("~1", "/").replace("~0", "~");
                keys.get(&Key(Cow::Owned(step))).copied()
            }
        }
    }
}

impl<'t> Inside<'t> {
    fn of(text: &'t str) -> Option<Self> {
        match text.starts_with('[') {
            true => serde_json::from_str(text).ok().map(Inside::Items),
            false => serde_json::from_str(text).ok().map(Inside::Keys),
        }
    }
}

/// A key, which is borrowed where it has no escapes.
#[derive(Deserialize, PartialEq, Eq, Hash)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

#[cfg(test)]
mod tests {
    use super::Places;

    const TEXT: &str = "\u{feff}{\"nodes\": [\r\n  {\"idx\": 0},\r\n  {\"ü\": 1, \"extra\": {\"a/b\": [1,\n 2]}}]}";

    #[test]
    fn a_value_is_found_at_its_first_character() {
        let places = Places::of(TEXT.as_bytes());
        assert_eq!(places.position("/nodes/0"), Some((2, 3)));
        assert_eq!(places.position("/nodes/1/extra/a~1b/0"), Some((3, 30)));
        assert_eq!(places.position("/nodes/1/extra/a~1b/1"), Some((4, 2)));
    }

    #[test]
    fn what_is_not_there_stands_for_what_is_around_it() {
        let places = Places::of(TEXT.as_bytes());
        assert_eq!(
            places.position("/nodes/1/extra/no/thing"),
            places.position("/nodes/1/extra")
        );
        assert_eq!(places.position("/nodes/7"), None);
        assert_eq!(Places::of(b"\xff").position("/nodes/0"), None);
    }
}
