//! The public items of a crate, a line for each.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    Attribute, Fields, FieldsNamed, Generics, ImplItem, Item, ItemEnum, ItemImpl, ItemTrait,
    TraitItem, Type,
};

use super::modules::{Crate, Def, Import, attributes, is_hidden, is_pub};
use super::text::text;

/// Public items, by the path under which others name them.
type Paths = BTreeMap<Def, String>;

pub(super) fn lines(krate: &Crate) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    let paths = paths(krate, &mut lines);
    for (&def, path) in &paths {
        match def {
            Def::Module(_) => drop(lines.insert(format!("pub mod {path}"))),
            Def::Item(module, item) => {
                defined(krate, &krate.modules[module].items[item], path, &mut lines);
            }
        }
    }
    for (at, module) in krate.modules.iter().enumerate() {
        for item in &module.items {
            match item {
                Item::Impl(item) => implemented(krate, &paths, at, item, &mut lines),
                Item::Macro(item) => {
                    let is_exported = item
                        .attrs
                        .iter()
                        .any(|one| one.path().is_ident("macro_export"));
                    if let (true, false, Some(name)) =
                        (is_exported, is_hidden(&item.attrs), &item.ident)
                    {
                        lines.insert(format!("pub macro {}::{name}!", krate.name));
                    }
                }
                _ => {}
            }
        }
    }
    lines
}

/// The path of each public item: where it is defined, or else the first place that exports it. Further places are
/// lines of their own.
fn paths(krate: &Crate, lines: &mut BTreeSet<String>) -> Paths {
    let mut paths = Paths::new();
    let mut modules = vec![(0, krate.name.clone())];
    let mut next = 0;
    while let Some((at, path)) = modules.get(next).cloned() {
        next += 1;
        paths.insert(Def::Module(at), path.clone());
        for &child in &krate.modules[at].children {
            if krate.modules[child].is_public {
                modules.push((child, format!("{path}::{}", krate.modules[child].name)));
            }
        }
        for (item, name) in public_items(krate, at) {
            paths.insert(Def::Item(at, item), format!("{path}::{name}"));
        }
    }
    // Modules that are only exported join the list.
    next = 0;
    while let Some((at, path)) = modules.get(next).cloned() {
        next += 1;
        for import in krate.modules[at].imports.iter().filter(|one| one.is_public) {
            for (name, def) in exported(krate, at, import) {
                let place = format!("{path}::{name}");
                match (def, paths.get(&def)) {
                    (_, Some(first)) if *first == place => {}
                    (_, Some(first)) => drop(lines.insert(format!("pub use {place} = {first}"))),
                    (Def::Module(module), None) => {
                        paths.insert(def, place.clone());
                        modules.push((module, place.clone()));
                        for (item, name) in public_items(krate, module) {
                            let path = format!("{place}::{name}");
                            paths.entry(Def::Item(module, item)).or_insert(path);
                        }
                    }
                    (Def::Item(..), None) => drop(paths.insert(def, place)),
                }
            }
            if krate.resolve(at, &import.path).is_none() {
                let (name, from) = (&import.name, import.path.join("::"));
                lines.insert(format!("pub use {path}::{name} = {from}"));
            }
        }
    }
    paths
}

fn public_items(krate: &Crate, at: usize) -> impl Iterator<Item = (usize, String)> {
    let items = krate.modules[at].items.iter().enumerate();
    items.filter_map(|(index, item)| {
        let is_public = is_pub(visibility(item)?) && !is_hidden(attributes(item));
        is_public.then_some((index, name(item)?))
    })
}

