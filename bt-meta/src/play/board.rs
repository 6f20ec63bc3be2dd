//! A play without a console: each method has an answer that stands, and an action may wait until somebody ends it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bt_core::dynamic::Answer;
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{MethodEntry, MethodKind, PropertyEntry, ReturnKind, TypeEntry};
use bt_core::{ActiveLeaf, Context, Exit, LeafState};
use bt_live::port::{Port, Texts};
use serde_json::{Value, json};

use super::answer::{Ending, Said, parse, waits};
use super::host::{Call, Host};
use super::recorder::{End, Head, Recorder, call};
use super::session::Session;
use super::wanted::Played;
use crate::catalogue::Catalogue;
use crate::error::Error;

/// The answer of an action that waits until somebody ends it.
pub const WAIT: &str = "wait";

/// The number of lines that are kept of what a play says.
const LINES: usize = 100;

/// The most polls that are made in one go.
const POLLS: usize = 10_000;

/// A play whose player need not answer at once.
#[derive(Debug)]
pub struct Board {
    session: Session,
    answers: Arc<Mutex<Answers>>,
    played: Played,
    /// The time of the last poll; none before the first one.
    polled: Option<Duration>,
    /// True if something was changed since the last poll: the next one is a tick later.
    is_changed: bool,
    cards: Vec<Card>,
    next_card: u64,
}

/// An action that waits for its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Its number, which no other card of the play has.
    pub number: u64,
    /// Its leaf.
    pub leaf: ActiveLeaf,
    /// Its arguments, in the order of the method's.
    pub args: Vec<Value>,
}

/// The answers that stand, and what was seen of calls.
#[derive(Debug, Default)]
struct Answers {
    /// By the methods' names.
    standing: BTreeMap<String, String>,
    /// The methods that were called.
    called: BTreeSet<String>,
    /// The actions that wait for somebody, by their nodes: each with the arguments of its last call.
    waiting: BTreeMap<(String, u32), Vec<Value>>,
    /// Values that were set at 0: they are there before the first poll of what begins anew.
    first: BTreeMap<String, Value>,
    record: Recorder,
    said: VecDeque<String>,
    is_over: bool,
}

impl Host for Answers {
    fn call(&mut self, asked: &Call<'_>, cx: &Context<'_>) -> Answer {
        self.called.insert(asked.name.to_owned());
        let line = match self.standing.get(asked.name) {
            Some(line) => line.clone(),
            None => default_answer(asked.method),
        };
        let said = match line.as_str() {
            WAIT => Ok(Said {
                result: Ending::Running,
                writes: Vec::new(),
            }),
            line => parse(line, asked.method),
        };
        let said = match said {
            Ok(said) => said,
            Err(why) => return Answer::refused(why),
        };
        let node = cx.node().map(|node| (node.tree().to_owned(), node.idx()));
        match node.filter(|_| can_wait(asked.method)) {
            Some(node) => {
                let text = call(asked.name, asked.method, asked.args);
                match line.as_str() {
                    WAIT => self.waiting.insert(node.clone(), asked.args.to_vec()),
                    _ => self.waiting.remove(&node),
                };
                self.record.waits(node, text, cx.now(), said.clone());
            }
            None => self.record.answers(asked.name, cx.now(), said.clone()),
        }
        said.into()
    }

    fn property(&mut self, property: &PropertyEntry) -> Option<Value> {
        let name = &property.item.name;
        let value = first_value(&property.ty);
        self.record.first(&format!("@{name}"), value.clone());
        Some(value)
    }

    fn exits(&mut self, _: &str, _: Exit, _: &[Value]) {}

    fn say(&mut self, text: &str) {
        if self.said.len() >= LINES {
            self.said.pop_front();
        }
        self.said.push_back(text.trim().to_owned());
    }

