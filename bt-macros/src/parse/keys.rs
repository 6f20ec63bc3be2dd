//! The keys of an attribute.
//!
//! ```text
//! keys  := (key ("," key)* ","?)?
//! key   := IDENT                     a flag:   override
//!        | IDENT "=" EXPR            a value:  min = 0.5
//!        | IDENT "(" … ")"           a list:   meta(icon = "sword")
//!        | "world" "=" TYPE
//! ```
//!
//! A macro takes the keys it knows; each one left over is an error of its own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Token, Type, token};

use crate::errors::{Errors, did_you_mean, list};

/// The value of a key.
pub(crate) enum Value {
    Flag,
    Expr(Expr),
    Type(Type),
    List(TokenStream),
}

struct Entry {
    name: Ident,
    value: Value,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Entry> {
        if input.peek(syn::Lit) {
            let literal: Lit = input.parse()?;
            let message = format!(
                "a value without a key: write `name = {}`",
                literal.to_token_stream()
            );
            return Err(syn::Error::new(literal.span(), message));
        }
        let name = Ident::parse_any(input)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if name == "world" {
                Value::Type(input.parse()?)
            } else {
                Value::Expr(input.parse()?)
            }
        } else if input.peek(token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            Value::List(inner.parse()?)
        } else {
            Value::Flag
        };
        Ok(Entry { name, value })
    }
}

/// The keys of one attribute, until they are taken.
pub(crate) struct Keys {
    what: String,
    entries: Vec<Entry>,
    known: Vec<&'static str>,
}

