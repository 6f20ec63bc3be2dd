//! The lines that a test's thread writes to the log.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

struct Lines(Arc<Mutex<String>>);

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "bt"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        struct Message<'a>(&'a mut String);
        impl Visit for Message<'_> {
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                if field.name() == "message" {
                    writeln!(self.0, "{value:?}").unwrap();
                }
            }
        }
        event.record(&mut Message(&mut self.0.lock().unwrap()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The lines of the target `bt` that are written meanwhile.
pub(crate) fn logged(run: impl FnOnce()) -> String {
    let lines = Arc::new(Mutex::new(String::new()));
    tracing::subscriber::with_default(Lines(lines.clone()), run);
    let lines = lines.lock().unwrap();
    lines.clone()
}
