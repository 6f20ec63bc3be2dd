//! Git, asked so that it runs no program that a repository names.
//!
//! The configuration of a repository names programs: to check signatures, to watch and convert files, to compare them, to
//! page, to fetch what is missing. Options that switch each of them off would have to know all of them. So the repository
//! itself is only asked where it keeps its objects and which commit a revision is, by `git rev-parse`, which runs
//! nothing. All else is asked of an empty repository of this program's own that reads those objects: it has no
//! configuration, attributes, hooks, files or remotes. The configuration of the user and of the machine is not read there
//! either.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::{self, Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// The time that git is waited for.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The number of bytes of an answer that are read, at most.
const MOST: u64 = 256 << 20;

/// The variables of git that stay in its environment while a repository is looked for: where it looks, and which
/// configuration says whose repositories are trusted. Each other one that begins with `GIT_` is taken away.
const KEPT: [&str; 3] = [
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/// The reason why git gives no answer.
#[derive(Debug)]
pub enum GitError {
    /// There is no program `git`, or it cannot be run.
    Run(io::Error),
    /// It refused, with the first line of what it said.
    Refused(String),
    /// It took longer than 30 seconds.
    Late,
    /// Its answer has more than 256 MiB.
    Long,
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GitError::Run(error) => write!(f, "cannot run `git`: {error}"),
            GitError::Refused(said) => write!(f, "git says: {said}"),
            GitError::Late => write!(f, "git took longer than {} seconds", TIMEOUT.as_secs()),
            GitError::Long => write!(f, "git's answer has more than {} MiB", MOST >> 20),
        }
    }
}

impl std::error::Error for GitError {}

/// A folder in a git repository.
#[derive(Debug)]
pub struct Repository {
    folder: PathBuf,
    /// The empty repository that is asked.
    own: TempDir,
    objects: PathBuf,
    /// The file that says where the history of a shallow clone ends, which is seldom there.
    shallow: PathBuf,
    /// The path of the folder in the repository; it ends with `/` if it is not empty.
    prefix: String,
}

/// A commit that changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: String,
    /// The time at which it was made, as ISO 8601 writes it.
    pub when: String,
    /// The name of its author.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
}

/// A file at a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// The id of its content.
    pub id: String,
    /// True if it is a link, whose content is the path that it leads to.
    pub is_link: bool,
}

impl Repository {
    /// The repository that a folder is in. The folder has to be there now.
    ///
    /// # Errors
    /// If there is no git, or the folder is in no repository that git trusts.
    pub fn at(folder: &Path) -> Result<Repository, GitError> {
        let said = looked_up(
            folder,
            [
                "--show-object-format",
                "--git-path",
                "objects",
                "--git-path",
                "shallow",
                "--show-prefix",
            ],
        )?;
        let mut lines = said.lines();
        let mut line = || lines.next().unwrap_or_default();
        let (format, objects, shallow, prefix) = (line(), line(), line(), line());
        // Paths are relative to the folder.
        let place = |path: &str| path::absolute(folder.join(path)).map_err(GitError::Run);
        Ok(Repository {
            folder: folder.to_owned(),
            own: empty(format).map_err(GitError::Run)?,
            objects: place(objects)?,
            shallow: place(shallow)?,
            prefix: prefix.to_owned(),
        })
    }

    /// The id of the commit that a revision is, such as `HEAD`, `main` or `v1.2`.
    ///
    /// # Errors
    /// If there is no such commit.
    pub fn commit(&self, revision: &str) -> Result<String, GitError> {
        let commit = format!("{revision}^{{commit}}");
        let said = looked_up(&self.folder, ["--verify", "--quiet", &commit])?;
        Ok(said.trim().to_owned())
    }

    /// The commits up to one that changed a file of the folder, the newest first, so many at most.
    ///
    /// # Errors
    /// If git gives no answer.
    pub fn history(&self, commit: &str, name: &str, most: usize) -> Result<Vec<Commit>, GitError> {
        let listed = self.ask(
            [
                "log",
                &format!("--max-count={most}"),
                "--format=%H%x1f%aI%x1f%an%x1f%s%x1e",
                commit,
                "--",
                &self.place(name),
            ],
            Vec::new(),
        )?;
        let listed = String::from_utf8_lossy(&listed);
        let commits = listed.split('\u{1e}').filter_map(|line| {
            let mut parts = line.trim().split('\u{1f}').map(str::to_owned);
            Some(Commit {
                id: parts.next().filter(|id| !id.is_empty())?,
                when: parts.next()?,
                author: parts.next()?,
                subject: parts.next()?,
            })
        });
        Ok(commits.collect())
    }

