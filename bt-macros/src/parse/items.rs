//! An `impl` block taken apart without parsing its bodies.
//!
//! ```text
//! block := HEADER "{" item* "}"
//! item  := ("#" "[" … "]")* MODIFIER* "fn" IDENT … ("{" BODY "}" | ";")
//!        | ("#" "[" … "]")* MODIFIER* ("const" IDENT | "type") … ";"
//!        | anything else up to ";" or "{ … }"
//! ```
//!
//! Each item is parsed by itself, its body replaced by `{}`, so that a half-typed body costs
//! exactly the compiler's own error, and one item that does not parse does not hide the others.
//! What is put out again are the original tokens.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;

use crate::errors::Errors;

/// The attributes that register something.
pub(crate) const MARKERS: [&str; 8] = [
    "action",
    "condition",
    "query",
    "decorator",
    "composite",
    "property",
    "event",
    "fallback",
];

/// The keys of `#[arg]` that are written as attributes by mistake.
pub(crate) const ARG_KEYS: [&str; 8] = [
    "default", "min", "max", "step", "unit", "choices", "out", "alias",
];

/// An `impl` block in pieces.
pub(crate) struct RawBlock {
    /// Everything before the braces.
    pub(crate) header: TokenStream,
    pub(crate) items: Vec<RawItem>,
    braces: Group,
}

/// The sort of an item, as far as its first tokens determine it.
#[derive(Clone, PartialEq)]
pub(crate) enum RawKind {
    Fn(Ident),
    Const(Ident),
    Type(Ident),
    Other,
}

/// One of our attributes on an item.
pub(crate) struct Marker {
    /// The marker, one of [`MARKERS`].
    pub(crate) name: &'static str,
    /// The attribute's path, for spans.
    pub(crate) path: TokenStream,
    /// The tokens in its parentheses.
    pub(crate) args: TokenStream,
}

/// One item of a block.
pub(crate) struct RawItem {
    pub(crate) kind: RawKind,
    pub(crate) markers: Vec<Marker>,
    /// `#[arg]` and `#[world]` on the item, where they mean nothing.
    pub(crate) misplaced: Vec<Ident>,
    /// The item's own attributes, ours taken out.
    pub(crate) attrs: Vec<TokenTree>,
    /// Everything after the attributes, the body included.
    pub(crate) tokens: Vec<TokenTree>,
    /// The position of the body in `tokens`.
    body: Option<usize>,
}

impl RawBlock {
    /// Takes a block apart; `None` if there are no braces at the end.
    pub(crate) fn parse(input: TokenStream) -> Option<RawBlock> {
        let mut tokens: Vec<_> = input.into_iter().collect();
        let Some(TokenTree::Group(braces)) = tokens.pop() else {
            return None;
        };
        if braces.delimiter() != Delimiter::Brace {
            return None;
        }
        let mut rest: Vec<_> = braces.stream().into_iter().collect();
        rest.reverse();
        let mut items = Vec::new();
        while !rest.is_empty() {
            items.push(item(&mut rest));
        }
        Some(RawBlock {
            header: tokens.into_iter().collect(),
            items,
            braces,
        })
    }

    /// The block with these items' tokens.
    pub(crate) fn put_together(&self, items: TokenStream) -> TokenStream {
        let mut braces = Group::new(Delimiter::Brace, items);
        braces.set_span(self.braces.span());
        let mut out = self.header.clone();
        out.extend([TokenTree::Group(braces)]);
        out
    }
}

impl RawItem {
    /// The item with an empty body, to be parsed.
    pub(crate) fn without_body(&self) -> TokenStream {
        let mut out: TokenStream = self.attrs.iter().cloned().collect();
        out.extend(
            self.tokens
                .iter()
                .enumerate()
                .map(|(at, token)| match token {
                    TokenTree::Group(group) if Some(at) == self.body => {
                        let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
                        empty.set_span(group.span());
                        TokenTree::Group(empty)
                    }
                    other => other.clone(),
                }),
        );
        out
    }

    /// Returns true if it is a function's signature alone.
    pub(crate) fn is_bodiless(&self) -> bool {
        matches!(self.kind, RawKind::Fn(_)) && !self.has_body()
    }