impl Keys {
    /// Reads the keys of an attribute that is called `what` in messages, such as `#[action]`.
    pub(crate) fn parse(what: impl Into<String>, tokens: TokenStream, errors: &mut Errors) -> Keys {
        let mut keys = Keys {
            what: what.into(),
            entries: Vec::new(),
            known: Vec::new(),
        };
        let parser = |input: ParseStream<'_>| {
            let mut entries = Vec::new();
            while !input.is_empty() {
                // What comes after a syntax error cannot be told apart from it.
                match input.parse::<Entry>() {
                    Ok(entry) => entries.push(entry),
                    Err(error) => {
                        input.parse::<TokenStream>()?;
                        return Ok((entries, Some(error)));
                    }
                }
                if !input.is_empty()
                    && let Err(error) = input.parse::<Token![,]>()
                {
                    input.parse::<TokenStream>()?;
                    return Ok((entries, Some(error)));
                }
            }
            Ok((entries, None))
        };
        let last = tokens.clone().into_iter().last().map(|token| token.span());
        if let Some((entries, error)) = errors.keep(parser.parse2(tokens)) {
            for entry in entries {
                keys.add(entry, errors);
            }
            if let Some(error) = error {
                unfinished(error, last, errors);
            }
        }
        keys
    }

    fn add(&mut self, entry: Entry, errors: &mut Errors) {
        if self.entries.iter().any(|other| other.name == entry.name) {
            let message = format!("key `{}` is given twice", entry.name);
            errors.on(&entry.name, message);
        } else {
            self.entries.push(entry);
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Entry> {
        self.known.push(name);
        let at = self.entries.iter().position(|entry| entry.name == name)?;
        Some(self.entries.remove(at))
    }

    /// `name`
    pub(crate) fn flag(&mut self, name: &'static str, errors: &mut Errors) -> Option<Span> {
        let entry = self.take(name)?;
        match entry.value {
            Value::Flag => {}
            Value::Expr(value) => {
                errors.on(
                    value,
                    format!("`{name}` takes no value: write `{name}` alone"),
                );
            }
            Value::Type(value) => errors.on(value, format!("`{name}` takes no value")),
            Value::List(_) => {
                errors.on(
                    &entry.name,
                    format!("`{name}` takes no list: write `{name}` alone"),
                );
            }
        }
        Some(entry.name.span())
    }

    /// `name = EXPR`
    pub(crate) fn expr(&mut self, name: &'static str, errors: &mut Errors) -> Option<Expr> {
        let entry = self.take(name)?;
        if let Value::Expr(value) = entry.value {
            return Some(value);
        }
        errors.on(
            &entry.name,
            format!("`{name}` takes a value: write `{name} = …`"),
        );
        None
    }

    /// `name = "…"`
    pub(crate) fn string(&mut self, name: &'static str, errors: &mut Errors) -> Option<LitStr> {
        let entry = self.take(name)?;
        match entry.value {
            Value::Expr(value) => match string(&value) {
                Some(text) => return Some(text),
                None => errors.on(
                    &value,
                    format!("`{name}` takes a string: write `{name} = \"…\"`"),
                ),
            },
            Value::Flag | Value::Type(_) | Value::List(_) => errors.on(
                &entry.name,
                format!("`{name}` takes a string: write `{name} = \"…\"`"),
            ),
        }
        None
    }

    /// `name = ["…", "…"]`
    pub(crate) fn strings(&mut self, name: &'static str, errors: &mut Errors) -> Vec<LitStr> {
        let Some(entry) = self.take(name) else {
            return Vec::new();
        };
        let usage = format!("`{name}` takes a list of strings: write `{name} = [\"…\"]`");
        let Value::Expr(Expr::Array(array)) = entry.value else {
            match entry.value {
                Value::Expr(value) => errors.on(value, usage),
                Value::Flag | Value::Type(_) | Value::List(_) => errors.on(entry.name, usage),
            }
            return Vec::new();
        };
        let mut strings = Vec::new();
        for value in &array.elems {
            match string(value) {
                Some(text) => strings.push(text),
                None => errors.on(value, &usage),
            }
        }
        strings
    }

    /// `name = [EXPR, …]`
    pub(crate) fn exprs(&mut self, name: &'static str, errors: &mut Errors) -> Option<Vec<Expr>> {
        let value = self.expr(name, errors)?;
        match value {
            Expr::Array(array) if !array.elems.is_empty() => {
                Some(array.elems.into_iter().collect())
            }
            Expr::Array(array) => {
                errors.on(
                    array,
                    format!("`{name}` is empty: no value would be allowed"),
                );
                None
            }
            other => {
                errors.on(
                    other,
                    format!("`{name}` takes a list: write `{name} = […]`"),
                );
                None
            }
        }
    }

    /// `name = TYPE`
    pub(crate) fn ty(&mut self, name: &'static str, errors: &mut Errors) -> Option<Type> {
        let entry = self.take(name)?;
        if let Value::Type(ty) = entry.value {
            return Some(ty);
        }
        errors.on(
            &entry.name,
            format!("`{name}` takes a type: write `{name} = GameWorld`"),
        );
        None
    }

    /// `name(…)`
    pub(crate) fn list(&mut self, name: &'static str, errors: &mut Errors) -> Option<TokenStream> {
        let entry = self.take(name)?;
        if let Value::List(tokens) = entry.value {
            return Some(tokens);
        }
        errors.on(
            &entry.name,
            format!("`{name}` takes a list: write `{name}(key = value)`"),
        );
        None
    }

    /// A path in a string, `name = "a::b"`.
    pub(crate) fn path(&mut self, name: &'static str, errors: &mut Errors) -> Option<syn::Path> {
        let text = self.string(name, errors)?;
        text.parse_with(syn::Path::parse_mod_style)
            .map_err(|_| {
                let message = format!("`{}` is no path such as `engine::bt_core`", text.value());
                errors.on(&text, message);
            })
            .ok()
    }

    /// Says why a key that another attribute takes is not taken here.
    pub(crate) fn refuse(&mut self, names: &[&str], why: &str, errors: &mut Errors) {
        self.entries.retain(|entry| {
            let refused = names.iter().any(|name| entry.name == name);
            if refused {
                errors.on(&entry.name, format!("`{}` {why}", entry.name));
            }
            !refused
        });
    }

    /// Reports every key that nobody took.
    pub(crate) fn finish(mut self, errors: &mut Errors) {
        self.known.sort_unstable();
        self.known.dedup();
        for entry in &self.entries {
            let name = entry.name.to_string();
            let near = match instead_of(&name) {
                Some(instead) => format!(": {instead}"),
                None => did_you_mean(&name, &self.known),
            };
            let keys = if self.known.is_empty() {
                "takes no keys".to_owned()
            } else {
                format!("takes {}", list(&self.known))
            };
            errors.on(
                &entry.name,
                format!(
                    "{} has no key `{name}`{near}\n{} {keys}",
                    self.what, self.what
                ),
            );
        }
    }
}

/// The replacement for a key that many expect.
fn instead_of(name: &str) -> Option<&'static str> {
    match name {
        "desc" | "description" | "doc" | "docs" | "brief" | "comment" | "tooltip" | "help" => {
            Some("write a doc comment, `/// …`, above it")
        }
        "range" => Some("write `min = …, max = …`"),
        "optional" => Some("write the type `Option<…>`, or `default = …`"),
        _ => None,
    }
}

