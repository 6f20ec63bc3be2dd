//! A container written with other entries than it had, in its own layout.

use super::edits::{Edits, Entry};
use super::json::Id;
use super::splices::Splice;
use super::style::{hint, indent_at, indent_of, lead, of_items, quoted, start};

/// The layout of a container.
pub(super) struct Layout<'e, 'j, 't> {
    edits: &'e Edits<'j, 't>,
    id: Id,
    hint: String,
    /// Before the first of what is inside.
    lead: String,
    /// Between two.
    between: String,
    /// After the last.
    tail: String,
}

impl<'e, 'j, 't> Layout<'e, 'j, 't> {
    pub(super) fn of(edits: &'e Edits<'j, 't>, id: Id) -> Layout<'e, 'j, 't> {
        let (json, style) = (edits.json, edits.style);
        let part = json.part(id);
        let text = json.text;
        let hint = hint(json, id).unwrap_or_default();
        let (lead, between, tail) = match (part.children.first(), part.children.last()) {
            (Some(first), Some(last)) => {
                let before = lead(json, id, *first);
                let between = match part.children.get(1) {
                    Some(second) => {
                        text[json.part(*first).span.end..start(json, *second)].to_owned()
                    }
                    None if before.contains('\n') => format!(",{before}"),
                    None => style.comma().to_owned(),
                };
                let tail = &text[json.part(*last).span.end..part.span.end - 1];
                (before.to_owned(), between, tail.to_owned())
            }
            _ => {
                // A line of items that is one of several lines stays one.
                let is_in_line = part.parent.is_some_and(|around| {
                    let first = json.part(around).children.first();
                    first.is_some_and(|first| !lead(json, around, *first).contains('\n'))
                });
                let indent = indent_at(text, part.span.start);
                let around = style.around(&hint, indent).filter(|_| !is_in_line);
                match around {
                    Some((lead, tail)) => {
                        let between = format!(",{lead}");
                        (lead, between, tail)
                    }
                    None => (String::new(), style.comma().to_owned(), String::new()),
                }
            }
        };
        Layout {
            edits,
            id,
            hint,
            lead,
            between,
            tail,
        }
    }

    /// A new entry, or one that has moved, as it is written.
    pub(super) fn entry(&self, entry: &Entry) -> String {
        let indent = indent_of(&self.between);
        let style = self.edits.style;
        let mut text = String::new();
        match entry {
            Entry::Kept(id) => {
                let json = self.edits.json;
                let begin = start(json, *id);
                let end = json.part(*id).span.end;
                let mut from = begin;
                for splice in self.edits.splices_in(*id) {
                    text += &json.text[from..splice.at.start];
                    text += &splice.with;
                    from = splice.at.end;
                }
                text += &json.text[from..end];
            }
            Entry::Item(value) => style.write(value, &of_items(&self.hint), indent, &mut text),
            Entry::Keyed(key, value) => {
                text = quoted(key) + style.colon();
                style.write(value, key, indent, &mut text);
            }
        }
        text
    }

    /// The change between two entries that stay; none is the start or the end.
    pub(super) fn between(
        &self,
        left: Option<usize>,
        right: Option<usize>,
        new: &[String],
    ) -> Option<Splice> {
        let json = self.edits.json;
        let part = json.part(self.id);
        let children = &part.children;
        let first = left.map_or(0, |left| left + 1);
        let is_same = new.is_empty() && first == right.unwrap_or(children.len());
        if is_same {
            return None;
        }
        let from = left.map_or(part.span.start + 1, |left| {
            json.part(children[left]).span.end
        });
        let to = right.map_or(part.span.end - 1, |right| start(json, children[right]));
        let joined = new.join(&self.between);
        // What was before the entry that stays, if there is one before it.
        let before = |right: usize| match right.checked_sub(1) {
            Some(before) => {
                &json.text[json.part(children[before]).span.end..start(json, children[right])]
            }
            None => &*self.between,
        };
        let with = match (left, right, new.is_empty()) {
            (None, None, true) => String::new(),
            (None, None, false) => format!("{}{joined}{}", self.lead, self.tail),
            (None, Some(_), true) => self.lead.clone(),
            (None, Some(right), false) => format!("{}{joined}{}", self.lead, before(right)),
            (Some(_), None, true) => self.tail.clone(),
            (Some(_), None, false) => format!("{}{joined}{}", self.between, self.tail),
            (Some(_), Some(right), true) => before(right).to_owned(),
            (Some(_), Some(right), false) => format!("{}{joined}{}", self.between, before(right)),
        };
        Some(Splice { at: from..to, with })
    }
}
