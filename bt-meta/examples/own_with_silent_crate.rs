//! A program with a crate in its list that registers nothing: every command names the crate.

bt_meta::main!(bt_core, serde_json);
