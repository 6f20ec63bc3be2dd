//! Descriptions as those of the macros, which live as long as the program: so these are leaked.

use crate::call::table::descriptor::Site;
use crate::call::table::item::{ItemDesc, Key, item as item_desc};
use crate::call::table::members::{Asking, MethodDesc, PropertyDesc};
use crate::describe::catalogue::{ItemEntry, MethodEntry, PropertyEntry, ValueEntry};
use crate::describe::shape::Shown;
use crate::describe::value::{ParamDesc, ValueDesc, ValueKey, param as param_desc, value};

/// A text for as long as the program runs.
pub(super) fn text(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

fn list<T>(all: Vec<T>) -> &'static [T] {
    match all.is_empty() {
        true => &[],
        false => Vec::leak(all),
    }
}

fn texts(all: &[String]) -> &'static [&'static str] {
    list(all.iter().map(|one| text(one)).collect())
}

/// The name of an item, its aliases, and whether it is deprecated.
pub(super) fn item(entry: &ItemEntry) -> ItemDesc {
    let mut keys = Vec::new();
    if !entry.alias.is_empty() {
        keys.push(Key::Alias(texts(&entry.alias)));
    }
    if let Some(deprecated) = &entry.deprecated {
        keys.push(Key::Deprecated(
            text(&deprecated.since),
            text(&deprecated.note),
        ));
    }
    item_desc(text(&entry.name), entry.line, "").keys(list(keys))
}

/// The place of an item.
pub(super) fn site(entry: &ItemEntry) -> Site {
    Site {
        package: text(&entry.package),
        krate: "",
        file: text(&entry.file),
    }
}

/// The name of an argument and its aliases; its defaults and bounds are beside it.
pub(super) fn param(entry: &ValueEntry) -> &'static ParamDesc {
    let mut keys = Vec::new();
    if !entry.alias.is_empty() {
        keys.push(ValueKey::Alias(texts(&entry.alias)));
    }
    Box::leak(Box::new(param_desc(text(&entry.name), "").keys(list(keys))))
}

pub(super) fn method_desc(entry: &MethodEntry) -> MethodDesc {
    let exit_args = entry
        .args
        .iter()
        .filter(|arg| entry.exit_args.contains(&arg.name));
    let name = |name: &Option<String>| name.as_deref().map(text);
    MethodDesc {
        item: item(&entry.item),
        kind: entry.kind,
        is_static: entry.is_static,
        takes_world: entry.world,
        is_override: entry.is_override,
        args: &[],
        shapes: &[],
        result: entry.result,
        answer: None,
        fallible: entry.fallible,
        exit: name(&entry.exit),
        exit_args: list(exit_args.map(|arg| *param(arg)).collect()),
        resume: name(&entry.resume),
        asking: Asking {
            running: entry.running,
            children: entry.child_min.map(|least| (least, entry.child_max)),
        },
    }
}

pub(super) fn property_desc(entry: &PropertyEntry) -> PropertyDesc {
    let item = item(&entry.item);
    let shown: ValueDesc = value::<Shown<serde_json::Value>>(param_desc(item.name, ""));
    PropertyDesc {
        item,
        value: Some(shown),
        params: (!entry.read_only).then_some(&[]),
        shapes: &[],
        is_static: entry.is_static,
        is_override: entry.is_override,
    }
}
