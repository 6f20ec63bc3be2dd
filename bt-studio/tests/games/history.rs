//! Tests of a followed agent's history: polls, rows, filters, moments, causes.

use bt_core::pool::AgentId;
use serde_json::{Value, json};

use super::game::Game;
use super::{Studio, attached, followed, of, once, port};

/// A dog that never rests, followed until there are so many records.
fn busy(records: u64) -> (Game, Studio, super::client::Client, String) {
    let game = Game::with(1, "busy.json", |options| options);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, records);
    (game, studio, page, dog)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn records_are_rows_in_words_by_number() {
    let (_game, _studio, mut page, dog) = busy(200);
    let rows = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "from": 0, "count": 50 }),
    );
    let all = rows["rows"].as_array().unwrap();
    assert_eq!(all.len(), 50);
    assert_eq!(all[0]["cmd"], "snapshot");
    for (place, row) in all.iter().enumerate() {
        assert_eq!(row["no"], place);
    }
    let entered = all.iter().find(|row| row["cmd"] == "node_enter").unwrap();
    let text = entered["text"].as_str().unwrap();
    assert!(text.starts_with("busy.json: node "), "{text}");
    assert!(text.ends_with(" is entered"), "{text}");
    assert_eq!(entered["detail"]["cmd"], "node_enter");
    let around = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "at": 100, "count": 11 }),
    );
    let here = around["here"].as_u64().unwrap() as usize;
    assert_eq!(around["rows"][here]["no"], 100);
    assert_eq!(around["from"], 95);
    let beyond = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "from": 1_000_000_000, "count": 10 }),
    );
    assert_eq!(beyond["rows"], json!([]));
}

#[test]
fn polls_count_what_was_done_in_them() {
    let (_game, _studio, mut page, dog) = busy(300);
    let polls = of(
        &mut page,
        "game.polls",
        &dog,
        json!({ "from": 2, "count": 5 }),
    );
    let all = polls["polls"].as_array().unwrap();
    assert_eq!(all.len(), 5);
    for pair in all.windows(2) {
        assert_eq!(number(&pair[0]["number"]) + 1, number(&pair[1]["number"]));
        let end = number(&pair[0]["first"]) + number(&pair[0]["records"]);
        assert_eq!(end, number(&pair[1]["first"]));
        assert!(number(&pair[0]["ns"]) < number(&pair[1]["ns"]));
    }
    // It barks twice in each.
    assert!(number(&all[0]["writes"]) >= 2, "{}", all[0]);
    let first = number(&all[2]["first"]);
    let at = of(
        &mut page,
        "game.polls",
        &dog,
        json!({ "at": first, "count": 1 }),
    );
    assert_eq!(at["from"], 4);
}

#[test]
fn timeline_sums_the_polls_of_each_part() {
    let (game, _studio, mut page, dog) = busy(500);
    let params = json!({ "agent": dog });
    port(&mut page, "agent.pause", params).unwrap();
    game.plays_on(20);
    let line = of(
        &mut page,
        "game.timeline",
        &dog,
        json!({ "from": 0, "to": 20, "buckets": 10 }),
    );
    let parts = line["buckets"].as_array().unwrap();
    assert_eq!(parts.len(), 10);
    let polls: u64 = parts.iter().map(|part| number(&part["polls"])).sum();
    assert_eq!(polls, number(&line["to"]) - number(&line["from"]));
    let rows = of(
        &mut page,
        "game.polls",
        &dog,
        json!({ "from": 0, "count": 20 }),
    );
    for what in ["records", "writes", "failures", "aborts"] {
        let of_parts: u64 = parts.iter().map(|part| number(&part[what])).sum();
        let shown = rows["polls"].as_array().unwrap().iter();
        let of_polls: u64 = shown.map(|poll| number(&poll[what])).sum();
        assert_eq!(of_parts, of_polls, "{what}");
    }
    let few = of(
        &mut page,
        "game.timeline",
        &dog,
        json!({ "from": 0, "to": 3, "buckets": 100 }),
    );
    assert_eq!(few["buckets"].as_array().unwrap().len(), 3);
}