/// A syntax error; one that is about the end of the keys is said of the last of them, since the end
/// has no place of its own.
fn unfinished(error: syn::Error, last: Option<Span>, errors: &mut Errors) {
    match (
        error.to_string().strip_prefix("unexpected end of input, "),
        last,
    ) {
        (Some(expected), Some(last)) => errors.at(last, format!("{expected} after this")),
        _ => errors.push(error),
    }
}

/// A string literal.
pub(crate) fn string(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        Expr::Group(group) => string(&group.expr),
        _ => None,
    }
}

/// A number written out, with its sign.
pub(crate) fn number(value: &Expr) -> Option<f64> {
    match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Int(int) => int.base10_parse::<i128>().ok().map(|n| n as f64),
            Lit::Float(float) => float.base10_parse().ok(),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            number(&unary.expr).map(|n| -n)
        }
        Expr::Group(group) => number(&group.expr),
        Expr::Paren(paren) => number(&paren.expr),
        _ => None,
    }
}

/// `meta(key = value, …)`: each value as JSON text.
pub(crate) fn meta(tokens: TokenStream, errors: &mut Errors) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    let parser = syn::punctuated::Punctuated::<Entry, Token![,]>::parse_terminated;
    let last = tokens.clone().into_iter().last().map(|token| token.span());
    let parsed = parser.parse2(tokens);
    let parsed = parsed.map_err(|error| unfinished(error, last, errors));
    for entry in parsed.into_iter().flatten() {
        let name = entry.name.unraw().to_string();
        let json = match &entry.value {
            Value::Flag => Some("true".to_owned()),
            Value::Expr(value) => json(value),
            Value::Type(value) => syn::parse2(value.to_token_stream())
                .ok()
                .as_ref()
                .and_then(json),
            Value::List(_) => None,
        };
        let Some(json) = json else {
            let span = match &entry.value {
                Value::Expr(value) => value.span(),
                Value::Flag | Value::Type(_) | Value::List(_) => entry.name.span(),
            };
            errors.at(
                span,
                "a `meta` value is a string, a number, a bool or a list of them: it is carried to \
                 the export untouched",
            );
            continue;
        };
        if entries.iter().any(|(other, _)| *other == name) {
            errors.on(&entry.name, format!("key `{name}` is given twice"));
            continue;
        }
        entries.push((name, json));
    }
    entries
}

fn json(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => Some(quoted(&text.value())),
            Lit::Char(c) => Some(quoted(&c.value().to_string())),
            Lit::Bool(b) => Some(b.value.to_string()),
            Lit::Int(int) => Some(int.base10_digits().to_owned()),
            Lit::Float(float) => {
                let n: f64 = float.base10_parse().ok()?;
                n.is_finite().then(|| format!("{n:?}"))
            }
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            number(&unary.expr).and_then(|_| Some(format!("-{}", json(&unary.expr)?)))
        }
        Expr::Array(array) => {
            let items = array.elems.iter().map(json).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(",")))
        }
        Expr::Group(group) => json(&group.expr),
        _ => None,
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
