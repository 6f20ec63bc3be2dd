//! The contents of one agent: its picture, a value that has no room in it, why it waits.

use std::collections::BTreeMap;

use bt_core::text::cut::{Room, push_pointer};
use bt_core::trace::Held;
use serde_json::Value;

use super::answers::{change, look, number, unknown_agent};
use super::debugging;
use super::game::Game;
use super::limits::{LISTED, SHOWN, VALUE_PAGE};
use super::pages::entry;
use super::task::{Answered, Step, steps, to_json};
use crate::protocol::types::*;
use crate::protocol::{Error, ErrorCode};
use crate::shown::shown;

/// The places of keys and properties in an answer.
const KEYS: &str = "/blackboard";
const PROPERTIES: &str = "/properties";

/// The cuts, as an answer says them.
pub(super) fn cuts(room: Room) -> Vec<Cut> {
    let cuts = room.into_cuts().into_iter();
    let cut = |cut: bt_core::text::cut::Cut| Cut {
        at: cut.at,
        missing: cut.missing as u64,
    };
    cuts.map(cut).collect()
}

/// A list, as far as it has room.
fn cut_list<T>(list: &mut Vec<T>, at: &str, room: &mut Room) {
    room.miss(at, list.len().saturating_sub(LISTED));
    list.truncate(LISTED);
}

/// A named value, as far as it has room; none if there is no room for its name.
pub(super) fn cut_entry(at: &str, name: &str, value: &Value, room: &mut Room) -> Option<Value> {
    if !room.take_name(name) {
        return None;
    }
    let mut place = at.to_owned();
    push_pointer(&mut place, name);
    Some(room.show(place, value).into_owned())
}

/// The picture of an agent. Its properties are asked one by one: each runs code of the game.
pub(super) fn picture(agent: String, game: &mut dyn Game) -> Result<Step, Error> {
    let id = number(&agent)?;
    let mut names = change(&agent, game, |it| it.property_names())?.into_iter();
    let mut room = Some(Room::new(SHOWN.0, SHOWN.1));
    let (mut properties, mut unshown) = (BTreeMap::new(), 0);
    Ok(steps(move |_, game, clock| {
        for name in names.by_ref() {
            let room = room.as_mut()?;
            let value = change(&agent, game, |it| it.property(&name));
            let value = match value {
                Ok(value) => value.unwrap_or_default(),
                Err(error) => return Some(Err(error)),
            };
            match cut_entry(PROPERTIES, &name, &value, room) {
                Some(value) => _ = properties.insert(name, value),
                None => unshown += 1,
            }
            if clock.is_over() {
                return None;
            }
        }
        let mut room = room.take()?;
        room.miss(PROPERTIES, unshown);
        let properties = std::mem::take(&mut properties);
        let picture = rest_of_picture(id, properties, room, game);
        Some(picture.and_then(|picture| to_json(&picture)))
    }))
}

/// All of a picture but its properties.
fn rest_of_picture(
    id: u64,
    properties: BTreeMap<String, Value>,
    mut room: Room,
    game: &mut dyn Game,
) -> Result<AgentPicture, Error> {
    let name = game.name(id);
    let mut found = None;
    game.look(id, &mut |view| {
        let mut unshown = 0;
        let picture = view.picture_with(&mut |held, value| match held {
            Held::Key(key) => {
                let shown = cut_entry(KEYS, key, value, &mut room);
                unshown += usize::from(shown.is_none());
                shown
            }
            Held::Property(_) => None,
        });
        room.miss(KEYS, unshown);
        let mut active = shown(entry(id, name.clone(), view), picture);
        cut_list(&mut active.trees, "/trees", &mut room);
        cut_list(&mut active.active, "/active", &mut room);
        let mut leaves = view.leaves();
        cut_list(&mut leaves, "/leaves", &mut room);
        let mut forced = debugging::forced_entries(view);
        cut_list(&mut forced, "/forced", &mut room);
        let leaves = leaves.iter().map(|leaf| WaitingLeaf {
            tree: leaf.tree.clone(),
            idx: leaf.idx,
            waits: leaf.to_string(),
        });
        found = Some(AgentPicture {
            leaves: leaves.collect(),
            diagnostics: view.diagnostics(),
            stop: view.stopped().map(|stop| debugging::entry(id, &stop)),
            forced,
            ..active
        });
    });
    let picture = found.ok_or_else(|| unknown_agent(&id.to_string()))?;
    Ok(AgentPicture {
        properties,
        cut: cuts(room),
        ..picture
    })
}

