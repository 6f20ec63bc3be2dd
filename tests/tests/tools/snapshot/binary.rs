//! Saved agents in a format that people do not read: MessagePack, with the names of fields.

use bt_core::Saved;
use bt_core::tree::asset::spec::{action, sequence, wait_event};
use bt_tests::probe::*;

/// The same, written and read.
pub(crate) fn through_binary(saved: &Saved) -> Saved {
    let bytes = rmp_serde::to_vec_named(saved).unwrap();
    rmp_serde::from_slice(&bytes).unwrap_or_else(|error| panic!("{error}: {}", saved.to_json()))
}

fn saved() -> Saved {
    let wait = sequence([action("nop"), wait_event("bell"), action("nop")]);
    let mut play = Play::new(wait);
    play.poll(0.0);
    play.runner.save()
}

#[test]
fn binary_form_is_shorter_than_json() {
    let saved = saved().compact();
    let bytes = rmp_serde::to_vec_named(&saved).unwrap();
    assert_eq!(through_binary(&saved), saved);
    assert!(bytes.len() < saved.to_json().len(), "{}", bytes.len());
}

#[test]
fn binary_form_that_is_cut_off_or_changed_is_refused_or_an_agent() {
    let bytes = rmp_serde::to_vec_named(&saved()).unwrap();
    for len in 0..bytes.len() {
        assert!(rmp_serde::from_slice::<Saved>(&bytes[..len]).is_err());
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << bit;
            _ = rmp_serde::from_slice::<Saved>(&bytes);
        }
    }
    let mut newer = bytes;
    newer[1] = 9;
    let why = rmp_serde::from_slice::<Saved>(&newer)
        .unwrap_err()
        .to_string();
    assert!(
        why.contains("it is of format 9, and this version of bt-core reads formats up to 1"),
        "{why}"
    );
}
