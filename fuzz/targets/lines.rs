//! See `bt_fuzz::lines`.

#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bt_fuzz::lines::run(bytes));