/// The names that an import brings.
fn exported(krate: &Crate, at: usize, import: &Import) -> Vec<(String, Def)> {
    match krate.resolve(at, &import.path) {
        Some(Def::Module(module)) if import.name == "*" => {
            let items = public_items(krate, module);
            let items = items.map(|(item, name)| (name, Def::Item(module, item)));
            let imports = krate.modules[module].imports.iter();
            let imports = imports.filter(|one| one.is_public);
            let more = imports.flat_map(|one| exported(krate, module, one));
            items.chain(more).collect()
        }
        Some(Def::Item(module, item)) => {
            let is_hidden = is_hidden(attributes(&krate.modules[module].items[item]));
            let exported = (!is_hidden).then(|| (import.name.clone(), Def::Item(module, item)));
            exported.into_iter().collect()
        }
        Some(def @ Def::Module(_)) => vec![(import.name.clone(), def)],
        None => Vec::new(),
    }
}

fn visibility(item: &Item) -> Option<&syn::Visibility> {
    Some(match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        _ => return None,
    })
}

/// The name of an item that a path can lead to.
pub(super) fn name(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

fn defined(krate: &Crate, item: &Item, path: &str, lines: &mut BTreeSet<String>) {
    let mark = if has(attributes(item), "non_exhaustive") {
        "#[non_exhaustive] "
    } else {
        ""
    };
    match item {
        Item::Const(item) => drop(lines.insert(format!("pub const {path}: {}", text(&item.ty)))),
        Item::Static(item) => drop(lines.insert(format!("pub static {path}: {}", text(&item.ty)))),
        Item::Type(item) => {
            let (generics, ty) = (text(&item.generics), text(&item.ty));
            lines.insert(format!("pub type {path}{generics} = {ty}"));
        }
        Item::Fn(item) => drop(lines.insert(format!("pub {}", signature(&item.sig, path)))),
        Item::Struct(item) => {
            derived(&item.attrs, path, lines);
            let fields = match &item.fields {
                Fields::Named(fields) => {
                    named(krate, fields, path, lines);
                    String::new()
                }
                Fields::Unnamed(fields) => {
                    let each = fields.unnamed.iter().map(|field| {
                        if is_pub(&field.vis) {
                            text(&field.ty)
                        } else {
                            "_".to_owned()
                        }
                    });
                    format!("({})", each.collect::<Vec<_>>().join(", "))
                }
                Fields::Unit => String::new(),
            };
            let generics = generics(&item.generics);
            lines.insert(format!("{mark}pub struct {path}{generics}{fields}"));
        }
        Item::Enum(item) => {
            derived(&item.attrs, path, lines);
            let generics = generics(&item.generics);
            lines.insert(format!("{mark}pub enum {path}{generics}"));
            variants(krate, item, path, lines);
        }
        Item::Trait(item) => of_trait(krate, item, path, lines),
        _ => {}
    }
}

/// Generic parameters and their bounds.
fn generics(generics: &Generics) -> String {
    let bounds = generics.where_clause.as_ref();
    let bounds = bounds.map(|bounds| format!(" {}", text(bounds)));
    format!("{}{}", text(generics), bounds.unwrap_or_default())
}

fn signature(signature: &syn::Signature, path: &str) -> String {
    let name = signature.ident.to_string();
    let written = text(signature);
    let written = written.replace(",)", ")");
    written.replacen(&format!("fn {name}"), &format!("fn {path}"), 1)
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|one| one.path().is_ident(name))
}

fn derived(attributes: &[Attribute], path: &str, lines: &mut BTreeSet<String>) {
    for derive in attributes
        .iter()
        .filter(|one| one.path().is_ident("derive"))
    {
        let _ = derive.parse_nested_meta(|meta| {
            lines.insert(format!("impl {} for {path}", text(&meta.path)));
            Ok(())
        });
    }
}

fn named(krate: &Crate, fields: &FieldsNamed, path: &str, lines: &mut BTreeSet<String>) {
    for field in &fields.named {
        if is_pub(&field.vis) && krate.is_on(&field.attrs) && !is_hidden(&field.attrs) {
            let name = field
                .ident
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            lines.insert(format!("pub {path}::{name}: {}", text(&field.ty)));
        }
    }
}

