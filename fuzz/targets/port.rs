//! See `bt_fuzz::port`.

#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bt_fuzz::port::run(bytes));