    /// Returns true if there is a body.
    pub(crate) fn has_body(&self) -> bool {
        self.body.is_some()
    }

    /// The item as written, without our attributes; those of its parameters only if `clean`.
    pub(crate) fn cleaned(&self, clean: bool) -> TokenStream {
        let mut out: TokenStream = self.attrs.iter().cloned().collect();
        let mut cleaned = !clean;
        let mut angles = Angles::default();
        for token in &self.tokens {
            let outside = angles.outside(token);
            match token {
                TokenTree::Group(group)
                    if !cleaned && outside && group.delimiter() == Delimiter::Parenthesis
                        // `pub(crate)` comes before the name.
                        && angles.named =>
                {
                    let mut params =
                        Group::new(Delimiter::Parenthesis, clean_params(group.stream()));
                    params.set_span(group.span());
                    out.extend([TokenTree::Group(params)]);
                    cleaned = true;
                }
                other => out.extend([other.clone()]),
            }
        }
        out
    }

    /// The first attribute of ours on a parameter, for items that are not registered.
    pub(crate) fn stray_param_attribute(&self) -> Option<Ident> {
        let mut angles = Angles::default();
        for token in &self.tokens {
            let outside = angles.outside(token);
            if let TokenTree::Group(group) = token
                && outside
                && angles.named
                && group.delimiter() == Delimiter::Parenthesis
            {
                let tokens: Vec<_> = group.stream().into_iter().collect();
                return tokens.windows(2).find_map(|pair| match pair {
                    [TokenTree::Punct(hash), TokenTree::Group(group)] if hash.as_char() == '#' => {
                        attribute_name(group).filter(|name| name == "arg" || name == "world")
                    }
                    _ => None,
                });
            }
        }
        None
    }
}

/// Follows `<` and `>` through a signature; `->` is no bracket.
#[derive(Default)]
struct Angles {
    depth: usize,
    dash: bool,
    after_fn: bool,
    named: bool,
}

impl Angles {
    /// Returns true if this token stands outside of all angle brackets.
    fn outside(&mut self, token: &TokenTree) -> bool {
        let outside = self.depth == 0;
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '<' => self.depth += 1,
                '>' if !self.dash => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.dash = matches!(punct.as_char(), '-' | '=')
                && punct.spacing() == proc_macro2::Spacing::Joint;
        } else {
            self.dash = false;
        }
        if let TokenTree::Ident(ident) = token {
            self.named |= self.after_fn;
            self.after_fn = ident == "fn";
        }
        outside
    }
}

/// A parameter list without `#[arg(…)]`, `#[world]` and doc comments.
fn clean_params(stream: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = stream.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if is_hash(&token)
            && let Some(TokenTree::Group(group)) = tokens.peek()
            && group.delimiter() == Delimiter::Bracket
            && attribute_name(group).is_some_and(|name| {
                name == "arg"
                    || name == "world"
                    || name == "doc"
                    || ARG_KEYS.iter().any(|key| name == key)
            })
        {
            tokens.next();
            continue;
        }
        out.push(token);
    }
    out.into_iter().collect()
}

fn is_hash(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#')
}

/// A `{ … }`, which a `$body:block` of a `macro_rules!` puts into a group without delimiters.
fn is_braces(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    match group.delimiter() {
        Delimiter::Brace => true,
        Delimiter::None => {
            let mut inside = group.stream().into_iter();
            inside.next().is_some_and(|token| is_braces(&token)) && inside.next().is_none()
        }
        _ => false,
    }
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}

/// Takes off the groups without delimiters that the next tokens stand in: a `macro_rules!` puts them
/// around what it was given, such as `$item:item`, `$vis:vis`.
fn open_groups(rest: &mut Vec<TokenTree>) {
    while let Some(TokenTree::Group(group)) = rest.pop_if(|token| is_invisible(token)) {
        let inside: Vec<_> = group.stream().into_iter().collect();
        rest.extend(inside.into_iter().rev());
    }
}

/// The tokens in an attribute's brackets; `#[$meta]` has a group without delimiters there.
fn visible(brackets: &Group) -> Vec<TokenTree> {
    let mut tokens = vec![TokenTree::Group(Group::new(
        Delimiter::None,
        brackets.stream(),
    ))];
    open_groups(&mut tokens);
    tokens.reverse();
    tokens
}

