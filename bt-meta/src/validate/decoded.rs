//! Arguments decoded as the runtime decodes them, where the program that defines them is at hand.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use bt_core::Registry;
use bt_core::registry::AgentInfo;
use bt_core::registry::decoders::{Decoders, Question};
use bt_core::tree::check::{Knows, Taken};
use serde_json::Value;

use crate::catalogue::MethodEntry;
use crate::error::Error;

/// A decoder of values for arguments.
pub trait Decode: Debug + Send + Sync {
    /// Returns whether an argument takes a value; none where there is no such argument.
    fn takes(&self, question: &Question) -> Taken;

    /// Returns whether all that was asked has been answered.
    ///
    /// # Errors
    /// A failure if it has not.
    fn verdict(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// The decoders that are linked into this program.
impl Decode for Decoders {
    fn takes(&self, question: &Question) -> Taken {
        let Question {
            agent,
            method,
            argument,
            value,
        } = question;
        Decoders::takes(self, agent, method, *argument, value)
    }
}

/// Agents of a catalogue, with what decodes their arguments.
pub(crate) struct Decoded<'k> {
    knows: &'k dyn Knows,
    decoder: &'k dyn Decode,
    /// The answers so far: trees repeat their values.
    answers: Mutex<HashMap<(usize, usize, String), Taken>>,
}

impl<'k> Decoded<'k> {
    pub(crate) fn new(knows: &'k dyn Knows, decoder: &'k dyn Decode) -> Decoded<'k> {
        Decoded {
            knows,
            decoder,
            answers: Mutex::default(),
        }
    }
}

impl Knows for Decoded<'_> {
    fn registry(&self) -> &Registry {
        self.knows.registry()
    }

    fn runner(&self) -> Option<AgentInfo<'_>> {
        self.knows.runner()
    }

    fn takes(&self, method: &MethodEntry, argument: usize, value: &Value) -> Taken {
        // An entry stays where it is as long as its registry.
        let of = std::ptr::from_ref(method).addr();
        let key = (of, argument, value.to_string());
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().get(&key) {
            return known.clone();
        }
        let question = Question {
            agent: self.registry().agent_with(method)?.to_owned(),
            method: method.item.name.clone(),
            argument,
            value: value.clone(),
        };
        let answer = self.decoder.takes(&question);
        answers().insert(key, answer.clone());
        answer
    }
}
