//! Changes of one JSON text, collected, and made at once.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{Id, Json};
pub use super::layout::Entry;
use super::layout::Layout;
use super::splices::Splice;
use super::style::{New, Style, hint, indent_at, lead, quoted, start};

/// Changes of one text. Indentation, the order of keys and all else stay as they are.
#[derive(Debug)]
pub struct Edits<'j, 't> {
    pub(super) json: &'j Json<'t>,
    style: &'j Style,
    lists: BTreeMap<Id, Vec<Entry>>,
    values: BTreeMap<Id, New>,
    keys: BTreeMap<Id, String>,
}

impl<'j, 't> Edits<'j, 't> {
    /// None of a text.
    pub fn of(json: &'j Json<'t>, style: &'j Style) -> Edits<'j, 't> {
        Edits {
            json,
            style,
            lists: BTreeMap::new(),
            values: BTreeMap::new(),
            keys: BTreeMap::new(),
        }
    }

    /// Writes another value.
    pub fn replace(&mut self, id: Id, value: New) {
        self.values.insert(id, value);
    }

    /// Writes another key.
    pub fn rename(&mut self, id: Id, key: &str) {
        self.keys.insert(id, key.to_owned());
    }

    /// The planned content of a container.
    pub fn list(&mut self, container: Id) -> &mut Vec<Entry> {
        let children = &self.json.part(container).children;
        let list = || children.iter().map(|id| Entry::Kept(*id)).collect();
        self.lists.entry(container).or_insert_with(list)
    }

    /// Takes an entry or an item out.
    pub fn remove(&mut self, id: Id) {
        if let Some(parent) = self.json.part(id).parent {
            self.list(parent).retain(|entry| *entry != Entry::Kept(id));
        }
    }

    /// Adds an entry to an object: where it belongs if the keys are sorted, else as the last.
    pub fn add(&mut self, object: Id, key: &str, value: New) {
        let json = self.json;
        let list = self.list(object);
        let name = |entry: &Entry| match entry {
            Entry::Kept(id) => json.key(*id).unwrap_or_default(),
            Entry::Keyed(key, _) => key.clone(),
            Entry::Item(_) => String::new(),
        };
        let names: Vec<String> = list.iter().map(name).collect();
        let at = match names.is_sorted() {
            true => names.partition_point(|name| name.as_str() < key),
            false => names.len(),
        };
        list.insert(at, Entry::Keyed(key.to_owned(), value));
    }

    /// The splices of all of them, in the order of the text.
    pub fn splices(&self) -> Vec<Splice> {
        let mut splices = Vec::new();
        self.container_or_value(self.json.root(), &self.touched(), &mut splices);
        splices
    }

    /// The values that change, and those around them: nothing else has to be looked at.
    fn touched(&self) -> BTreeSet<Id> {
        let changed = self.lists.keys().chain(self.values.keys());
        let mut touched = BTreeSet::new();
        for id in changed.chain(self.keys.keys()) {
            let mut at = Some(*id);
            while let Some(id) = at.filter(|id| touched.insert(*id)) {
                at = self.json.part(id).parent;
            }
        }
        touched
    }

    /// An entry as it is written, with what changes inside of it.
    pub fn raw(&self, id: Id) -> String {
        self.raw_with(id, &self.touched())
    }

    fn raw_with(&self, id: Id, touched: &BTreeSet<Id>) -> String {
        let mut splices = Vec::new();
        self.container_or_value(id, touched, &mut splices);
        let mut text = String::new();
        let mut from = start(self.json, id);
        for splice in splices {
            text += &self.json.text[from..splice.at.start];
            text += &splice.with;
            from = splice.at.end;
        }
        text + &self.json.text[from..self.json.part(id).span.end]
    }

