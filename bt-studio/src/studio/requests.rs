//! Requests: read, done, answered.

use bt_live::protocol::envelope::{Envelope, Id, Version};
use bt_live::protocol::{Error, ErrorCode};
use serde::Serialize;
use serde_json::Value;

use super::Studio;
use super::games::{Answered, is_about_games};
use crate::cards;
use crate::protocol::{Failure, Project, Request};

/// An answer as it travels.
#[derive(Serialize)]
struct Answer<R> {
    jsonrpc: Version,
    id: Option<Id>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
}

/// An answer, as a text.
pub(crate) fn answer<R: Serialize>(id: Option<Id>, result: Result<R, Failure>) -> String {
    let (result, error) = match result {
        Ok(result) => (Some(result), None),
        Err(failure) => (None, Some(failure)),
    };
    let answer = Answer {
        jsonrpc: Version::Two,
        id,
        result,
        error,
    };
    serde_json::to_string(&answer).unwrap_or_default()
}

/// A request, read; else the answer that says why it is none.
pub(crate) fn read(text: &str) -> Result<(Id, Request), String> {
    let envelope: Envelope = serde_json::from_str(text).map_err(|error| {
        let code = match error.classify() {
            serde_json::error::Category::Data => ErrorCode::Request,
            _ => ErrorCode::Parse,
        };
        let why = format!("expected a request of JSON-RPC 2.0 with `jsonrpc`, `id`, `method` and `params`: {error}");
        answer::<Value>(None, Err(Error::new(code, why).into()))
    })?;
    match Request::read(&envelope.method, envelope.params) {
        Ok(request) => Ok((envelope.id, request)),
        Err(error) => Err(answer::<Value>(Some(envelope.id), Err(error.into()))),
    }
}

pub(super) fn to_value<T: Serialize>(result: T) -> Result<Value, Failure> {
    serde_json::to_value(result)
        .map_err(|error| Error::new(ErrorCode::Internal, error.to_string()).into())
}

impl Studio {
    pub(super) fn answer(&mut self, client: u64, text: &str) {
        let (id, request) = match read(text) {
            Ok(read) => read,
            Err(answer) => return self.clients.send(client, answer),
        };
        let answered = match request {
            request if is_about_games(&request) => self.ask_game(client, &id, request),
            Request::ListRevisions(asked) => self.revisions(client, &id, &asked),
            Request::DiffTrees(asked) => self.diff(client, &id, &asked),
            Request::RunScenarios(_) => self.run_scenarios(client, &id),
            request => {
                let text = self.done(client, id, request);
                return self.answered(client, text);
            }
        };
        match answered {
            Answered::Now(result) => self.answered(client, answer(Some(id), result)),
            Answered::Later => {}
        }
    }

    fn answered(&mut self, client: u64, text: String) {
        self.clients.send(client, text);
        self.after_answer();
        self.tell_calls();
    }

    fn done(&mut self, client: u64, id: Id, request: Request) -> String {
        let id = Some(id);
        let refused = |failure| answer::<Value>(id.clone(), Err(failure));
        if request.changes() && self.options.read_only {
            return refused(Failure::read_only());
        }
        match request {
            Request::Hello(_) => refused(Failure::refused("`hello` was said before")),
            Request::GetProject(_) => {
                self.tell_of_settings(client);
                self.tell_of_passed(client);
                answer(id, Ok(self.project()))
            }
            Request::OpenDocument(asked) => answer(id, self.open(client, &asked.path)),
            Request::NewDocument(asked) => answer(id, self.new_document(client, &asked)),
            Request::EditDocument(asked) => answer(id, self.edit(client, &asked)),
            Request::ReplaceText(asked) => answer(id, self.replace_text(client, &asked)),
            Request::SaveDocument(asked) => answer(id, self.save(client, &asked)),
            Request::ReloadDocument(asked) => answer(id, self.reload(client, asked.doc)),
            Request::CloseDocument(asked) => answer(id, self.close(client, &asked)),
            Request::GetFragment(asked) => answer(id, self.fragment(client, &asked)),
            Request::GetNode(asked) => answer(id, self.node(client, &asked)),
            Request::GetKeys(asked) => answer(id, self.tree_keys(client, &asked)),
            Request::CopyTree(asked) => answer(id, self.copy_tree(&asked)),
            Request::RemoveTree(asked) => answer(id, self.remove_tree(&asked)),
            Request::FindUsages(asked) => answer(id, Ok(self.usages(&asked.of))),
            Request::Rename(asked) => answer(id, self.rename(client, &asked)),
            Request::Find(asked) => answer(id, self.find(&asked)),
            Request::Replace(asked) => answer(id, self.replace(client, &asked)),
            Request::RefreshCatalogue(_) => answer(id, Ok(self.refresh_catalogue())),
            Request::SaveSnippet(asked) => answer(id, self.save_snippet(client, &asked)),
            Request::RemoveSnippet(asked) => answer(id, self.remove_snippet(&asked)),
            _ => refused(Failure::refused("this is for a game's session")),
        }
    }

    fn project(&self) -> Project {
        let registry = self.registry.as_deref();
        Project {
            title: self.options.folders.title(),
            folders: self.options.folders.entries(),
            read_only: self.options.read_only,
            package: self.options.source.package(),
            agents: self.agents(),
            trees: self.files.keys().map(|path| self.entry(path)).collect(),
            unsaved: self.unsaved_trees(),
            kinds: cards::kinds(registry),
            snippets: self.snippets(),
            catalogue: self.catalogue(),
            problem: self.catalogue_problem.clone(),
            building: self.building.clone(),
        }
    }
}
