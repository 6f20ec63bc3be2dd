//! A client that repairs trees by the server's own words: it asks what fails, tries the choices of the nodes to suspect in
//! their order, and writes the first that makes all scenarios pass. It knows nothing of trees.
//!
//! A hundred faults are planted in the monster's trees: those that the scenarios were tried with, and more that are made by
//! rule. `BT_REPAIR=write` repairs all of them and writes `bt-meta/tests/repair`, in some ten minutes; otherwise a few are
//! repaired, and compared with the table there.

#[path = "../../../../examples/monster/tests/scenarios/planted.rs"]
mod planted;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::{Client, Monster};
use planted::{Change, Fault, faults, planted};

/// So many faults are planted.
const FAULTS: usize = 100;

/// So many choices are tried of a fault, of so many nodes; the first values of each node before any others.
const TRIES: usize = 900;
const SUSPECTS: usize = 20;
const FIRST: usize = 40;

/// So many transcripts are kept.
const TRANSCRIPTS: usize = 10;

const TREES: [&str; 5] = [
    "account.json",
    "auto_play.json",
    "flee.json",
    "hunt.json",
    "patrol.json",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repair")
}

/// The fault in words.
fn words(fault: &Fault) -> String {
    let change = match &fault.change {
        Change::Set(at, value) => format!("`{at}` is {value}"),
        Change::Remove(key) => format!("`{key}` is missing"),
        Change::RemoveItem(key, at) => format!("item {at} of `{key}` is missing"),
        Change::Kind(kind) => format!("it is a `{kind}`"),
        Change::Swap(a, b) => format!("children {a} and {b} change places"),
        Change::Without(at) => format!("child {at} is missing"),
    };
    format!("{} node {}: {change}", fault.tree, fault.node)
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Faults by rule: each rule at each node that it fits, the rules in turn.
fn by_rule(texts: &BTreeMap<&'static str, String>) -> Vec<Fault> {
    let mut by_rule: BTreeMap<usize, Vec<Fault>> = BTreeMap::new();
    for (tree, text) in texts {
        let read: Value = serde_json::from_str(text).unwrap();
        for node in read["nodes"].as_array().unwrap() {
            let changes = changes(node).into_iter();
            for (rule, change) in changes {
                let node = node["idx"].as_u64().unwrap();
                by_rule
                    .entry(rule)
                    .or_default()
                    .push(Fault { tree, node, change });
            }
        }
    }
    let most = by_rule.values().map(Vec::len).max().unwrap_or_default();
    let turns = (0..most).flat_map(|turn| {
        by_rule
            .values()
            .filter_map(move |all| all.get(turn).cloned())
    });
    turns.collect()
}

/// The changes of a node that rules make, by the number of the rule.
fn changes(node: &Value) -> Vec<(usize, Change)> {
    let mut all = Vec::new();
    let extra = &node["extra"];
    for (key, value) in extra.as_object().unwrap() {
        if let Some(number) = value.as_u64() {
            all.push((
                0,
                Change::Set(leaked(format!("/{key}")), json!(number * 8 + 1)),
            ));
        }
    }
    let guard = &extra["guards"][0];
    if guard.is_object() {
        all.push((1, Change::RemoveItem("guards", 0)));
        let not = guard["not"] == true;
        all.push((2, Change::Set("/guards/0/not", json!(!not))));
        if guard["abort"].is_string() {
            all.push((3, Change::Set("/guards/0/abort", json!("none"))));
        }
    }
    let children = node["children"].as_array().unwrap().len();
    if children > 1 && node["type"] != "root" {
        all.push((4, Change::Swap(0, 1)));
        all.push((6, Change::Without(children - 1)));
    }
    let mirrored = match node["type"].as_str().unwrap() {
        "sequence" => "select",
        "select" => "sequence",
        "always_true" => "always_false",
        "until_failure" => "until_success",
        "reactive_sequence" => "reactive_select",
        _ => "",
    };
    if !mirrored.is_empty() {
        all.push((5, Change::Kind(mirrored)));
    }
    for (at, argument) in extra["action_args"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let value = match &argument["arg_value"] {
            Value::Number(number) => json!(number.as_f64().unwrap() as i64 * 3 + 4),
            Value::Bool(is) => json!(!is),
            _ => continue,
        };
        if argument["arg_type"] == "plain" {
            all.push((
                7,
                Change::Set(leaked(format!("/action_args/{at}/arg_value")), value),
            ));
        }
    }
    all
}

/// All faults: each is caught by a scenario, and its tree is valid.
fn all() -> Vec<Fault> {
    let monster = Monster::new();
    let texts = TREES.map(|name| (name, monster.text(name)));
    let texts: BTreeMap<_, _> = texts.into_iter().collect();
    let mut all = faults();
    let known: Vec<String> = all.iter().map(words).collect();
    let mut client = monster.client(&[]);
    for fault in by_rule(&texts) {
        if all.len() == FAULTS {
            break;
        }
        let text = planted(&fault, &texts[fault.tree]);
        if known.contains(&words(&fault)) {
            continue;
        }
        fs::write(monster.file(fault.tree), text).unwrap();
        let problems = client.done("validate", json!({"errors_only": true}));
        let is_valid = problems["data"]["problems"].as_array().unwrap().is_empty();
        if is_valid && client.done("test", json!({}))["data"]["failed"] != 0 {
            all.push(fault.clone());
        }
        fs::write(monster.file(fault.tree), &texts[fault.tree]).unwrap();
    }
    all
}

/// The result for a fault.
struct Row {
    fault: String,
    /// The place of the faulty node among the suspects, from 1; none if it is not there.
    rank: Option<usize>,
    /// The node is there with a cause, and choices of the part of it that is wrong.
    is_held: bool,
    tries: usize,
    /// The choice that was written.
    repair: Option<String>,
    /// The tree is what it was before the fault.
    is_same: bool,
    transcript: String,
}

impl Row {
    fn line(&self, number: usize) -> String {
        let rank = self.rank.map_or("-".to_owned(), |rank| rank.to_string());
        let held = if self.is_held { "yes" } else { "no" };
        let repair = self.repair.as_deref().unwrap_or("-").replace('|', "\\|");
        let same = match (&self.repair, self.is_same) {
            (None, _) => "-",
            (Some(_), true) => "yes",
            (Some(_), false) => "no",
        };
        format!(
            "| {number} | {} | {rank} | {held} | {} | {repair} | {same} |",
            self.fault.replace('|', "\\|"),
            self.tries
        )
    }
}

/// A choice of a suspect.
struct Choice {
    tree: Value,
    words: String,
    edits: Value,
}

fn choices(suspect: &Value) -> Vec<Choice> {
    let node = &suspect["node"];
    let mut all = Vec::new();
    for choice in suspect["choices"].as_array().unwrap() {
        let tree = suspect["tree"].clone();
        if choice["edits"].is_array() {
            let words = format!("node {node}: {}", choice["what"].as_str().unwrap());
            let edits = choice["edits"].clone();
            all.push(Choice { tree, words, edits });
            continue;
        }
        for value in choice["try"].as_array().into_iter().flatten() {
            let at = &choice["at"];
            all.push(Choice {
                tree: tree.clone(),
                words: format!("node {node}: {} = {value}", at.as_str().unwrap()),
                edits: json!([{"do": "set", "node": node, "at": at, "value": value.to_string()}]),
            });
        }
    }
    all
}

/// All suspects, page by page.
fn suspects(client: &mut Client) -> Vec<Value> {
    let mut all = Vec::new();
    let mut asked = json!({"suspects": true});
    loop {
        let page = client.done("test", asked.clone());
        all.extend(page["data"]["suspects"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => asked["cursor"] = next.into(),
            None => return all,
        }
    }
}

/// Choices in the order in which they are tried.
fn in_order(suspects: &[Value]) -> Vec<Choice> {
    let mut first = Vec::new();
    let mut then = Vec::new();
    for suspect in suspects.iter().take(SUSPECTS) {
        let mut all = choices(suspect);
        let late = all.split_off(all.len().min(FIRST));
        first.extend(all);
        then.extend(late);
    }
    first.into_iter().chain(then).take(TRIES).collect()
}

/// Returns true if a suspect has choices of what a fault changed.
fn holds(suspect: &Value, change: &Change) -> bool {
    let choices = suspect["choices"].as_array().unwrap();
    let at = |start: String| {
        choices.iter().any(|choice| {
            choice["at"]
                .as_str()
                .is_some_and(|at| at.starts_with(&start))
        })
    };
    let what = |part: &str| {
        choices.iter().any(|choice| {
            choice["what"]
                .as_str()
                .is_some_and(|what| what.contains(part))
        })
    };
    let has = match change {
        Change::Set(pointer, _) => at(format!("/extra{pointer}")),
        Change::Remove(key) | Change::RemoveItem(key, _) => at(format!("/extra/{key}")),
        Change::Kind(_) => what("as `"),
        Change::Swap(..) => what(" before node "),
        Change::Without(_) => what(" as child "),
    };
    has && !suspect["cause"].as_str().unwrap().is_empty()
}

/// Plants a fault, and lets the client repair it.
fn repair(fault: &Fault) -> Row {
    let monster = Monster::new();
    let whole = monster.text(fault.tree);
    fs::write(monster.file(fault.tree), planted(fault, &whole)).unwrap();
    let mut client = monster.client(&[]);
    let mut transcript = format!("# {}\n\n", words(fault));
    let answer = client.done("test", json!({}));
    let pretty = serde_json::to_string_pretty(&answer["data"]["scenarios"][0]).unwrap();
    let _ = write!(
        transcript,
        "`test {{}}`: {} of {} fail. The first:\n\n```json\n{pretty}\n```\n\n",
        answer["data"]["failed"],
        answer["data"]["passed"].as_u64().unwrap() + answer["data"]["failed"].as_u64().unwrap()
    );
    let scenarios = answer["data"]["scenarios"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["scenario"].clone());
    let failing: Vec<Value> = scenarios.take(3).collect();
    let suspects = suspects(&mut client);
    let is_it = |suspect: &Value| suspect["tree"] == fault.tree && suspect["node"] == fault.node;
    let rank = suspects.iter().position(is_it);
    let is_held = rank.is_some_and(|at| holds(&suspects[at], &fault.change));
    let _ = writeln!(
        transcript,
        "`test {{\"suspects\": true}}`: {} nodes. The first:\n",
        suspects.len()
    );
    for suspect in suspects.iter().take(5) {
        let _ = writeln!(
            transcript,
            "- {} #{} {}: {}",
            suspect["tree"].as_str().unwrap(),
            suspect["node"],
            suspect["shown"],
            suspect["cause"].as_str().unwrap()
        );
    }
    if let Some(at) = rank {
        let mut text = suspects[at].to_string();
        text.truncate(text.floor_char_boundary(2_500));
        let _ = write!(
            transcript,
            "\nThe faulty node is number {}:\n\n```json\n{text}\n```\n",
            at + 1
        );
    }
    let mut row = Row {
        fault: words(fault),
        rank: rank.map(|at| at + 1),
        is_held,
        tries: 0,
        repair: None,
        is_same: false,
        transcript,
    };
    for choice in in_order(&suspects) {
        row.tries += 1;
        let Choice { tree, words, edits } = choice;
        let mut asked = json!({"tree": tree, "edits": edits, "scenarios": failing});
        if !passes(&client.tool("test", asked.clone())) {
            continue;
        }
        asked.as_object_mut().unwrap().remove("scenarios");
        if !passes(&client.tool("test", asked)) {
            continue;
        }
        let revision = client.revision(tree.as_str().unwrap());
        let written = client.tool(
            "edit",
            json!({"tree": tree, "revision": revision, "edits": edits}),
        );
        if written["error"].is_object() {
            continue;
        }
        assert_eq!(client.done("test", json!({}))["data"]["failed"], 0);
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        row.is_same = read(&monster.text(fault.tree)) == read(&whole);
        let diff = written["data"]["diff"].as_str().unwrap();
        let _ = write!(
            row.transcript,
            "\nThe {}. choice passes all scenarios: {} {words}. `edit` answers:\n\n```diff\n{diff}```\n",
            row.tries,
            tree.as_str().unwrap()
        );
        row.repair = Some(words);
        break;
    }
    if row.repair.is_none() {
        let _ = writeln!(
            row.transcript,
            "\nNone of {} choices passes all scenarios.",
            row.tries
        );
    }
    row
}

fn passes(answer: &Value) -> bool {
    answer["error"].is_null() && answer["data"]["failed"] == 0
}

/// Repairs faults, on all cores.
fn repair_all(faults: &[Fault]) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let rows: Mutex<BTreeMap<usize, Row>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(fault) = faults.get(at) else { return };
                    let row = repair(fault);
                    println!("{}", row.line(at + 1));
                    rows.lock().unwrap().insert(at, row);
                }
            });
        }
    });
    rows.into_inner().unwrap().into_values().collect()
}

