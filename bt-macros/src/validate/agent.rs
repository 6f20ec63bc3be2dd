//! `#[derive(Agent)]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Index, Member, Meta, Type};

use super::block::first_on;
use super::params::value_keys;
use super::{item, plain};
use crate::errors::Errors;
use crate::model::{Access, Agent, Base, Property};
use crate::origin;
use crate::parse::keys::Keys;

/// Reads a type below `#[derive(Agent)]`, as far as it was understood.
pub(crate) fn agent(input: &DeriveInput, errors: &mut Errors) -> Agent {
    let mut keys = Keys::parse(
        "`#[agent]` on a type",
        helper(&input.attrs, "agent", errors).unwrap_or_default(),
        errors,
    );
    let name = snake_case(&plain(&input.ident));
    let item = item(&mut keys, name, &input.ident, &input.attrs, errors);
    if item.name.contains("::") {
        errors.at(
            item.name_span,
            "a name has no `::`: write `namespace = \"…\"` beside it",
        );
    }
    let namespace = keys.string("namespace", errors);
    if let Some(text) = &namespace
        && text
            .value()
            .split("::")
            .any(|part| syn::parse_str::<Ident>(part).is_err())
    {
        errors.on(
            text,
            "a namespace is identifiers with `::` between them, such as `game::npc`",
        );
    }
    let given = keys.path("crate", errors);
    let world = keys.ty("world", errors).and_then(|ty| world(&ty, errors));
    let no_base = keys.flag("no_base", errors);
    keys.refuse(
        &["base"],
        "goes on the field that holds the base agent",
        errors,
    );
    keys.refuse(
        &["part"],
        "goes on a block, `#[agent(part = 1)] impl<T> …`",
        errors,
    );
    keys.finish(errors);
    if let Some(lifetime) = input.generics.lifetimes().next() {
        errors.on(
            lifetime,
            "an agent owns what it holds: no lifetimes here; what it borrows for the time of a \
             poll is the world, `#[agent(world = &'w Level)]`",
        );
    }
    for attr in &input.attrs {
        if attr.path().is_ident("agent") && origin::stands_above_the_derive(attr.path().span()) {
            errors.on(
                attr.path(),
                "`#[agent(…)]` stands above `#[derive(Agent)]`, which reads it: write it below",
            );
        }
        if attr.path().is_ident("property") {
            errors.on(
                attr,
                "`#[property]` goes on a field, or on an item of an `#[agent]` block",
            );
        }
    }
    let mut base = None;
    let mut properties: Vec<Property> = Vec::new();
    for (member, field) in fields(input, errors) {
        if base_field(field, errors) {
            if base.is_some() {
                errors.on(
                    &field.ty,
                    "an agent has one base: another field is marked already",
                );
            } else if let Some(span) = no_base {
                errors.at(
                    span,
                    "`no_base`, and a field is marked `#[agent(base)]`: one of them",
                );
            }
            base = Some(Base::Field(Box::new((member.clone(), field.ty.clone()))));
        }
        if let Some(property) = property(member, field, errors) {
            let name = &property.item.name;
            if let Some(first) = properties.iter().find(|other| other.item.name == *name) {
                let first = first_on(first.item.name_span);
                errors.at(
                    property.item.name_span,
                    format!(
                        "property `{name}` is registered twice on this type{first}: give one of them another \
                         `name = \"…\"`"
                    ),
                );
            }
            properties.push(property);
        }
    }
    let base = base.unwrap_or(match no_base {
        Some(_) => Base::None,
        None => Base::BuiltIn,
    });
    Agent {
        bt: origin::bt_core(given.as_ref()),
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        item,
        namespace: namespace.map(|text| text.value()).unwrap_or_default(),
        world,
        base,
        properties,
    }
}

/// The keys of all `#[agent(…)]` or `#[property(…)]`; `None` if there is no such attribute.
fn helper(attrs: &[Attribute], name: &str, errors: &mut Errors) -> Option<TokenStream> {
    let mut tokens: Option<TokenStream> = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let tokens = tokens.get_or_insert_default();
        match &attr.meta {
            Meta::Path(_) => {}
            Meta::List(list) => {
                if !tokens.is_empty() {
                    tokens.extend(quote::quote!(,));
                }
                tokens.extend(list.tokens.clone());
            }
            Meta::NameValue(_) => errors.on(
                attr,
                format!("`#[{name}]` takes keys in parentheses: `#[{name}(…)]`"),
            ),
        }
    }
    tokens
}

fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Vec<(Member, &'a Field)> {
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(data) => {
            for field in data.variants.iter().flat_map(|variant| &variant.fields) {
                let ours = |attr: &&Attribute| {
                    attr.path().is_ident("agent") || attr.path().is_ident("property")
                };
                if let Some(attr) = field.attrs.iter().find(ours) {
                    errors.on(
                        attr,
                        "a variant's field is not always there: write getters in an `#[agent]` \
                         block, and hold the base agent in a struct",
                    );
                }
            }
            return Vec::new();
        }
        Data::Union(data) => {
            errors.on(data.union_token, "a union cannot be an agent: use a struct");
            return Vec::new();
        }
    };
    let member = |(at, field): (usize, &'a Field)| {
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::Unnamed(Index {
                index: u32::try_from(at).unwrap_or(u32::MAX),
                span: field.ty.span(),
            }),
        };
        (member, field)
    };
    match fields {
        Fields::Unit => Vec::new(),
        fields => fields.iter().enumerate().map(member).collect(),
    }
}