fn variants(krate: &Crate, item: &ItemEnum, path: &str, lines: &mut BTreeSet<String>) {
    for variant in &item.variants {
        if !krate.is_on(&variant.attrs) || is_hidden(&variant.attrs) {
            continue;
        }
        let fields = variant.fields.iter().map(|field| match &field.ident {
            Some(name) => format!("{name}: {}", text(&field.ty)),
            None => text(&field.ty),
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        let fields = match variant.fields {
            Fields::Named(_) => format!(" {{ {fields} }}"),
            Fields::Unnamed(_) => format!("({fields})"),
            Fields::Unit => String::new(),
        };
        lines.insert(format!("pub {path}::{}{fields}", variant.ident));
    }
}

fn of_trait(krate: &Crate, item: &ItemTrait, path: &str, lines: &mut BTreeSet<String>) {
    let supers = text(&item.supertraits);
    let supers = if supers.is_empty() {
        supers
    } else {
        format!(": {supers}")
    };
    lines.insert(format!(
        "pub trait {path}{}{supers}",
        generics(&item.generics)
    ));
    for item in &item.items {
        let (attributes, line) = match item {
            TraitItem::Fn(item) => {
                let provided = if item.default.is_some() {
                    "provided "
                } else {
                    ""
                };
                let name = format!("{path}::{}", item.sig.ident);
                (
                    &item.attrs,
                    format!("pub {provided}{}", signature(&item.sig, &name)),
                )
            }
            TraitItem::Type(item) => {
                let bounds = text(&item.bounds);
                (
                    &item.attrs,
                    format!("pub type {path}::{}: {bounds}", item.ident),
                )
            }
            TraitItem::Const(item) => (
                &item.attrs,
                format!("pub const {path}::{}: {}", item.ident, text(&item.ty)),
            ),
            _ => continue,
        };
        if krate.is_on(attributes) && !is_hidden(attributes) {
            lines.insert(line);
        }
    }
}

fn implemented(
    krate: &Crate,
    paths: &Paths,
    at: usize,
    item: &ItemImpl,
    lines: &mut BTreeSet<String>,
) {
    if is_hidden(&item.attrs) {
        return;
    }
    let Some(path) = leads_to(krate, at, &item.self_ty).and_then(|def| paths.get(&def)) else {
        return;
    };
    // What comes after the name: `Runner<A>` is `bt_core::Runner<A>`.
    let written = text(&item.self_ty);
    let arguments = written.find('<').map_or("", |from| &written[from..]);
    let of = format!("{path}{arguments}");
    let bounds = generics(&item.generics);
    if let Some((name, _)) = &item.trait_ {
        let segments = name.segments.iter().map(|one| one.ident.to_string());
        let segments = segments.collect::<Vec<_>>();
        let own = krate.resolve(at, &segments);
        if own.is_none_or(|def| paths.contains_key(&def)) {
            lines.insert(format!("impl{bounds} {} for {of}", text(name)));
        }
        return;
    }
    for item in &item.items {
        let (attributes, visibility, line) = match item {
            ImplItem::Fn(item) => {
                let name = format!("{of}::{}", item.sig.ident);
                (
                    &item.attrs,
                    &item.vis,
                    format!("pub {}", signature(&item.sig, &name)),
                )
            }
            ImplItem::Const(item) => {
                let line = format!("pub const {of}::{}: {}", item.ident, text(&item.ty));
                (&item.attrs, &item.vis, line)
            }
            _ => continue,
        };
        if is_pub(visibility) && krate.is_on(attributes) && !is_hidden(attributes) {
            lines.insert(line);
        }
    }
}

fn leads_to(krate: &Crate, at: usize, ty: &Type) -> Option<Def> {
    let Type::Path(path) = ty else { return None };
    let segments = path.path.segments.iter().map(|one| one.ident.to_string());
    krate.resolve(at, &segments.collect::<Vec<_>>())
}
