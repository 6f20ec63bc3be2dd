//! The editor's files in `editor/` are what the code says.
//!
//! After a change of what is annotated: `BT_META=overwrite cargo test -p monster --test fresh`.

bt_meta::assert_fresh!(fn the_exported_files_are_what_the_code_says, "editor/", monster);
