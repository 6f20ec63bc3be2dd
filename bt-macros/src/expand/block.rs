//! `#[agent]` on an `impl` block.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use super::item::{
    Closure, Signature, carries, cfgs, event_param, item, not_hidden, qualify, respan, signature,
    slots, taken, taken_args, value_keys, variants, where_static,
};
use crate::errors::Errors;
use crate::model::{Access, Block, Event, Hook, Method, MethodKind, Property, Slot};
use crate::origin::{at, here, line, site};
use crate::parse::items::RawBlock;
use crate::validate;

/// The block as written, its events as constructors, its mistakes, its registration.
pub(crate) fn block(args: TokenStream, input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let keyword = keyword(input.clone());
    let raw = RawBlock::parse(input.clone());
    let (Some("impl"), Some(raw)) = (keyword.as_deref(), raw.as_ref()) else {
        let message = match keyword.as_deref() {
            Some("struct" | "enum" | "union") => {
                "`#[agent]` goes on `impl` blocks; a type is made an agent by `#[derive(Agent)]`, \
                 written above its `#[agent(…)]`"
            }
            Some("trait") => {
                "`#[agent]` goes on `impl` blocks, here on an agent's `impl` of this trait: `#[agent] \
                 impl Trait for MonsterAgent { … }`"
            }
            _ => {
                "`#[agent]` goes on the `impl` blocks of an agent: `#[agent] impl MonsterAgent { … }`"
            }
        };
        errors.at(Span::call_site(), message);
        let errors = errors.into_tokens();
        // What a trait's items are marked is part of the same mistake.
        let input = match (keyword.as_deref(), raw) {
            (Some("trait"), Some(raw)) => {
                raw.put_together(raw.items.iter().map(|item| item.cleaned(true)).collect())
            }
            _ => input,
        };
        return quote!(#input #errors);
    };
    let read = validate::block(args, raw, &mut errors);
    let bt = &read.bt;
    let items = raw.items.iter().enumerate().map(|(at, item)| {
        match read.events.get(&at) {
            Some(event) => constructor(bt, event),
            // A signature with mistakes has no body, which is none of its own.
            None if !item.markers.is_empty() && item.is_bodiless() => TokenStream::new(),
            None => item.cleaned(read.ours[at]),
        }
    });
    let out = raw.put_together(items.collect());
    let registration = match read.block {
        Some(block) => register(&block, read.events.values().collect()),
        None => TokenStream::new(),
    };
    let errors = errors.into_tokens();
    quote!(#out #errors #registration)
}

/// The keyword that says what an item is.
fn keyword(input: TokenStream) -> Option<String> {
    // Attributes, a visibility's parentheses and modifiers come before.
    let words = input.into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    let is_item = |word: &String| {
        let items = ["impl", "struct", "enum", "union", "trait", "fn", "mod"];
        items.contains(&word.as_str())
    };
    words.into_iter().find(is_item)
}

/// The function that makes an event.
fn constructor(bt: &TokenStream, event: &Event) -> TokenStream {
    let Event {
        vis,
        rust,
        generics,
        ..
    } = event;
    let attrs = &event.attrs;
    let name = &event.item.name;
    let inputs = event.inputs.iter().map(|(ident, ty, conditions)| {
        let cfgs = cfgs(conditions);
        quote!(#cfgs #ident: #ty)
    });
    // No parameter is called this.
    let made = Ident::new("__bt_event", Span::mixed_site());
    let with = Ident::new("__bt_with", Span::mixed_site());
    let body = if event.is_wrong {
        // What is wrong with it was said.
        let unused = event.inputs.iter().map(|(ident, _, conditions)| {
            let cfgs = cfgs(conditions);
            quote!(#cfgs let _ = &#ident;)
        });
        quote!(#(#unused)* #bt::__private::Event::new(#name))
    } else {
        let all = event
            .inputs
            .iter()
            .zip(&event.params)
            .map(|((ident, ..), param)| {
                let (cfgs, name) = (cfgs(&param.cfgs), &param.name);
                let carries = carries(bt, param);
                // In one place, and by way of a name: what cannot be carried is said once.
                let call = quote! {
                    let #with = #carries::with;
                    let #made = #with(#made, #name, #ident);
                };
                let call = respan(call, here(param.span));
                let not_hidden = not_hidden(bt, param);
                quote!(#cfgs let #made = { #not_hidden #call #made };)
            });
        quote!(let #made = #bt::__private::Event::new(#name); #(#all)* #made)
    };
    let lifetimes = generics.params.to_token_stream();
    quote! {
        #(#attrs)*
        #vis fn #rust<#lifetimes>(#(#inputs),*) -> #bt::__private::Event {
            #body
        }
    }
}

/// The `const _` with the block's tables.
fn register(block: &Block, events: Vec<&Event>) -> TokenStream {
    let bt = &block.bt;
    let (impl_generics, _, _) = block.generics.split_for_impl();
    let this = &block.self_ty;
    let reach = match &block.trait_ {
        Some(path) => quote!(<Self as #path>),
        None => quote!(<Self>),
    };
    let site = site(bt, block.span);
    let methods = block.methods.iter().map(|m| method(bt, &reach, m));
    let properties = block.properties.iter().map(|p| property(bt, &reach, p));
    let event_descs = events.iter().map(|event| event_desc(bt, event));
    let fallback = match &block.fallback {
        Some(hook) => fallback(bt, &reach, hook),
        None => quote!(#bt::__private::None),
    };
    let mut table = quote! {
        &#bt::__private::Table::<Self> {
            methods: &[#(#methods),*],
            properties: &[#(#properties),*],
            events: &[#(#event_descs),*],
            fallback: #fallback,
        }
    };
    if let Some(path) = &block.trait_
        && !block.assoc_types.is_empty()
    {
        table = qualify(table, &block.assoc_types, path);
    }
    let is_generic = !block.generics.params.is_empty();
    let (tag, tag_def) = if is_generic {
        let part = block.part.unwrap_or(0) as usize;
        // Two blocks with one number are two implementations of one trait: said at the block.
        let span = block.span;
        (
            quote_spanned!(span=> #bt::__private::GiveEachBlockItsOwnAgentPart<#part>),
            None,
        )
    } else {
        (
            quote!(__BtBlock),
            Some(quote!(
                struct __BtBlock;
            )),
        )
    };
    let submit = (!is_generic).then(|| {
        quote! {
            #bt::__private::inventory::submit! {
                #bt::__private::Registration::Block(
                    <#this as #bt::__private::Part<__BtBlock>>::BLOCK
                )
            }
        }
    });
    let where_clause = where_static(&block.generics);
    let taken = if block.trait_.is_none() {
        names_taken(block, &events)
    } else {
        TokenStream::new()
    };
    let implements = match &block.trait_ {
        _ if is_generic => quote_spanned!(block.span=> #bt::__private::Part<#tag> for #this),
        _ => quote!(#bt::__private::Part<#tag> for #this),
    };
    quote! {
        #[allow(deprecated)]
        const _: () = {
            #tag_def
            #[allow(unused_imports)]
            use #bt::__private::{Answers as _, Owns as _, Plain as _};
            #[automatically_derived]
            impl #impl_generics #implements #where_clause {
                const BLOCK: #bt::__private::Block = #bt::__private::Block {
                    site: #site,
                    id: #bt::__private::TypeId::of::<Self>,
                    type_name: #bt::__private::type_name::<Self>,
                    table: #table,
                };
            }
            #submit
        };
        #taken
    }
}

/// An inherent item for each name, so that the compiler finds the same name in two blocks.
fn names_taken(block: &Block, events: &[&Event]) -> TokenStream {
    let methods = block.methods.iter().map(|m| ("action", &m.item));
    let events = events.iter().map(|e| ("event", &e.item));
    let properties = block.properties.iter().map(|p| {
        let kind = match p.access {
            Access::Setter { .. } => "setter",
            Access::Field { .. } | Access::Const { .. } | Access::Getter { .. } => "property",
        };
        (kind, &p.item)
    });
    let names = methods
        .chain(events)
        .chain(properties)
        .flat_map(|(kind, item)| {
            let aliases = item
                .aliases
                .iter()
                .map(|alias| (alias.value(), alias.span()));
            let names = std::iter::once((item.name.clone(), item.name_span)).chain(aliases);
            names.map(move |(name, span)| {
                let name = taken(kind, &name, span);
                let cfgs = cfgs(&item.cfgs);
                // The compiler says it of the whole signature, so all of it is where the name is.
                let span = here(span);
                quote_spanned!(span=> #cfgs #[doc(hidden)] fn #name() {})
            })
        });
    let fallback = block.fallback.iter().map(|hook| {
        let name = taken("fallback", "", hook.line);
        let span = here(hook.line);
        quote_spanned!(span=> #[doc(hidden)] fn #name() {})
    });
    let names: Vec<_> = names.chain(fallback).collect();
    if names.is_empty() {
        return TokenStream::new();
    }
    let (impl_generics, _, where_clause) = block.generics.split_for_impl();
    let this = &block.self_ty;
    quote!(#[automatically_derived] impl #impl_generics #this #where_clause { #(#names)* })
}

/// A trait that stands for an exit method that another block defines: where none does, the compiler says what to write.
fn missing_exit(bt: &TokenStream, action: &Ident, exit: &Ident) -> TokenStream {
    let message = format!(
        "action `{action}` has no exit method `{exit}`: `#[action(exit = \"{exit}\")]` names one that `{{Self}}` \
         does not have"
    );
    let label = format!("no method `{exit}`");
    let note = format!(
        "write it: `fn {exit}(&mut self, cx: &mut Context, exit: Exit) {{{{ … }}}}`, or take `exit = \"{exit}\"` away"
    );
    quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        trait __BtExitMethod {}
        #[allow(dead_code)]
        trait __BtMissingExit {
            fn #exit(&mut self, _: &mut #bt::__private::Context<'_>, _: #bt::__private::Exit)
            where
                Self: __BtExitMethod,
            {
            }
        }
        impl<T: ?Sized> __BtMissingExit for T {}
    }
}

fn method(bt: &TokenStream, reach: &TokenStream, method: &Method) -> TokenStream {
    let Method { rust, output, .. } = method;
    let desc = item(bt, &method.item);
    let (kind, constructor) = match method.kind {
        MethodKind::Action => (quote!(Action), quote!(action)),
        MethodKind::Condition => (quote!(Condition), quote!(condition)),
        MethodKind::Query => (quote!(Query), quote!(action)),
        MethodKind::Decorator => (quote!(Decorator), quote!(decorator)),
        MethodKind::Composite => (quote!(Composite), quote!(composite)),
    };
    let (register, agent) = of_agent(bt, "method", method.receiver);
    let mut more = TokenStream::new();
    if method.is_override {
        more.extend(quote!(.overriding()));
    }
    if method.running {
        more.extend(quote!(.running()));
    }
    if let Some((least, most)) = method.children {
        let most = match most {
            Some(most) => quote!(#bt::__private::Some(#most)),
            None => quote!(#bt::__private::None),
        };
        more.extend(quote!(.children(#least, #most)));
    }
    if let Some((name, hook)) = &method.exit {
        let action = rust;
        let rust = &hook.rust;
        let taken = taken_args(bt, &hook.args, &method.params);
        let given = [quote!(__bt_cx), quote!(__bt_exit)]
            .into_iter()
            .chain(taken.passed);
        let given = slots(bt, &hook.slots, &given.collect::<Vec<_>>());
        let world = world_name(&hook.slots);
        let span = here(hook.line);
        let there = at(bt, span);
        let left = quote_spanned!(span=> #there::__private::ExitResult::left);
        let method = respan(quote!(#reach::#rust), span);
        let call = quote_spanned!(span=> #method(__bt_agent, #given));
        let (markers, values) = (taken.markers, taken.values);
        more.extend(match hook.args.is_empty() {
            true => {
                let missing = (!hook.is_here).then(|| missing_exit(bt, action, rust));
                quote!(.exit(#name, |__bt_agent, #world, __bt_cx, __bt_exit| { #missing #left(#call) }))
            }
            false => {
                let args = quote!(<(#(#markers,)*) as #bt::__private::Args>);
                let (same, patterns) = (taken.same, taken.patterns);
                quote! {
                    .exit_with(#name, #args::SHAPES, &[#(#values),*], |__bt_agent, #world, __bt_cx, __bt_exit, __bt_giver| {
                        #(#same)*
                        match #args::given(__bt_giver) {
                            #bt::__private::Some((#(#patterns,)*)) => {
                                #bt::__private::Some(#left(#call))
                            }
                            #bt::__private::None => #bt::__private::None,
                        }
                    })
                }
            }
        });
    }
    if let Some((name, hook)) = &method.resume {
        let rust = &hook.rust;
        let span = here(hook.line);
        let there = at(bt, span);
        let kept = quote_spanned!(span=> #there::__private::kept(__bt_kept)?);
        let given = slots(bt, &hook.slots, &[quote!(__bt_cx), kept]);
        let world = world_name(&hook.slots);
        let returned = quote_spanned!(span=> #there::__private::ActionResult::returned);
        let method = respan(quote!(#reach::#rust), span);
        let call = quote_spanned!(span=> #method(__bt_agent, #given));
        more.extend(quote! {
            .resume(#name, |__bt_agent, #world, __bt_cx, __bt_kept| #bt::__private::Ok(#returned(#call)))
        });
    }
    let span = here(*output);
    let there = at(bt, span);
    if let Some(ty) = &method.answer {
        more.extend(quote_spanned! {span=>
            .answering(#there::__private::answer_type(
                <#there::__private::AnswerOf<#ty>>::__BT_ANSWER,
            ))
        });
    }
    let own = cfgs(&method.item.cfgs);
    let entries = variants(&method.params)
        .into_iter()
        .map(|(condition, params)| {
            let mut signature = signature(bt, &quote!(#reach::#rust), method.receiver, params);
            if method.answer.is_some() {
                let value = signature.closure.call;
                signature.closure.call =
                    quote_spanned!(span=> #there::__private::Answering(&#value).answered());
            }
            let call = call(bt, &agent, &constructor, &signature, *output);
            let values = &signature.values;
            let in_world = signature.takes_world.then(|| quote!(.in_world()));
            quote! {
                #own #condition
                #bt::__private::#register::<Self>(
                    #bt::__private::MethodKind::#kind,
                    #desc,
                    &[#(#values),*],
                    &#call,
                )
                #in_world
                #more
            }
        });
    quote!(#(#entries),*)
}

/// The registration of a method or a setter, and the agent that it is called on: one without a receiver is
/// called on none.
fn of_agent(bt: &TokenStream, what: &str, receiver: bool) -> (Ident, TokenStream) {
    let call_site = Span::call_site();
    if receiver {
        return (Ident::new(what, call_site), quote!(Self));
    }
    let register = Ident::new(&format!("static_{what}"), call_site);
    (register, quote!(#bt::__private::Static<Self>))
}

/// `action::<Self, (Val<f64>,), _, _>(&|agent, world, (a0,)| …)`, the last `_` where the return type
/// is: what the compiler says of that type is said there.
fn call(
    bt: &TokenStream,
    agent: &TokenStream,
    constructor: &TokenStream,
    signature: &Signature,
    output: Span,
) -> TokenStream {
    let Signature {
        markers,
        closure: Closure { patterns, call },
        place,
        ..
    } = signature;
    let closure = quote_spanned!(here(output)=> &|#patterns| #call);
    let returned = quote_spanned!(here(output)=> _);
    // What it says of a parameter's type it says once if both are in one place.
    let span = here(place.unwrap_or_else(Span::call_site));
    let bt = at(bt, span);
    let constructor = respan(constructor.clone(), span);
    quote_spanned!(span=> #bt::__private::#constructor::<#agent, #markers, _, #returned>(#closure))
}

fn world_name(slots: &[Slot]) -> TokenStream {
    if slots.iter().any(|slot| slot.world) {
        quote!(__bt_world)
    } else {
        quote!(_)
    }
}

fn fallback(bt: &TokenStream, reach: &TokenStream, hook: &Hook) -> TokenStream {
    let rust = &hook.rust;
    let line = line(hook.line);
    let world = world_name(&hook.slots);
    let given = slots(
        bt,
        &hook.slots,
        &[quote!(__bt_cx), quote!(__bt_name), quote!(__bt_args)],
    );
    let span = here(hook.line);
    let method = respan(quote!(#reach::#rust), span);
    let call = quote_spanned!(span=> #method(__bt_agent, #given));
    quote! {
        #bt::__private::Some(#bt::__private::Fallback {
            line: #line,
            call: |__bt_agent, #world, __bt_cx, __bt_name, __bt_args| #call,
        })
    }
}

fn event_desc(bt: &TokenStream, event: &Event) -> TokenStream {
    let desc = item(bt, &event.item);
    let cfg = cfgs(&event.item.cfgs);
    let params = event.params.iter().map(|param| {
        let cfg = cfgs(&param.cfgs);
        let value = event_param(bt, param);
        quote!(#cfg #value)
    });
    quote! {
        #cfg
        #bt::__private::EventDesc { item: #desc, params: &[#(#params),*] }
    }
}

/// A property's entry in the table.
pub(super) fn property(bt: &TokenStream, reach: &TokenStream, property: &Property) -> TokenStream {
    let desc = item(bt, &property.item);
    let cfg = cfgs(&property.item.cfgs);
    let name = &property.item.name;
    let span = property.span;
    let value = |marker: TokenStream| {
        let keys = value_keys(bt, &property.keys, &marker);
        quote!(#bt::__private::value::<#marker>(#bt::__private::param(#name, "") #keys))
    };
    let span = here(span);
    let there = at(bt, span);
    let shown = |ty: &TokenStream| value(quote_spanned!(span=> #there::__private::Shown<#ty>));
    let mut more = TokenStream::new();
    if property.is_override {
        more.extend(quote!(.overriding()));
    }
    let value = match &property.access {
        Access::Field {
            member,
            ty,
            read_only,
        } => {
            let member_value = respan(quote!(__bt_agent.#member), span);
            let read = quote_spanned!(span=> #there::__private::shown(&#member_value));
            more.extend(quote!(.get(|__bt_agent, _, _| #read)));
            if *read_only {
                shown(ty)
            } else {
                let marker = quote_spanned! {span=>
                    <#there::__private::Field<#ty> as #there::__private::Arg>::This
                };
                let keys = value_keys(bt, &property.keys, &marker);
                let write = quote_spanned! {span=>
                    #there::__private::action::<Self, (#marker,), _, _>(
                        &|__bt_agent, _, (__bt_value,)| #member_value = __bt_value
                    )
                };
                let typed = quote_spanned! {span=>
                    &#there::__private::typed_field::<Self, #ty, _>(#name, |__bt_agent| &#member_value)
                };
                more.extend(quote! {
                    .field(#typed)
                    .set(
                        &[#bt::__private::param(#name, "") #keys],
                        &#write,
                    )
                });
                value(marker)
            }
        }
        Access::Const { rust, ty } => {
            let constant = respan(quote!(#reach::#rust), span);
            let read = quote_spanned!(span=> #there::__private::shown(&#constant));
            more.extend(quote!(.get_static(|_, _, _| #read)));
            shown(ty)
        }
        Access::Getter {
            rust,
            receiver,
            slots: order,
            ty,
        } => {
            let world = world_name(order);
            let cx = if order.iter().any(|slot| !slot.world) {
                quote!(__bt_cx)
            } else {
                quote!(_)
            };
            let given = slots(bt, order, &[quote!(__bt_cx)]);
            let (get, agent, passed) = if *receiver {
                (quote!(get), quote!(__bt_agent), quote!(__bt_agent, #given))
            } else {
                (quote!(get_static), quote!(_), given)
            };
            let method = respan(quote!(#reach::#rust), span);
            let read = quote_spanned!(span=> #there::__private::shown(&#method(#passed)));
            more.extend(quote!(.#get(|#agent, #world, #cx| #read)));
            shown(ty)
        }
        Access::Setter {
            rust,
            receiver,
            params,
            output,
        } => {
            let (register, agent) = of_agent(bt, "setter", *receiver);
            let signature = signature(bt, &quote!(#reach::#rust), *receiver, params);
            let call = call(bt, &agent, &quote!(action), &signature, *output);
            let values = &signature.values;
            return quote! {
                #cfg
                #bt::__private::#register::<Self>(#desc, &[#(#values),*], &#call)
                #more
            };
        }
    };
    quote! {
        #cfg
        #bt::__private::property::<Self>(#desc, #value) #more
    }
}
