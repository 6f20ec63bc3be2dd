//! A git repository whose configuration names programs wherever git has a place for one. Each leaves a mark.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs git as it is in a folder, with the user's own name.
fn git(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    git.args(["-c", "commit.gpgsign=false"]).args(args);
    git.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = git.stderr(Stdio::piped()).spawn().unwrap();
    // It may have ended without reading.
    _ = running.stdin.take().unwrap().write_all(input.as_bytes());
    running.wait_with_output().unwrap()
}

fn said(folder: &Path, args: &[&str], input: &str) -> String {
    let done = git(folder, args, input);
    assert!(done.status.success(), "{args:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// The marks of programs that ran.
pub(crate) struct Marks {
    folder: PathBuf,
    program: String,
}

impl Marks {
    /// The programs that ran since the last time.
    pub(crate) fn take(&self) -> Vec<String> {
        let mut all: Vec<String> = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        all.sort();
        for name in &all {
            fs::remove_file(self.folder.join(name)).unwrap();
        }
        all
    }

    /// A program that leaves a mark of that name.
    pub(crate) fn program(&self, name: &str) -> String {
        format!("{} {name}", self.program)
    }
}

/// Makes a repository of a folder. Its first commit has a blob that is not there, its second a signature, and the file
/// `touched` is not as it was.
pub(crate) fn arm(folder: &Path, aside: &Path, lost: &str, touched: &str) -> Marks {
    let marks = Marks {
        folder: aside.join("marks"),
        program: aside.join("leave").display().to_string(),
    };
    fs::create_dir_all(&marks.folder).unwrap();
    let script = format!(
        "#!/bin/sh\n: > '{}/'\"${{1##*/}}\"\n",
        marks.folder.display()
    );
    let script_of = |path: &Path, text: &str| {
        fs::write(path, text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    };
    script_of(&aside.join("leave"), &script);
    let hooks = aside.join("hooks");
    fs::create_dir_all(&hooks).unwrap();
    for hook in [
        "post-checkout",
        "post-index-change",
        "pre-auto-gc",
        "reference-transaction",
    ] {
        script_of(&hooks.join(hook), &script.replace("${1##*/}", hook));
    }

    said(folder, &["init", "--quiet"], "");
    fs::write(
        folder.join(".gitattributes"),
        "* diff=evil filter=evil merge=evil\n",
    )
    .unwrap();
    said(folder, &["add", "."], "");
    said(folder, &["commit", "--quiet", "-m", "First"], "");
    let blob = said(folder, &["rev-parse", &format!("HEAD:{lost}")], "");
    let text = fs::read_to_string(folder.join(lost)).unwrap();
    fs::write(folder.join(lost), format!("{text}\n")).unwrap();
    said(folder, &["commit", "--quiet", "--all", "-m", "Second"], "");
    let commit = said(folder, &["cat-file", "commit", "HEAD"], "");
    let signature =
        "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
    let signed = commit.replacen("\n\n", signature, 1) + "\n";
    let id = said(
        folder,
        &["hash-object", "-t", "commit", "-w", "--stdin"],
        &signed,
    );
    said(folder, &["update-ref", "HEAD", &id], "");
    let objects = folder.join(".git/objects");
    fs::remove_file(objects.join(&blob[..2]).join(&blob[2..])).unwrap();
    let text = fs::read_to_string(folder.join(touched)).unwrap();
    fs::write(folder.join(touched), format!("{text} ")).unwrap();

    let run = |name: &str| marks.program(name);
    let mut config = fs::read_to_string(folder.join(".git/config")).unwrap();
    config += &format!(
        "[core]\n\tfsmonitor = {}\n\tpager = {}\n\teditor = {}\n\tsshCommand = {}\n\taskPass = {}\n\tgitProxy = {}\n\
         \talternateRefsCommand = {}\n\thooksPath = {}\n\tattributesFile = {}\n",
        run("fsmonitor"),
        run("pager"),
        run("editor"),
        run("ssh"),
        run("askpass"),
        run("proxy"),
        run("alternates"),
        hooks.display(),
        folder.join(".gitattributes").display(),
    );
    config += &format!(
        "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {program}\n[gpg \"openpgp\"]\n\tprogram = {program}\n\
         [gpg \"ssh\"]\n\tprogram = {program}\n\tdefaultKeyCommand = {}\n[gpg \"x509\"]\n\tprogram = {program}\n",
        run("key"),
        program = marks.program,
    );
    config += &format!(
        "[diff]\n\texternal = {}\n\tguitool = evil\n[diff \"evil\"]\n\tcommand = {}\n\ttextconv = {}\n\
         [difftool \"evil\"]\n\tcmd = {}\n[filter \"evil\"]\n\tclean = {}\n\tsmudge = {}\n\tprocess = {}\n\trequired = true\n\
         [merge \"evil\"]\n\tdriver = {}\n[interactive]\n\tdiffFilter = {}\n[credential]\n\thelper = !{}\n",
        run("diff"),
        run("driver"),
        run("textconv"),
        run("tool"),
        run("clean"),
        run("smudge"),
        run("process"),
        run("merge"),
        run("interactive"),
        run("credential"),
    );
    for name in [
        "log",
        "show",
        "diff",
        "rev-parse",
        "cat-file",
        "ls-tree",
        "rev-list",
    ] {
        let (pager, alias) = (run("pager-of"), run("alias"));
        config += &format!("[pager]\n\t{name} = {pager}\n[alias]\n\t{name} = !{alias}\n");
    }
    config += &format!(
        "[extensions]\n\tworktreeConfig = true\n\tpartialClone = near\n[remote \"near\"]\n\turl = file://{}\n\
         \tuploadpack = {}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[remote \"far\"]\n\turl = ssh://x/y\n\
         \tpromisor = true\n[remote \"odd\"]\n\turl = ext::{}\n\tpromisor = true\n[protocol \"ext\"]\n\tallow = always\n\
         [submodule \"sub\"]\n\tupdate = !{}\n[include]\n\tpath = included\n",
        folder.display(),
        run("uploadpack"),
        run("ext"),
        run("submodule"),
    );
    fs::write(
        folder.join(".git/config"),
        config.replacen(
            "repositoryformatversion = 0",
            "repositoryformatversion = 1",
            1,
        ),
    )
    .unwrap();
    let more = format!("[core]\n\tfsmonitor = {}\n", run("included-fsmonitor"));
    fs::write(folder.join(".git/included"), &more).unwrap();
    let more = more.replace("included", "worktree");
    fs::write(folder.join(".git/config.worktree"), more).unwrap();
    // The traps are armed: git as it is runs them.
    git(folder, &["log", "-1"], "");
    git(folder, &["diff", "HEAD"], "");
    git(folder, &["cat-file", "blob", &blob], "");
    let ran = marks.take().join(" ");
    for name in ["process", "uploadpack", "fsmonitor"] {
        assert!(ran.contains(name), "{name} did not run: {ran}");
    }
    // The program gets other arguments than a name.
    assert!(ran.contains("--"), "no signature was looked at: {ran}");
    #[cfg(unix)]
    {
        // Whoever reads it waits for ever.
        let pipe = Command::new("mkfifo").arg(folder.join(".mailmap")).status();
        assert!(pipe.unwrap().success());
    }
    marks
}
