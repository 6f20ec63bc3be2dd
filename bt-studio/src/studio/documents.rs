//! The requests of clients about documents: open, edit, close.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use bt_core::tree::asset::Fix;
use bt_core::tree::by_either_name;
use bt_live::protocol::hash;
use bt_meta::text::splices::{Splice, apply};
use serde_json::json;

use super::Studio;
use super::document::Document;
use crate::edit;
use crate::mentions::{Mention, mentions};
use crate::project::door::{AsFailure as _, Refusal};
use crate::project::files::{self, File, Files, LARGEST};
use crate::project::folders::{ResolvedPath, TREES};
use crate::protocol::{
    self, CardsChanged, Changed, CloseDocument, Done, EditDocument, Event, Failure, FailureCode,
    Fragment, GetFragment, NewDocument, ReplaceText,
};
use crate::utf16;

/// So many documents are open at once, at most.
const MOST_OPEN: usize = 500;

/// The path of the tree that a name means.
pub(super) fn path_of<'f>(files: &'f Files) -> impl Fn(&str) -> Option<String> + 'f {
    |name| {
        by_either_name(name, |name| {
            let mut all = files.iter();
            all.find(|(_, file)| file.name == name)
                .map(|(path, _)| path.clone())
        })
    }
}

/// The names of trees that are open and were never saved, by path.
pub(super) type Unsaved = BTreeMap<String, String>;

/// The path of the tree that a name means, saved or not.
fn path_in<'f>(files: &'f Files, unsaved: &'f Unsaved) -> impl Fn(&str) -> Option<String> + 'f {
    |name| {
        path_of(files)(name).or_else(|| {
            by_either_name(name, |name| {
                let mut all = unsaved.iter();
                all.find(|(_, own)| *own == name)
                    .map(|(path, _)| path.clone())
            })
        })
    }
}

impl Studio {
    /// A client's document.
    pub(super) fn document(&mut self, client: u64, doc: u32) -> Result<&mut Document, Failure> {
        let found = self.documents.get_mut(&doc);
        found
            .filter(|document| document.client == client)
            .ok_or_else(|| {
                Failure::unknown(format!(
                    "document {doc} is not open: open it with `doc.open`"
                ))
            })
    }

    /// A client's document, if it is at a revision.
    pub(super) fn at_revision(
        &mut self,
        client: u64,
        doc: u32,
        revision: u32,
    ) -> Result<&mut Document, Failure> {
        let document = self.document(client, doc)?;
        if document.revision == revision {
            return Ok(document);
        }
        let now = document.revision;
        let message =
            format!("document {doc} is at revision {now}, not {revision}: take its text from here");
        let data = json!({"revision": now, "text": document.text});
        Err(Failure::of(FailureCode::Stale, message, data))
    }

    /// Adds a document, and shows it.
    fn add(
        &mut self,
        client: u64,
        path: &str,
        meant: &ResolvedPath,
        text: String,
        hash: String,
    ) -> Result<protocol::Document, Failure> {
        if self.documents.len() >= MOST_OPEN {
            return Err(Failure::limit(format!(
                "{MOST_OPEN} documents are open, which is the most: close some"
            )));
        }
        let id = self.next_document;
        self.next_document += 1;
        let document = Document::of(id, client, path, &meant.name, text, hash);
        self.documents.insert(id, document);
        Ok(self.shown(id))
    }

    /// A document for the page.
    pub(super) fn shown(&mut self, doc: u32) -> protocol::Document {
        let path_of = path_in(&self.files, &self.unsaved);
        let view = self
            .documents
            .get_mut(&doc)
            .and_then(|document| document.view(&path_of));
        drop(path_of);
        let findings = self.findings_to_begin(doc);
        let Some(document) = self.documents.get(&doc) else {
            return protocol::Document::default();
        };
        let meant = self.options.folders.meant(&document.path, &TREES).ok();
        let meant = meant.filter(|_| document.revision == 0 || !document.is_changed());
        protocol::Document {
            doc,
            path: document.path.clone(),
            name: document.name.clone(),
            revision: document.revision,
            text: document.text.clone(),
            hash: document.hash.clone(),
            view,
            findings,
            draft: meant.and_then(|meant| self.drafts.read(&meant.place.path(), &document.text)),
            script: document.is_script(),
            read_only: self.is_read_only(&document.path),
        }
    }

