//! Records as MessagePack: see [`frame`](crate::protocol::frame).

use std::borrow::Cow;

use bt_core::text::cut::Room;
use bt_core::trace::{Args, Held, Leave, Place, Record, Role, What};
use rmp::encode::{write_array_len, write_bool, write_map_len, write_str, write_uint};
use serde::Serialize;
use serde_json::Value;

use super::limits::{RECORD, RECORD_SHOWN};
use super::looks::{cut_entry, cuts};
use crate::protocol::frame::Header;
use crate::protocol::types::Cut;

/// Writes a message of `count` records that are encoded already.
pub(super) fn message(header: &Header, count: u32, records: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(records.len() + header.agent.len() + 32);
    let written = write_array_len(&mut bytes, count + 1).and_then(|_| write_map_len(&mut bytes, 2));
    debug_assert!(written.is_ok(), "memory takes everything");
    text(&mut bytes, "agent");
    text(&mut bytes, &header.agent);
    text(&mut bytes, "first");
    uint(&mut bytes, header.first);
    bytes.extend_from_slice(records);
    bytes
}

fn text(into: &mut Vec<u8>, text: &str) {
    let written = write_str(into, text);
    debug_assert!(written.is_ok(), "memory takes everything");
}

fn uint(into: &mut Vec<u8>, number: u64) {
    let written = write_uint(into, number);
    debug_assert!(written.is_ok(), "memory takes everything");
}

/// Adds a record to bytes that end with a whole one; they stay as they are if it cannot be written.
///
/// Values that have no room are cut. The most frequent records are written by hand, in a tenth of the time: byte by byte
/// what serde writes.
pub(super) fn write_record(into: &mut Vec<u8>, record: &Record<'_>) -> bool {
    let (all, snapshot, each) = RECORD_SHOWN;
    let is_snapshot = matches!(record.what, What::Snapshot(_));
    let room = if is_snapshot { snapshot } else { all };
    let mut room = Room::new(room, each);
    if let Some(what) = shortened(&record.what, &mut room) {
        return write_cut(into, record, what, cuts(room));
    }
    let before = into.len();
    let written = match &record.what {
        What::PollBegin => begin(into, record, 1, "poll_begin"),
        What::NodeEnter => begin(into, record, 1, "node_enter"),
        What::NodeLeave { result, by: None } => {
            let begun = begin(into, record, 2, "node_leave");
            text(into, "result");
            text(into, leave(*result));
            begun
        }
        What::NodeAction { call, args, role } if let Some(role) = role_name(*role) => {
            let begun = begin(into, record, 4, "node_action");
            text(into, "call");
            text(into, call);
            text(into, "args");
            let written = arguments(into, args);
            text(into, "role");
            text(into, role);
            begun && written
        }
        What::Guard {
            call,
            args,
            not,
            number,
            own,
            holds,
        } => {
            let more = u32::from(*not) + u32::from(*number != 0) + u32::from(*own);
            let begun = begin(into, record, 4 + more, "guard");
            text(into, "call");
            text(into, call);
            text(into, "args");
            let written = arguments(into, args);
            if *not {
                flag(into, "not", true);
            }
            if *number != 0 {
                text(into, "number");
                uint(into, u64::from(*number));
            }
            if *own {
                flag(into, "own", true);
            }
            flag(into, "holds", *holds);
            begun && written
        }
        _ => rmp_serde::encode::write_named(into, record).is_ok(),
    };
    let written = written && into.len() - before <= RECORD;
    if !written {
        into.truncate(before);
    }
    written
}

