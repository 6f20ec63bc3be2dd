//! An `#[agent]` block as a whole.

use std::collections::BTreeMap;

use proc_macro2::{Span, TokenStream};
use syn::{ItemImpl, LitInt, Type};

use super::{event, method, property};
use crate::errors::{Errors, list};
use crate::model::{Block, Event, Hook, Item, Method, MethodKind, Property};
use crate::origin;
use crate::parse::items::{RawBlock, RawItem, RawKind};
use crate::parse::keys::Keys;

/// A block, as far as it was understood.
pub(crate) struct Outcome {
    /// The block to register; `None` if anything is wrong.
    pub(crate) block: Option<Block>,
    /// The items to put out again: for each, true if its parameters' attributes are ours.
    pub(crate) ours: Vec<bool>,
    /// The events, which become constructors even when something else is wrong, by item.
    pub(crate) events: BTreeMap<usize, Event>,
    pub(crate) bt: TokenStream,
}

/// Reads `#[agent(args)]` on a block.
pub(crate) fn block(args: TokenStream, raw: &RawBlock, errors: &mut Errors) -> Outcome {
    let mut keys = Keys::parse("`#[agent]` on a block", args, errors);
    let given = keys.path("crate", errors);
    let part = keys.expr("part", errors);
    keys.refuse(
        &[
            "name",
            "namespace",
            "display",
            "world",
            "base",
            "no_base",
            "alias",
            "category",
            "since",
            "meta",
        ],
        "is said once, on the type: `#[derive(Agent)] #[agent(…)] struct …`",
        errors,
    );
    keys.finish(errors);
    let bt = origin::bt_core(given.as_ref());
    let header = header(raw, errors);
    let part = part.and_then(|part| {
        let number = syn::parse2::<LitInt>(quote::quote!(#part)).ok();
        let number = number.and_then(|number| number.base10_parse::<u8>().ok());
        let number = number.filter(|number| *number < 8);
        if number.is_none() {
            errors.on(
                &part,
                "`part` is a number from 0 to 7: a generic agent has up to 8 blocks",
            );
        } else if header
            .as_ref()
            .is_some_and(|h| h.generics.params.is_empty())
        {
            errors.on(
                &part,
                "`part` numbers the blocks of a generic agent, and this block is not generic: \
                 leave it out",
            );
        }
        number
    });
    let mut found = Found {
        ours: vec![false; raw.items.len()],
        in_trait: header.as_ref().is_some_and(|h| h.trait_.is_some()),
        ..Found::default()
    };
    for (at, item) in raw.items.iter().enumerate() {
        found.item(at, item, raw, errors);
    }
    found.hooks(raw);
    for name in raw.items.iter().flat_map(|item| &item.misplaced) {
        let message =
            format!("`#[{name}]` goes on a parameter: write it before the parameter's name");
        errors.on(name, message);
    }
    for (at, item) in raw.items.iter().enumerate() {
        if !found.ours[at]
            && let Some(name) = item.stray_param_attribute()
        {
            let hook = if name == "world" {
                " (an exit or resume method that takes the world stands in the same block as its \
                 action)"
            } else {
                ""
            };
            let message = format!(
                "`#[{name}]` belongs to a parameter of a registered method: mark the method {}{hook}",
                list(&["#[action]", "#[condition]", "#[query]", "#[decorator]"])
            );
            errors.on(name, message);
            found.ours[at] = true;
        }
    }
    found.constructors(raw, errors);
    found.duplicates(errors);
    let events = found.events;
    let block = header.filter(|_| errors.is_empty()).map(|header| Block {
        bt: bt.clone(),
        span: header.impl_token.span,
        assoc_types: raw
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                RawKind::Type(name) => Some(name.clone()),
                RawKind::Fn(_) | RawKind::Const(_) | RawKind::Other => None,
            })
            .collect(),
        generics: header.generics,
        self_ty: *header.self_ty,
        trait_: header.trait_.map(|(path, _)| path),
        part,
        methods: found.methods,
        properties: found.properties,
        fallback: found.fallback,
    });
    Outcome {
        block,
        ours: found.ours,
        events,
        bt,
    }
}

/// The block without its items.
fn header(raw: &RawBlock, errors: &mut Errors) -> Option<ItemImpl> {
    let header: ItemImpl = errors.keep(syn::parse2(raw.put_together(TokenStream::new())))?;
    let mut ty = &*header.self_ty;
    while let Type::Paren(inner) = ty {
        ty = &inner.elem;
    }
    if !matches!(ty, Type::Path(_) | Type::Group(_) | Type::Macro(_)) {
        errors.on(
            &header.self_ty,
            "an agent is a type of its own: write `#[agent] impl MonsterAgent { … }`",
        );
        return None;
    }
    if let Some(lifetime) = header.generics.lifetimes().next() {
        errors.on(
            lifetime,
            "an agent owns what it holds: no lifetimes here; what it borrows for the time of a \
             poll is the world, `#[agent(world = &'w Level)]` on the type and `#[world]` on a \
             parameter",
        );
        return None;
    }
    Some(header)
}

#[derive(Default)]
struct Found {
    in_trait: bool,
    ours: Vec<bool>,
    methods: Vec<Method>,
    properties: Vec<Property>,
    events: BTreeMap<usize, Event>,
    fallback: Option<Hook>,
}

