//! The breakpoints of an editor: what it says of them, and what they are to the game.

use std::collections::BTreeMap;

use bt_live::protocol::types::{BreakpointSpec, SetBreakpoints};
use serde_json::{Value, json};

use super::game::{Game, Refused};
use super::nodes::Spot;
use crate::live::{Of, compared, read};

/// A breakpoint.
#[derive(Debug)]
struct Point {
    /// The editor's number.
    number: u64,
    /// The editor's request.
    asked: Value,
    /// The breakpoint for the game, or the reason why there is none.
    spec: Result<BreakpointSpec, String>,
    /// The line at which its node begins.
    line: Option<u32>,
}

impl Point {
    fn new(number: u64, asked: &Value, spec: Result<BreakpointSpec, String>) -> Point {
        Point {
            number,
            asked: asked.clone(),
            spec,
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
    fn locate(&mut self, spot: &Spot, game: &mut Game) {
        let line = self.asked["line"].as_u64().unwrap_or_default();
        self.line = None;
        self.spec = spot.node_at(line).and_then(|(tree, idx, line)| {
            self.line = Some(line);
            let conditions = conditions(&self.asked, game)?;
            Ok(BreakpointSpec {
                on: "enter".to_owned(),
                tree: Some(tree),
                idx: Some(idx),
                ..conditions
            })
        });
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

    /// The breakpoints for the game, beside the editor's numbers.
    fn specs(&self) -> impl Iterator<Item = (u64, &BreakpointSpec)> {
        let all = self.all();
        all.filter_map(|point| Some((point.number, point.spec.as_ref().ok()?)))
    }

    /// Returns true if a node has one: for looking at what is recorded.
    pub(super) fn is_at(&self, tree: &str, idx: u32) -> bool {
        self.specs()
            .any(|(_, spec)| spec.tree.as_deref() == Some(tree) && spec.idx == Some(idx))
    }

    /// Returns true if one of the game's breakpoints is on a key or a property.
    pub(super) fn is_on_data(&self, id: Option<u64>) -> bool {
        let number = self.number_of(id);
        self.data.iter().any(|point| Some(point.number) == number)
    }

    /// The editor's number of one of the game's breakpoints.
    pub(super) fn number_of(&self, id: Option<u64>) -> Option<u64> {
        self.numbers.get(&id?).copied()
    }

    /// Replaces those of a file.
    pub(super) fn set_lines(
        &mut self,
        game: &mut Game,
        path: &str,
        asked: &[Value],
    ) -> Result<Value, String> {
        let spot = game.trees.spot(path);
        let mut all = Vec::new();
        for asked in asked {
            let mut point = Point::new(self.number(), asked, Err(String::new()));
            point.locate(&spot, game);
            all.push(point);
        }
        self.lines.insert(path.to_owned(), all);
        self.place(game)?;
        Ok(shown(&self.lines[path]))
    }

    /// Replaces those on calls.
    pub(super) fn set_functions(
        &mut self,
        game: &mut Game,
        asked: &[Value],
    ) -> Result<Value, String> {
        self.functions.clear();
        for asked in asked {
            let point = Point::new(self.number(), asked, on_call(asked, game));
            self.functions.push(point);
        }
        self.place(game)?;
        Ok(shown(&self.functions))
    }

    /// Replaces those on keys and properties.
    pub(super) fn set_data(&mut self, game: &mut Game, asked: &[Value]) -> Result<Value, String> {
        self.data.clear();
        for asked in asked {
            let point = Point::new(self.number(), asked, on_data(asked, game));
            self.data.push(point);
        }
        self.place(game)?;
        Ok(shown(&self.data))
    }

    /// Finds nodes and names again after a reload; the events for the editor.
    pub(super) fn relocate(&mut self, game: &mut Game) -> Result<Vec<Value>, String> {
        for (path, points) in &mut self.lines {
            let spot = game.trees.spot(path);
            for point in points {
                point.locate(&spot, game);
            }
        }
        for point in &mut self.functions {
            point.spec = on_call(&point.asked, game);
        }
        for point in &mut self.data {
            point.spec = on_data(&point.asked, game);
        }
        self.place(game)?;
        Ok(self.all().map(Point::shown).collect())
    }

    /// Gives the game all of them. One that it refuses is not verified, and says why.
    fn place(&mut self, game: &mut Game) -> Result<(), String> {
        // Where nothing runs they only say where one looks.
        if !game.is_live() || self.send(game)?.is_ok() {
            return Ok(());
        }
        for point in self.all_mut() {
            let Ok(spec) = &point.spec else { continue };
            let alone = SetBreakpoints {
                breakpoints: vec![spec.clone()],
                stop_all: false,
            };
            if let Err(why) = game.ask(alone)? {
                point.spec = Err(why.to_string());
            }
        }
        match self.send(game)? {
            // A game that nobody may change refuses them all.
            Err(_) if self.specs().next().is_none() => Ok(()),
            sent => sent.map_err(|error| error.to_string()),
        }
    }

    fn send(&mut self, game: &mut Game) -> Result<Refused<()>, String> {
        let breakpoints = self.specs().map(|(_, spec)| spec.clone()).collect();
        let set = game.ask(SetBreakpoints {
            breakpoints,
            stop_all: false,
        })?;
        Ok(set.map(|set| {
            let ids = set.breakpoints.iter().map(|entry| entry.id);
            let numbers = ids.zip(self.specs().map(|(number, _)| number)).collect();
            self.numbers = numbers;
        }))
    }
}

fn shown(points: &[Point]) -> Value {
    let points = points.iter().map(Point::shown);
    json!({ "breakpoints": points.collect::<Vec<_>>() })
}

/// A breakpoint on an expression that turns true.
fn on_expression(text: &str, asked: &Value, game: &mut Game) -> Result<BreakpointSpec, String> {
    for (of, name) in read(text) {
        game.find(of, &name)??;
    }
    Ok(BreakpointSpec {
        on: "expression".to_owned(),
        name: Some(text.to_owned()),
        ..conditions(asked, game)?
    })
}

/// A breakpoint on calls, or on an expression.
fn on_call(asked: &Value, game: &mut Game) -> Result<BreakpointSpec, String> {
    let name = asked["name"].as_str().unwrap_or_default().trim();
    // No method is called so.
    if name.contains(['$', '@']) {
        return on_expression(name, asked, game);
    }
    named(game, "call", Of::Call, name, asked)
}

/// A breakpoint on a key or a property: its `dataId` is `key:NAME` or `property:NAME`.
fn on_data(asked: &Value, game: &mut Game) -> Result<BreakpointSpec, String> {
    let data = asked["dataId"].as_str().unwrap_or_default();
    match (data.split_once(':'), asked["accessType"].as_str()) {
        (_, Some(access)) if access != "write" => {
            Err("it stops where data is written, and at no other access".to_owned())
        }
        (Some(("key", key)), _) => named(game, "key", Of::Key, key, asked),
        (Some(("property", property)), _) => named(game, "property", Of::Property, property, asked),
        _ => Err("a `dataId` is `key:NAME` or `property:NAME`".to_owned()),
    }
}

/// A breakpoint on what has a name.
fn named(
    game: &mut Game,
    on: &str,
    of: Of,
    name: &str,
    asked: &Value,
) -> Result<BreakpointSpec, String> {
    let name = game.find(of, name)??;
    Ok(BreakpointSpec {
        on: on.to_owned(),
        name: Some(name),
        ..conditions(asked, game)?
    })
}

/// The editor's conditions on a breakpoint.
///
/// # Errors
/// If the condition is about a key that nobody knows. What else is wrong with it the game says.
fn conditions(asked: &Value, game: &mut Game) -> Result<BreakpointSpec, String> {
    let text = |name: &str| {
        let text = asked[name].as_str().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    // A number alone is from which hit on.
    let hits = text("hitCondition").map(|hits| match hits.parse::<u64>() {
        Ok(number) => format!(">= {number}"),
        Err(_) => hits,
    });
    let condition = text("condition");
    if let Some(key) = condition.as_deref().and_then(compared) {
        let found = game.find(Of::Key, key)?;
        found.map_err(|why| format!("the condition never holds: {why}"))?;
    }
    Ok(BreakpointSpec {
        condition,
        hits,
        log: text("logMessage"),
        agents: Some(vec![game.agent.id.clone()]),
        ..BreakpointSpec::default()
    })
}
