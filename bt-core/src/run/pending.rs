//! Requests of an action that has not ended, beside a time.

pub(crate) use crate::call::MoreRequests as More;

/// Those of a saved agent: completions and guards are gone, and it is known that there were some.
pub(crate) type SavedMore = More<bool, bool>;

impl More {
    /// Returns true if it can end an action.
    pub(crate) fn ends(&self) -> bool {
        self.completion.is_some() || !self.on.is_empty()
    }

    /// Adds what a call asked for to what those before it did.
    pub(crate) fn join(old: &mut Option<Box<More>>, more: Option<Box<More>>) {
        match (old, more) {
            (Some(old), Some(more)) => old.add(*more),
            (old @ None, more) => *old = more,
            (Some(_), None) => {}
        }
    }

    pub(crate) fn add(&mut self, more: More) {
        self.completion = more.completion.or(self.completion.take());
        // The first of a name counts. An action that is called in every poll may ask for the same each time.
        for on in more.on {
            if !self.on.iter().any(|(known, _)| *known == on.0) {
                self.on.push(on);
            }
        }
        self.guards.extend(more.guards);
        self.kept = more.kept.or(self.kept.take());
        // Those of the call that began it stay.
        if self.args.is_empty() {
            self.args = more.args;
        }
    }

    /// Keeps only what a cancelling action can still end by.
    pub(crate) fn cancelling(&mut self) {
        self.on.clear();
        self.kept = None;
    }
}
