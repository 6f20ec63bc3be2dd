//! What happens when a crate in the list registers nothing: every command says which.

bt_meta::main!(bt_core, serde_json);
