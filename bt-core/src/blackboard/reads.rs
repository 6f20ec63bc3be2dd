//! The keys that are read by name, noted while somebody needs them.

use super::{Blackboard, Flags, KeyId};

impl Blackboard {
    /// Notes a read, also of a key that is not there yet.
    #[cold]
    pub(super) fn note_read(&self, key: &str) {
        let id = self.intern(key);
        let mut reads = self.rest().reads.borrow_mut();
        if !reads.contains(&id) {
            reads.push(id);
        }
    }
}

impl Blackboard {
    /// Begins to note which keys are read by name, set or not.
    pub(crate) fn record_reads(&self) {
        self.rest().reads.borrow_mut().clear();
        self.flags.set(Flags::RECORDING);
    }

    /// Ends that: the keys, each once, in the order of their first reads; none of them is a place
    /// in a frame.
    pub(crate) fn take_reads(&self, into: &mut impl Extend<KeyId>) {
        self.flags.clear(Flags::RECORDING);
        if let Some(rest) = self.rest.get() {
            into.extend(rest.reads.borrow_mut().drain(..));
        }
    }
}
