//! The editor's view of a stopped agent: frames, scopes, variables, at present or at a position in the past.

use std::io::Write;

use bt_live::protocol::types::{ActiveNode, AgentPicture};
use serde_json::{Value, json};

use super::session::{Answer, Session};
use super::values::{BLACKBOARD, PROPERTIES};

impl<W: Write> Session<W> {
    /// The state at the present position: now, or in the past.
    pub(super) fn picture(&mut self) -> Result<AgentPicture, String> {
        let is_past = self.history.is_past() || !self.game()?.is_live();
        let past = is_past.then(|| self.history.picture());
        let game = self.game()?;
        let Some(past) = past else {
            return game.picture();
        };
        let tree = |run: u32| past.trees.get(run as usize).cloned().unwrap_or_default();
        let active = past.active.iter().map(|((run, idx), node)| ActiveNode {
            run: *run,
            tree: tree(*run),
            idx: *idx,
            kind: node.kind.clone(),
            name: node.name.clone(),
        });
        Ok(AgentPicture {
            agent: game.agent.clone(),
            active: active.collect(),
            trees: past.trees.clone(),
            blackboard: past.blackboard.clone(),
            properties: past.properties.clone(),
            ..AgentPicture::default()
        })
    }

    /// The nodes of the frames, the innermost first.
    pub(super) fn stack(&mut self) -> Result<Vec<ActiveNode>, String> {
        let mut active = self.picture()?.active;
        let past = self.history.last().and_then(|record| record.at.clone());
        let top = match past {
            Some(place) => Some((place.tree().to_owned(), place.idx())),
            None => {
                let stop = self.game()?.stop.clone();
                stop.and_then(|stop| Some((stop.tree?, stop.idx?)))
            }
        };
        if let Some((tree, idx)) = top {
            // Where it stopped is the innermost, be it exited by now.
            let is_top = |node: &ActiveNode| node.tree == tree && node.idx == idx;
            let at = active.iter().position(is_top);
            let node = match at {
                Some(at) => active.remove(at),
                // It is about to be entered, or was exited.
                None => {
                    let trees = &self.game()?.trees;
                    ActiveNode {
                        kind: trees.kind(&tree, idx),
                        name: name(&trees.said(&tree, idx)),
                        tree,
                        idx,
                        ..ActiveNode::default()
                    }
                }
            };
            active.push(node);
        }
        active.reverse();
        Ok(active)
    }

    pub(super) fn frames(&mut self, asked: &Value) -> Answer {
        let stack = self.stack()?;
        let from = asked["startFrame"].as_u64().unwrap_or(0) as usize;
        let most = asked["levels"].as_u64().filter(|levels| *levels > 0);
        let most = most.map_or(usize::MAX, |levels| levels as usize);
        let game = self.game()?;
        let frames = stack.iter().enumerate().skip(from).take(most);
        let frames = frames.map(|(at, node)| {
            let mut frame = game.trees.place(&node.tree, node.idx);
            let words = [&*node.kind, &*node.name].join(" ");
            frame["id"] = (at + 1).into();
            frame["name"] = format!("{} {}", node.idx, words.trim()).into();
            frame
        });
        Ok(json!({ "stackFrames": frames.collect::<Vec<_>>(), "totalFrames": stack.len() }))
    }

    pub(super) fn scopes(&mut self, asked: &Value) -> Answer {
        let stack = self.stack()?;
        let at = asked["frameId"].as_u64().unwrap_or(1) as usize;
        let node = stack.get(at.saturating_sub(1)).cloned();
        let node = node.unwrap_or_default();
        let said = self.game()?.trees.said(&node.tree, node.idx);
        let mut scopes = vec![
            json!({ "name": "Blackboard", "variablesReference": BLACKBOARD, "expensive": false }),
            json!({ "name": "Properties", "variablesReference": PROPERTIES, "expensive": false }),
        ];
        // The arguments of what the node calls, and everything else that the file says of it.
        let args = arguments(&said);
        for (name, value) in [("Arguments", args), ("Node", said)] {
            let number = self.shown.number(&value);
            if number != 0 {
                scopes.push(
                    json!({ "name": name, "variablesReference": number, "expensive": false }),
                );
            }
        }
        Ok(json!({ "scopes": scopes }))
    }

    pub(super) fn variables(&mut self, asked: &Value) -> Answer {
        let number = asked["variablesReference"].as_u64().unwrap_or_default() as usize;
        let (sign, all) = match number {
            BLACKBOARD => ("", self.picture()?.blackboard),
            PROPERTIES => ("@", self.picture()?.properties),
            _ => {
                self.game()?;
                let gone = "these values are shown no more: the agent has moved on";
                return Ok(json!({ "variables": self.shown.parts(asked).ok_or(gone)? }));
            }
        };
        let all = all.iter();
        let all: Vec<_> = all
            .map(|(name, value)| {
                let expression = format!("{sign}{name}");
                self.shown.variable(name, Some(expression), value)
            })
            .collect();
        Ok(json!({ "variables": all }))
    }
}

/// The arguments that a file gives what a node calls.
fn arguments(said: &Value) -> Value {
    let fields = said.as_object().into_iter().flatten();
    let mut all = fields.filter(|(name, _)| name.ends_with("_args"));
    all.next().map_or(Value::Null, |(_, args)| args.clone())
}

/// The name that a file gives what a node calls.
fn name(said: &Value) -> String {
    let fields = said.as_object().into_iter().flatten();
    let mut all = fields.filter(|(name, _)| name.ends_with("_name"));
    let name = all.next().and_then(|(_, name)| name.as_str());
    name.unwrap_or_default().to_owned()
}
