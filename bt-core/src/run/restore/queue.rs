//! What is to be delivered, and what the host asked for.

use super::active::Active;
use super::names::Names;
use super::nodes::{self, check_timer};
use super::{Restoring, Result, tell};
use crate::Event;
use crate::run::at::NOWHERE;
use crate::run::core::{Core, Wish};
use crate::run::delivery::Delivery;
use crate::run::timers::Timer;
use crate::snapshot::{RestoreError, format};
use crate::tree::plan::Plan;

impl Restoring<'_> {
    /// What is to be delivered, and what the host asked for.
    pub(super) fn queued(&mut self, active: &Active) -> Result<()> {
        let parts = self.parts;
        let plan = self.plan;
        let mut told = Vec::new();
        let mut queue = Vec::with_capacity(parts.queue.len());
        for delivery in &parts.queue {
            queue.push(self.delivery(delivery, active, &mut told)?);
        }
        for (level, saved) in parts.levels.iter().enumerate() {
            let mut held = Vec::new();
            for delivery in &saved.held {
                held.push(self.delivery(delivery, active, &mut told)?);
            }
            match self.core.cold().levels.get_mut(level) {
                Some(level) => level.held.extend(held),
                None if held.is_empty() => {}
                None => {
                    let why = "what is held back is for a tree that is not suspended";
                    return Err(RestoreError::malformed(why));
                }
            }
        }
        for order in told {
            let text = "it failed: the last `Completion` of its call was dropped unused";
            let mut levels = self.core.cold.iter().flat_map(|cold| &cold.levels);
            let entries = levels.by_ref().flat_map(|level| &level.entries);
            let mut entries = self.core.entries.iter().chain(entries);
            let node = entries.find(|entry| entry.order == order);
            let node = node.map(|entry| entry.at.node);
            tell(&mut self.core, plan, node, text.to_owned());
        }
        latched(&mut self.core, plan, parts);
        self.core.cold().queue.extend(queue);
        for wish in &parts.wishes {
            let wish = self.names.wish(wish)?;
            self.core.cold().wishes.push((wish, NOWHERE));
        }
        if !parts.handed.is_empty() {
            self.core.cold().handed.clone_from(&parts.handed);
        }
        Ok(())
    }

    fn delivery(
        &self,
        delivery: &format::Delivery,
        active: &Active,
        told: &mut Vec<u32>,
    ) -> Result<Delivery> {
        Ok(match delivery {
            format::Delivery::Event(saved) => Delivery::Event(event(saved)),
            format::Delivery::Finish(order, answer) => {
                if answer.is_none() {
                    told.push(*order);
                }
                Delivery::Finished(*order, answer.unwrap_or(false))
            }
            format::Delivery::Timer(place, purpose) => {
                let at = self.names.at(*place)?;
                let purpose = nodes::purpose(*purpose);
                check_timer(self.plan, at, purpose, active)?;
                Delivery::Timer(Timer {
                    time: 0,
                    at,
                    purpose,
                })
            }
        })
    }
}

impl Names<'_> {
    fn wish(&self, wish: &format::Wish) -> Result<Wish> {
        Ok(match wish {
            format::Wish::Stop => Wish::Stop,
            format::Wish::Reset(clear) => Wish::Reset(*clear),
            format::Wish::Load(tree) => Wish::Load(self.named(tree)?),
        })
    }
}

pub(super) fn event(saved: &format::Event) -> Event {
    let event = Event::new(saved.name.as_str());
    let params = saved.params.iter();
    params.fold(event, |event, (name, value)| {
        event.with(name.as_str(), value)
    })
}

/// Events that are kept for who waits next, if somebody may.
pub(super) fn latched(core: &mut Core, plan: &Plan, parts: &format::Parts) {
    for saved in &parts.latched {
        let number = plan.events.get(saved.name.as_str()).copied();
        match number.filter(|number| plan.latched[*number as usize]) {
            Some(number) => {
                let latched = &mut core.cold().latched;
                latched.retain(|(other, _)| *other != number);
                latched.push((number, event(saved)));
            }
            None => {
                let name = crate::text::name(&saved.name);
                let text =
                    format!("event `{name}` was kept for who waits next: nobody does any more");
                tell(core, plan, None, text);
            }
        }
    }
}
