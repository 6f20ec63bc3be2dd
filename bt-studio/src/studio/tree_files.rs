//! Tree files copied and removed. They are renamed with all that names them, see `rename`.

use super::Studio;
use crate::project::door::{AsFailure as _, Refusal};
use crate::project::files::File;
use crate::protocol::{CopyTree, Done, Event, Failure, RemoveTree, TreesChanged};

impl Studio {
    pub(super) fn copy_tree(&mut self, asked: &CopyTree) -> Result<Done, Failure> {
        let from = self.options.folders.find(&asked.path)?;
        let to = self.options.folders.find(&asked.to)?;
        if bt_core::tree::is_script(&from.name) != bt_core::tree::is_script(&to.name) {
            return Err(Failure::refused(
                "a copy keeps the ending, `.json` or `.bt`: expected a name with the same",
            ));
        }
        let file = self.files.get(&asked.path);
        let bytes = file.map(|file| file.bytes.to_vec()).ok_or_else(|| {
            Failure::unknown(format!(
                "there is no tree `{}` on the disk: save it first",
                asked.path
            ))
        })?;
        if to.place.is_taken() || self.files.contains_key(&asked.to) {
            return Err(Failure::refused(format!(
                "`{}` is there already: choose another name",
                asked.to
            )));
        }
        let written = to.place.write(&bytes);
        written.map_err(|why| why.unwritten(&asked.to))?;
        let file = File::on_disk(&to.name, bytes);
        self.files.insert(asked.to.clone(), file);
        self.trees_changed(vec![asked.to.clone()], Vec::new());
        Ok(Done {})
    }

    pub(super) fn remove_tree(&mut self, asked: &RemoveTree) -> Result<Done, Failure> {
        let meant = self.options.folders.find(&asked.path)?;
        if !self.files.contains_key(&asked.path) {
            return Err(Failure::unknown(format!(
                "there is no tree `{}` on the disk",
                asked.path
            )));
        }
        if self.is_read_only(&asked.path) {
            return Err(Refusal::ReadOnly.failure(format_args!("cannot remove `{}`", asked.path)));
        }
        let removed = meant.place.remove();
        removed.map_err(|why| why.failure(format_args!("cannot remove `{}`", asked.path)))?;
        self.files.remove(&asked.path);
        self.told_of_disk(&asked.path);
        self.trees_changed(Vec::new(), vec![asked.path.clone()]);
        Ok(Done {})
    }

    fn trees_changed(&mut self, changed: Vec<String>, removed: Vec<String>) {
        let changed = changed.iter().map(|path| self.entry(path)).collect();
        let event = TreesChanged { changed, removed };
        self.clients.tell_all(&Event::TreesChanged(event));
        self.check_soon();
        self.files_changed_for_games();
    }
}
