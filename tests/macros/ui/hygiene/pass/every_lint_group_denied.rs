#![deny(warnings, missing_docs, rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility)]
#![deny(unused, nonstandard_style, future_incompatible, keyword_idents, let_underscore)]
#![deny(unreachable_pub, single_use_lifetimes, elided_lifetimes_in_paths, unused_lifetimes)]
#![deny(unused_qualifications, unused_import_braces, unused_results, unused_crate_dependencies)]
#![deny(missing_debug_implementations, missing_copy_implementations, trivial_casts, trivial_numeric_casts)]
#![deny(absolute_paths_not_starting_with_crate, explicit_outlives_requirements, macro_use_extern_crate)]
#![deny(meta_variable_misuse, non_ascii_idents, unit_bindings, unnameable_types, variant_size_differences)]
#![deny(redundant_lifetimes, ffi_unwind_calls, unsafe_code, unused_macro_rules, ambiguous_negative_literals)]
#![deny(dead_code, deprecated_in_future, let_underscore_drop, redundant_imports, unused_extern_crates)]
#![allow(unused_crate_dependencies, missing_debug_implementations, missing_copy_implementations)]
#![allow(unreachable_pub, unnameable_types, reason = "a program's public items are not reached")]
//! A case.

use ::bt_core::prelude::*;

/// A monster.
#[derive(Agent)]
#[agent(world = World)]
pub struct Monster {
    /// Inside.
    #[agent(base)]
    pub actor: Actor,
    /// Hit points.
    #[property(min = 0, max = 9, choices = [1, 2])]
    pub hp: i32,
}

/// An actor.
#[derive(Agent)]
pub struct Actor;

/// A world.
pub struct World;

/// Walks.
#[derive(Agent)]
pub struct Walker<T>(pub T);

#[agent]
impl<T> Walker<T> {
    /// Walks.
    #[action]
    pub fn walk(&self) {}
}

register_agent!(Walker<u8>, name = "byte_walker");

#[agent]
impl Monster {
    /// Chases.
    #[action(exit = "left", resume = "again", alias = ["hunt"], meta(a = 1))]
    pub fn chase(
        &mut self,
        #[world] _world: &mut World,
        _cx: &mut Context<'_>,
        #[arg(default = 2.0, min = 0.0, max = 9.0, unit = "m")] _range: f64,
        #[arg(default = "x", choices = ["x"])] _text: &str,
        _list: &[u8],
        _inout: &mut u8,
        #[arg(out)] _out: &mut u8,
    ) -> ::core::option::Option<bool> {
        ::core::option::Option::None
    }

    /// Leaves.
    pub fn left(&mut self, _cx: &mut Context<'_>, _exit: Exit) {}

    /// Again.
    pub fn again(&mut self, _cx: &mut Context<'_>, _kept: u8) -> ::core::option::Option<bool> {
        ::core::option::Option::None
    }

    /// Sees.
    #[condition]
    pub fn sees(&self, _at: ::core::option::Option<u8>) -> bool {
        true
    }

    /// Twice.
    #[decorator]
    pub fn twice(&mut self, _limit: u8, _ended: ::core::option::Option<bool>) -> Next {
        Next::Run
    }

    /// Anything.
    #[fallback]
    pub fn anything(&mut self, _cx: &mut Context<'_>, _name: &str, _args: &[::serde_json::Value]) -> ::core::option::Option<bool> {
        ::core::option::Option::None
    }

    /// Speed.
    #[property]
    pub fn speed(&self) -> f64 {
        1.0
    }

    /// Speed.
    #[property(set)]
    pub fn set_speed(&mut self, _speed: f64) {}

    /// Sight.
    #[property]
    pub const SIGHT: f64 = 30.0;

    /// Hit.
    #[event]
    pub fn hit(by: u64, words: &str);
}

fn main() {
    let mut monster = Monster { actor: Actor, hp: 7 };
    assert!(monster.sees(None) && monster.hp > 0 && monster.speed() > 0.0);
    monster.set_speed(1.0);
    let Monster { actor: Actor, .. } = monster;
    Walker(7u8).walk();
    let _event = (Monster::SIGHT, Monster::hit(7, "x"), World);
    assert!(Registry::global().is_ok());
}
