//! Requests that need the texts of all trees, or the catalogue: threads of the port read and build them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bt_core::Registry;
use bt_core::tree::asset::Problem;

use super::Port;
use super::game::Game;
use super::ledger::named;
use super::limits::{TEXT_BYTES, TEXT_PAGE, TREES};
use super::pages::before;
use super::sources::Texts;
use super::task::{Answered, Step, Worker, on, to_json};
use crate::protocol::types::*;
use crate::protocol::{Error, ErrorCode, Event, VERSION, hash};
use crate::recording::About;
use crate::shown::{hashes, tree};

fn reader(port: &mut Port) -> &mut Worker {
    &mut port.reader
}

fn builder(port: &mut Port) -> &mut Worker {
    &mut port.builder
}

/// Does something with the texts of the trees, where it keeps nobody.
fn read(job: impl FnOnce() -> Answered + Send + 'static) -> Step {
    on(reader, job, |_, _, answer| Some(answer))
}

/// The hashes of the texts that they were made of last.
type LastHashes = Mutex<Option<(Arc<Texts>, Arc<BTreeMap<String, String>>)>>;

/// The hashes of texts. As long as these are the same nothing is read.
fn hashes_of(texts: &Arc<Texts>) -> Arc<BTreeMap<String, String>> {
    static LAST: LastHashes = Mutex::new(None);
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, found)) = &*last()
        && Arc::ptr_eq(of, texts)
    {
        return found.clone();
    }
    let found = Arc::new(hashes(texts));
    *last() = Some((texts.clone(), found.clone()));
    found
}

/// The facts about the game, before they are said.
pub(super) struct Facts {
    game: String,
    read_only: bool,
    speed: f64,
    texts: Arc<Texts>,
    registry: Option<&'static Registry>,
}

impl Facts {
    pub(super) fn of(port: &Port, game: &dyn Game) -> Facts {
        Facts {
            game: port.options.game.clone(),
            read_only: port.options.read_only,
            speed: port.frozen.speed,
            texts: game.texts(),
            registry: game.registry(),
        }
    }

    fn welcome(self) -> Welcome {
        let crates = self.registry.map(Registry::crates).unwrap_or_default();
        Welcome {
            version: VERSION,
            game: self.game,
            bt_live: env!("CARGO_PKG_VERSION").to_owned(),
            crates: crates.iter().map(|one| one.package.clone()).collect(),
            catalogue: whole_catalogue(self.registry)
                .map(|it| it.hash.clone())
                .unwrap_or_default(),
            trees: (*hashes_of(&self.texts)).clone(),
            read_only: self.read_only,
            recording: false,
            speed: self.speed,
        }
    }

    /// The facts about the game, as a recording says them.
    pub(super) fn about(self) -> About {
        let texts = (*self.texts).clone();
        let catalogue = whole_catalogue(self.registry);
        About {
            welcome: Welcome {
                recording: true,
                read_only: true,
                ..self.welcome()
            },
            texts,
            catalogue: catalogue.map(|it| it.catalogue.clone()).unwrap_or_default(),
        }
    }
}

/// The catalogue of a registry, which never changes.
fn whole_catalogue(registry: Option<&'static Registry>) -> Result<Arc<CatalogueText>, Error> {
    type Whole = (&'static Registry, Arc<CatalogueText>);
    // A program has few registries: its own, and those of descriptions.
    static ALL: Mutex<Vec<Whole>> = Mutex::new(Vec::new());
    let registry = match registry {
        Some(registry) => registry,
        None => Registry::global().map_err(Error::refused)?,
    };
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, whole)) = all.iter().find(|(of, _)| std::ptr::eq(*of, registry)) {
        return Ok(whole.clone());
    }
    let catalogue = serde_json::to_value(registry.catalogue());
    let catalogue = catalogue.map_err(Error::refused)?;
    let whole = Arc::new(CatalogueText {
        hash: hash(&catalogue.to_string()),
        catalogue,
    });
    all.push((registry, whole.clone()));
    Ok(whole)
}

pub(super) fn catalogue(game: &dyn Game) -> Step {
    let registry = game.registry();
    read(move || to_json(&*whole_catalogue(registry)?))
}

pub(super) fn hello(port: &Port, game: &dyn Game) -> Step {
    let facts = Facts::of(port, game);
    read(|| to_json(&facts.welcome()))
}

pub(super) fn list(game: &dyn Game) -> Step {
    let texts = game.texts();
    read(move || {
        let trees = (*hashes_of(&texts)).clone();
        to_json(&TreeList { trees })
    })
}