    /// A file of the folder as it was at a commit.
    ///
    /// # Errors
    /// If there was none.
    pub fn read(&self, commit: &str, name: &str) -> Result<Vec<u8>, GitError> {
        let blob = format!("{commit}:{}", self.place(name));
        self.ask(["cat-file", "blob", &blob], Vec::new())
    }

    /// All files below the folder as they were at a commit, by their names.
    ///
    /// # Errors
    /// If git gives no answer.
    pub fn files(&self, commit: &str) -> Result<BTreeMap<String, Blob>, GitError> {
        let mut args = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
        if !self.prefix.is_empty() {
            args.extend(["--", &self.prefix]);
        }
        let listed = self.ask(args, Vec::new())?;
        let listed = listed.split(|byte| *byte == 0);
        let files = listed.filter_map(|entry| {
            let entry = String::from_utf8_lossy(entry);
            let (about, path) = entry.split_once('\t')?;
            let mut about = about.split(' ');
            let (mode, kind, id) = (about.next()?, about.next()?, about.next()?);
            let name = path.strip_prefix(&self.prefix)?;
            let blob = Blob {
                id: id.to_owned(),
                is_link: mode == "120000",
            };
            (kind == "blob").then(|| (name.to_owned(), blob))
        });
        Ok(files.collect())
    }

    /// The content of blobs by their ids, all at once.
    ///
    /// # Errors
    /// If one of them is not there, as in a clone that fetches what it needs, or git gives no answer.
    pub fn contents<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<Vec<Vec<u8>>, GitError> {
        let ids: Vec<&str> = ids.into_iter().collect();
        let asked = ids.iter().flat_map(|id| [id, "\n"]).collect::<String>();
        let said = self.ask(["cat-file", "--batch"], asked.into_bytes())?;
        let mut said = said.as_slice();
        let read = ids.iter().map(|id| {
            let refused = || GitError::Refused(format!("{id} is missing here"));
            let mut head = String::new();
            said.read_line(&mut head).map_err(|_| refused())?;
            let length = head.trim_end().rsplit_once(" blob ");
            let length = length.and_then(|(_, length)| length.parse::<usize>().ok());
            let content = length.and_then(|length| said.split_at_checked(length));
            let (content, rest) = content.ok_or_else(refused)?;
            said = rest.strip_prefix(b"\n").unwrap_or(rest);
            Ok(content.to_vec())
        });
        read.collect()
    }

    /// The path of a file in the repository.
    fn place(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The answer of the empty repository.
    fn ask<'a>(
        &self,
        args: impl IntoIterator<Item = &'a str>,
        input: Vec<u8>,
    ) -> Result<Vec<u8>, GitError> {
        let own = self.own.path();
        let mut git = git(|_| false);
        git.args(args)
            .env("GIT_DIR", own)
            .env("GIT_OBJECT_DIRECTORY", &self.objects)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", own.join("config"))
            // Where a git that does not know the line above looks.
            .env("HOME", own)
            .env("XDG_CONFIG_HOME", own)
            .env("GIT_LITERAL_PATHSPECS", "1");
        if self.shallow.is_file() {
            git.env("GIT_SHALLOW_FILE", &self.shallow);
        }
        run(git, input)
    }
}

/// An empty repository, for objects of that format.
fn empty(format: &str) -> io::Result<TempDir> {
    let own = tempfile::Builder::new().prefix("bt-git-").tempdir()?;
    let config = match format {
        "" | "sha1" => "[core]\n\trepositoryformatversion = 0\n\tbare = true\n".to_owned(),
        other => format!(
            "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = {other}\n"
        ),
    };
    fs::write(own.path().join("config"), config)?;
    fs::write(own.path().join("HEAD"), "ref: refs/heads/none\n")?;
    fs::create_dir(own.path().join("refs"))?;
    Ok(own)
}

/// The answer of `git rev-parse` in a folder.
fn looked_up<'a>(
    folder: &Path,
    args: impl IntoIterator<Item = &'a str>,
) -> Result<String, GitError> {
    let mut git = git(|name| KEPT.iter().any(|kept| name.starts_with(kept)));
    git.arg("-C").arg(folder).arg("rev-parse").args(args);
    let said = run(git, Vec::new())?;
    String::from_utf8(said).map_err(|_| GitError::Refused("a path is not UTF-8".to_owned()))
}

/// Git, without the variables that are not kept. What is missing is not fetched, by two ways: old versions know the
/// second one alone.
fn git(kept: impl Fn(&str) -> bool) -> Command {
    let mut git = Command::new("git");
    for (name, _) in env::vars_os() {
        let is_gits = |name: &str| name.to_ascii_uppercase().starts_with("GIT_") && !kept(name);
        if name.to_str().is_some_and(is_gits) {
            git.env_remove(&name);
        }
    }
    git.env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_PAGER", OsStr::new("cat"));
    git
}