    fn container_or_value(&self, from: Id, touched: &BTreeSet<Id>, splices: &mut Vec<Splice>) {
        // The next one is the last. A list has the places of its changes between those of what it keeps.
        enum Next {
            Value(Id),
            Splice(Splice),
        }
        let mut next = vec![Next::Value(from)];
        while let Some(one) = next.pop() {
            let id = match one {
                Next::Splice(splice) => {
                    splices.push(splice);
                    continue;
                }
                Next::Value(id) => id,
            };
            let part = self.json.part(id);
            if let Some((key, at)) = self.keys.get(&id).zip(part.key.clone()) {
                let with = quoted(key);
                splices.push(Splice { at, with });
            }
            if let Some(value) = self.values.get(&id) {
                splices.push(Splice {
                    at: part.span.clone(),
                    with: self.written(value, id),
                });
                continue;
            }
            match self.lists.get(&id) {
                None => {
                    let inside = part.children.iter().rev().copied();
                    next.extend(inside.filter(|id| touched.contains(id)).map(Next::Value));
                }
                Some(list) => {
                    let mut own = Vec::new();
                    self.regions(id, list, touched, &mut |region| match region {
                        Region::Stays(id) if !touched.contains(&id) => {}
                        Region::Stays(id) => own.push(Next::Value(id)),
                        Region::Changes(splice) => own.push(Next::Splice(splice)),
                    });
                    own.reverse();
                    next.append(&mut own);
                }
            }
        }
    }

    /// A value that takes the place of another, as it is written.
    fn written(&self, value: &New, instead_of: Id) -> String {
        let at = self.json.part(instead_of).span.start;
        let indent = indent_at(self.json.text, at);
        let hint = hint(self.json, instead_of).unwrap_or_default();
        let around = self.json.part(instead_of).parent;
        let on_lines = around.is_none_or(|around| {
            let first = self.json.part(around).children.first();
            first.is_some_and(|first| lead(self.json, around, *first).contains('\n'))
        });
        let mut text = String::new();
        self.style
            .write(value, &hint, on_lines.then_some(indent), &mut text);
        text
    }

    /// Reports the parts of a container that stay, and the changes between.
    fn regions(
        &self,
        id: Id,
        list: &[Entry],
        touched: &BTreeSet<Id>,
        report: &mut dyn FnMut(Region),
    ) {
        let layout = Layout::of(self.json, self.style, id);
        let part = self.json.part(id);
        // Numbers go up with the places in the text. One that moves is written anew.
        let place_of = |id: Id| part.children.binary_search(&id).ok();
        let mut last: Option<usize> = None;
        let mut new: Vec<String> = Vec::new();
        for entry in list {
            let stays = match entry {
                Entry::Kept(id) => place_of(*id).filter(|at| last.is_none_or(|last| *at > last)),
                Entry::Item(_) | Entry::Keyed(..) => None,
            };
            match stays {
                None => new.push(layout.entry(entry, &|id| self.raw_with(id, touched))),
                Some(at) => {
                    if let Some(splice) = layout.between(last, Some(at), &new) {
                        report(Region::Changes(splice));
                    }
                    new.clear();
                    report(Region::Stays(part.children[at]));
                    last = Some(at);
                }
            }
        }
        if let Some(splice) = layout.between(last, None, &new) {
            report(Region::Changes(splice));
        }
    }
}

enum Region {
    Stays(Id),
    Changes(Splice),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::splices::apply;

