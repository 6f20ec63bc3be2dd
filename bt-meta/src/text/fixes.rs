//! Fixes of problems, as changes of a text.

use bt_core::tree::asset::{Fix, Item};

use super::edits::{Edits, Entry};
use super::json::Json;
use super::splices::apply;
use super::style::{New, Style};

impl Edits<'_, '_> {
    /// Writes the fix of a problem at the value that a JSON pointer names.
    ///
    /// # Errors
    /// A place that is not there, or a fix that is newer than this.
    pub fn fix(&mut self, pointer: &str, fix: &Fix) -> Result<(), String> {
        let json = self.json;
        let nothing = || format!("there is nothing at `{pointer}`");
        let id = json.find(json.root(), pointer).ok_or_else(nothing)?;
        match fix {
            Fix::Value(value) => self.replace(id, New::from(value)),
            Fix::Key(key) => self.rename(id, key),
            Fix::Insert { after, key, value } => {
                let after = json.get(id, after).ok_or_else(nothing)?;
                let list = self.list(id);
                let place = list.iter().position(|entry| *entry == Entry::Kept(after));
                let place = place.map_or(list.len(), |at| at + 1);
                list.insert(place, Entry::Keyed(key.clone(), New::from(value)));
            }
            Fix::Items(items) => {
                let old = &json.part(id).children;
                let entry = |item: &Item| match item {
                    Item::Kept(at) => old.get(*at).copied().map(Entry::Kept).ok_or_else(nothing),
                    Item::New(value) => Ok(Entry::Item(New::from(value))),
                };
                *self.list(id) = items.iter().map(entry).collect::<Result<_, _>>()?;
            }
            _ => return Err("this fix is not known here: run `bt-meta fix`".to_owned()),
        }
        Ok(())
    }
}

/// The text of a file with fixes made, each at its JSON pointer. One whose place is not there, or is inside of what another
/// replaces, is left out.
pub fn fixed(text: &str, fixes: &[(String, Fix)]) -> String {
    let Some(json) = Json::read(text) else {
        return text.to_owned();
    };
    let style = Style::of(&json);
    let mut edits = Edits::of(&json, &style);
    for (pointer, fix) in fixes {
        // The tree says where its values are, so it is there.
        let _ = edits.fix(pointer, fix);
    }
    apply(text, &edits.splices())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(text: &str, pointer: &str, fix: Fix) -> String {
        fixed(text, &[(pointer.to_owned(), fix)])
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
            patched("{\"a\":{\"idx\":1}}", "/a", insert("idx")),
            "{\"a\":{\"idx\":1,\"parent\":0}}"
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
            "[[{\"a\" : 2}, 1, {\"c\" : 3}]]"
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
    fn text_skips_fixes_without_a_place_or_with_a_taken_one() {
        let fixes = [
            ("/a".to_owned(), Fix::Value(json!([]))),
            ("/a/0".to_owned(), Fix::Value(json!(2))),
            ("/b".to_owned(), Fix::Value(json!(2))),
            ("/a/0".to_owned(), Fix::Key("no key".to_owned())),
        ];
        let text = fixed("\u{feff}{\"a\": [1]}", &fixes);
        assert_eq!(text, "\u{feff}{\"a\": []}");
    }
}
