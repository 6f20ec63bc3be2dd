//! A probe that is described at run time: its calls go on to a probe of the Rust type.

use std::sync::OnceLock;
use std::time::Duration;

use bt_core::dynamic::{Answer, Describe, DynAgent, DynType, Handler};
use bt_core::{Context, Event, Exit, LeafState, Left, Outcome, Registry, Runner, TreeAsset};
use serde_json::Value;

use super::agent::Probe;
use super::play::{Play, rules};
use crate::cases::Op;

/// An agent of the description that the catalogue has of the probe, and its runner.
#[derive(Debug)]
pub struct Twin {
    agent: DynAgent,
    /// Its runner, which is started.
    pub runner: Runner<DynAgent>,
    now: u64,
}

/// The probe of the Rust type answers.
struct Through;

fn probe(agent: &mut DynAgent) -> &mut Probe {
    agent.state().expect("a twin has a probe")
}

impl Handler for Through {
    fn call(
        &self,
        agent: &mut DynAgent,
        name: &str,
        args: &[Value],
        cx: &mut Context<'_>,
    ) -> Answer {
        let probe = probe(agent);
        if matches!(name, "steers" | "watches") {
            return probe.next_child(name, args, cx.asked()).into();
        }
        let registry = Registry::global().expect("the agents are registered");
        match registry.invoke(probe, &mut (), cx, name, &args.into()) {
            Ok(Outcome::Done(success)) => success.into(),
            Ok(Outcome::Pending | Outcome::Running) => Answer::running(),
            Ok(Outcome::Run) => Answer::run(),
            Err(error) => Answer::refused(error.to_string()),
        }
    }

    fn exit(
        &self,
        agent: &mut DynAgent,
        name: &str,
        exit: Exit,
        _: &[Value],
        cx: &mut Context<'_>,
    ) -> Left {
        let registry = Registry::global().expect("the agents are registered");
        let actions = registry.actions::<Probe>();
        let action = actions.and_then(|actions| actions.find(name));
        let action = action.unwrap_or_else(|error| panic!("{error}"));
        action.exit(probe(agent), &mut (), cx, exit)
    }
}

/// The description that the catalogue of this program has.
fn described() -> &'static DynType {
    static PROBE: OnceLock<DynType> = OnceLock::new();
    PROBE.get_or_init(|| {
        let registry = Registry::global().expect("the agents are registered");
        let described = Describe::from_catalogue(registry.catalogue().clone(), "probe");
        let built = described.and_then(|probe| probe.handler(Through).build());
        built.unwrap_or_else(|error| panic!("{error}"))
    })
}

impl Twin {
    /// The twin of a play: with the same script, on the same trees, by a runner with the same settings.
    ///
    /// # Panics
    /// If the trees cannot be built.
    pub fn new(
        mut play: Play,
        trees: impl IntoIterator<Item = TreeAsset>,
        set_up: impl FnOnce(Runner<DynAgent>) -> Runner<DynAgent>,
    ) -> Twin {
        let probe = std::mem::take(&mut play.probe);
        let first = play.runner.tree().to_owned();
        play.abandon();
        let mut set = described().trees();
        set.rules(rules());
        for tree in trees {
            set.add(tree);
        }
        let trees = set.build().unwrap_or_else(|error| panic!("{error}"));
        let runner = Runner::new(&trees, &first);
        let mut runner = set_up(runner.unwrap_or_else(|error| panic!("{error}")));
        runner.start();
        Twin {
            agent: DynAgent::new(described()).with_state(probe),
            runner,
            now: 0,
        }
    }

    /// The script's probe.
    pub fn probe(&mut self) -> &mut Probe {
        probe(&mut self.agent)
    }

    /// Does what the host of the typed play does; `leaf` is the name of a script's leaf by its number.
    pub fn act<'n>(
        &mut self,
        op: Op,
        leaf: impl Fn(usize) -> Option<&'n str>,
        tree: impl Fn(usize) -> &'n str,
    ) {
        match op {
            Op::Poll(quarters) => {
                let now = self.now.saturating_add_signed(quarters.into());
                self.probe().show_sky();
                let at = Duration::from_secs_f64(now as f64 / 4.0);
                self.runner.poll(&mut self.agent, at);
                self.now = self.now.max(now);
            }
            Op::Fire(event) => self.runner.fire(Event::new(event)),
            Op::End(number, success) => {
                if let Some(name) = leaf(number)
                    && let Some(last) = self.probe().completions(name).last()
                {
                    last.finish(success);
                }
            }
            Op::Finish(number, success) => {
                let mut active = self.runner.active_leaves();
                active.retain(|leaf| {
                    matches!(
                        leaf.state,
                        LeafState::Pending | LeafState::Polled | LeafState::Event
                    )
                });
                if !active.is_empty() {
                    let leaf = active.swap_remove(number % active.len());
                    self.runner.finish(leaf.id, success);
                }
            }
            Op::Key(key, on) => self.runner.blackboard().set(key, on),
            Op::Flag(flag, on) => _ = self.probe().flags.insert(flag.to_owned(), on),
            Op::Pause => self.runner.pause(),
            Op::Resume => self.runner.resume(),
            Op::Stop => {
                let at = Duration::from_secs_f64(self.now as f64 / 4.0);
                self.runner.stop(&mut self.agent, at);
            }
            Op::Start => self.runner.start(),
            Op::Reset => self.runner.reset(),
            Op::Load(number) => {
                let found = self.runner.load(tree(number));
                found.unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