    pub(super) fn open(&mut self, client: u64, path: &str) -> Result<protocol::Document, Failure> {
        let mut opened = self.documents.values();
        let opened = opened.find(|document| document.client == client && document.path == path);
        if let Some(doc) = opened.map(|document| document.id) {
            return Ok(self.shown(doc));
        }
        let meant = self.options.folders.find(path)?;
        let text = match self.read(path, &meant) {
            Ok(text) => text,
            // A new tree that was never saved.
            Err(failure) => {
                let draft = self.drafts.read(&meant.place.path(), "").ok_or(failure)?;
                return self.add(client, path, &meant, draft.text, draft.hash);
            }
        };
        let hash = hash(&text);
        self.add(client, path, &meant, text, hash)
    }

    /// The text of a file on the disk, which is known from now on.
    pub(super) fn read(&mut self, path: &str, meant: &ResolvedPath) -> Result<String, Failure> {
        let file = files::read_one(meant, self.files.get(path)).map_err(|why| {
            let mut failure = why.unread(path);
            if let Refusal::Missing = why {
                self.files.remove(path);
            } else if let Refusal::Large(_) = why {
                failure.message += ": divide it into several trees";
            }
            failure
        })?;
        let text = file.text().map(str::to_owned);
        self.files.insert(path.to_owned(), file);
        text.ok_or_else(|| {
            Failure::refused(format!("`{path}` is not UTF-8: save it as UTF-8 first"))
        })
    }

    /// Returns true if a file may not be written, as far as it is known.
    pub(super) fn is_read_only(&self, path: &str) -> bool {
        self.files.get(path).is_some_and(|file| file.read_only)
    }

    pub(super) fn new_document(
        &mut self,
        client: u64,
        asked: &NewDocument,
    ) -> Result<protocol::Document, Failure> {
        let meant = self.options.folders.find(&asked.path)?;
        if meant.place.is_taken() {
            return Err(Failure::refused(format!(
                "`{}` is there already: choose another name, or open it",
                asked.path
            )));
        }
        let mut tree = TreeAsset::new(meant.name.as_str(), &asked.agent);
        let root = tree.root().idx();
        if let Some((comment, root)) = asked.comment.as_ref().zip(tree.node_mut(root)) {
            root.comment.clone_from(comment);
        }
        self.add(client, &asked.path, &meant, tree.to_json(), String::new())
    }

    pub(super) fn edit(&mut self, client: u64, asked: &EditDocument) -> Result<Changed, Failure> {
        let document = self.at_revision(client, asked.doc, asked.revision)?;
        if document.is_script() {
            return Err(Failure::refused(
                "an indented script is edited as text: save it under a name that ends in `.json` to edit it as a tree",
            ));
        }
        let no_tree = || Failure::refused("the text is no tree: put it right first");
        let tree = document.tree.clone().ok_or_else(no_tree)?;
        let (path, text) = (document.path.clone(), document.text.clone());
        let around = Others {
            studio: self,
            path: &path,
            name: tree.name(),
        };
        let done = edit::edit(&tree, &text, &asked.edits, &around).map_err(Failure::refused)?;
        let mut changed = self.changed(asked.doc, &done.splices, Some(done.tree), done.created)?;
        for (path, text) in done.trees {
            let meant = self.options.folders.find(&path)?;
            changed
                .documents
                .push(self.add(client, &path, &meant, text, String::new())?);
        }
        Ok(changed)
    }

    pub(super) fn replace_text(
        &mut self,
        client: u64,
        asked: &ReplaceText,
    ) -> Result<Changed, Failure> {
        let document = self.at_revision(client, asked.doc, asked.revision)?;
        let splices = utf16::from_page(&document.text, &asked.splices).ok_or_else(|| {
            Failure::refused(
                "a splice is outside of the text, inside of a character, or not behind the one before it: \
                 expected places of this revision's text in UTF-16 code units, in order",
            )
        })?;
        self.changed(asked.doc, &splices, None, Vec::new())
    }

    /// Makes a change that fits the document.
    pub(super) fn changed(
        &mut self,
        doc: u32,
        splices: &[Splice],
        tree: Option<TreeAsset>,
        created: Vec<u32>,
    ) -> Result<Changed, Failure> {
        let path_of = path_in(&self.files, &self.unsaved);
        let Some(document) = self.documents.get_mut(&doc) else {
            return Err(Failure::unknown(format!("document {doc} is not open")));
        };
        let grows: usize = splices.iter().map(|splice| splice.with.len()).sum();
        if document.text.len() + grows > LARGEST && apply(&document.text, splices).len() > LARGEST {
            let most = LARGEST >> 20;
            return Err(Failure::limit(format!(
                "the text would be longer than {most} MiB: divide it into several trees"
            )));
        }
        let changed = document.change(splices, tree, created, &path_of);
        drop(path_of);
        self.checks.to_tell.push(doc);
        self.drafts.stir();
        self.check_soon();
        Ok(changed)
    }

