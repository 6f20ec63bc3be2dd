//! From the model to tokens. Everything that an expansion names is under `bt_core::__private`.

mod agent;
mod block;
mod item;

pub(crate) use agent::{derive, register};
pub(crate) use block::block;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;

/// `#[action]` and its kin where no `#[agent]` block is around them.
pub(crate) fn stray(name: &str, input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let message = format!(
        "`#[{name}]` works only inside an `impl` block that is marked `#[agent]`: write `#[agent]` \
         above the block (and `#[{name}]` by itself, not in a `#[cfg_attr]`)"
    );
    errors.at(proc_macro2::Span::call_site(), message);
    let errors = errors.into_tokens();
    // A signature has no body, which is no mistake of its own.
    let is_signature = input.clone().into_iter().last().is_some_and(
        |last| matches!(last, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ';'),
    );
    let input = if is_signature {
        TokenStream::new()
    } else {
        input
    };
    quote!(#input #errors)
}