/// A page of a tree.
pub(super) fn text(asked: GetTree, game: &dyn Game) -> Step {
    let texts = game.texts();
    read(move || {
        let mut whole = tree(&asked.name, &texts)?;
        let page = asked.page.unwrap_or(0) as usize;
        let (bytes, nodes) = TEXT_PAGE;
        let text = &whole.text;
        let from = text.floor_char_boundary(page.saturating_mul(bytes));
        let to = text.floor_char_boundary(from.saturating_add(bytes));
        let is_last = to == text.len() && whole.nodes.len() <= (page + 1).saturating_mul(nodes);
        whole.next = (!is_last).then_some(page as u32 + 1);
        whole.text = text[from..to].to_owned();
        let on_page = whole.nodes.into_iter();
        whole.nodes = on_page
            .skip(page.saturating_mul(nodes))
            .take(nodes)
            .collect();
        to_json(&whole)
    })
}

/// All texts, with some of them replaced.
fn replaced(texts: &Texts, new: &BTreeMap<String, String>) -> Result<Texts, Error> {
    let mut all = texts.clone();
    all.extend(new.iter().map(|(name, text)| (name.clone(), text.clone())));
    let bytes = |texts: &Texts| texts.values().map(String::len).sum::<usize>();
    // What the host has is its own affair.
    if bytes(&all) > TEXT_BYTES.max(bytes(texts)) || all.len() > TREES.max(texts.len()) {
        let why = format!(
            "after that there would be {} trees of {} bytes; {TREES} trees and {} MiB are possible",
            all.len(),
            bytes(&all),
            TEXT_BYTES >> 20
        );
        return Err(Error::new(ErrorCode::Limit, why));
    }
    Ok(all)
}

fn may_replace(texts: &Texts, new: &BTreeMap<String, String>) -> Result<(), Error> {
    if texts.is_empty() {
        return Err(Error::refused(
            "the host gives no texts of its trees (`PoolGame::sources`), so none can be replaced",
        ));
    }
    new.keys().try_for_each(|name| named("a tree", name))
}

/// Finds what is wrong with texts.
pub(super) fn check(new: BTreeMap<String, String>, game: &dyn Game) -> Result<Step, Error> {
    let (texts, build) = (game.texts(), game.build());
    may_replace(&texts, &new)?;
    let job = move || {
        let problems = build(&replaced(&texts, &new)?).err().unwrap_or_default();
        to_json(&checked(&problems, 0))
    };
    Ok(on(builder, job, |_, _, answer| Some(answer)))
}

/// Replaces trees by others. Where they were replaced otherwise meanwhile, these are built again.
pub(super) fn reload(new: BTreeMap<String, String>, game: &dyn Game) -> Result<Step, Error> {
    may_replace(&game.texts(), &new)?;
    let new = Arc::new(new);
    let mut attempt = build_with(&new, game);
    Ok(super::task::steps(move |port, game, clock| {
        let Step::Later(task) = &mut attempt else {
            return None;
        };
        let answer = task.step(port, game, clock)?;
        if answer.as_deref() == Ok(AGAIN) {
            attempt = build_with(&new, game);
            return None;
        }
        Some(answer)
    }))
}

/// The result of an attempt that is in vain.
const AGAIN: &str = "";

/// Builds trees with others among them, and replaces them if nothing is wrong.
fn build_with(new: &Arc<BTreeMap<String, String>>, game: &dyn Game) -> Step {
    let (texts, build, new) = (game.texts(), game.build(), new.clone());
    let before_it = texts.clone();
    let job = move || {
        let all = replaced(&texts, &new)?;
        let hashes = hashes(&all);
        Ok(build(&all).map(|built| (Arc::new(all), hashes, built)))
    };
    on(builder, job, move |port, game, built| {
        let (all, trees, built) = match built {
            Err(error) => return Some(Err(error)),
            Ok(Err(problems)) => return Some(to_json(&checked(&problems, 0))),
            Ok(Ok(built)) => built,
        };
        let now = game.texts();
        if !Arc::ptr_eq(&now, &before_it) && now != before_it {
            return Some(Ok(AGAIN.to_owned()));
        }
        let stood = before(game);
        let moved = game.replace(all, built);
        // Where nothing has changed nobody moves.
        port.reloaded = if moved > 0 { stood } else { Arc::default() };
        port.outlets.tell_all(&Event::Reloaded(Reloaded { trees }));
        Some(to_json(&checked(&[], moved)))
    })
}

fn checked(problems: &[Problem], moved: usize) -> Checked {
    let problems = problems.iter().map(|problem| TreeProblem {
        code: problem.code().to_string(),
        file: problem.file().to_owned(),
        message: problem.message().to_owned(),
        help: problem.help().map(str::to_owned),
        node: problem.node(),
        line: problem.position().map(|position| position.line as u32),
        column: problem.position().map(|position| position.column as u32),
    });
    Checked {
        problems: problems.collect(),
        moved: moved as u32,
    }
}
