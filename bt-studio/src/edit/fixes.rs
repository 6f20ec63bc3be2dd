//! The text to write where a problem is.

use bt_core::tree::asset::{Fix, Item};

use super::work::Work;
use crate::text::edits::Entry;
use crate::text::style::New;

pub(super) fn fix(work: &mut Work<'_, '_>, pointer: &str, fix: &Fix) -> Result<(), String> {
    let json = &work.text.json;
    let nothing = || format!("there is nothing at `{pointer}`");
    let id = json.find(json.root(), pointer).ok_or_else(nothing)?;
    match fix {
        Fix::Value(value) => work.edits.replace(id, New::from(value)),
        Fix::Key(key) => work.edits.rename(id, key),
        Fix::Insert { after, key, value } => {
            let after = json.get(id, after).ok_or_else(nothing)?;
            let list = work.edits.list(id);
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
            *work.edits.list(id) = items.iter().map(entry).collect::<Result<_, _>>()?;
        }
        _ => return Err("this fix is not known here: run `bt-meta fix`".to_owned()),
    }
    Ok(())
}