/// The thing that happened, with shorter values, if one of them has no room.
fn shortened<'a>(what: &What<'a>, room: &mut Room) -> Option<What<'a>> {
    let short = |value: &Value, room: &mut Room| match room.fits(value) {
        true => None,
        false => Some(Cow::Owned(room.show("/value", value).into_owned())),
    };
    Some(match what {
        What::NodeAction { call, args, role } => What::NodeAction {
            args: short_args(args, room)?,
            call: call.clone(),
            role: *role,
        },
        What::Guard {
            call,
            args,
            not,
            number,
            own,
            holds,
        } => What::Guard {
            args: short_args(args, room)?,
            call: call.clone(),
            not: *not,
            number: *number,
            own: *own,
            holds: *holds,
        },
        What::BbSet { key, value } => What::BbSet {
            value: short(value, room)?,
            key: key.clone(),
        },
        What::PropertySet { property, value } => What::PropertySet {
            value: short(value, room)?,
            property: property.clone(),
        },
        What::Note { note, value } => What::Note {
            value: short(value, room)?,
            note: note.clone(),
        },
        What::EventFired { event, params } => {
            if params.iter().all(|(_, value)| room.fits(value)) {
                return None;
            }
            let params = params.iter().map(|(name, value)| {
                let value = cut_entry("/params", name, value, room);
                (name.clone(), value.unwrap_or_default())
            });
            What::EventFired {
                params: Cow::Owned(params.collect()),
                event: event.clone(),
            }
        }
        What::Snapshot(scene) => {
            let (mut keys, mut properties) = (0, 0);
            let picture = scene.picture_with(&mut |held, value| {
                let (at, name, unshown) = match held {
                    Held::Key(key) => ("/blackboard", key, &mut keys),
                    Held::Property(property) => ("/properties", property, &mut properties),
                };
                let shown = cut_entry(at, name, value, room);
                *unshown += usize::from(shown.is_none());
                shown
            });
            room.miss("/blackboard", keys);
            room.miss("/properties", properties);
            What::Snapshot(picture.into())
        }
        What::Because { why } if why.len() > RECORD_SHOWN.2 => {
            let short = &why[..why.floor_char_boundary(RECORD_SHOWN.2)];
            room.miss("/why", why.len() - short.len());
            What::Because {
                why: Cow::Owned(format!("{short}… ({} more bytes)", why.len() - short.len())),
            }
        }
        _ => return None,
    })
}

/// Arguments with shorter values, if one of them has no room.
fn short_args(args: &Args<'_>, room: &mut Room) -> Option<Args<'static>> {
    let mut fits = true;
    args.each(|value| fits = fits && room.fits(value));
    if fits {
        return None;
    }
    let mut short = Vec::new();
    args.each(|value| {
        let at = format_args!("/args/{}", short.len());
        let shown = room.show(at, value).into_owned();
        short.push(shown);
    });
    Some(short.into())
}

/// A record of which something was cut.
#[cold]
fn write_cut(into: &mut Vec<u8>, record: &Record<'_>, what: What<'_>, cut: Vec<Cut>) -> bool {
    #[derive(Serialize)]
    struct Shortened<'a> {
        #[serde(flatten)]
        record: &'a Record<'a>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        cut: Vec<Cut>,
    }
    let record = &Record {
        ns: record.ns,
        poll: record.poll,
        at: record.at.clone(),
        what,
    };
    let before = into.len();
    let written = rmp_serde::encode::write_named(into, &Shortened { record, cut }).is_ok();
    let written = written && into.len() - before <= RECORD;
    if !written {
        into.truncate(before);
    }
    written
}

/// Writes the parts of all records, for an object with so many more keys than these.
fn begin(into: &mut Vec<u8>, record: &Record<'_>, more: u32, command: &str) -> bool {
    let place = match &record.at {
        Some(place) => 3 + u32::from(!place.name().is_empty()),
        None => 0,
    };
    let begun = write_map_len(into, 2 + place + more).is_ok();
    text(into, "ns");
    uint(into, record.ns);
    text(into, "poll");
    uint(into, u64::from(record.poll));
    if let Some(place) = &record.at {
        at(into, place);
    }
    text(into, "cmd");
    text(into, command);
    begun
}

fn at(into: &mut Vec<u8>, place: &Place<'_>) {
    text(into, "at");
    let begun = write_array_len(into, 2);
    debug_assert!(begun.is_ok(), "memory takes everything");
    let (run, idx) = place.key();
    uint(into, u64::from(run));
    uint(into, u64::from(idx));
    text(into, "tree");
    text(into, place.tree());
    text(into, "type");
    text(into, place.kind());
    if !place.name().is_empty() {
        text(into, "name");
        text(into, place.name());
    }
}

