//! See `bt_fuzz::saved`.

#![forbid(unsafe_code)]
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bt_fuzz::saved::run(bytes));
