//! The changes to a running game.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bt_live::client::Client;
use bt_live::protocol::types::*;

use super::{Control, Forced, Game, assignment, failed, node, own_key, value};
use crate::error::{Error, did_you_mean};
use crate::say::say;

impl Game {
    pub(crate) fn set(
        &mut self,
        agent: &str,
        values: &[String],
        is_property: bool,
    ) -> Result<(), Error> {
        let values = values.iter().map(|text| assignment(text));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let agent = self.id(agent)?;
        for (name, value) in values {
            let agent = agent.clone();
            if is_property {
                let property = name;
                self.call(SetProperty {
                    agent,
                    property,
                    value,
                })?;
            } else {
                if let Some(note) = key_note(&mut self.client, &agent, &name)? {
                    say("note", note);
                }
                let key = name;
                self.call(SetKey { agent, key, value })?;
            }
        }
        Ok(())
    }

    pub(crate) fn fire(
        &mut self,
        agent: &str,
        event: &str,
        params: &[String],
    ) -> Result<(), Error> {
        let params = params.iter().map(|text| assignment(text));
        let params = params.collect::<Result<BTreeMap<_, _>, _>>()?;
        let agent = self.id(agent)?;
        let event = event.to_owned();
        self.call(Fire {
            agent,
            event,
            params,
        })?;
        Ok(())
    }

    pub(crate) fn call_action(
        &mut self,
        agent: &str,
        action: &str,
        args: &[String],
    ) -> Result<(), Error> {
        let agent = self.id(agent)?;
        let outcome = self.call(CallAction {
            agent,
            action: action.to_owned(),
            args: args.iter().map(|text| value(text)).collect(),
        })?;
        self.print(&outcome, || outcome.outcome.clone())
    }

    pub(crate) fn finish(&mut self, agent: &str, leaf: &str, success: bool) -> Result<(), Error> {
        let (tree, idx) = node(leaf)?;
        let agent = self.id(agent)?;
        self.call(Finish {
            agent,
            tree,
            idx,
            success,
        })?;
        Ok(())
    }

    pub(crate) fn control(&mut self, agent: &str, what: Control) -> Result<(), Error> {
        let agent = self.id(agent)?;
        match what {
            Control::Start => self.call(Start { agent })?,
            Control::Stop => self.call(Stop { agent })?,
            Control::Reset => self.call(Reset { agent })?,
            // Nobody stays attached to hold it.
            Control::Pause => self.call(Pause { agent, keep: true })?,
            Control::Resume => self.call(Resume { agent })?,
        };
        Ok(())
    }

    pub(crate) fn load(&mut self, agent: &str, tree: &str) -> Result<(), Error> {
        let agent = self.id(agent)?;
        let tree = tree.to_owned();
        self.call(Load { agent, tree })?;
        Ok(())
    }

    pub(crate) fn speed(&mut self, speed: f64) -> Result<(), Error> {
        let keep = true;
        self.call(SetSpeed { speed, keep })?;
        Ok(())
    }

    pub(crate) fn force(
        &mut self,
        agent: &str,
        which: &str,
        to: Option<Forced>,
    ) -> Result<(), Error> {
        let (tree, idx) = node(which)?;
        let agent = self.id(agent)?;
        let forced = to.map(|to| match to {
            Forced::Success => "success",
            Forced::Failure => "failure",
            Forced::Disabled => "disabled",
        });
        self.call(Force {
            agent,
            tree,
            idx,
            forced: forced.map(str::to_owned),
        })?;
        Ok(())
    }

    pub(crate) fn reload(&mut self, files: &[PathBuf], check: bool) -> Result<(), Error> {
        let mut trees = BTreeMap::new();
        let known = self.call(ListTrees {})?.trees;
        for file in files {
            let text = crate::read::text(file);
            let text = text.map_err(|error| {
                Error::failure(format!("cannot read `{}`: {error}", file.display()))
            })?;
            let name = file.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            // A host that gives no texts says so itself.
            if !known.is_empty() && !known.contains_key(&name) {
                let near = did_you_mean(&name, known.keys().map(String::as_str));
                let near = near.map_or_else(String::new, |near| format!("; {near}"));
                say(
                    "note",
                    format!("the game had no tree `{name}` so far{near}"),
                );
            }
            if trees.insert(name.clone(), text).is_some() {
                let why = format!("two of the files are called `{name}`: a tree has one text");
                return Err(Error::failure(why));
            }
        }
        let checked = match check {
            true => self.call(CheckTrees { trees })?,
            false => self.call(ReloadTrees { trees })?,
        };
        if checked.problems.is_empty() {
            let moved = checked.moved;
            let text = match check {
                true => "nothing is wrong with them".to_owned(),
                false => format!("{moved} agents move to other trees"),
            };
            return self.print(&checked, || text);
        }
        if self.json {
            self.print(&checked, String::new)?;
        }
        let problems = checked.problems.iter().map(|problem| {
            let place = match (problem.line, problem.column) {
                (Some(line), Some(column)) => format!("{}:{line}:{column}", problem.file),
                _ => problem.file.clone(),
            };
            let help = problem.help.as_ref();
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            format!("{place}: {} [{}]{help}", problem.message, problem.code)
        });
        if !check {
            say("note", "the trees stay as they are");
        }
        Err(Error::findings(problems.collect()))
    }
}

/// A note if an agent has no such key so far: it may be misspelt.
///
/// # Errors
/// If it is one of a running tree's own.
pub(crate) fn key_note(
    client: &mut Client,
    agent: &str,
    key: &str,
) -> Result<Option<String>, Error> {
    let agent = agent.to_owned();
    let picture = client
        .call(GetPicture { agent, at: None })
        .map_err(failed)?;
    if let Some(why) = own_key(key, &picture.blackboard) {
        return Err(Error::finding(why));
    }
    if picture.blackboard.contains_key(key) {
        return Ok(None);
    }
    let keys = picture.blackboard.keys().map(String::as_str);
    let near = did_you_mean(key, keys).map_or_else(String::new, |near| format!("; {near}"));
    Ok(Some(format!("the agent had no key `{key}` so far{near}")))
}
