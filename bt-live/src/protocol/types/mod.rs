//! The parameters, results and parts of them.

/// Parameters of a method: what is not known is refused.
macro_rules! params {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        })+
    };
}

/// Results, events and their parts: a client passes over what it does not know.
macro_rules! results {
    ($($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        })+
    };
}

mod params;
mod results;
mod states;

pub use params::*;
pub use results::*;
pub use states::*;