fn write(rows: &[Row]) {
    let repaired = rows.iter().filter(|row| row.repair.is_some()).count();
    let same = rows.iter().filter(|row| row.is_same).count();
    let held = rows.iter().filter(|row| row.is_held).count();
    let named = rows.iter().filter(|row| row.rank.is_some()).count();
    let first = rows
        .iter()
        .filter(|row| row.rank.is_some_and(|rank| rank <= 5))
        .count();
    let mut text = format!(
        "# Planted faults and their repairs\n\nWritten by `BT_REPAIR=write cargo test -p bt-meta --test commands mcp::repair`: a client tries what the server's `test` offers, \
         in its order, at most {TRIES} choices of {SUSPECTS} nodes, and writes the first with which all scenarios pass.\n\n\
         Of {} faults {repaired} are repaired so that all scenarios pass; in {same} of these the tree is what it was before. The faulty node is among the suspects for {named}, \
         among the first five for {first}; for {held} it has a cause and choices of the part that is wrong.\n\n\
         A repair that is not what it was satisfies the scenarios, and they do not tell the two apart.\n\n\
         | | fault | rank | cause and choices | tries | repair | as before |\n|---|---|---|---|---|---|---|\n",
        rows.len()
    );
    for (at, row) in rows.iter().enumerate() {
        text += &row.line(at + 1);
        text.push('\n');
    }
    fs::write(folder().join("table.md"), text).unwrap();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("transcript-")
        {
            fs::remove_file(path).unwrap();
        }
    }
    let step = rows.len() / TRANSCRIPTS;
    for (at, row) in rows.iter().enumerate().step_by(step).take(TRANSCRIPTS) {
        let path = folder().join(format!("transcript-{}.md", at + 1));
        fs::write(path, &row.transcript).unwrap();
    }
}

