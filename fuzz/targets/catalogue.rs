//! See `bt_fuzz::catalogue`.

#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bt_fuzz::catalogue::run(bytes));
