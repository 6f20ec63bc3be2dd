//! The breakpoints of an editor: what it says of them, and what they are to the game.

use std::collections::BTreeMap;

use bt_live::client::{Client, ClientError};
use bt_live::protocol::types::{BreakpointSpec, SetBreakpoints};
use serde_json::{Value, json};

use super::nodes::{Trees, node_at};

/// A breakpoint.
#[derive(Debug)]
struct Point {
    /// What the editor calls it.
    number: u64,
    /// What the editor says of it.
    asked: Value,
    /// What it is to the game, or why it is nothing.
    spec: Result<BreakpointSpec, String>,
    /// The line at which its node begins.
    line: Option<u32>,
}

impl Point {
    fn new(number: u64, asked: &Value, spec: BreakpointSpec) -> Point {
        Point {
            number,
            asked: asked.clone(),
            spec: Ok(spec),
            line: None,
        }
    }

    /// As the editor receives it.
    fn shown(&self) -> Value {
        let mut shown = json!({ "id": self.number, "verified": self.spec.is_ok() });
        if let Some(line) = self.line {
            shown["line"] = line.into();
        }
        if let Err(why) = &self.spec {
            shown["message"] = why.as_str().into();
        }
        shown
    }

    /// Finds the node that its line is in.
    fn locate(&mut self, path: &str, trees: &Trees, agent: &str) {
        let line = self.asked["line"].as_u64().unwrap_or_default();
        self.line = None;
        self.spec = match trees.of_file(path) {
            None => Err("the game runs no tree of this file".to_owned()),
            Some((_, false)) => {
                Err("the game runs another text of this tree: save and reload it".to_owned())
            }
            Some((tree, true)) => match node_at(tree, line) {
                None => Err("no node begins above this line".to_owned()),
                Some(node) => {
                    self.line = Some(node.line);
                    Ok(BreakpointSpec {
                        on: "enter".to_owned(),
                        tree: Some(tree.name.clone()),
                        idx: Some(node.idx),
                        ..conditions(&self.asked, agent)
                    })
                }
            },
        };
    }
}

/// All breakpoints of a session.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    /// By the path of the file.
    lines: BTreeMap<String, Vec<Point>>,
    functions: Vec<Point>,
    data: Vec<Point>,
    last: u64,
    /// The editor's numbers, by the game's.
    numbers: BTreeMap<u64, u64>,
}