impl Found {
    fn item(&mut self, at: usize, raw: &RawItem, block: &RawBlock, errors: &mut Errors) {
        let mut markers = raw.markers.iter();
        let Some(marker) = markers.next() else { return };
        self.ours[at] = true;
        for other in markers {
            errors.on(
                &other.path,
                format!(
                    "an item is one thing: it is marked `{}` already",
                    marker.title()
                ),
            );
        }
        let marker = || crate::parse::items::Marker {
            name: marker.name,
            path: marker.path.clone(),
            args: marker.args.clone(),
        };
        let name = marker().name;
        match (&raw.kind, name) {
            (RawKind::Fn(_), "event") => {
                if let Some(event) = event::event(marker(), raw, self.in_trait, errors) {
                    self.events.insert(at, event);
                }
            }
            (RawKind::Fn(rust), _) if !raw.has_body() => errors.on(
                rust,
                format!(
                    "`{rust}` has no body: only an `#[event]` is a signature alone, what `#[{name}]` \
                     marks is called"
                ),
            ),
            (RawKind::Fn(_), _) if let Some(kind) = MethodKind::marked(name) => {
                let method = method::method(kind, marker(), raw, block, errors);
                self.methods.extend(method);
            }
            (RawKind::Fn(rust), "fallback") => {
                if self.fallback.is_some() {
                    errors.on(rust, "an agent has one fallback, and this block has one already");
                }
                self.fallback = method::fallback(marker(), raw, errors).or(self.fallback.take());
            }
            (RawKind::Fn(_), _) => {
                self.properties.extend(property::accessor(marker(), raw, errors));
            }
            (RawKind::Const(_), "property") => {
                self.properties.extend(property::constant(marker(), raw, errors));
            }
            (_, "property") => errors.on(
                marker().path,
                "`#[property]` goes on a getter, a setter (`#[property(set)]`) or an associated \
                 `const`; for a field, on the field below `#[derive(Agent)]`",
            ),
            (RawKind::Const(_) | RawKind::Type(_) | RawKind::Other, _) => {
                errors.on(marker().path, format!("`#[{name}]` goes on a method"));
            }
        }
    }

    /// Marks the exit and resume methods that methods name: they may take the world too, whatever is wrong
    /// with them.
    fn hooks(&mut self, block: &RawBlock) {
        let markers = block.items.iter().flat_map(|item| &item.markers);
        let tokens = markers.flat_map(|marker| marker.args.clone());
        let texts: Vec<_> = tokens.map(|token| token.to_string()).collect();
        for (at, item) in block.items.iter().enumerate() {
            if let RawKind::Fn(name) = &item.kind {
                let quoted = format!("\"{name}\"");
                let follows = |key: &str| {
                    texts
                        .windows(3)
                        .any(|t| t[0] == key && t[1] == "=" && t[2] == quoted)
                };
                self.ours[at] |= follows("exit") || follows("resume");
            }
        }
    }

    /// An event's constructor is a function, so no other may have its name.
    fn constructors(&mut self, block: &RawBlock, errors: &mut Errors) {
        self.events.retain(|at, event| {
            let other = block.items.iter().enumerate().find(|(other, item)| {
                other != at
                    && item.kind == RawKind::Fn(event.rust.clone())
                    && event.item.cfgs.is_empty()
            });
            // What the other is marked says nothing of its `cfg`s: the compiler knows.
            let taken = other.is_some_and(|(_, item)| item.attrs.is_empty());
            if taken {
                errors.on(
                    &event.rust,
                    format!(
                        "event `{0}` becomes a function, and this block has another function \
                         `{0}`: rename one of them, and keep its name for trees by `name = \"{0}\"`",
                        event.rust
                    ),
                );
            }
            !taken
        });
    }

    /// Names and aliases stand for one thing within the block.
    fn duplicates(&self, errors: &mut Errors) {
        let methods = self.methods.iter().map(|m| (m.kind.word(), &m.item));
        unique(methods.collect(), errors);
        let events = self.events.values().map(|e| ("event", &e.item));
        unique(events.collect(), errors);
        let is_setter = |p: &&Property| matches!(p.access, crate::model::Access::Setter { .. });
        let getters = self.properties.iter().filter(|p| !is_setter(p));
        unique(getters.map(|p| ("property", &p.item)).collect(), errors);
        let setters = self.properties.iter().filter(is_setter);
        unique(
            setters.map(|p| ("setter of property", &p.item)).collect(),
            errors,
        );
    }
}

/// ", first on line 7"; nothing where the compiler does not say the line.
pub(super) fn first_on(place: Span) -> String {
    match origin::line(place) {
        0 => String::new(),
        line => format!(", first on line {line}"),
    }
}

fn unique(items: Vec<(&str, &Item)>, errors: &mut Errors) {
    let mut seen: BTreeMap<String, Vec<(&Item, Span)>> = BTreeMap::new();
    for (word, item) in items {
        let mut names: Vec<(String, Span)> = vec![(item.name.clone(), item.name_span)];
        names.extend(
            item.aliases
                .iter()
                .map(|alias| (alias.value(), alias.span())),
        );
        for (name, span) in names {
            if name.is_empty() {
                continue;
            }
            let others = seen.entry(name.clone()).or_default();
            // Under opposite `cfg`s both may stand.
            let first = others.iter().find(|(other, _)| {
                !std::ptr::eq(*other, item) && other.cfgs.is_empty() && item.cfgs.is_empty()
            });
            if let Some((_, first)) = first {
                errors.at(
                    span,
                    format!(
                        "{word} `{name}` is registered twice in this block{}: each name and alias \
                         stands for one thing",
                        first_on(*first)
                    ),
                );
            }
            others.push((item, span));
        }
    }
}
