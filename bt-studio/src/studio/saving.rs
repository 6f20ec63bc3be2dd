//! Documents saved: whole, and over nothing that somebody else wrote meanwhile.

use std::path::Path;

use bt_core::TreeAsset;
use bt_live::protocol::hash;
use bt_meta::draw::{self, Direction, Format};
use data_encoding::BASE64;
use serde_json::json;

use super::Studio;
use super::document::Document;
use crate::project::door::{AsFailure as _, Refusal};
use crate::project::files::{File, LARGEST};
use crate::project::folders::ResolvedPath;
use crate::protocol::{Event, Failure, FailureCode, Notice, SaveDocument, Saved, TreesChanged};

impl Studio {
    pub(super) fn save(&mut self, client: u64, asked: &SaveDocument) -> Result<Saved, Failure> {
        let png = asked
            .picture
            .as_ref()
            .and_then(|picture| picture.png.as_deref());
        let png = png.map(decoded).transpose()?;
        let svg = asked.picture.as_ref().is_some_and(|picture| picture.svg);
        let document = self.at_revision(client, asked.doc, asked.revision)?;
        let path = asked.path.clone().unwrap_or_else(|| document.path.clone());
        let is_elsewhere = path != document.path;
        let expected = match (&asked.hash, is_elsewhere) {
            (Some(hash), _) => hash.clone(),
            (None, true) => String::new(),
            (None, false) => document.hash.clone(),
        };
        let (was_script, text) = (document.is_script(), document.text.clone());
        let meant = self.options.folders.find(&path)?;
        let is_script = bt_core::tree::is_script(&meant.name);
        let text = match (was_script, is_script) {
            (true, false) => as_tree(
                &meant.name,
                &text,
                document_name(self.documents.get(&asked.doc)),
            )?,
            (false, true) => {
                return Err(Failure::refused(format!(
                    "`{path}` ends in `.bt`, as scripts do, and this is a tree: expected a name that ends in `.json`"
                )));
            }
            _ => text,
        };
        check_disk(&path, &meant, &expected)?;
        let unwritten = |why: Refusal| why.unwritten(&path);
        let staged = meant.place.stage(text.as_bytes()).map_err(unwritten)?;
        // That took its time.
        check_disk(&path, &meant, &expected)?;
        staged.put().map_err(unwritten)?;
        let file = File::on_disk(&meant.name, text.clone().into_bytes());
        let is_new = self.files.insert(path.clone(), file).is_none();
        let new_hash = hash(&text);
        if let Some(document) = self.documents.get_mut(&asked.doc) {
            document.path.clone_from(&path);
            document.name.clone_from(&meant.name);
            document.hash.clone_from(&new_hash);
            if document.text != text {
                document.text = text;
                document.revision += 1;
                document.tree = TreeAsset::from_slice(&meant.name, document.text.as_bytes()).ok();
            }
        }
        let mut pictures = Vec::new();
        // The tree is saved, whatever becomes of its picture.
        if let Err(failure) = self.pictures(asked.doc, &path, png.as_deref(), svg, &mut pictures) {
            let (level, text) = ("error".to_owned(), failure.message);
            let notice = Event::Notice(Notice { level, text });
            self.clients.tell(client, &notice);
        }
        if is_new {
            self.check_soon();
        }
        self.drafts.discard(&meant.place.path());
        let event = TreesChanged {
            changed: vec![self.entry(&path)],
            removed: Vec::new(),
        };
        self.clients.tell_all(&Event::TreesChanged(event));
        self.files_changed_for_games();
        self.saved_for_games(&meant.name);
        Ok(Saved {
            path,
            name: meant.name,
            hash: new_hash,
            pictures,
        })
    }

    /// Writes pictures beside a tree.
    fn pictures(
        &self,
        doc: u32,
        path: &str,
        png: Option<&[u8]>,
        svg: bool,
        written: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let place = self.options.folders.find(path)?.place;
        let mut write = |ending: &str, bytes: &[u8]| {
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            let shown = format!("{stem}.{ending}");
            let beside = place.beside(Path::new(place.name()).with_extension(ending));
            beside.write(bytes).map_err(|why| why.unwritten(&shown))?;
            written.push(shown);
            Ok::<_, Failure>(())
        };
        if let Some(png) = png {
            write("png", png)?;
        }
        let document = self.documents.get(&doc);
        let tree = document.and_then(|document| document.tree.as_ref());
        if let (true, Some(tree)) = (svg, tree) {
            let svg = draw::draw(std::slice::from_ref(tree), Format::Svg, Direction::Right);
            write("svg", svg.as_bytes())?;
        }
        Ok(())
    }
}

/// The bytes of a PNG that a page sent.
fn decoded(png: &str) -> Result<Vec<u8>, Failure> {
    let bytes = BASE64
        .decode(png.as_bytes())
        .map_err(|error| Failure::refused(format!("the picture is no Base64: {error}")))?;
    match bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        true => Ok(bytes),
        false => Err(Failure::refused(
            "the picture is no PNG: expected one that a canvas made",
        )),
    }
}

fn document_name(document: Option<&Document>) -> &str {
    document.map_or("", |document| document.name.as_str())
}

/// A script as the text of a tree.
fn as_tree(name: &str, script: &str, script_name: &str) -> Result<String, Failure> {
    let tree = TreeAsset::from_slice(script_name, script.as_bytes());
    let tree = tree.map_err(|error| Failure::refused(format!("the script is no tree: {error}")))?;
    Ok(tree.with_name(name).to_json())
}

/// Returns whether the file on the disk is the one that is to be overwritten.
fn check_disk(path: &str, meant: &ResolvedPath, expected: &str) -> Result<(), Failure> {
    let text = match meant.place.read(LARGEST as u64) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(Refusal::Missing) => None,
        Err(why) => return Err(why.unwritten(path)),
    };
    let found = text.as_deref().map(hash).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    let message = match (&text, expected) {
        (None, _) => format!(
            "`{path}` is no longer on the disk: save it with the hash \"\" to write it again"
        ),
        (Some(_), "") => format!(
            "`{path}` is on the disk already: choose another name, or save it with its hash to overwrite it"
        ),
        (Some(_), _) => format!(
            "`{path}` has changed on the disk since it was opened: compare the two, then reload it, or save it with the hash of what is there"
        ),
    };
    let data = json!({"exists": text.is_some(), "text": text.unwrap_or_default(), "hash": found});
    Err(Failure::of(FailureCode::Conflict, message, data))
}
