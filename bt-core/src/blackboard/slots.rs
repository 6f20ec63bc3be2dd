//! The places of values: slots that never move.

use std::cell::{Cell, OnceCell, Ref, RefCell};

use serde_json::Value;

use crate::contained::Contained;

/// The slots that a blackboard without a table begins with, once it has a key.
const FIRST: u32 = 8;

/// The slots of the first chunk that is added; each later one has twice as many.
const ADDED: u32 = 4;

/// The most slots: keys of one blackboard, frames included.
const MOST: u32 = 1 << 27;

/// The value of a key.
#[derive(Default)]
pub(crate) struct Held {
    value: Option<Value>,
    /// The value decoded as the type that an argument asked for last: `&[T]` is lent from here.
    /// Thin, for the many slots that never have one.
    typed: Option<Box<Contained>>,
}

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
        self.typed.as_ref()?.get()
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
        held.typed = Some(Box::new(Contained::new(value)));
    }
    Ref::filter_map(slot.borrow(), Held::typed).ok()
}

/// Writes; gives the value back where the slot is on loan.
#[inline]
pub(super) fn write(slot: &Slot, value: Option<Value>) -> Result<(), Option<Value>> {
    match slot.try_borrow_mut() {
        Ok(mut held) => {
            held.value = value;
            held.typed = None;
            Ok(())
        }
        Err(_) => Err(value),
    }
}

/// The first slots, where nearly every key is: exactly those of the table's keys where there are
/// any.
#[derive(Default)]
pub(super) struct Slots(OnceCell<Box<[Slot]>>);

impl Slots {
    /// With slots for so many keys.
    pub(super) fn with(count: u32) -> Slots {
        let slots = Slots::default();
        if count > 0 {
            slots.0.get_or_init(|| chunk(count));
        }
        slots
    }

    /// The slot of a number, if it is among the first.
    #[inline]
    pub(super) fn near(&self, n: u32) -> Option<&Slot> {
        self.0.get()?.get(n as usize)
    }

    fn len(&self) -> u32 {
        self.0.get().map_or(0, |slots| slots.len() as u32)
    }

    fn made(&self) -> u32 {
        self.0.get_or_init(|| chunk(FIRST)).len() as u32
    }
}

/// The slots that were added, in chunks that double.
#[derive(Default)]
pub(super) struct Added {
    /// The number of slots in use, the first ones included.
    count: Cell<u32>,
    chunks: OnceCell<Box<Chunk>>,
}

struct Chunk {
    slots: Box<[Slot]>,
    next: OnceCell<Box<Chunk>>,
}

impl Added {
    /// None yet; so many of the first slots are taken.
    pub(super) fn after(count: u32) -> Added {
        Added {
            count: Cell::new(count),
            chunks: OnceCell::new(),
        }
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> u32 {
        self.count.get()
    }

    /// The number of the first of so many new slots.
    ///
    /// # Panics
    /// With more than 2^27 slots on one blackboard.
    pub(super) fn add(&self, first: &Slots, more: u32) -> u32 {
        let start = self.count.get();
        let count = start.saturating_add(more);
        assert!(count <= MOST, "a blackboard has at most {MOST} keys");
        self.count.set(count);
        let near = first.made();
        if count > near {
            let (last, _) = place(count - 1 - near);
            let mut next = &self.chunks;
            for at in 0..=last {
                next = &next.get_or_init(|| Chunk::boxed(ADDED << at)).next;
            }
        }
        start
    }

    /// The slot of a number that is not among the first; none for one that is not there.
    pub(super) fn get(&self, first: &Slots, n: u32) -> Option<&Slot> {
        let n = n.checked_sub(first.len()).filter(|n| *n < MOST)?;
        let (chunk, at) = place(n);
        let mut next = &self.chunks;
        for _ in 0..chunk {
            next = &next.get()?.next;
        }
        next.get()?.slots.get(at)
    }
}

impl Chunk {
    fn boxed(len: u32) -> Box<Chunk> {
        Box::new(Chunk {
            slots: chunk(len),
            next: OnceCell::new(),
        })
    }
}

fn chunk(len: u32) -> Box<[Slot]> {
    (0..len).map(|_| Slot::default()).collect()
}

/// The chunk of an added slot, and its place there: the highest bit of the number, counted from
/// the first chunk's length on, and the bits below it.
fn place(n: u32) -> (usize, usize) {
    let n = n + ADDED;
    let top = n.ilog2();
    ((top - ADDED.ilog2()) as usize, (n ^ (1 << top)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_place_of_its_own() {
        let mut seen = std::collections::BTreeSet::new();
        for n in 0..100_000 {
            let (chunk, at) = place(n);
            assert!(at < (ADDED as usize) << chunk);
            assert!(seen.insert((chunk, at)));
        }
        assert!(place(MOST - 1).0 < 26);
    }

    #[test]
    fn a_table_gets_as_many_slots_as_it_has_keys() {
        assert_eq!(Slots::with(0).len(), 0);
        let first = Slots::with(3);
        assert_eq!(first.len(), 3);
        let added = Added::after(3);
        assert_eq!((added.add(&first, 1), added.add(&first, 9)), (3, 4));
        assert!(first.near(2).is_some() && first.near(3).is_none());
        assert!((3..13).all(|n| added.get(&first, n).is_some()));
        assert!(added.get(&first, 99).is_none() && added.get(&first, 2).is_none());
    }

    #[test]
    fn a_value_is_decoded_once_until_it_is_written() {
        let slots = Slots::with(1);
        let slot = slots.near(0).unwrap();
        assert!(write(slot, Some(7.into())).is_ok());
        let read = || decoded(slot, |value| value.as_u64()).map(|value| *value);
        assert_eq!(read(), Some(7));
        let kept = decoded::<u64>(slot, |_| panic!("decoded again")).map(|value| *value);
        assert_eq!(kept, Some(7));
        // Asked for as another type while it is on loan: not there, and nothing lost.
        let loan = slot.borrow();
        assert!(decoded::<String>(slot, |value| Some(value.to_string())).is_none());
        drop(loan);
        assert!(write(slot, Some(8.into())).is_ok());
        assert_eq!(read(), Some(8));
    }
}