    fn end(&mut self) {
        self.is_over = true;
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Board {
    /// A play that has not [begun](Board::begin).
    ///
    /// # Errors
    /// As of [`Session::new`].
    pub fn new(catalogue: Catalogue, played: Played) -> Result<Board, Error> {
        let answers = Arc::new(Mutex::new(Answers::default()));
        let session = Session::new(catalogue, &played, answers.clone())?;
        Ok(Board {
            session,
            answers,
            played,
            polled: None,
            is_changed: false,
            cards: Vec::new(),
            next_card: 1,
        })
    }

    /// True if the first poll was made.
    pub fn has_begun(&self) -> bool {
        self.polled.is_some()
    }

    /// The play.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The agent's description.
    pub fn info(&self) -> AgentInfo<'static> {
        self.session.agent().ty().info()
    }

    /// Lets tools attach, as to a game.
    ///
    /// # Errors
    /// As of [`Session::open_port`].
    pub fn open_port(&mut self) -> io::Result<&Port> {
        self.session.open_port()
    }

    /// Begins anew, at 0. Answers stay, and so do values that were set at 0.
    pub fn begin_anew(&mut self) {
        self.session.begin_anew();
        let mut answers = self.answers();
        answers.record = Recorder::default();
        answers.said.clear();
        drop(answers);
        self.polled = None;
        self.cards.clear();
        self.begin();
    }

    /// Makes the first poll, at 0. Tools look before it: what is entered there may have a breakpoint.
    pub fn begin(&mut self) {
        // The first look finds a new agent, the second gives it its breakpoints.
        self.session.look();
        self.session.look();
        let first = self.answers().first.clone();
        for (name, value) in first {
            if self.session.set(&name, value.clone()).is_ok() {
                self.answers().record.first(&name, value);
            }
        }
        self.session.start();
        self.poll();
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn method(&self, name: &str) -> Option<MethodEntry> {
        self.info()
            .action(name)
            .ok()
            .map(|found| found.entry.clone())
    }

    /// The time of the next poll, on a tick; none if nothing comes by itself.
    pub fn next(&self) -> Option<Duration> {
        let Some(polled) = self.polled else {
            return Some(Duration::ZERO);
        };
        if self.is_over() {
            return None;
        }
        let soon = self.on_tick(polled + self.played.tick);
        match self.is_changed {
            true => Some(soon),
            false => Some(self.on_tick(self.session.next()?).max(soon)),
        }
    }

    /// The first tick that is not before a time.
    fn on_tick(&self, time: Duration) -> Duration {
        let tick = self.played.tick.as_nanos().max(1);
        let ticks = time.as_nanos().div_ceil(tick);
        Duration::from_nanos(u64::try_from(ticks.saturating_mul(tick)).unwrap_or(u64::MAX))
    }

    /// Moves to the next poll, or by a tick if nothing comes by itself.
    pub fn step(&mut self) {
        let Some(polled) = self
            .polled
            .filter(|_| !self.is_over() && !self.is_stopped())
        else {
            return;
        };
        let next = self.next();
        self.session
            .move_to(next.unwrap_or_else(|| self.on_tick(polled + self.played.tick)));
        self.poll();
    }

    /// Lets the time pass up to `to`, with the polls that are due until then.
    pub fn pass(&mut self, to: Duration) {
        for _ in 0..POLLS {
            match self.next().filter(|next| *next <= to) {
                Some(next) => self.session.move_to(next),
                None => break,
            }
            self.poll();
            if self.is_stopped() {
                return;
            }
        }
        if !self.is_over() {
            self.session.move_to(to);
        }
    }

    /// Polls until an action waits or nothing comes by itself, 10,000 times at most.
    pub fn run(&mut self) {
        for _ in 0..POLLS {
            match self.next() {
                Some(next) if self.is_changed || self.cards.is_empty() => {
                    self.session.move_to(next)
                }
                Some(_) | None => return,
            }
            self.poll();
            if self.is_stopped() {
                return;
            }
        }
    }

    fn poll(&mut self) {
        self.polled = Some(self.session.now());
        self.is_changed = false;
        self.session.poll();
        self.look();
    }

    /// Lets tools look, and looks at what waits.
    pub fn look(&mut self) {
        self.session.look();
        let leaves = self.session.runner().active_leaves();
        let is_card = |leaf: &ActiveLeaf| match leaf.state {
            LeafState::Pending | LeafState::Polled => true,
            LeafState::Event | LeafState::Waiting | LeafState::Cancelling | LeafState::Due => false,
        };
        let mut cards = Vec::new();
        for leaf in leaves.into_iter().filter(is_card) {
            let place = (leaf.tree.clone(), leaf.idx);
            let Some(args) = self.answers().waiting.get(&place).cloned() else {
                continue;
            };
            let known = self.cards.iter().find(|card| card.leaf.id == leaf.id);
            let number = known.map_or(self.next_card, |card| card.number);
            self.next_card = self.next_card.max(number + 1);
            cards.push(Card { number, leaf, args });
        }
        self.cards = cards;
    }

    /// Continues the poll in which a tool has stopped the agent, if that lets it.
    pub fn resume(&mut self) {
        self.session.poll();
        self.look();
    }

    /// True if a tool has stopped the agent.
    pub fn is_stopped(&self) -> bool {
        self.session.runner().stopped().is_some()
    }

    /// True if the tree has ended.
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// The actions that wait for their ends.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The names of the methods that were called.
    pub fn called(&self) -> BTreeSet<String> {
        self.answers().called.clone()
    }

    /// The answer of a method that stands.
    pub fn answer(&self, method: &MethodEntry) -> String {
        let answers = self.answers();
        let standing = answers.standing.get(&method.item.name);
        standing.map_or_else(|| default_answer(Some(method)), String::clone)
    }

    /// The lines that the play said, the newest last.
    pub fn said(&self) -> Vec<String> {
        self.answers().said.iter().cloned().collect()
    }

    /// Gives a method an answer that stands, in the words of the terminal's play, or `wait`.
    ///
    /// # Errors
    /// What was expected.
    pub fn set_answer(&mut self, name: &str, line: &str) -> Result<(), String> {
        let method = self.method(name);
        let Some(method) = method else {
            return Err(format!("the agent has no method `{name}`"));
        };
        if line != WAIT || !can_wait(Some(&method)) {
            parse(line, Some(&method))?;
        }
        let line = line.to_owned();
        self.answers().standing.insert(name.to_owned(), line);
        Ok(())
    }

    /// Ends an action that waits.
    ///
    /// # Errors
    /// If there is no such card.
    pub fn finish(&mut self, number: u64, success: bool) -> Result<(), String> {
        let card = self.cards.iter().find(|card| card.number == number);
        let Some(card) = card.cloned() else {
            return Err(
                "no action waits there any more: it has ended, or something aborted it".to_owned(),
            );
        };
        self.session.finish(card.leaf.id, success);
        let at = self.change();
        let node = (card.leaf.tree, card.leaf.idx);
        self.answers().record.finishes(&node, at, success);
        Ok(())
    }

    /// Sets a key, or a property with an `@`.
    ///
    /// # Errors
    /// As of [`Session::set`].
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), String> {
        self.session.set(name, value.clone())?;
        let at = self.change();
        let name = match name.starts_with(['@', '$']) {
            true => name.to_owned(),
            false => format!("${name}"),
        };
        let is_first = self.polled == Some(Duration::ZERO);
        let mut answers = self.answers();
        answers.record.sets(at, &name, value.clone());
        if is_first {
            answers.first.insert(name, value);
        }
        Ok(())
    }

    /// Fires an event, with its parameters by their names.
    ///
    /// # Errors
    /// As of [`Session::fire`].
    pub fn fire(&mut self, event: &str, params: Value) -> Result<(), String> {
        self.session.fire(event, &params)?;
        let at = self.change();
        self.answers().record.fires(at, event, params);
        Ok(())
    }

    /// Replaces the trees: what runs continues where it can.
    ///
    /// # Errors
    /// The first thing that is wrong with them; then the old ones run on.
    pub fn replace(&mut self, texts: Texts) -> Result<(), String> {
        self.session.replace(texts.clone()).map_err(|problems| {
            let first = problems.first();
            first.map_or_else(String::new, ToString::to_string)
        })?;
        self.played.texts = texts;
        self.change();
        Ok(())
    }

    /// Notes that something was changed; the time of the poll that sees it.
    fn change(&mut self) -> Duration {
        self.is_changed = true;
        self.next().unwrap_or(self.session.now())
    }

    /// The play so far as a scenario. `tree` is the path of its tree from the scenario's folder; other trees are named
    /// by their paths from the tree's own folder, or from the one that is played.
    pub fn scenario(&self, tree: &str) -> String {
        let head = Head {
            tree: tree.to_owned(),
            tick: self.played.tick,
            seed: self.played.seed,
            loops: self.played.loops,
        };
        let folder = self.played.tree.rsplit_once('/');
        let folder = folder.map_or_else(String::new, |(folder, _)| format!("{folder}/"));
        let runner = self.session.runner();
        let leaves = runner.active_leaves().into_iter();
        let end = End {
            now: self.polled.unwrap_or_default(),
            result: runner.result().filter(|_| !runner.is_running()),
            active: leaves
                .map(|leaf| {
                    let tree = leaf.tree.strip_prefix(&folder).unwrap_or(&leaf.tree);
                    format!("{tree}#{}", leaf.idx)
                })
                .collect(),
        };
        self.answers().record.written(&head, &end)
    }
}

fn can_wait(method: Option<&MethodEntry>) -> bool {
    method.is_none_or(|method| waits(method.result))
}

/// The answer of a method for which nobody has said one.
fn default_answer(method: Option<&MethodEntry>) -> String {
    let Some(method) = method else {
        return WAIT.to_owned();
    };
    match method.result {
        ReturnKind::Async | ReturnKind::Status => WAIT.to_owned(),
        ReturnKind::Unit => "success".to_owned(),
        ReturnKind::Bool if method.kind == MethodKind::Condition => "failure".to_owned(),
        ReturnKind::Bool => "success".to_owned(),
        ReturnKind::Next => "run".to_owned(),
        ReturnKind::NextChild => "run 0".to_owned(),
        ReturnKind::Value => {
            let value = method.answer.as_ref().map(first_value);
            value.unwrap_or_default().to_string()
        }
    }
}

/// A value that a type has where nobody says one: its default, its lowest bound, its first choice, or nothing much.
pub fn first_value(ty: &TypeEntry) -> Value {
    if let Some(value) = &ty.default {
        return value.clone();
    }
    if let Some(first) = ty.choices.iter().flatten().next() {
        return first.clone();
    }
    let least = ty.min.clone();
    match ty.schema["type"].as_str() {
        Some("integer") => least.unwrap_or(json!(0)),
        Some("number") => least.unwrap_or(json!(0.0)),
        Some("boolean") => json!(false),
        Some("string") => json!(""),
        Some("array") => json!([]),
        Some("object") => json!({}),
        Some(_) | None => Value::Null,
    }
}

/// A type with its bounds, for people.
pub fn type_words(ty: &TypeEntry) -> String {
    match (&ty.min, &ty.max) {
        (Some(min), Some(max)) => format!("{}, {min} to {max}", ty.type_name),
        (Some(min), None) => format!("{}, {min} at least", ty.type_name),
        (None, Some(max)) => format!("{}, {max} at most", ty.type_name),
        (None, None) => ty.type_name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use bt_core::TreeAsset;
    use bt_core::dynamic::Describe;
    use bt_core::scenario::{Player, Scenario};

    use super::super::fixture::{catalogue, hunt};
    use super::super::wanted::TICK;
    use super::*;

    fn board(tree: Value) -> Board {
        let played = Played {
            tree: "hunt.json".to_owned(),
            agent: "guard".to_owned(),
            texts: [("hunt.json".to_owned(), tree.to_string())].into(),
            seed: 0,
            loops: false,
            tick: TICK,
        };
        let mut board = Board::new(catalogue(), played).unwrap();
        board.begin();
        board
    }

    /// The verdict of a scenario on the trees that were played.
    fn replayed(text: &str) -> String {
        let described = Describe::from_catalogue(catalogue(), "guard").unwrap();
        let ty = described.build().unwrap();
        let mut trees = ty.trees();
        trees.add(TreeAsset::from_slice("hunt.json", hunt().to_string().as_bytes()).unwrap());
        let scenario =
            Scenario::from_toml("t", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut player = Player::described(&trees).unwrap();
        let verdict = player.play_described(&scenario, &ty);
        verdict
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
            .to_string()
    }

    #[test]
    fn actions_wait_as_cards_until_somebody_ends_them_and_the_play_is_a_scenario() {
        let mut board = board(hunt());
        // Nobody is seen: a condition fails until its switch is on.
        assert!(board.is_over());
        board.set_answer("sees_enemy", "success").unwrap();
        board.begin_anew();
        let [card] = board.cards() else {
            panic!("{:?}", board.cards());
        };
        assert_eq!(
            (card.leaf.name.as_str(), &card.args[..]),
            ("walk_to", &[json!(7)][..])
        );
        let number = card.number;
        assert_eq!(board.next(), None);
        assert_eq!(board.said(), [""; 0], "somebody can end it");
        for _ in 0..5 {
            board.step();
        }
        board.set("@hp", json!(30)).unwrap();
        board.finish(number, true).unwrap();
        assert_eq!(
            board.finish(number + 1, true).unwrap_err(),
            "no action waits there any more: it has ended, or something aborted it"
        );
        board.step();
        assert!(board.is_over());
        let text = board.scenario("hunt.json");
        insta::assert_snapshot!(text, @r#"
        tree = "hunt.json"

        [[answer]]
        call = "sees_enemy"
        result = true

        [[answer]]
        call = "walk_to(target: 7)"
        after = "0.6s"
        result = true

        [[step]]
        at = "0.6s"
        set = { "@hp" = 30 }

        [[expect]]
        by = "0s"
        called = "walk_to(target: 7)"

        [[expect]]
        at = "end"
        result = "success"
        "#);
        assert_eq!(replayed(&text), "t: passed\n");
        assert_ne!(replayed(&text.replace("= 30", "= 60")), "t: passed\n");
    }

    #[test]
    fn answers_that_do_not_fit_and_names_that_are_not_there_are_refused() {
        let mut board = board(hunt());
        for (name, line, why) in [
            (
                "sees_enemy",
                "wait",
                "expected `success` or `failure`, found `wait`",
            ),
            (
                "walk_to",
                "perhaps",
                "expected `success`, `failure`, `running` or `after 2s`, found `perhaps`",
            ),
            ("walk", "success", "the agent has no method `walk`"),
        ] {
            assert_eq!(board.set_answer(name, line).unwrap_err(), why);
        }
        assert!(board.set("@mana", json!(3)).unwrap_err().contains("mana"));
        assert!(board.fire("bang", json!({})).unwrap_err().contains("bang"));
    }

    #[test]
    fn trees_are_replaced_while_they_are_played() {
        let mut board = board(hunt());
        board.set_answer("sees_enemy", "success").unwrap();
        board.begin_anew();
        let mut tree = hunt();
        tree["nodes"][1]["children"] = json!([2, 3]);
        tree["nodes"].as_array_mut().unwrap().pop();
        board
            .replace([("hunt.json".to_owned(), tree.to_string())].into())
            .unwrap();
        let wrong = board.replace([("hunt.json".to_owned(), "{".to_owned())].into());
        assert!(wrong.unwrap_err().contains("hunt.json"));
        let number = board.cards()[0].number;
        board.finish(number, true).unwrap();
        board.step();
        assert_eq!(board.session().runner().result(), Some(true));
    }
}