/// The output of git.
fn run(mut git: Command, input: Vec<u8>) -> Result<Vec<u8>, GitError> {
    let mut child = git
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(GitError::Run)?;
    let read = streams(&mut child, input);
    if matches!(read, Err(_) | Ok((None, _))) {
        // It may have ended by itself meanwhile.
        _ = child.kill();
    }
    let status = child.wait().map_err(GitError::Run)?;
    match read? {
        (None, _) => Err(GitError::Long),
        (Some(said), _) if status.success() => Ok(said),
        (Some(_), why) => {
            let why = String::from_utf8_lossy(&why);
            let why = why.lines().next().unwrap_or_default().trim();
            Err(GitError::Refused(why.to_owned()))
        }
    }
}

/// The output of a program, unless that is too long, and what it says of errors. It gets an input meanwhile.
fn streams(child: &mut Child, input: Vec<u8>) -> Result<(Option<Vec<u8>>, Vec<u8>), GitError> {
    let (send, receive) = channel();
    let (stdin, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // One that reads no further says why.
            _ = stdin.write_all(&input);
        }
    });
    let said_of_errors = thread::spawn(move || {
        let mut why = Vec::new();
        if let Some(mut err) = err {
            _ = err.by_ref().take(10_000).read_to_end(&mut why);
            _ = io::copy(&mut err, &mut io::sink());
        }
        why
    });
    thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(out) = out {
            _ = out.take(MOST + 1).read_to_end(&mut said);
        }
        let said = (said.len() as u64 <= MOST).then_some(said);
        // Who waited may have given up.
        _ = match said {
            None => send.send((None, Vec::new())),
            said => send.send((said, said_of_errors.join().unwrap_or_default())),
        };
    });
    receive.recv_timeout(TIMEOUT).map_err(|_| GitError::Late)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed(format: &str) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let run = |args: &[&str]| {
            let mut git = Command::new("git");
            git.arg("-C").arg(dir.path());
            git.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
            let done = git.args(args).output().unwrap();
            assert!(done.status.success(), "{done:?}");
        };
        run(&["init", "--quiet", &format!("--object-format={format}")]);
        fs::create_dir_all(dir.path().join("a/b")).unwrap();
        fs::write(dir.path().join("a/b/ü.json"), "one").unwrap();
        fs::write(dir.path().join("beside.json"), "beside").unwrap();
        run(&["add", "."]);
        run(&["commit", "--quiet", "-m", "First"]);
        fs::write(dir.path().join("a/b/ü.json"), "").unwrap();
        run(&["commit", "--quiet", "--all", "-m", "Second"]);
        dir
    }

    #[test]
    fn repositories_of_both_formats_are_read() {
        for format in ["sha1", "sha256"] {
            let dir = committed(format);
            let repository = Repository::at(&dir.path().join("a")).unwrap();
            let (now, then) = (
                repository.commit("HEAD").unwrap(),
                repository.commit("HEAD~1").unwrap(),
            );
            let history = repository.history(&now, "b/ü.json", 9).unwrap();
            let subjects: Vec<_> = history.iter().map(|one| one.subject.as_str()).collect();
            assert_eq!(subjects, ["Second", "First"], "{format}");
            assert_eq!(repository.history(&now, "b/ü.json", 1).unwrap().len(), 1);
            assert_eq!(repository.read(&then, "b/ü.json").unwrap(), b"one");
            let files = repository.files(&then).unwrap();
            assert_eq!(files.keys().collect::<Vec<_>>(), ["b/ü.json"]);
            let after = repository.files(&now).unwrap();
            let ids = files.values().chain(after.values()).chain(files.values());
            let contents = repository.contents(ids.map(|blob| blob.id.as_str()));
            assert_eq!(contents.unwrap(), [b"one".as_slice(), b"", b"one"]);
            let missing = repository.contents(["0000000"]).unwrap_err();
            assert_eq!(missing.to_string(), "git says: 0000000 is missing here");
            let unknown = repository.commit("nothing").unwrap_err();
            assert_eq!(unknown.to_string(), "git says: ");
        }
    }

    #[test]
    fn a_folder_in_no_repository_is_refused_in_gits_words() {
        let dir = tempfile::tempdir().unwrap();
        let error = Repository::at(dir.path()).unwrap_err().to_string();
        assert!(error.contains("not a git repository"), "{error}");
    }
}