#[test]
fn faults_are_repaired_by_the_words_of_the_server_alone() {
    if std::env::var_os("BT_REPAIR").is_some() {
        let rows = repair_all(&all());
        assert_eq!(rows.len(), FAULTS);
        write(&rows);
    }
    let table = fs::read_to_string(folder().join("table.md")).unwrap();
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| |"))
        .collect();
    assert_eq!(rows.len(), FAULTS);
    let column = |line: &str, at: usize| line.split(" | ").nth(at).unwrap().to_owned();
    let repaired = rows.iter().filter(|line| column(line, 5) != "-").count();
    assert!(repaired >= 40, "{repaired} of {FAULTS}");
    assert_eq!(
        rows.iter().filter(|line| column(line, 3) == "yes").count(),
        FAULTS
    );
    // A few are repaired again: those that took the fewest tries.
    let known = faults();
    let mut quick: Vec<(usize, &str)> = rows
        .iter()
        .take(known.len())
        .map(|line| (column(line, 4).parse().unwrap(), *line))
        .collect();
    quick.sort_unstable();
    for (_, line) in quick
        .iter()
        .filter(|(_, line)| column(line, 5) != "-")
        .take(4)
    {
        let number: usize = line
            .trim_start_matches("| ")
            .split(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let row = repair(&known[number - 1]);
        assert_eq!(row.line(number), *line);
    }
}
