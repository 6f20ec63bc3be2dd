//! Values of other people's types, whose drops may panic.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::text;

/// A value of somebody else's type. A panic of its drop stops here: what drops together with it still
/// drops, and one that drops while another panic unwinds does not abort the process.
pub(crate) struct Contained(Option<Box<dyn Any + Send>>);

impl Contained {
    pub(crate) fn new(value: impl Any + Send) -> Contained {
        Contained(Some(Box::new(value)))
    }

    /// The value, if it is a `T`.
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.0.as_ref()?.downcast_ref()
    }

    /// The same, to be changed.
    pub(crate) fn get_mut<T: 'static>(&mut self) -> Option<&mut T> {
        self.0.as_mut()?.downcast_mut()
    }

    /// The value itself: a panic of its drop is the caller's.
    pub(crate) fn into_inner(mut self) -> Option<Box<dyn Any + Send>> {
        self.0.take()
    }

    /// Drops it, and gives the text of its panic.
    pub(crate) fn end(mut self) -> Option<String> {
        self.0.take().and_then(drop_caught)
    }
}

impl fmt::Debug for Contained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contained").finish_non_exhaustive()
    }
}

impl Drop for Contained {
    fn drop(&mut self) {
        if let Some(why) = self.0.take().and_then(drop_caught) {
            tracing::error!(target: "bt", "a value panicked when it was dropped: {why}");
        }
    }
}

/// Drops a value, and gives the text of its panic.
pub(crate) fn drop_caught<T>(value: T) -> Option<String> {
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(value)));
    dropped.err().map(panic_text)
}

/// The message of a panic. Its payload, which is dropped here, may panic as well: that one's is leaked.
pub(crate) fn panic_text(panic: Box<dyn Any + Send>) -> String {
    let text = text::of_panic(&*panic).to_owned();
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Falls(Arc<AtomicU32>);

    impl Drop for Falls {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
            std::panic::resume_unwind(Box::new("it falls"));
        }
    }

    #[test]
    fn values_that_panic_drop_together_once_each() {
        let drops = Arc::new(AtomicU32::new(0));
        let all: Vec<_> = (0..3)
            .map(|_| Contained::new(Falls(drops.clone())))
            .collect();
        drop(all);
        assert_eq!(drops.load(Ordering::Relaxed), 3);
        let one = Contained::new(Falls(drops.clone()));
        assert_eq!(one.end().as_deref(), Some("it falls"));
        assert_eq!(drops.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_value_that_panics_while_another_panic_unwinds_is_contained() {
        let drops = Arc::new(AtomicU32::new(0));
        let held = drops.clone();
        let outer = catch_unwind(AssertUnwindSafe(move || {
            let _value = Contained::new(Falls(held));
            std::panic::resume_unwind(Box::new("the first"));
        }));
        assert_eq!(panic_text(outer.unwrap_err()), "the first");
        assert_eq!(drops.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_payload_that_panics_is_contained() {
        let drops = Arc::new(AtomicU32::new(0));
        let payload = Falls(drops.clone());
        let panic = catch_unwind(AssertUnwindSafe(move || {
            std::panic::resume_unwind(Box::new(payload));
        }));
        assert_eq!(panic_text(panic.unwrap_err()), "it gave no reason");
        assert_eq!(drops.load(Ordering::Relaxed), 1);
    }
}
