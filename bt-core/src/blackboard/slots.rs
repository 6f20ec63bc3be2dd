//! Where the values are: slots that never move, in chunks that double.

use std::any::Any;
use std::cell::{Cell, OnceCell, Ref, RefCell};

use serde_json::Value;

use super::KeyId;

/// The least slots of a chunk.
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
    /// The value, if it is text.
    #[inline]
    pub(crate) fn text(&self) -> Option<&str> {
        self.value.as_ref()?.as_str()
    }

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
    /// As many as the trees' keys, at least [`FIRST`]: where nearly every key is.
    first: OnceCell<Box<[Slot]>>,
    /// The others; each chunk has twice as many as the one before.
    more: [OnceCell<Box<[Slot]>>; 25],
    count: Cell<u32>,
}

impl Slots {
    /// With slots for so many keys.
    pub(super) fn with(count: u32) -> Slots {
        let slots = Slots::default();
        if count > 0 {
            slots.first.get_or_init(|| chunk(count.max(FIRST)));
        }
        slots.count.set(count);
        slots
    }

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
        let chunks = self.first.get_or_init(|| chunk(FIRST)).len() as u32;
        if count > chunks {
            let (last, _) = place(count - 1 - chunks);
            for (at, more) in self.more.iter().enumerate().take(last + 1) {
                more.get_or_init(|| chunk(FIRST << at));
            }
        }
        first
    }

    /// The slot of a number, if it is among the first.
    #[inline]
    pub(super) fn near(&self, n: u32) -> Option<&Slot> {
        self.first.get()?.get(n as usize)
    }

    /// The slot of a number; none for one that is not there.
    pub(super) fn get(&self, n: u32) -> Option<&Slot> {
        let first = self.first.get()?;
        let n = match first.get(n as usize) {
            Some(slot) => return Some(slot),
            None => n - first.len() as u32,
        };
        if n >= MOST {
            return None;
        }
        let (chunk, at) = place(n);
        self.more.get(chunk)?.get()?.get(at)
    }

    /// Writes; gives the value back where the slot is on loan.
    pub(super) fn put(&self, id: KeyId, value: Option<Value>) -> Result<(), Option<Value>> {
        let Some(slot) = self.get(id.0) else {
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

fn chunk(len: u32) -> Box<[Slot]> {
    (0..len).map(|_| Slot::default()).collect()
}

/// The chunk of a slot, and its place there: the highest bit of the number, counted from the first
/// chunk's length on, and the bits below it.
fn place(n: u32) -> (usize, usize) {
    let n = n + FIRST;
    let top = n.ilog2();
    ((top - FIRST.ilog2()) as usize, (n ^ (1 << top)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for n in 0..100_000 {
            let (chunk, at) = place(n);
            assert!(at < 8 << chunk);
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
        let slot = slots.get(id.0).unwrap();
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
