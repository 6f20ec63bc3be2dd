//! The commands of `bt-meta` with this example's agents linked in.

bt_meta::main!(monster);