/// Returns true if a field is marked `#[agent(base)]`.
fn base_field(field: &Field, errors: &mut Errors) -> bool {
    for attr in field
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("base"))
    {
        errors.on(
            attr,
            "the base agent is marked `#[agent(base)]`: write that",
        );
    }
    let Some(tokens) = helper(&field.attrs, "agent", errors) else {
        return false;
    };
    let empty = tokens.is_empty();
    let mut keys = Keys::parse("`#[agent]` on a field", tokens, errors);
    let base = keys.flag("base", errors).is_some();
    keys.finish(errors);
    if empty {
        errors.on(&field.ty, "say what the field is: `#[agent(base)]`");
    }
    base
}

fn property(member: Member, field: &Field, errors: &mut Errors) -> Option<Property> {
    let tokens = helper(&field.attrs, "property", errors)?;
    let mut keys = Keys::parse("`#[property]` on a field", tokens, errors);
    let rust = match &member {
        Member::Named(ident) => ident.clone(),
        Member::Unnamed(index) => format_ident!("_{}", index.index, span = field.ty.span()),
    };
    let item = item(&mut keys, plain(&rust), &rust, &field.attrs, errors);
    if matches!(member, Member::Unnamed(_)) && rust == item.name {
        errors.on(
            &field.ty,
            "a field without a name: write `#[property(name = \"…\")]`",
        );
    }
    let read_only = keys.flag("read_only", errors).is_some();
    let is_override = keys.flag("override", errors).is_some();
    keys.refuse(
        &["set"],
        "goes on a setter; a field is writable by itself",
        errors,
    );
    let values = value_keys(&mut keys, false, errors);
    keys.finish(errors);
    Some(Property {
        item,
        is_override,
        keys: values,
        span: field.ty.span(),
        access: Access::Field {
            member,
            ty: field.ty.to_token_stream(),
            read_only,
        },
    })
}

/// The world's type, its lifetimes renamed to `'w` and `'s` in the order in which they appear.
fn world(ty: &Type, errors: &mut Errors) -> Option<TokenStream> {
    fn rename(
        tokens: TokenStream,
        names: &mut Vec<String>,
        elided: &mut Option<TokenTree>,
    ) -> TokenStream {
        let mut out = TokenStream::new();
        let mut after_tick = false;
        let mut after_and = None;
        let mut after_fn = false;
        for token in tokens {
            let punct = |c| matches!(&token, TokenTree::Punct(punct) if punct.as_char() == c);
            let (tick, and) = (punct('\''), punct('&'));
            if !tick && let Some(and) = after_and.take() {
                *elided = Some(and);
            }
            after_and = and.then(|| token.clone());
            let token = match token {
                TokenTree::Ident(ident) if after_tick && ident == "_" => {
                    *elided = Some(TokenTree::Ident(ident.clone()));
                    TokenTree::Ident(ident)
                }
                TokenTree::Ident(ident) if after_tick && ident != "static" => {
                    let name = ident.to_string();
                    let at = names.iter().position(|other| *other == name);
                    let at = at.unwrap_or_else(|| {
                        names.push(name);
                        names.len() - 1
                    });
                    let name = if at == 0 { "w" } else { "s" };
                    TokenTree::Ident(Ident::new(name, ident.span()))
                }
                TokenTree::Group(group) => {
                    // `Fn(&T)` has lifetimes of its own.
                    let mut own = None;
                    let elided = if after_fn { &mut own } else { &mut *elided };
                    let inner = rename(group.stream(), names, elided);
                    let mut renamed = proc_macro2::Group::new(group.delimiter(), inner);
                    renamed.set_span(group.span());
                    TokenTree::Group(renamed)
                }
                other => other,
            };
            after_tick = tick;
            after_fn = matches!(&token, TokenTree::Ident(ident)
                if ["Fn", "FnMut", "FnOnce", "fn"].iter().any(|name| ident == name));
            out.extend([token]);
        }
        out
    }
    let mut names = Vec::new();
    let mut elided = None;
    let renamed = rename(ty.to_token_stream(), &mut names, &mut elided);
    if let Some(place) = elided {
        errors.on(
            place,
            "name the world's lifetimes: `&'w Level`, `Commands<'w, 's>`",
        );
        return None;
    }
    if names.len() > 2 {
        errors.on(ty, "a world has at most two lifetimes, `'w` and `'s`");
        return None;
    }
    Some(renamed)
}

/// `MonsterAgent` is called `monster_agent`, `HTTPAgent` `http_agent`, `Agent2D` `agent2_d`.
fn snake_case(name: &str) -> String {
    let chars: Vec<_> = name.chars().collect();
    let mut out = String::new();
    for (at, c) in chars.iter().enumerate() {
        if c.is_uppercase() && at > 0 {
            let before = chars[at - 1];
            let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
            let new_word = !before.is_uppercase() || next_is_lower;
            if new_word && before != '_' {
                out.push('_');
            }
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn a_type_is_called_by_its_name_in_snake_case() {
        assert_eq!(snake_case("MonsterAgent"), "monster_agent");
        assert_eq!(snake_case("HTTPAgent"), "http_agent");
        assert_eq!(snake_case("Boss"), "boss");
        assert_eq!(snake_case("already_snake"), "already_snake");
        assert_eq!(snake_case("Boss2Agent"), "boss2_agent");
        assert_eq!(snake_case("怪物"), "怪物");
    }
}