/// The name that an attribute begins with.
fn attribute_name(brackets: &Group) -> Option<Ident> {
    match visible(brackets).into_iter().next() {
        Some(TokenTree::Ident(name)) => Some(name),
        _ => None,
    }
}

fn is_invisible(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::None)
}

/// The next item; `rest` is reversed.
fn item(rest: &mut Vec<TokenTree>) -> RawItem {
    let mut attrs = Vec::new();
    let mut markers = Vec::new();
    let mut misplaced = Vec::new();
    open_groups(rest);
    while rest.last().is_some_and(is_hash) {
        let hash = rest.pop();
        // An inner attribute, `#![…]`, has a `!` between.
        let bang =
            rest.pop_if(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '!'));
        let group = rest.pop_if(|token| matches!(token, TokenTree::Group(_)));
        match &group {
            Some(TokenTree::Group(inside)) if bang.is_none() => {
                let name = attribute_name(inside).filter(|name| name == "arg" || name == "world");
                match (marker(inside), name) {
                    (Some(marker), _) => markers.push(marker),
                    (None, Some(name)) => misplaced.push(name),
                    (None, None) => attrs.extend(hash.into_iter().chain(group)),
                }
            }
            _ => {
                attrs.extend(hash.into_iter().chain(bang).chain(group));
            }
        }
        open_groups(rest);
    }
    let mut item = RawItem {
        kind: RawKind::Other,
        markers,
        misplaced,
        attrs,
        tokens: Vec::new(),
        body: None,
    };
    let mut angles = Angles::default();
    while let Some(token) = rest.pop() {
        let outside = angles.outside(&token);
        if let TokenTree::Ident(ident) = &token
            && item.kind == RawKind::Other
        {
            item.kind = kind(ident, rest.last());
        }
        let semicolon = is_semicolon(&token);
        let brace = is_braces(&token);
        item.tokens.push(token);
        if semicolon {
            break;
        }
        let runs_on = matches!(item.kind, RawKind::Const(_) | RawKind::Type(_));
        if brace && outside && !runs_on {
            if matches!(item.kind, RawKind::Fn(_)) {
                item.body = Some(item.tokens.len() - 1);
            }
            break;
        }
    }
    item
}

/// The sort of an item, from its keyword and the token after it.
fn kind(keyword: &Ident, next: Option<&TokenTree>) -> RawKind {
    let Some(TokenTree::Ident(name)) = next else {
        return RawKind::Other;
    };
    if keyword == "fn" {
        return RawKind::Fn(name.clone());
    }
    if keyword == "type" {
        return RawKind::Type(name.clone());
    }
    // `const fn`, `const unsafe fn`, `const async fn`, `const extern "C" fn`.
    let modifier = ["fn", "unsafe", "async", "extern", "safe"];
    if keyword == "const" && !modifier.iter().any(|word| name == word) {
        return RawKind::Const(name.clone());
    }
    RawKind::Other
}

/// One of our attributes, from what stands in its brackets.
fn marker(inside: &Group) -> Option<Marker> {
    let tokens = visible(inside);
    let path_end = tokens
        .iter()
        .position(|token| {
            !matches!(token, TokenTree::Ident(_))
                && !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
        })
        .unwrap_or(tokens.len());
    let (path, rest) = tokens.split_at(path_end);
    let idents: Vec<_> = path
        .iter()
        .filter_map(|token| match token {
            TokenTree::Ident(ident) => Some(ident.to_string()),
            _ => None,
        })
        .collect();
    let (last, before) = idents.split_last()?;
    let name = MARKERS.into_iter().find(|name| name == last)?;
    // `#[tracing::event]` is somebody else's.
    if before
        .last()
        .is_some_and(|of| of != "bt_core" && of != "prelude" && of != "bt")
    {
        return None;
    }
    let args = match rest {
        [] => TokenStream::new(),
        [TokenTree::Group(group)] => group.stream(),
        other => other.iter().cloned().collect(),
    };
    Some(Marker {
        name,
        path: path.iter().cloned().collect(),
        args,
    })
}

impl Marker {
    /// `#[action]`
    pub(crate) fn title(&self) -> String {
        format!("#[{}]", self.name)
    }
}

