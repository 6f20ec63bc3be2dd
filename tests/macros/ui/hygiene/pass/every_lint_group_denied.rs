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

::core::include!("../everything.rs");
