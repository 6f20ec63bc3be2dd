use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::*;

/// A folder that is open, and one beside it that nobody opened.
fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let (open, aside) = (dir.path().join("open"), dir.path().join("aside"));
    fs::create_dir_all(open.join("town")).unwrap();
    fs::create_dir_all(&aside).unwrap();
    fs::write(aside.join("a.json"), "secret").unwrap();
    (dir, open, aside)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn file_is_written_whole_with_the_folders_on_its_way() {
    let (_dir, open, _) = folders();
    let place = Place::new(&open, "town/deep/a.json");
    assert!(matches!(place.read(9), Err(Refusal::Missing)));
    place.write(b"one").unwrap();
    place.write(b"other").unwrap();
    assert_eq!(place.read(9).unwrap(), b"other");
    assert_eq!(names(&open.join("town/deep")), ["a.json"]);
    let before = place.modified().unwrap();
    place.write(b"other").unwrap();
    assert_eq!(place.modified().unwrap(), before);
    place.rename(&Place::new(&open, "new/b.json")).unwrap();
    assert_eq!(names(&open.join("new")), ["b.json"]);
    let taken = Place::new(&open, "new/b.json").rename(&place.beside("c.json"));
    assert!(taken.is_ok());
    place.write(b"again").unwrap();
    let taken = place.rename(&place.beside("c.json")).unwrap_err();
    assert!(matches!(taken, Refusal::Taken));
}

#[test]
fn file_that_comes_meanwhile_is_not_replaced() {
    let (_dir, open, _) = folders();
    let place = Place::new(&open, "a.json");
    let staged = place.stage(b"own").unwrap();
    fs::write(place.path(), "theirs").unwrap();
    assert!(matches!(staged.put(), Err(Refusal::Taken)));
    assert_eq!(place.read(9).unwrap(), b"theirs");
    assert_eq!(names(&open), ["a.json", "town"]);
}

#[test]
fn full_disk_leaves_the_old_file_and_nothing_else() {
    let (_dir, open, _) = folders();
    let place = Place::new(&open, "a.json");
    place.write(b"old").unwrap();
    let (staged, mut file) = place.begin().unwrap();
    file.write_all(b"ne").unwrap();
    drop((file, staged));
    assert_eq!(place.read(9).unwrap(), b"old");
    assert_eq!(names(&open), ["a.json", "town"]);
    let full = Refusal::from(io::Error::from(io::ErrorKind::StorageFull));
    let said = full.not_written("a.json");
    assert!(said.ends_with("what is on the disk is as it was"), "{said}");
}

#[test]
fn read_only_file_is_refused() {
    let (_dir, open, _) = folders();
    let place = Place::new(&open, "a.json");
    place.write(b"old").unwrap();
    let mut permissions = fs::metadata(place.path()).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(place.path(), permissions).unwrap();
    assert!(place.look().unwrap().read_only);
    let refused = place.write(b"new").unwrap_err();
    assert!(matches!(refused, Refusal::ReadOnly));
    assert!(matches!(
        place.rename(&place.beside("b.json")),
        Err(Refusal::ReadOnly)
    ));
    // What it says already it may be told to say.
    place.write(b"old").unwrap();
    assert_eq!(names(&open), ["a.json", "town"]);
}