#[test]
fn moment_shows_what_there_was_after_any_record() {
    let (game, _studio, mut page, dog) = busy(5_000);
    port(&mut page, "agent.pause", json!({ "agent": dog })).unwrap();
    game.plays_on(20);
    let history = followed(&mut page, &dog, 5_000);
    let end = number(&history["first"]) + number(&history["records"]);
    let params = json!({ "property": "barked", "cmds": [] });
    let filtered = of(&mut page, "game.filter", &dog, params);
    assert_eq!(filtered["complete"], true, "the index knows it at once");
    let filter = filtered["filter"].clone();
    let writes = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "filter": filter, "from": 0, "count": 1_000 }),
    );
    let writes = writes["rows"].as_array().unwrap().clone();
    assert!(writes.len() > 500, "{}", writes.len());
    // Forwards, backwards, here and there.
    for place in [700, 3, 400, 399, 398, 401, 900] {
        let Some(write) = writes.get(place) else {
            continue;
        };
        let at = number(&write["no"]);
        let moment = of(&mut page, "game.moment", &dog, json!({ "at": at }));
        assert_eq!(moment["at"], at);
        assert_eq!(
            moment["picture"]["properties"]["barked"],
            write["detail"]["value"]
        );
        assert_eq!(moment["poll"], write["poll"]);
        assert_eq!(moment["unknown"], false);
        let written = moment["written"].as_array().unwrap();
        assert!(
            written
                .iter()
                .any(|it| it["property"] == "barked" && it["no"] == at)
        );
        let place = moment["place"].clone();
        let poll = of(
            &mut page,
            "game.polls",
            &dog,
            json!({ "from": place, "count": 1 }),
        );
        assert_eq!(poll["polls"][0]["number"], moment["poll"]);
    }
    let asked = json!({ "agent": dog });
    let picture = port(&mut page, "agent.picture", asked).unwrap();
    let mut last = of(&mut page, "game.moment", &dog, json!({}));
    while last["picture"]["properties"] != picture["properties"] {
        page.event("game.progress", |_| true);
        last = of(&mut page, "game.moment", &dog, json!({}));
    }
    assert!(number(&last["at"]) >= end - 1);
    assert_eq!(last["picture"]["properties"], picture["properties"]);
    assert_eq!(last["picture"]["blackboard"], picture["blackboard"]);
    assert_eq!(last["picture"]["active"], picture["active"]);
    assert!(
        last["explain"].as_str().unwrap().contains("busy.json"),
        "{last}"
    );
}

#[test]
fn moment_of_a_waiting_agent_says_since_when_and_for_what() {
    let game = Game::of(1);
    game.plays_on(30);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 1);
    let fire = json!({ "agent": dog, "event": "stick", "params": { "length": 4 } });
    port(&mut page, "agent.fire", fire).unwrap();
    page.event("game.progress", |history| number(&history["polls"]) >= 2);
    let moment = of(&mut page, "game.moment", &dog, json!({}));
    let active = moment["active"].as_array().unwrap();
    let leaf = active
        .iter()
        .find(|node| node.get("waits").is_some())
        .unwrap();
    assert!(
        leaf["waits"].as_str().unwrap().contains("waits until"),
        "{leaf}"
    );
    assert!(number(&leaf["since_ns"]) > 0);
    assert!(leaf.get("no").is_some());
    let root = active.iter().find(|node| node["idx"] == 0).unwrap();
    assert!(
        root.get("since_ns").is_none(),
        "it was entered before it was followed"
    );
    assert_eq!(moment["picture"]["leaves"].as_array().unwrap().len(), 1);
    let results = moment["results"].as_array().unwrap();
    assert!(
        results.iter().any(|it| it["result"] == "success"),
        "{moment}"
    );
    let cause = of(&mut page, "game.cause", &dog, json!({ "key": "loud" }));
    assert_eq!(cause["row"]["detail"]["value"], true);
    assert!(
        cause["text"]
            .as_str()
            .unwrap()
            .contains("sets `loud` to true"),
        "{cause}"
    );
    let none = of(&mut page, "game.cause", &dog, json!({ "key": "quiet" }));
    assert_eq!(
        none["text"],
        "key `quiet` was not written since the agent is followed: what it holds is from before"
    );
}