    fn edited(text: &str, edit: impl Fn(&mut Edits<'_, '_>, &Json<'_>)) -> String {
        let json = Json::read(text).unwrap();
        let style = Style::of(&json);
        let mut edits = Edits::of(&json, &style);
        edit(&mut edits, &json);
        let after = apply(text, &edits.splices());
        let value: Result<serde_json::Value, _> = serde_json::from_str(&after);
        assert!(value.is_ok(), "{after}");
        after
    }

    fn raw(text: &str) -> New {
        New::Raw(text.to_owned())
    }

    #[test]
    fn items_are_added_and_removed_as_the_others_are_written() {
        let add = |pointer: &'static str, at: usize| {
            move |edits: &mut Edits<'_, '_>, json: &Json<'_>| {
                let id = json.find(0, pointer).unwrap();
                edits.list(id).insert(at, Entry::Item(raw("7")));
            }
        };
        assert_eq!(edited("{\"a\": [1,2]}", add("/a", 2)), "{\"a\": [1,2,7]}");
        assert_eq!(edited("{\"a\": [1]}", add("/a", 0)), "{\"a\": [7, 1]}");
        assert_eq!(edited("{\"a\":[]}", add("/a", 0)), "{\"a\":[7]}");
        assert_eq!(
            edited("{\n\t\"a\" : [\n\t\t1 ,\n\t\t2\n\t]\n}", add("/a", 1)),
            "{\n\t\"a\" : [\n\t\t1 ,\n\t\t7 ,\n\t\t2\n\t]\n}"
        );
        assert_eq!(
            edited("{\r\n  \"a\": []\r\n}", add("/a", 0)),
            "{\r\n  \"a\": [\r\n    7\r\n  ]\r\n}"
        );
        let remove = |pointers: &'static [&'static str]| {
            move |edits: &mut Edits<'_, '_>, json: &Json<'_>| {
                for pointer in pointers {
                    edits.remove(json.find(0, pointer).unwrap());
                }
            }
        };
        let text = "{\n  \"a\": [\n    1,\n    2,\n    3\n  ]\n}";
        assert_eq!(
            edited(text, remove(&["/a/0", "/a/1", "/a/2"])),
            "{\n  \"a\": []\n}"
        );
        assert_eq!(
            edited(text, remove(&["/a/1", "/a/2"])),
            "{\n  \"a\": [\n    1\n  ]\n}"
        );
        assert_eq!(
            edited(text, remove(&["/a/0"])),
            "{\n  \"a\": [\n    2,\n    3\n  ]\n}"
        );
        assert_eq!(edited(text, remove(&["/a"])), "{}");
    }

    #[test]
    fn an_item_moves_with_what_changes_inside_of_it() {
        let text = "{\"a\": [{\"x\" : 1}, {\"y\": 2},  3]}";
        let after = edited(text, |edits, json| {
            let list = json.find(0, "/a").unwrap();
            let [x, y, three] = json.part(list).children[..] else {
                panic!()
            };
            edits.replace(json.find(0, "/a/0/x").unwrap(), raw("5"));
            edits.rename(json.find(0, "/a/1/y").unwrap(), "z");
            *edits.list(list) = vec![Entry::Kept(y), Entry::Kept(three), Entry::Kept(x)];
        });
        assert_eq!(after, "{\"a\": [{\"z\": 2},  3, {\"x\" : 5}]}");
    }

    #[test]
    fn a_key_is_added_where_it_belongs_among_sorted_ones_and_else_last() {
        let add =
            |edits: &mut Edits<'_, '_>, _: &Json<'_>| edits.add(0, "b", New::Array(vec![raw("1")]));
        assert_eq!(
            edited("{\"a\":1,\"c\":2}", add),
            "{\"a\":1,\"b\":[1],\"c\":2}"
        );
        assert_eq!(
            edited("{\"c\": 1, \"a\": 2}", add),
            "{\"c\": 1, \"a\": 2, \"b\": [1]}"
        );
        assert_eq!(
            edited("{\n  \"a\": 1,\n  \"c\": 2\n}", add),
            "{\n  \"a\": 1,\n  \"b\": [\n    1\n  ],\n  \"c\": 2\n}"
        );
    }

    #[test]
    fn a_new_value_is_laid_out_as_others_under_its_key() {
        let text = "{\n  \"nodes\": [\n    {\"idx\": 0, \"children\": [1, 2]},\n    {\"idx\": 1, \"children\": []}\n  ]\n}";
        let after = edited(text, |edits, json| {
            let nodes = json.find(0, "/nodes").unwrap();
            let node = vec![
                ("idx".to_owned(), raw("2")),
                ("children".to_owned(), New::Array(vec![raw("3"), raw("4")])),
            ];
            edits.list(nodes).push(Entry::Item(New::Object(node)));
            let children = json.find(0, "/nodes/1/children").unwrap();
            edits.list(children).push(Entry::Item(raw("2")));
        });
        assert_eq!(
            after,
            "{\n  \"nodes\": [\n    {\"idx\": 0, \"children\": [1, 2]},\n    {\"idx\": 1, \"children\": [2]},\n    {\"idx\": 2, \"children\": [3, 4]}\n  ]\n}"
        );
    }
}