#[cfg(unix)]
#[test]
fn mode_of_a_file_stays() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_dir, open, _) = folders();
    let place = Place::new(&open, "a.json");
    place.write(b"old").unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o640)).unwrap();
    place.write(b"new").unwrap();
    let mode = fs::metadata(place.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn links_pipes_and_devices_are_refused() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let (_dir, open, aside) = folders();
    symlink(aside.join("a.json"), open.join("link.json")).unwrap();
    symlink("/dev/zero", open.join("zero.json")).unwrap();
    symlink(&aside, open.join("way")).unwrap();
    symlink("town", open.join("inside")).unwrap();
    fs::create_dir(open.join("folder.json")).unwrap();
    let pipe = Command::new("mkfifo").arg(open.join("pipe.json")).status();
    assert!(pipe.unwrap().success());
    let _socket = UnixListener::bind(open.join("socket.json")).unwrap();
    for (name, why) in [
        ("link.json", "`link.json` is a link"),
        ("zero.json", "`zero.json` is a link"),
        ("way/a.json", "`way` is a link"),
        ("way/new.json", "`way` is a link"),
        ("inside/new.json", "`inside` is a link"),
        ("folder.json", "it is a folder"),
        ("pipe.json", "it is a pipe"),
        ("socket.json", "it is a socket"),
        ("pipe.json/a.json", "`pipe.json` is no folder"),
        ("../aside/a.json", "`..` is no folder"),
    ] {
        let place = Place::new(&open, name);
        let said = [
            place.read(9).map(drop),
            place.write(b"new"),
            place.look().map(drop),
            place.rename(&Place::new(&open, "other.json")),
        ];
        for said in said {
            let said = said.expect_err(name).to_string();
            assert!(said.contains(why), "{name}: {said}");
        }
    }
    let device = Place::new("/dev", "zero");
    let said = device.read(9).unwrap_err().to_string();
    assert!(said.contains("it is a device"), "{said}");
    assert!(matches!(device.write(b"x"), Err(Refusal::NoFile(_))));
    assert_eq!(fs::read(aside.join("a.json")).unwrap(), b"secret");
    assert_eq!(names(&aside), ["a.json"]);
    // The folder itself may be swapped as well.
    fs::rename(&open, open.with_extension("old")).unwrap();
    symlink(&aside, &open).unwrap();
    let said = Place::new(&open, "a.json").read(9).unwrap_err().to_string();
    assert!(said.contains("`open` is a link"), "{said}");
}

/// A file and a folder are swapped for links again and again, while files are read and written.
#[cfg(unix)]
#[test]
fn what_is_swapped_for_a_link_meanwhile_leads_nowhere() {
    use std::os::unix::fs::symlink;
    let (dir, open, aside) = folders();
    let ends = AtomicBool::new(false);
    let (spare, link) = (dir.path().join("spare"), dir.path().join("link"));
    symlink(&aside, &link).unwrap();
    symlink(aside.join("a.json"), dir.path().join("file-link")).unwrap();
    fs::write(open.join("town/a.json"), "own").unwrap();
    let (written, read) = thread::scope(|scope| {
        let (open, ends, spare, link) = (&open, &ends, &spare, &link);
        let from = dir.path();
        scope.spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                // The folder is a link for a moment, and so is a file.
                let town = open.join("town");
                _ = fs::rename(&town, spare);
                _ = fs::rename(link, &town);
                _ = fs::rename(&town, link);
                _ = fs::rename(spare, &town);
                _ = fs::hard_link(from.join("file-link"), town.join("new-link"));
                _ = fs::rename(town.join("new-link"), town.join("a.json"));
            }
        });
        let (mut written, mut read) = (0, 0);
        // On a busy machine the other thread is slow to open a gap.
        for round in 0..1_000_000 {
            if round >= 4_000 && written > 10 && read > 0 {
                break;
            }
            let place = Place::new(open, "town/a.json");
            written += usize::from(place.write(format!("{round}").as_bytes()).is_ok());
            if let Ok(bytes) = place.read(99) {
                assert_ne!(bytes, b"secret");
                read += 1;
            }
            // Where a link lies the next rounds write nothing.
            _ = place.remove();
        }
        ends.store(true, Ordering::Relaxed);
        (written, read)
    });
    assert_eq!(fs::read(aside.join("a.json")).unwrap(), b"secret");
    assert_eq!(names(&aside), ["a.json"]);
    // The writer came through in between.
    assert!(written > 10 && read > 0, "{written} {read}");
}

#[test]
fn file_that_is_too_large_or_grows_is_refused() {
    let (_dir, open, _) = folders();
    let place = Place::new(&open, "a.json");
    let file = fs::File::create(place.path()).unwrap();
    file.set_len(1 << 40).unwrap();
    assert!(matches!(place.read(1 << 20), Err(Refusal::Large(_))));
    file.set_len(0).unwrap();
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = &file;
            while !ends.load(Ordering::Relaxed) {
                file.write_all(&[b'x'; 1 << 16]).unwrap();
                if file.metadata().unwrap().len() > 1 << 26 {
                    file.set_len(0).unwrap();
                }
            }
        });
        for _ in 0..200 {
            let read = place.read(1 << 20);
            assert!(read.is_err() || read.is_ok_and(|bytes| bytes.len() <= 1 << 20));
        }
        ends.store(true, Ordering::Relaxed);
    });
}