/// A page of a value.
pub(super) fn value(asked: &GetValue, game: &mut dyn Game) -> Answered {
    let no_place = || {
        let why = "a place is a JSON pointer into the picture: `/blackboard`, `/blackboard/KEY`, \
                   `/properties/NAME`, or something in them";
        Error::new(ErrorCode::Params, why)
    };
    let nothing = || Error::unknown("there is no such value");
    let mut parts = asked.at.split('/').skip(1).map(unescaped);
    let (root, name) = (parts.next(), parts.next());
    let way: Vec<String> = parts.collect();
    let page = |value: &Value| {
        let found = way.iter().try_fold(value, |value, part| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            Value::Object(fields) => fields.get(part),
            _ => None,
        });
        found.map(|found| page(found, asked.after.as_deref()))
    };
    let page = match (root.as_deref(), name) {
        (Some("blackboard"), Some(key)) => {
            let mut found = None;
            let id = number(&asked.agent)?;
            let is_there = game.look(id, &mut |view| {
                view.picture_with(&mut |held, value| {
                    if held == Held::Key(&key) {
                        found = page(value);
                    }
                    None
                });
            });
            match is_there {
                true => found.ok_or_else(nothing)?,
                false => return Err(unknown_agent(&asked.agent)),
            }
        }
        (Some("blackboard"), None) => keys(asked, game)?,
        (Some("properties"), Some(name)) => {
            let value = change(&asked.agent, game, |it| it.property(&name))?;
            value.as_ref().and_then(page).ok_or_else(nothing)?
        }
        _ => return Err(no_place()),
    };
    to_json(&page?)
}

/// A page of the keys.
fn keys(asked: &GetValue, game: &mut dyn Game) -> Result<Result<ValuePage, Error>, Error> {
    let after = asked.after.as_deref();
    look(number(&asked.agent)?, game, |view| {
        // The first of them, in their order.
        let mut first: BTreeMap<String, Value> = BTreeMap::new();
        let mut left_out = false;
        view.picture_with(&mut |held, value| {
            let Held::Key(key) = held else { return None };
            if after.is_some_and(|after| key <= after) {
                return None;
            }
            let mut room = Room::new(VALUE_PAGE, VALUE_PAGE / 64);
            first.insert(key.to_owned(), room.show("", value).into_owned());
            if first.len() > LISTED {
                left_out = true;
                first.pop_last();
            }
            None
        });
        let mut page = page(&Value::Object(first.into_iter().collect()), None)?;
        if let (Value::Object(shown), true, None) = (&page.value, left_out, &page.next) {
            page.next = shown.keys().next_back().cloned();
        }
        Ok(page)
    })
}

/// A page of a value: a part of a text from a byte on, items from one on, entries after one.
fn page(value: &Value, after: Option<&str>) -> Result<ValuePage, Error> {
    let place = || match after {
        None => Ok(0),
        Some(after) => after.parse::<usize>().map_err(|_| {
            let why =
                "a page of a text or an array comes after a number: `next` of the page before";
            Error::new(ErrorCode::Params, why)
        }),
    };
    let mut room = Room::new(VALUE_PAGE, VALUE_PAGE / 4);
    let (value, next) = match value {
        Value::String(text) => {
            let from = text.floor_char_boundary(place()?);
            let to = text.floor_char_boundary(from + VALUE_PAGE);
            let next = (to < text.len()).then(|| to.to_string());
            (text[from..to].into(), next)
        }
        Value::Array(items) => {
            let mut shown = Vec::new();
            let from = place()?.min(items.len());
            for item in &items[from..] {
                if room.is_full() || shown.len() == LISTED {
                    break;
                }
                shown.push(
                    room.show(format_args!("/{}", shown.len()), item)
                        .into_owned(),
                );
            }
            let to = from + shown.len();
            let next = (to < items.len()).then(|| to.to_string());
            (shown.into(), next)
        }
        Value::Object(fields) => {
            let mut shown = serde_json::Map::new();
            let mut next = None;
            let later = fields.iter();
            let later = later.filter(|(name, _)| after.is_none_or(|after| name.as_str() > after));
            for (name, field) in later {
                let has_room = shown.len() < LISTED;
                let field = has_room.then(|| cut_entry("", name, field, &mut room));
                let Some(field) = field.flatten() else {
                    next = shown.keys().next_back().cloned();
                    break;
                };
                shown.insert(name.clone(), field);
            }
            (shown.into(), next)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => (value.clone(), None),
    };
    Ok(ValuePage {
        value,
        cut: cuts(room),
        next,
    })
}

/// A part of a JSON pointer.
fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// The reasons why an agent waits.
pub(super) fn explain(agent: &str, game: &mut dyn Game) -> Answered {
    let now = game.now();
    let explanation = look(number(agent)?, game, |view| view.explain(now))?;
    let mut text = explanation.to_string();
    let mut room = Room::new(SHOWN.0, SHOWN.1);
    let whole = text.len();
    text.truncate(text.floor_char_boundary(SHOWN.0 / 4));
    room.miss("/text", whole - text.len());
    if text.len() < whole {
        text.push_str(&format!("… ({} more bytes)", whole - text.len()));
    }
    let explanation = serde_json::to_value(&explanation).map_err(Error::refused)?;
    let mut all = Room::new(SHOWN.0, SHOWN.0);
    let explanation = all.show("/explanation", &explanation).into_owned();
    let mut cut = cuts(room);
    cut.extend(cuts(all));
    to_json(&Explained {
        text,
        explanation,
        cut,
    })
}