fn arguments(into: &mut Vec<u8>, args: &Args<'_>) -> bool {
    rmp_serde::encode::write_named(into, args).is_ok()
}

fn flag(into: &mut Vec<u8>, name: &str, value: bool) {
    text(into, name);
    let written = write_bool(into, value);
    debug_assert!(written.is_ok(), "memory takes everything");
}

fn leave(leave: Leave) -> &'static str {
    match leave {
        Leave::Success => "success",
        Leave::Failure => "failure",
        Leave::Aborted => "aborted",
    }
}

/// None of a role that is newer than this.
fn role_name(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Action => "action",
        Role::Condition => "condition",
        Role::Decorator => "decorator",
        Role::Composite => "composite",
        Role::Effect => "effect",
        Role::Service => "service",
        Role::Resume => "resume",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bt_core::pool::Pool;
    use bt_core::prelude::*;
    use bt_core::tree::asset::spec::{action, guard, select, sequence, wait_event};
    use bt_core::{Runner, TreeAsset, TreeSet};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[derive(Agent)]
    struct Parrot;

    #[agent]
    impl Parrot {
        #[action]
        fn say(words: String, times: i64) -> bool {
            times > 0 && !words.is_empty()
        }
        #[condition]
        fn is_loud(level: f64) -> bool {
            level > 1.0
        }
    }

    /// All records of an agent that does a little of everything, each by hand and by serde.
    #[test]
    fn records_are_written_by_hand_as_serde_writes_them() {
        let loud = guard("is_loud").key("level").set("not", true);
        let quiet = guard("is_loud").key("level").set("abort", "lower");
        let say = |times: i64| action("say").arg("a \u{e9} \"b\"").arg(times);
        let top = select([
            // It aborts what runs, by a node that has no name.
            sequence([say(2), wait_event("called")]).guard(quiet),
            sequence([say(3), say(-1)])
                .guard(guard("is_loud").arg(2.5))
                .guard(loud),
            sequence([say(1 << 40), wait_event("called")]),
        ]);
        let mut trees = TreeSet::<Parrot>::new();
        trees.add(TreeAsset::build("talk.json", "parrot", top));
        let mut runner = Runner::new(&trees.build().unwrap(), "talk.json").unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = seen.clone();
        let aborted = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let aborts = aborted.clone();
        runner = runner.tracing(move |record: &Record<'_>| {
            let mut by_hand = vec![0xc0];
            assert!(write_record(&mut by_hand, record));
            let by_serde = rmp_serde::to_vec_named(record).unwrap();
            assert_eq!(by_hand[1..], by_serde, "{record:?}");
            let read: Record<'static> = rmp_serde::from_slice(&by_serde).unwrap();
            assert_eq!(read.at, record.at);
            let (json, again) = (serde_json::to_value(record), serde_json::to_value(&read));
            assert_eq!(json.unwrap(), again.unwrap());
            if let What::NodeLeave { by: Some(_), .. } = record.what {
                aborts.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
            sink.lock().unwrap().push(record.what.command());
        });
        runner.blackboard().set("level", 0.5);
        runner.start();
        let mut pool = Pool::new();
        let id = pool.spawn(Parrot, runner);
        for second in 0..3 {
            pool.poll(Duration::from_secs(second));
            pool.fire(id, Event::new("called").with("by", "Ann"));
            if second == 1 {
                let (_, runner) = pool.get_mut(id).unwrap();
                runner.blackboard().set("level", 2.5);
            }
        }
        assert!(aborted.load(std::sync::atomic::Ordering::Relaxed) > 0);
        let seen = seen.lock().unwrap();
        for command in [
            "snapshot",
            "poll_begin",
            "node_enter",
            "node_leave",
            "node_action",
            "guard",
        ] {
            assert!(seen.contains(&command), "{command} in {seen:?}");
        }
    }
}
