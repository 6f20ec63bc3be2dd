//! Where the values are: slots that never move, in chunks that double.

use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell};

use serde_json::Value;

use super::KeyId;

/// The first chunk's slots; each further chunk has as many as all before it.
const FIRST: u32 = 8;

/// The most slots: keys of one blackboard, frames included.
const MOST: u32 = 1 << 27;

/// What a key holds.
#[derive(Default)]
pub(crate) struct Held {
    value: Option<Value>,
    /// The value decoded as the type that an argument asked for last: `&[T]` is lent from here.
    /// Thin, for the many slots that never have one.
    typed: Option<Box<Typed>>,
}

struct Typed(Box<dyn Any + Send>);

impl Held {
    #[inline]
    pub(crate) fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    fn typed<T: 'static>(&self) -> Option<&T> {
        self.typed.as_ref()?.0.downcast_ref()
    }
}

/// One key's value, which may be on loan.
pub(crate) type Slot = RefCell<Held>;

/// The value of a slot, decoded once for as long as it stays, and lent.
///
/// None if it does not decode, or if the slot is on loan to another argument and has not been
/// decoded as a `T` before.
pub(crate) fn decoded<'a, T: Send + 'static>(
    slot: &'a Slot,
    decode: fn(&Value) -> Option<T>,
) -> Option<Ref<'a, T>> {
    if let Ok(typed) = Ref::filter_map(slot.borrow(), Held::typed) {
        return Some(typed);
    }
    {
        let mut held = slot.try_borrow_mut().ok()?;
        let value = decode(held.value.as_ref()?)?;
        held.typed = Some(Box::new(Typed(Box::new(value))));
    }
    Ref::filter_map(slot.borrow(), Held::typed).ok()
}

/// Slots by number.
#[derive(Default)]
pub(super) struct Slots {
    chunks: [OnceCell<Box<[Slot]>>; 25],
    count: Cell<u32>,
}

impl Slots {
    #[cfg(test)]
    pub(super) fn count(&self) -> u32 {
        self.count.get()
    }

    /// The number of the first of so many new slots.
    ///
    /// # Panics
    /// With more than 2^27 slots on one blackboard.
    pub(super) fn add(&self, more: u32) -> u32 {
        let first = self.count.get();
        let count = first.saturating_add(more);
        assert!(count <= MOST, "a blackboard has at most {MOST} keys");
        self.count.set(count);
        if more > 0 {
            let (last, _) = place(count - 1);
            for chunk in 0..=last {
                self.chunks[chunk].get_or_init(|| {
                    let len = if chunk == 0 {
                        FIRST
                    } else {
                        FIRST << (chunk - 1)
                    };
                    (0..len).map(|_| Slot::default()).collect()
                });
            }
        }
        first
    }

    #[inline]
    pub(super) fn get(&self, id: KeyId) -> Option<&Slot> {
        let (chunk, at) = place(id.0);
        self.chunks.get(chunk)?.get()?.get(at)
    }

    /// Writes; gives the value back where the slot is on loan.
    pub(super) fn put(&self, id: KeyId, value: Option<Value>) -> Result<(), Option<Value>> {
        let Some(slot) = self.get(id) else {
            return Ok(());
        };
        match slot.try_borrow_mut() {
            Ok(mut held) => {
                held.value = value;
                held.typed = None;
                Ok(())
            }
            Err(_) => Err(value),
        }
    }
}

/// The chunk of a slot, and its place there.
#[inline]
fn place(n: u32) -> (usize, usize) {
    if n < FIRST {
        return (0, n as usize);
    }
    let chunk = (n / FIRST).ilog2() + 1;
    (chunk as usize, (n - (FIRST << (chunk - 1))) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for n in 0..100_000 {
            let (chunk, at) = place(n);
            assert!(at < if chunk == 0 { 8 } else { 8 << (chunk - 1) });
            assert!(seen.insert((chunk, at)));
        }
        assert!(place(MOST - 1).0 < 25);
    }

    #[test]
    fn a_value_is_decoded_once_until_it_is_written() {
        let slots = Slots::default();
        let id = KeyId(slots.add(1));
        let Ok(()) = slots.put(id, Some(7.into())) else {
            panic!("on loan");
        };
        let slot = slots.get(id).unwrap();
        let read = || decoded(slot, |value| value.as_u64()).map(|value| *value);
        assert_eq!(read(), Some(7));
        let kept = decoded::<u64>(slot, |_| panic!("decoded again")).map(|value| *value);
        assert_eq!(kept, Some(7));
        // Asked for as another type while it is on loan: not there, and nothing lost.
        let loan = slot.borrow();
        assert!(decoded::<String>(slot, |value| Some(value.to_string())).is_none());
        drop(loan);
        assert!(slots.put(id, Some(8.into())).is_ok());
        assert_eq!(read(), Some(8));
    }
}
