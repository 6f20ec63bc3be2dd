//! The common parts of all items: names, docs, keys, values, parameters.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Generics, LitStr};

use crate::model::{Item, Param, Role, Slot, ValueKeys};
use crate::origin::{at, here, line};

/// `item("chase", 12, "…").keys(&[…])`
pub(super) fn item(bt: &TokenStream, item: &Item) -> TokenStream {
    let Item { name, docs, .. } = item;
    let line = line(item.name_span);
    let key = quote!(#bt::__private::Key);
    let mut keys = Vec::new();
    if !item.aliases.is_empty() {
        let aliases = strings(&item.aliases);
        keys.push(quote!(#key::Alias(&[#(#aliases),*])));
    }
    keys.extend(item.display.iter().map(|text| quote!(#key::Display(#text))));
    keys.extend(
        item.category
            .iter()
            .map(|text| quote!(#key::Category(#text))),
    );
    keys.extend(item.since.iter().map(|text| quote!(#key::Since(#text))));
    keys.extend(
        item.meta
            .iter()
            .map(|(name, json)| quote!(#key::Meta(#name, #json))),
    );
    if let Some((since, note)) = &item.deprecated {
        keys.push(quote!(#key::Deprecated(#since, #note)));
    }
    let (lines, parts) = text(docs);
    let keys = (!keys.is_empty()).then(|| quote!(.keys(&[#(#keys),*])));
    quote!(#bt::__private::item(#name, #line, #lines) #parts #keys)
}

/// String literals without the user's spans, which lints would take for the user's code.
fn strings(literals: &[LitStr]) -> Vec<String> {
    literals.iter().map(LitStr::value).collect()
}

/// `#[cfg(…)]` for each.
pub(super) fn cfgs(cfgs: &[TokenStream]) -> TokenStream {
    quote!(#(#[cfg(#cfgs)])*)
}

/// `.keys(&[ValueKey::Unit("m"), …])`, for a value whose marker is `marker`; nothing for no keys.
pub(super) fn value_keys(
    bt: &TokenStream,
    keys: &ValueKeys,
    marker: &TokenStream,
) -> Option<TokenStream> {
    let key = quote!(#bt::__private::ValueKey);
    let mut out = Vec::new();
    let mut typed = |variant: &str, function: &str, value: &Option<Expr>| {
        if let Some(value) = value {
            let variant = format_ident!("{variant}");
            let function = format_ident!("{function}");
            let span = here(syn::spanned::Spanned::span(value));
            let bt = at(bt, span);
            let call = quote_spanned!(span=> #bt::__private::#function::<#marker, _>(#value));
            out.push(quote!(#key::#variant(|| #call)));
        }
    };
    typed("Default", "default_value", &keys.default);
    typed("Min", "bound", &keys.min);
    typed("Max", "bound", &keys.max);
    typed("Step", "bound", &keys.step);
    if let Some(choices) = &keys.choices {
        let first = choices.first().map(syn::spanned::Spanned::span);
        let span = here(first.unwrap_or_else(proc_macro2::Span::call_site));
        let bt = at(bt, span);
        let call = quote_spanned! {span=>
            #bt::__private::choices::<#marker, _, _>([#(#choices),*])
        };
        out.push(quote!(#key::Choices(|| #call)));
    }
    out.extend(keys.unit.iter().map(|text| quote!(#key::Unit(#text))));
    out.extend(keys.display.iter().map(|text| quote!(#key::Display(#text))));
    if !keys.aliases.is_empty() {
        let aliases = strings(&keys.aliases);
        out.push(quote!(#key::Alias(&[#(#aliases),*])));
    }
    if keys.deprecated {
        out.push(quote!(#key::Deprecated));
    }
    (!out.is_empty()).then(|| quote!(.keys(&[#(#out),*])))
}

/// A block's or a type's `where` clause, with every type parameter `'static`, as an agent is.
pub(super) fn where_static(generics: &Generics) -> TokenStream {
    let params: Vec<_> = generics.type_params().map(|param| &param.ident).collect();
    if params.is_empty() && generics.where_clause.is_none() {
        return TokenStream::new();
    }
    let given = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    quote!(where #(#given,)* #(#params: 'static,)*)
}

/// A doc comment: its lines as one string, and where it has other parts, those.
fn text(docs: &[TokenStream]) -> (String, Option<TokenStream>) {
    let literal = |doc: &TokenStream| {
        let text: LitStr = syn::parse2(doc.clone()).ok()?;
        Some(text.value()).filter(|text| !text.contains('\n'))
    };
    match docs.iter().map(literal).collect::<Option<Vec<_>>>() {
        Some(lines) => (lines.join("\n"), None),
        None => (String::new(), Some(quote!(.docs(&[#(#docs),*])))),
    }
}

/// A parameter's marker type; none for the world. A type of the user's own is named through `Arg`:
/// where it cannot be an argument, that is said once, and nothing that follows from it.
pub(super) fn marker(bt: &TokenStream, param: &Param) -> Option<TokenStream> {
    let (name, ty) = match &param.role {
        Role::World => return None,
        Role::Ended => return Some(quote!(#bt::__private::Ended)),
        Role::Asked => return Some(quote!(#bt::__private::AskedNow)),
        Role::Value(ty) => ("Val", ty),
        Role::Shared(ty) => ("Shared", ty),
        Role::Mut(ty) => ("Mut", ty),
        Role::Out(ty) => ("Out", ty),
    };
    let span = here(param.span);
    let bt = at(bt, span);
    let name = Ident::new(name, span);
    let marker = quote_spanned!(span=> #bt::__private::#name<#ty>);
    if is_usual(ty) || is_context(param) {
        return Some(marker);
    }
    Some(quote_spanned!(span=> <#marker as #bt::__private::Arg>::This))
}

/// `<Val<f64> as Carries>`: how an event carries a parameter. The table and the constructor name it
/// in one place, so that what cannot be carried is said once.
pub(super) fn carries(bt: &TokenStream, param: &Param) -> TokenStream {
    let (name, ty) = match &param.role {
        Role::Shared(ty) => ("Shared", ty),
        Role::Value(ty) | Role::Mut(ty) | Role::Out(ty) => ("Val", ty),
        Role::World | Role::Ended | Role::Asked => ("Val", &param.ty),
    };
    let span = here(param.span);
    let bt = at(bt, span);
    let name = Ident::new(name, span);
    quote_spanned!(span=> <#bt::__private::#name<#ty> as #bt::__private::Carries>)
}

/// `event_param::<<Val<f64> as Carries>::This>(param("range", "…"))`
pub(super) fn event_param(bt: &TokenStream, param: &Param) -> TokenStream {
    let carries = carries(bt, param);
    let span = here(param.span);
    let marker = quote_spanned!(span=> #carries::This);
    let param = owned(bt, param, param_desc(bt, param, &marker));
    let bt = at(bt, span);
    quote_spanned!(span=> #bt::__private::event_param::<#marker>(#param))
}

/// `param("range", "…").keys(&[…])`, for a method: its types are named once, with the call.
fn param_desc(bt: &TokenStream, param: &Param, marker: &TokenStream) -> TokenStream {
    let (lines, parts) = text(&param.docs);
    let keys = value_keys(bt, &param.keys, marker);
    let name = &param.name;
    quote!(#bt::__private::param(#name, #lines) #parts #keys)
}

/// `owned(<Hides<Alias>>::…, value)`: the compiler finds the reference that an alias hides. For the
/// usual types, which hide none, it need not look.
fn owned(bt: &TokenStream, param: &Param, value: TokenStream) -> TokenStream {
    let Role::Value(ty) = &param.role else {
        return value;
    };
    if is_usual(ty) {
        return value;
    }
    let span = here(param.span);
    let bt = at(bt, span);
    quote_spanned! {span=>
        #bt::__private::owned(<#bt::__private::Hides<#ty>>::__BT_REFERENCE, #value)
    }
}

/// `no_second_context(<Hides<A>>::…, <Hides<B>>::…, value)`: two parameters are spelled as the context,
/// and the compiler finds whether both are.
fn no_second_context(
    bt: &TokenStream,
    first: &TokenStream,
    second: &TokenStream,
    span: Span,
    value: TokenStream,
) -> TokenStream {
    let bt = at(bt, span);
    quote_spanned! {span=>
        #bt::__private::no_second_context(
            <#bt::__private::Hides<#first>>::__BT_REFERENCE,
            <#bt::__private::Hides<#second>>::__BT_REFERENCE,
            #value,
        )
    }
}

/// The world where a method takes it: what the compiler says of an agent without one is said there.
pub(super) fn lent_world(bt: &TokenStream, span: Span) -> TokenStream {
    let span = here(span);
    let bt = at(bt, span);
    quote_spanned! {span=>
        #bt::__private::lent_world::<<Self as #bt::__private::Agent>::WorldKind, _>(__bt_world)
    }
}

/// The same where there is no description: in an event's constructor.
pub(super) fn not_hidden(bt: &TokenStream, param: &Param) -> Option<TokenStream> {
    let Role::Value(ty) = &param.role else {
        return None;
    };
    let asked = owned(bt, param, quote!(#bt::__private::param("", "")));
    (!is_usual(ty)).then(|| quote!({ use #bt::__private::Owns as _; let _ = #asked; }))
}

/// Returns true if a type is spelled with these names only. It decides where the compiler's messages are, and
/// nothing else.
fn is_usual(ty: &TokenStream) -> bool {
    const USUAL: [&str; 32] = [
        "bool",
        "char",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "str",
        "String",
        "Value",
        "Option",
        "Vec",
        "Box",
        "HashMap",
        "BTreeMap",
        "Self",
        "mut",
        "std",
        "core",
        "alloc",
        "string",
        "collections",
        "serde_json",
    ];
    ty.clone().into_iter().all(|token| match token {
        TokenTree::Ident(ident) => USUAL.iter().any(|usual| ident == usual),
        TokenTree::Group(group) => is_usual(&group.stream()),
        _ => true,
    })
}

/// Returns true if a parameter is spelled as the context.
fn is_context(param: &Param) -> bool {
    let is = |token| matches!(token, TokenTree::Ident(ident) if ident == "Context");
    matches!(param.role, Role::Shared(_) | Role::Mut(_)) && param.ty.clone().into_iter().any(is)
}

/// The parameters' table, their tuple of markers, and the closure that calls `method` with them:
/// `|agent, world, (a0, a1)| method(agent, a0, world, a1)`, with names that no constant has.
pub(super) struct Signature {
    pub(super) values: Vec<TokenStream>,
    pub(super) markers: TokenStream,
    pub(super) closure: Closure,
    pub(super) takes_world: bool,
    /// The first type of the user's own, if there is one: where the compiler says of the whole what
    /// it says of that type.
    pub(super) place: Option<Span>,
}

/// `agent, world, (a0, a1)`, and `method(agent, a0, world, a1)`.
pub(super) struct Closure {
    pub(super) patterns: TokenStream,
    pub(super) call: TokenStream,
}

pub(super) fn signature<'a>(
    bt: &TokenStream,
    method: &TokenStream,
    receiver: bool,
    params: impl IntoIterator<Item = &'a Param>,
) -> Signature {
    let mut values = Vec::new();
    let mut markers = Vec::new();
    let mut patterns = Vec::new();
    let mut passed = Vec::new();
    let mut world = quote!(_);
    let mut agent = quote!(_);
    let mut takes_world = false;
    let mut place = None;
    let mut contexts: Vec<&TokenStream> = Vec::new();
    if receiver {
        agent = quote!(__bt_agent);
        passed.push(quote!(__bt_agent));
    }
    for param in params {
        let Some(marker) = marker(bt, param) else {
            world = quote!(__bt_world);
            takes_world = true;
            passed.push(lent_world(bt, param.span));
            continue;
        };
        let name = format_ident!("__bt_{}", patterns.len());
        if place.is_none() && !is_usual(&param.ty) && !is_context(param) {
            place = Some(param.span);
        }
        let mut value = owned(bt, param, param_desc(bt, param, &marker));
        if let (true, Role::Shared(ty) | Role::Mut(ty)) = (is_context(param), &param.role) {
            for first in &contexts {
                value = no_second_context(bt, first, ty, here(param.span), value);
            }
            contexts.push(ty);
        }
        values.push(value);
        markers.push(marker);
        match &param.role {
            Role::Shared(_) => {
                patterns.push(quote!(#name));
                passed.push(quote!(#bt::__private::Lend::lend(&#name)));
            }
            Role::Mut(_) | Role::Out(_) => {
                patterns.push(quote!(mut #name));
                passed.push(quote!(#bt::__private::LendMut::lend_mut(&mut #name)));
            }
            Role::Ended | Role::Asked => {
                patterns.push(quote!(#name));
                let (ty, span) = (&param.ty, here(param.span));
                let bt = at(bt, span);
                let as_it_is = match matches!(param.role, Role::Asked) {
                    true => quote!(asked),
                    false => quote!(ended),
                };
                let as_it_is = respan(as_it_is, span);
                passed.push(quote_spanned!(span=> #bt::__private::#as_it_is::<#ty>(#name)));
            }
            Role::Value(_) | Role::World => {
                patterns.push(quote!(#name));
                passed.push(quote!(#name));
            }
        }
    }
    Signature {
        values,
        markers: quote!((#(#markers,)*)),
        closure: Closure {
            patterns: quote!(#agent, #world, (#(#patterns,)*)),
            call: quote!(#method(#(#passed),*)),
        },
        takes_world,
        place,
    }
}

/// The arguments of an action that its exit method takes.
pub(super) struct TakenArgs {
    pub(super) markers: Vec<TokenStream>,
    /// Their descriptions.
    pub(super) values: Vec<TokenStream>,
    /// Checks that each has the type that the action's has.
    pub(super) same: Vec<TokenStream>,
    pub(super) patterns: Vec<TokenStream>,
    pub(super) passed: Vec<TokenStream>,
}

pub(super) fn taken_args(bt: &TokenStream, args: &[Param], params: &[Param]) -> TakenArgs {
    let mut taken = TakenArgs {
        markers: Vec::new(),
        values: Vec::new(),
        same: Vec::new(),
        patterns: Vec::new(),
        passed: Vec::new(),
    };
    for (number, arg) in args.iter().enumerate() {
        let own = params.iter().find(|param| param.name == arg.name);
        let own = own.and_then(|param| marker(bt, param));
        let (Some(marker), Some(own)) = (marker(bt, arg), own) else {
            continue;
        };
        let name = format_ident!("__bt_{number}");
        let span = here(arg.span);
        let there = at(bt, span);
        taken.passed.push(match &arg.role {
            Role::Shared(_) => quote_spanned!(span=> #there::__private::Lend::lend(&#name)),
            Role::World
            | Role::Ended
            | Role::Asked
            | Role::Value(_)
            | Role::Mut(_)
            | Role::Out(_) => {
                quote!(#name)
            }
        });
        taken.same.push(quote_spanned! {span=>
            #there::__private::same_argument::<#marker, #own>();
        });
        taken.values.push(param_desc(bt, arg, &marker));
        taken.patterns.push(quote!(#name));
        taken.markers.push(marker);
    }
    taken
}

/// The arguments of a hook's call: what it is given in order, and the world where it wants it.
pub(super) fn slots(bt: &TokenStream, slots: &[Slot], given: &[TokenStream]) -> TokenStream {
    let mut given = given.iter();
    let passed = slots.iter().map(|slot| match slot.world {
        true => Some(lent_world(bt, slot.span)),
        false => Some(respan(given.next()?.clone(), here(slot.span))),
    });
    let passed: Vec<_> = passed.flatten().collect();
    quote!(#(#passed),*)
}

/// The same tokens in another place, their names still resolved where they come from.
pub(super) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            let mut inner = Group::new(group.delimiter(), respan(group.stream(), span));
            inner.set_span(span);
            return TokenTree::Group(inner);
        }
        token.set_span(span.resolved_at(token.span()));
        token
    });
    tokens.collect()
}

/// Each way in which the parameters with a `#[cfg]` can be there or not: the condition, and which.
pub(super) fn variants(params: &[Param]) -> Vec<(TokenStream, Vec<&Param>)> {
    let mut variants: Vec<(TokenStream, Vec<&Param>)> = vec![(TokenStream::new(), Vec::new())];
    for param in params {
        if param.cfgs.is_empty() {
            for (_, chosen) in &mut variants {
                chosen.push(param);
            }
            continue;
        }
        let cfgs = &param.cfgs;
        variants = variants
            .into_iter()
            .flat_map(|(condition, chosen)| {
                let mut with = chosen.clone();
                with.push(param);
                let there = quote!(#condition #[cfg(all(#(#cfgs),*))]);
                let away = quote!(#condition #[cfg(not(all(#(#cfgs),*)))]);
                [(there, with), (away, chosen)]
            })
            .collect();
    }
    variants
}

/// `Self::Name` of a trait's associated type, where `Self` alone would be ambiguous.
pub(super) fn qualify(
    tokens: TokenStream,
    assoc_types: &[Ident],
    trait_: &syn::Path,
) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < tokens.len() {
        if let [
            TokenTree::Ident(this),
            TokenTree::Punct(a),
            TokenTree::Punct(b),
            TokenTree::Ident(name),
            ..,
        ] = &tokens[at..]
            && this == "Self"
            && a.as_char() == ':'
            && b.as_char() == ':'
            && assoc_types.contains(name)
        {
            out.extend(quote!(<#this as #trait_>::#name));
            at += 4;
            continue;
        }
        match &tokens[at] {
            TokenTree::Group(group) => {
                let inner = qualify(group.stream(), assoc_types, trait_);
                let mut qualified = proc_macro2::Group::new(group.delimiter(), inner);
                qualified.set_span(group.span());
                out.extend([TokenTree::Group(qualified)]);
            }
            other => out.extend([other.clone()]),
        }
        at += 1;
    }
    out
}

/// An identifier that says a name is taken, for the compiler to find it twice.
pub(super) fn taken(kind: &str, name: &str, span: proc_macro2::Span) -> Ident {
    // In snake case, as a lint asks of any function, and each name in its own way.
    let mut encoded = String::new();
    let plain = |c: &char| matches!(c, 'a'..='z' | '0'..='9');
    let mut before = None;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        // An underscore beside another, which what is encoded begins with, would be two.
        let between = before.is_some_and(|c| plain(&c)) && chars.peek().is_some_and(plain);
        if plain(&c) || (c == '_' && between) {
            encoded.push(c);
        } else {
            encoded.push_str(&format!("_u{:06x}", c as u32));
        }
        before = Some(c);
    }
    if !encoded.is_empty() && !encoded.starts_with('_') {
        encoded.insert(0, '_');
    }
    if !encoded.ends_with('_') {
        encoded.push('_');
    }
    Ident::new(&format!("__{kind}{encoded}is_registered_twice"), span)
}
