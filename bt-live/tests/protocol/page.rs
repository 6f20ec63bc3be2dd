//! The page of the book.

use std::fmt::Write as _;

use bt_live::protocol::{EVENTS, METHODS, VERSION};
use serde_json::Value;

use crate::openrpc::{name, schemas};
use crate::typescript::word;

const HEAD: &str = "\
# The protocol of a port

This page lists what a client can say to the [port](live.md) of a game, and what it hears.
It is made from the table in `bt-live/src/protocol/table.rs`; so are an [OpenRPC document](../../bt-live/protocol/openrpc.json) and [types for TypeScript](../../bt-live/protocol/protocol.ts).

Messages are those of a WebSocket at the address in the token file.
Text messages are JSON-RPC 2.0; parameters are given by name, and batches are not taken.
The first request is `hello`, with the token, unless the header `Authorization: Bearer TOKEN` had it.

Binary messages are records of agents that are followed, each message one MessagePack array.
Its first item is an object: `agent` is the id of the agent, `first` the number of the first record, from 0.
The other items are the records, objects as in a trace in [JSON lines](debugging.md#trace-it).
Where `first` is not what follows from the message before, records are missing; a snapshot comes, and the event `dropped` says how many.

## Errors

| code | meaning |
|---|---|
| -32700 | the message is not JSON, or nested too deep |
| -32600 | the message is no request |
| -32601 | there is no such method |
| -32602 | the parameters are not those of the method |
| -32603 | something failed in the port, or the game's code panicked |
| 1 | the token is missing or wrong |
| 2 | the port is read-only, or this is a recording |
| 3 | there is no agent, tree, leaf or recording of that name |
| 4 | the game refuses it |
| 5 | a limit was reached |
";

/// The fields of an object, a row for each.
fn fields(schema: &Value, text: &mut String) {
    let none = serde_json::Map::new();
    let required = schema["required"].as_array();
    for (field, schema) in schema["properties"].as_object().unwrap_or(&none) {
        let is_required = required.is_some_and(|all| all.iter().any(|it| it == field));
        let mark = if is_required { "" } else { "?" };
        let docs = one_line(schema["description"].as_str().unwrap_or(""));
        let word = word(schema).replace('|', "\\|");
        writeln!(
            text,
            "| `{field}{mark}` | `{word}` | {} |",
            docs.replace('|', "\\|")
        )
        .unwrap();
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A sentence on each line.
fn sentences(docs: &str) -> String {
    one_line(docs).replace(". ", ".\n")
}

fn table(schema: &Value, text: &mut String) {
    if schema["properties"]
        .as_object()
        .is_some_and(|all| !all.is_empty())
    {
        text.push_str("\n| field | type | meaning |\n|---|---|---|\n");
        fields(schema, text);
    }
}

pub(crate) fn page() -> String {
    let schemas = schemas();
    let mut text = HEAD.to_owned();
    writeln!(text, "\n## Methods of version {VERSION}").unwrap();
    for (method, (params, result)) in METHODS.iter().zip(&schemas.methods) {
        writeln!(
            text,
            "\n### `{}`\n\n{}",
            method.name,
            sentences(method.docs)
        )
        .unwrap();
        if method.changes {
            text.push_str("It changes the game: a read-only port refuses it.\n");
        }
        writeln!(
            text,
            "Its result is [`{0}`](#{1}).",
            name(result),
            name(result).to_lowercase()
        )
        .unwrap();
        table(&schemas.types[name(params)], &mut text);
    }
    text.push_str("\n## Events\n");
    for (event, params) in EVENTS.iter().zip(&schemas.events) {
        writeln!(
            text,
            "\n### `{}` (event)\n\n{}",
            event.name,
            sentences(event.docs)
        )
        .unwrap();
        table(&schemas.types[name(params)], &mut text);
    }
    text.push_str("\n## Types\n");
    let given: Vec<_> = schemas
        .methods
        .iter()
        .map(|(params, _)| name(params))
        .collect();
    for (name, schema) in &schemas.types {
        if given.contains(&name.as_str()) {
            continue;
        }
        let docs = sentences(schema["description"].as_str().unwrap());
        writeln!(text, "\n### {name}\n\n{docs}").unwrap();
        table(schema, &mut text);
    }
    text
}
