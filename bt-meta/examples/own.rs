//! A meta binary of one's own: it exports the agents of the crates named, which are linked into it.

bt_meta::main!(bt_core);