#[test]
fn expressions_have_the_values_of_the_moment_that_is_looked_at() {
    let game = Game::of(1);
    game.plays_on(30);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 1);
    let mut values = |asked: Value| of(&mut page, "game.values", &dog, asked)["values"].clone();
    let before = values(json!({ "texts": ["$loud ?? 'nothing'"] }));
    assert_eq!(before[0]["value"], "nothing");
    let fire = json!({ "agent": dog, "event": "stick", "params": { "length": 4 } });
    port(&mut page, "agent.fire", fire).unwrap();
    page.event("game.progress", |history| number(&history["polls"]) >= 2);
    let mut values = |asked: Value| of(&mut page, "game.values", &dog, asked)["values"].clone();
    let texts = json!(["$loud && 1 < 2", "$quiet", "$loud =", "loud"]);
    let now = values(json!({ "texts": texts, "tree": "guard.json" }));
    assert_eq!(
        now[0],
        json!({
            "text": "$loud && 1 < 2",
            "value": true,
            "operands": [{ "text": "$loud", "value": true }, { "text": "1 < 2", "value": true }],
        })
    );
    assert_eq!(
        now[1]["mistake"],
        "`$quiet`, column 1: it is unset; there is only `loud`"
    );
    assert!(
        now[2]["mistake"].as_str().unwrap().contains("column 7"),
        "{now}"
    );
    assert_eq!(now[3]["value"], true);
    let then = values(json!({ "texts": ["$loud ?? 'nothing'"], "at": 0 }));
    assert_eq!(then[0]["value"], "nothing");
    let many = vec!["1"; 201];
    let asked = json!({ "session": 1, "agent": dog, "texts": many });
    let failure = page.call("game.values", asked).unwrap_err();
    assert_eq!(
        failure["message"],
        "expected at most 200 expressions at once, found 201"
    );
}

#[test]
fn filters_leave_the_rows_that_are_meant() {
    let (_game, _studio, mut page, dog) = busy(1_000);
    let mut rows = |asked: Value| {
        let filter = of(&mut page, "game.filter", &dog, asked)["filter"].clone();
        let event = page.event("game.filtered", |it| {
            it["filter"] == filter && number(&it["total"]) >= 20
        });
        assert_eq!(event["agent"], dog);
        let rows = of(
            &mut page,
            "game.rows",
            &dog,
            json!({ "filter": filter, "count": 20 }),
        );
        assert_eq!(rows["rows"].as_array().unwrap().len(), 20);
        rows["rows"].as_array().unwrap().clone()
    };
    for row in rows(json!({ "include": ["IS ENTERED", "exits"], "exclude": ["root"] })) {
        let text = row["text"].as_str().unwrap();
        assert!(
            text.contains("is entered") || text.contains("exits"),
            "{text}"
        );
        assert!(!text.contains("root"), "{text}");
    }
    for row in rows(json!({ "cmds": ["node_leave"] })) {
        assert_eq!(row["cmd"], "node_leave");
    }
    for row in rows(json!({ "tree": "busy.json", "idx": 3 })) {
        assert_eq!(row["idx"], 3);
    }
    for row in rows(json!({ "key": "loud" })) {
        assert_eq!(row["detail"]["key"], "loud");
    }
    let none = of(
        &mut page,
        "game.filter",
        &dog,
        json!({ "tree": "none.json" }),
    );
    assert_eq!(none["total"], 0);
    let refused = json!({ "session": 1, "agent": dog, "filter": 99, "count": 1 });
    let refused = page.call("game.rows", refused).unwrap_err();
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .starts_with("filter 99 is gone")
    );
}