/// The attributes of an item that say `#[cfg(…)]`.
pub(crate) fn cfgs(attrs: &[syn::Attribute]) -> Vec<TokenStream> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"))
        .filter_map(|attr| match &attr.meta {
            syn::Meta::List(list) => Some(list.tokens.clone()),
            _ => None,
        })
        .collect()
}

/// The doc comment: an expression for each `#[doc = …]`.
pub(crate) fn docs(attrs: &[syn::Attribute]) -> Vec<TokenStream> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .filter_map(|attr| match &attr.meta {
            syn::Meta::NameValue(pair) => Some(pair.value.to_token_stream()),
            _ => None,
        })
        .collect()
}

/// `#[deprecated]`: since, note.
pub(crate) fn deprecated(attrs: &[syn::Attribute]) -> Option<(String, String)> {
    let attr = attrs
        .iter()
        .find(|attr| attr.path().is_ident("deprecated"))?;
    let (mut since, mut note) = (String::new(), String::new());
    match &attr.meta {
        syn::Meta::Path(_) => {}
        syn::Meta::NameValue(pair) => {
            if let Some(text) = super::keys::string(&pair.value) {
                note = text.value();
            }
        }
        syn::Meta::List(_) => {
            // What rustc does not accept there it reports itself.
            let _ = attr.parse_nested_meta(|meta| {
                let text: syn::LitStr = meta.value()?.parse()?;
                if meta.path.is_ident("since") {
                    since = text.value();
                } else if meta.path.is_ident("note") {
                    note = text.value();
                }
                Ok(())
            });
        }
    }
    Some((since, note))
}

/// Returns true if these tokens name `impl` anywhere.
pub(crate) fn names_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => names_impl(group.stream()),
        _ => false,
    })
}

/// Parses an item with an empty body.
pub(crate) fn parse_item<T: syn::parse::Parse>(item: &RawItem, errors: &mut Errors) -> Option<T> {
    errors.keep(syn::parse2(item.without_body()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn kinds(tokens: TokenStream) -> Vec<String> {
        let block = RawBlock::parse(tokens).unwrap();
        let text = |item: &RawItem| match &item.kind {
            RawKind::Fn(name) => format!("fn {name} {}", item.has_body()),
            RawKind::Const(name) => format!("const {name}"),
            RawKind::Type(name) => format!("type {name}"),
            RawKind::Other => "other".to_owned(),
        };
        block.items.iter().map(text).collect()
    }

    #[test]
    fn items_end_where_rust_says_they_end() {
        let found = kinds(quote! {
            impl<const N: usize> Walker<{ N + 1 }> where [(); { N }]: Sized {
                pub(crate) const fn a<const M: usize>(x: [u8; { 1 }]) -> Foo<{ M }>
                where Foo<{ 2 }>: X { body }
                const B: usize = { 1 } + { 2 };
                type C = Foo<{ 3 }>;
                #[event] fn d(f: fn(u8) -> u8, y: u64);
                fn e() -> fn() -> Foo<{ 4 }> { let = ; }
                some_macro! { x }
                unsafe fn f() {}
            }
        });
        let expect = [
            "fn a true",
            "const B",
            "type C",
            "fn d false",
            "fn e true",
            "other",
            "fn f true",
        ];
        assert_eq!(found, expect);
    }

    #[test]
    fn cleaning_takes_our_attributes_and_nothing_else() {
        let block = RawBlock::parse(quote! {
            impl Monster {
                #[inline] #[action(name = "x")] #[bt_core::condition] #[tracing::event]
                pub(crate) fn a(#[arg(min = 1)] x: u8, #[doc = "y"] #[allow(unused)] y: u8, #[world] w: &mut W) { #[arg] z }
            }
        })
        .unwrap();
        let item = &block.items[0];
        let names: Vec<_> = item.markers.iter().map(|marker| marker.name).collect();
        assert_eq!(names, ["action", "condition"]);
        let expect = quote! {
            #[inline] #[tracing::event]
            pub(crate) fn a(x: u8, #[allow(unused)] y: u8, w: &mut W) { #[arg] z }
        };
        assert_eq!(item.cleaned(true).to_string(), expect.to_string());
    }
}