impl Breaks {
    fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn all(&self) -> impl Iterator<Item = &Point> {
        let lines = self.lines.values().flatten();
        lines.chain(&self.functions).chain(&self.data)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Point> {
        let lines = self.lines.values_mut().flatten();
        lines.chain(&mut self.functions).chain(&mut self.data)
    }

    /// What the game is given: the editor's numbers beside it.
    fn specs(&self) -> impl Iterator<Item = (u64, &BreakpointSpec)> {
        let all = self.all();
        all.filter_map(|point| Some((point.number, point.spec.as_ref().ok()?)))
    }

    /// Whether a node has one: for looking at what is recorded.
    pub(super) fn is_at(&self, tree: &str, idx: u32) -> bool {
        self.specs()
            .any(|(_, spec)| spec.tree.as_deref() == Some(tree) && spec.idx == Some(idx))
    }

    /// What the editor calls one of the game's.
    pub(super) fn number_of(&self, id: Option<u64>) -> Option<u64> {
        self.numbers.get(&id?).copied()
    }

    /// Replaces those of a file.
    pub(super) fn set_lines(
        &mut self,
        client: &mut Client,
        path: &str,
        asked: &[Value],
        trees: &Trees,
        agent: &str,
    ) -> Result<Value, String> {
        let mut all = Vec::new();
        for asked in asked {
            let mut point = Point::new(self.number(), asked, BreakpointSpec::default());
            point.locate(path, trees, agent);
            all.push(point);
        }
        self.lines.insert(path.to_owned(), all);
        self.place(client)?;
        Ok(shown(&self.lines[path]))
    }

    /// Replaces those on calls.
    pub(super) fn set_functions(
        &mut self,
        client: &mut Client,
        asked: &[Value],
        agent: &str,
    ) -> Result<Value, String> {
        self.functions.clear();
        for asked in asked {
            let spec = BreakpointSpec {
                on: "call".to_owned(),
                name: asked["name"].as_str().map(str::to_owned),
                ..conditions(asked, agent)
            };
            let point = Point::new(self.number(), asked, spec);
            self.functions.push(point);
        }
        self.place(client)?;
        Ok(shown(&self.functions))
    }

    /// Replaces those on keys and properties: a `dataId` is `key:NAME` or `property:NAME`.
    pub(super) fn set_data(
        &mut self,
        client: &mut Client,
        asked: &[Value],
        agent: &str,
    ) -> Result<Value, String> {
        self.data.clear();
        for asked in asked {
            let data = asked["dataId"].as_str().unwrap_or_default();
            let (on, name) = data.split_once(':').unwrap_or(("key", data));
            let spec = BreakpointSpec {
                on: on.to_owned(),
                name: Some(name.to_owned()),
                ..conditions(asked, agent)
            };
            let point = Point::new(self.number(), asked, spec);
            self.data.push(point);
        }
        self.place(client)?;
        Ok(shown(&self.data))
    }

    /// Finds the nodes again after a reload; the events for the editor about those that have lines.
    pub(super) fn relocate(
        &mut self,
        client: &mut Client,
        trees: &Trees,
        agent: &str,
    ) -> Result<Vec<Value>, String> {
        for (path, points) in &mut self.lines {
            for point in points {
                point.locate(path, trees, agent);
            }
        }
        self.place(client)?;
        Ok(self.lines.values().flatten().map(Point::shown).collect())
    }

    /// Gives the game all of them. One that it refuses is not verified, and says why.
    fn place(&mut self, client: &mut Client) -> Result<(), String> {
        // In a recording they only say where it looks.
        if client.welcome().recording || self.send(client).is_ok() {
            return Ok(());
        }
        for point in self.all_mut() {
            let Ok(spec) = &point.spec else { continue };
            let alone = SetBreakpoints {
                breakpoints: vec![spec.clone()],
                stop_all: false,
            };
            if let Err(ClientError::Refused(why)) = client.call(alone) {
                point.spec = Err(why.to_string());
            }
        }
        match self.send(client) {
            // A game that nobody may change refuses them all.
            Err(ClientError::Refused(_)) if self.specs().next().is_none() => Ok(()),
            sent => sent.map_err(|error| error.to_string()),
        }
    }

    fn send(&mut self, client: &mut Client) -> Result<(), ClientError> {
        let breakpoints = self.specs().map(|(_, spec)| spec.clone()).collect();
        let set = client.call(SetBreakpoints {
            breakpoints,
            stop_all: false,
        })?;
        let ids = set.breakpoints.iter().map(|entry| entry.id);
        let numbers = ids.zip(self.specs().map(|(number, _)| number)).collect();
        self.numbers = numbers;
        Ok(())
    }
}

fn shown(points: &[Point]) -> Value {
    let points = points.iter().map(Point::shown);
    json!({ "breakpoints": points.collect::<Vec<_>>() })
}

/// What an editor says of when a breakpoint counts.
fn conditions(asked: &Value, agent: &str) -> BreakpointSpec {
    let text = |name: &str| {
        let text = asked[name].as_str().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    // A number alone is from which hit on.
    let hits = text("hitCondition").map(|hits| match hits.parse::<u64>() {
        Ok(number) => format!(">= {number}"),
        Err(_) => hits,
    });
    BreakpointSpec {
        condition: text("condition"),
        hits,
        log: text("logMessage"),
        agents: Some(vec![agent.to_owned()]),
        ..BreakpointSpec::default()
    }
}
