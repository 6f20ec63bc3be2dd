//! `#[derive(Agent)]` and `register_agent!`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Token, Type};

use super::block::property;
use super::item::{item, where_static};
use crate::errors::Errors;
use crate::model::{Agent, Base};
use crate::origin::{at, bt_core, here, line, site};
use crate::parse::keys::Keys;
use crate::validate;

/// `#[derive(Agent)]`
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = errors.keep(syn::parse2::<DeriveInput>(input)) else {
        return errors.into_tokens();
    };
    let agent = validate::agent(&input, &mut errors);
    // Whatever is wrong with it, it is meant to be an agent: its blocks should not say that it is
    // none. Where it borrows, or is a union, it cannot be one.
    let can_be =
        input.generics.lifetimes().next().is_none() && !matches!(input.data, Data::Union(_));
    let expansion = can_be.then(|| expand(&agent));
    let errors = errors.into_tokens();
    quote!(#errors #expansion)
}

fn expand(agent: &Agent) -> TokenStream {
    let Agent {
        bt,
        ident,
        generics,
        namespace,
        ..
    } = agent;
    let (impl_generics, ty_generics, _) = generics.split_for_impl();
    let where_clause = where_static(generics);
    let (world, kind) = match &agent.world {
        Some(ty) => (quote!(#ty), quote!(WithWorld)),
        None => (quote!(()), quote!(WithoutWorld)),
    };
    let (base, project, span) = match &agent.base {
        Base::Field(field) => {
            let (member, ty) = &**field;
            (quote!(#ty), quote!(&mut self.#member), ty.span())
        }
        Base::None => (
            quote!(#bt::__private::NoBase),
            quote!(#bt::__private::from_nothing(#bt::__private::NoBase)),
            Span::call_site(),
        ),
        Base::BuiltIn => (
            quote!(#bt::__private::ActionAgent),
            quote!(#bt::__private::from_nothing(#bt::__private::ActionAgent)),
            Span::call_site(),
        ),
    };
    // The compiler says of a base with another world that it has one: at the base's type.
    let span = here(span);
    let there = at(bt, span);
    let lend = quote_spanned! {span=>
        #there::__private::LendTo::<
            'a,
            <Self::Base as #there::__private::Agent>::WorldKind,
            <Self::Base as #there::__private::Agent>::World<'w, 's>,
        >::lend(#there::__private::Lent(__bt_world))
    };
    let desc = item(bt, &agent.item);
    let site = site(bt, ident.span());
    let properties = agent
        .properties
        .iter()
        .map(|p| property(bt, &quote!(<Self>), p));
    let name = &agent.item.name;
    let line = line(ident.span());
    let is_generic = !generics.params.is_empty();
    let generic_desc = quote! {
        #bt::__private::GenericDesc { name: #name, site: #site, line: #line }
    };
    let (generic, submit) = if is_generic {
        (
            quote!(#bt::__private::Some(#generic_desc)),
            quote!(#bt::__private::Registration::Generic(#generic_desc)),
        )
    } else {
        (
            quote!(#bt::__private::None),
            quote!(#bt::__private::Registration::Agent(<#ident as #bt::__private::Identity>::DESC)),
        )
    };
    // Who implements something for a deprecated type does not use it.
    let allow = agent
        .item
        .deprecated
        .as_ref()
        .map(|_| quote!(#[allow(deprecated)]));
    quote! {
        #allow
        #[automatically_derived]
        impl #impl_generics #bt::__private::Agent for #ident #ty_generics #where_clause {
            type World<'w, 's> = #world;
            type Base = #base;
            type WorldKind = #bt::__private::#kind;

            fn base(&mut self) -> &mut Self::Base {
                #project
            }

            fn base_world<'a, 'w: 'a, 's: 'a>(
                __bt_world: &'a mut Self::World<'w, 's>,
            ) -> &'a mut <Self::Base as #bt::__private::Agent>::World<'w, 's> {
                #lend
            }
        }

        #allow
        #[automatically_derived]
        impl #impl_generics #bt::__private::Identity for #ident #ty_generics #where_clause {
            const DESC: #bt::__private::AgentDesc = #bt::__private::AgentDesc {
                item: #desc,
                site: #site,
                namespace: #namespace,
                id: #bt::__private::TypeId::of::<Self>,
                kin: #bt::__private::kin::<Self>,
                generic: #generic,
                table: &#bt::__private::Table::<Self> {
                    methods: &[],
                    properties: &[#(#properties),*],
                    events: &[],
                    fallback: #bt::__private::None,
                },
                parts: &[],
            };
        }

        #allow
        const _: () = {
            #bt::__private::inventory::submit! { #submit }
        };
    }
}

/// `register_agent!(Walker<NavMesh>, name = "…")`
struct Register {
    ty: Type,
    keys: TokenStream,
}

impl Parse for Register {
    fn parse(input: ParseStream<'_>) -> syn::Result<Register> {
        let ty = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok(Register {
            ty,
            keys: input.parse()?,
        })
    }
}

/// `register_agent!`
pub(crate) fn register(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    if input.is_empty() {
        errors.at(
            Span::call_site(),
            "name a concrete instance of a generic agent: `register_agent!(Walker<NavMesh>);`",
        );
        return errors.into_tokens();
    }
    let Some(Register { ty, keys }) = errors.keep(syn::parse2(input)) else {
        return errors.into_tokens();
    };
    let mut keys = Keys::parse("`register_agent!`", keys, &mut errors);
    let name = keys.string("name", &mut errors);
    let given = keys.path("crate", &mut errors);
    keys.finish(&mut errors);
    if let Some(text) = &name
        && (text.value().trim() != text.value() || text.value().is_empty())
    {
        errors.on(
            text,
            "a name cannot be empty, or have white space around it",
        );
    }
    let bt = bt_core(given.as_ref());
    if !errors.is_empty() {
        return errors.into_tokens();
    }
    let span = ty.span();
    let site = site(&bt, span);
    let line = line(span);
    let identity = {
        let span = here(span);
        let bt = at(&bt, span);
        quote_spanned!(span=> <#ty as #bt::__private::Identity>::DESC)
    };
    let name = name.map(|name| quote!(.called(#name)));
    let parts = {
        let span = here(span);
        let bt = at(&bt, span);
        let parts = 0..8usize;
        quote_spanned!(span=> #(<#bt::__private::PartOf<#ty, #parts>>::__BT_BLOCK),*)
    };
    quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #bt::__private::NoPart as _;
            #bt::__private::inventory::submit! {
                #bt::__private::Registration::Agent(
                    #identity.instance().at(#site, #line).parts(&[#parts])
                    #name
                )
            }
        };
    }
}