    pub(super) fn reload(&mut self, client: u64, doc: u32) -> Result<protocol::Document, Failure> {
        let path = self.document(client, doc)?.path.clone();
        let meant = self.options.folders.find(&path)?;
        let text = self.read(&path, &meant)?;
        let document = self.document(client, doc)?;
        let revision = document.revision + 1;
        let hash = hash(&text);
        *document = Document::of(doc, client, &path, &meant.name, text, hash);
        document.revision = revision;
        self.check_soon();
        Ok(self.shown(doc))
    }

    pub(super) fn close(&mut self, client: u64, asked: &CloseDocument) -> Result<Done, Failure> {
        let path = self.document(client, asked.doc)?.path.clone();
        match asked.discard {
            true => {
                let meant = self.options.folders.meant(&path, &TREES)?;
                self.drafts.discard(&meant.place.path());
            }
            false => drop(self.keep_draft(asked.doc)),
        }
        self.documents.remove(&asked.doc);
        self.check_soon();
        Ok(Done {})
    }

    pub(super) fn fragment(
        &mut self,
        client: u64,
        asked: &GetFragment,
    ) -> Result<Fragment, Failure> {
        let text = self.fragment_of(client, asked.doc, &asked.nodes)?;
        Ok(Fragment { text })
    }

    /// Nodes of a document as a text of their own.
    pub(super) fn fragment_of(
        &mut self,
        client: u64,
        doc: u32,
        nodes: &[u32],
    ) -> Result<String, Failure> {
        let document = self.document(client, doc)?;
        let tree = document
            .tree
            .as_ref()
            .ok_or_else(|| Failure::refused("the text is no tree: put it right first"))?;
        edit::fragment(tree, &document.text, nodes).map_err(Failure::refused)
    }

    /// Sends the cards whose calls changed, because trees were added or removed.
    pub(super) fn tell_calls(&mut self) {
        let documents = self.documents.values();
        let unsaved: Unsaved = documents
            .filter(|document| !self.files.contains_key(&document.path))
            .map(|document| (document.path.clone(), document.name.clone()))
            .collect();
        if self.files.keys().eq(self.paths.iter()) && unsaved == self.unsaved {
            return;
        }
        self.paths = self.files.keys().cloned().collect();
        self.unsaved = unsaved;
        let path_of = path_in(&self.files, &self.unsaved);
        for document in self.documents.values_mut() {
            let cards = document.call_again(&path_of);
            if !cards.is_empty() {
                let doc = document.id;
                let event = Event::CardsChanged(CardsChanged { doc, cards });
                self.clients.tell(document.client, &event);
            }
        }
    }

    /// A client has left: its documents are closed.
    pub(super) fn leave(&mut self, client: u64) {
        self.clients.leave(client);
        self.keep_drafts();
        let before = self.documents.len();
        self.documents
            .retain(|_, document| document.client != client);
        if self.documents.len() != before {
            self.check_soon();
        }
    }
}

/// The facts outside a document that its edits need.
struct Others<'s> {
    studio: &'s Studio,
    path: &'s str,
    name: &'s str,
}

impl edit::Around for Others<'_> {
    fn fix(&self, text: &str, pointer: &str, code: &str) -> Option<Fix> {
        let own = File::of(self.name, text.as_bytes().to_vec());
        let tree = TreeAsset::from_slice(self.name, text.as_bytes()).ok()?;
        let found = self.studio.found_in(self.path, &own, &tree).into_iter();
        let mut fixes = found
            .filter(|found| found.pointer == pointer && found.code.to_string() == code)
            .filter_map(|found| found.fix);
        fixes.next()
    }

    fn tree(&self, name: &str) -> Option<TreeAsset> {
        let path = path_in(&self.studio.files, &self.studio.unsaved)(name)?;
        let file = self.studio.current().remove(path.as_str())?;
        TreeAsset::from_slice(&file.name, &file.bytes).ok()
    }

    fn mentions(&self, tree: &TreeAsset) -> Vec<Mention> {
        let agent = tree.agent().zip(self.studio.registry.as_deref());
        mentions(
            tree,
            agent.and_then(|(name, registry)| registry.agent(name).ok()),
        )
    }

    fn new_tree(&self, path: &str) -> Result<String, String> {
        let meant = self.studio.options.folders.find(path);
        let meant = meant.map_err(|failure| failure.message)?;
        let is_there = self.studio.current().contains_key(path) || meant.place.is_taken();
        match (is_there, bt_core::tree::is_script(&meant.name)) {
            (true, _) => Err(format!("`{path}` is there already: choose another name")),
            (_, true) => Err(format!(
                "`{path}` ends in `.bt`, as scripts do: expected a name that ends in `.json`"
            )),
            _ => Ok(meant.name),
        }
    }
}
