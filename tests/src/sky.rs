//! The world that the tests' agents look at. It is `()`, so that a poll borrows none: each thread has one of its own,
//! which shows the flags of the agent that is polled next.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// A function that is called with the name of a flag that is asked for.
type Asked = Box<dyn Fn(&str)>;

#[derive(Default)]
struct Sky {
    flags: BTreeMap<String, bool>,
    asked: Option<Asked>,
}

thread_local! {
    static SKY: RefCell<Sky> = RefCell::default();
}

/// Shows flags from now on; `asked` is called for each that is asked for.
pub(crate) fn show(flags: &BTreeMap<String, bool>, asked: impl Fn(&str) + 'static) {
    SKY.with_borrow_mut(|sky| {
        if sky.flags != *flags {
            sky.flags.clone_from(flags);
        }
        sky.asked = Some(Box::new(asked));
    });
}

/// Returns true if a flag is set; false where nobody said so.
pub(crate) fn shows(flag: &str) -> bool {
    SKY.with_borrow(|sky| {
        if let Some(asked) = &sky.asked {
            asked(flag);
        }
        sky.flags.get(flag).copied().unwrap_or(false)
    })
}
