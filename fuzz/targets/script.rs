//! See `bt_fuzz::script`.

#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bt_fuzz::script::run(bytes));