#[test]
fn texts_are_found_forwards_and_backwards() {
    let (_game, _studio, mut page, dog) = busy(400);
    let find = |page: &mut super::client::Client, more: Value| of(page, "game.find", &dog, more);
    let first = find(&mut page, json!({ "text": "IS ENTERED", "from": 0 }));
    let no = number(&first["row"]["no"]);
    let next = find(&mut page, json!({ "text": "is entered", "from": no + 1 }));
    assert!(number(&next["row"]["no"]) > no);
    let from = number(&next["row"]["no"]) - 1;
    let back = find(
        &mut page,
        json!({ "text": "is entered", "from": from, "back": true }),
    );
    assert_eq!(back["row"]["no"], no);
    let none = find(
        &mut page,
        json!({ "text": "is entered", "from": 0, "back": true }),
    );
    assert_eq!(none, json!({}));
    let asked = json!({ "cmds": ["bb_set"] });
    let filter = of(&mut page, "game.filter", &dog, asked)["filter"].clone();
    page.event("game.filtered", |it| {
        it["filter"] == filter && number(&it["total"]) > 4
    });
    let within = find(
        &mut page,
        json!({ "text": "loud", "from": 0, "filter": filter }),
    );
    assert_eq!(within["place"], 0);
}

#[test]
fn failure_is_traced_to_the_leaf_and_its_reason() {
    let game = Game::of(1);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    let dog = Game::dog(0);
    followed(&mut page, &dog, 1);
    // The leaf that waits for a stick fails, so does the sequence above it.
    let leaves =
        port(&mut page, "agent.picture", json!({ "agent": dog })).unwrap()["leaves"].clone();
    let idx = leaves[0]["idx"].clone();
    let finish = json!({ "agent": dog, "tree": "guard.json", "idx": idx, "success": false });
    port(&mut page, "agent.finish", finish).unwrap();
    page.event("game.progress", |history| number(&history["polls"]) >= 2);
    let node = json!({ "node": { "tree": "guard.json", "idx": 0 } });
    let cause = of(&mut page, "game.cause", &dog, node);
    assert_eq!(cause["row"]["idx"], idx, "{cause}");
    assert_eq!(cause["path"].as_array().unwrap().len(), 3);
    let node = json!({ "node": { "tree": "guard.json", "idx": 99 } });
    let cause = of(&mut page, "game.cause", &dog, node);
    assert_eq!(
        cause["text"],
        "node 99 of `guard.json` did not fail among the records that are kept"
    );
}

#[test]
fn comments_are_shown_at_their_rows() {
    let (_game, _studio, mut page, dog) = busy(100);
    let comment = json!({ "no": 42, "text": " here it begins " });
    let all = of(&mut page, "game.comment", &dog, comment);
    assert_eq!(
        all,
        json!({ "comments": [{ "no": 42, "text": "here it begins" }] })
    );
    let rows = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "from": 42, "count": 1 }),
    );
    assert_eq!(rows["rows"][0]["comment"], "here it begins");
    let params = json!({ "commented": true });
    let filter = of(&mut page, "game.filter", &dog, params);
    assert_eq!(filter["total"], 1);
    let gone = of(
        &mut page,
        "game.comment",
        &dog,
        json!({ "no": 42, "text": "" }),
    );
    assert_eq!(gone, json!({ "comments": [] }));
}

#[test]
fn unknown_agents_and_those_that_are_gone_are_said() {
    let game = Game::of(2);
    let studio = Studio::at(&game);
    let mut page = studio.page();
    attached(&mut page);
    for agent in ["99", "wolf", "-1", ""] {
        let params = json!({ "session": 1, "agent": agent });
        let refused = page.call("game.follow", params).unwrap_err();
        assert_eq!(refused["code"], 3, "{agent}: {refused}");
    }
    let params = json!({ "session": 1, "agent": Game::dog(1), "count": 1 });
    let refused = page.call("game.rows", params).unwrap_err();
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("is not followed")
    );
    let dog = Game::dog(1);
    followed(&mut page, &dog, 1);
    game.between(|pool, _| {
        pool.despawn(AgentId::from((1, 1)));
    });
    let session = once(&mut page, |session| session["followed"][0]["live"] == false);
    assert_eq!(session["followed"][0]["agent"], dog);
    let rows = of(
        &mut page,
        "game.rows",
        &dog,
        json!({ "from": 0, "count": 10 }),
    );
    assert!(
        !rows["rows"].as_array().unwrap().is_empty(),
        "what it did stays"
    );
}