#[test]
fn walk_passes_over_what_is_too_deep_or_too_much() {
    let (_dir, open, _) = folders();
    let deep: PathBuf = std::iter::repeat_n("d", 60).collect();
    fs::create_dir_all(open.join(&deep)).unwrap();
    for name in [
        "a.json",
        "town/b.json",
        "d/c.json",
        ".hidden.json",
        "d/x.txt",
    ] {
        fs::write(open.join(name), "{}").unwrap();
    }
    fs::write(open.join(&deep).join("deep.json"), "{}").unwrap();
    let found = walk(&open, &|name| name.ends_with(".json"), false);
    assert_eq!(found.files, ["a.json", "d/c.json", "town/b.json"]);
    let said = found.passed.in_words().unwrap();
    assert!(said.contains("more than 32 folders deep"), "{said}");
    let mut passed = Passed::default();
    for at in 0..5 {
        passed.add(format!("`{at}`"));
    }
    let said = passed.in_words().unwrap();
    assert_eq!(said, "not shown: `0`; `1`; `2`; and 2 more");
}

#[cfg(unix)]
#[test]
fn walk_follows_no_link_and_says_so() {
    use std::os::unix::fs::symlink;
    let (_dir, open, aside) = folders();
    symlink(&open, open.join("loop")).unwrap();
    symlink(aside.join("a.json"), open.join("link.json")).unwrap();
    let pipe = Command::new("mkfifo").arg(open.join("pipe.json")).status();
    assert!(pipe.unwrap().success());
    let found = walk(&open, &|name| name.ends_with(".json"), false);
    assert_eq!(found.files, [""; 0]);
    let said = found.passed.in_words().unwrap();
    for part in [
        "`loop` is a link",
        "`link.json` is a link",
        "`pipe.json` is a pipe",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn what_a_killed_studio_left_is_removed_when_it_is_old() {
    let (_dir, open, _) = folders();
    let (old, new) = (".bt-studio-0123.tmp", ".bt-studio-4567.tmp");
    for name in [old, new, ".bt-studio.json"] {
        fs::write(open.join(name), "half").unwrap();
    }
    let hour = SystemTime::now() - Duration::from_secs(3_600);
    for name in [old, ".bt-studio.json"] {
        let file = fs::File::options().write(true).open(open.join(name));
        file.unwrap().set_modified(hour).unwrap();
    }
    walk(&open, &|_| true, false);
    assert_eq!(names(&open).len(), 4);
    walk(&open, &|_| true, true);
    assert_eq!(names(&open), [new, ".bt-studio.json", "town"]);
}

#[test]
fn sweep_keeps_the_newest_files() {
    let (_dir, open, _) = folders();
    for age in 0..6 {
        let path = open.join(format!("{age}.json"));
        fs::write(&path, [b'x'; 10]).unwrap();
        let file = fs::File::options().write(true).open(path).unwrap();
        let then = SystemTime::now() - Duration::from_secs(60 * age);
        file.set_modified(then).unwrap();
    }
    sweep(&open, 4, 1_000).unwrap();
    assert_eq!(
        names(&open),
        ["0.json", "1.json", "2.json", "3.json", "town"]
    );
    sweep(&open, 4, 25).unwrap();
    assert_eq!(names(&open), ["0.json", "1.json", "town"]);
}

/// All code of the studio and of the assistants' server goes through the door.
#[test]
fn nobody_else_touches_files() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![own.join("../bt-studio/src"), own.join("src/mcp")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for word in [
                "fs::",
                "use std::fs;",
                "File::open",
                "OpenOptions",
                ".is_file()",
                ".is_dir()",
                ".exists()",
                "canonicalize(",
                "write_one",
                "Command::new",
            ] {
                let own = "use std::fs::File;";
                let found = code.replace(own, "").contains(word);
                assert!(!found, "{}: `{word}` belongs to the door", path.display());
            }
        }
    }
}
