//! The version against what changed in the public API since the last release: a tag `v1.2.3`.

use std::collections::BTreeSet;
use std::fmt;
use std::process::Command;

use crate::api;

/// A version of three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u64; 3]);

impl Version {
    fn read(text: &str) -> Option<Version> {
        let mut numbers = text.trim().split('.').map(|number| number.parse().ok());
        let version = Version([numbers.next()??, numbers.next()??, numbers.next()??]);
        numbers.next().is_none().then_some(version)
    }

    /// The part that changes where something breaks, and all above it: before 1.0 the second.
    fn compatible(self) -> [u64; 2] {
        let Version([major, minor, _]) = self;
        [major, if major == 0 { minor } else { 0 }]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Version([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

/// Compares the listings with those of the last tag.
pub(crate) fn check() -> Result<(), String> {
    let now = Version::read(env!("CARGO_PKG_VERSION")).ok_or("the version is not `1.2.3`\n")?;
    let tags = git(&["tag", "--list", "v*"]).unwrap_or_default();
    let versions = tags.lines().filter_map(|tag| Version::read(&tag[1..]));
    let Some(released) = versions.max() else {
        eprintln!(
            "semver: no tag such as `v{now}` says what was released last: nothing to compare"
        );
        return Ok(());
    };
    let (mut gone, mut added) = (Vec::new(), 0);
    for listing in api::listings(&crate::root()) {
        let old = git(&["show", &format!("v{released}:{}", listing.file)]).unwrap_or_default();
        let old: BTreeSet<String> = old.lines().map(str::to_owned).collect();
        gone.extend(old.difference(&listing.lines).cloned());
        added += listing.lines.difference(&old).count();
    }
    verdict(released, now, &gone, added)
}

/// Reports a version that is too low for what is gone, or was added.
fn verdict(released: Version, now: Version, gone: &[String], added: usize) -> Result<(), String> {
    let breaks = !gone.is_empty() && now.compatible() == released.compatible();
    let adds = added > 0 && now <= released;
    if now >= released && !breaks && !adds {
        return Ok(());
    }
    let Version([major, minor, patch]) = released;
    let least = match (gone.is_empty(), major) {
        (false, 0) => Version([0, minor + 1, 0]),
        (false, _) => Version([major + 1, 0, 0]),
        (true, _) => Version([major, minor, patch + 1]),
    };
    let gone: String = gone
        .iter()
        .map(|line| format!("  gone: {line}\n"))
        .collect();
    Err(format!(
        "semver: since {released} the public API lost what is listed below and got {added} lines: the version is \
         {now}, and has to be {least} at least, in `[workspace.package]`; say in CHANGELOG.md how to migrate\n{gone}"
    ))
}

fn git(arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    let output = git
        .args(arguments)
        .current_dir(crate::root())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(released: &str, now: &str, gone: &[&str], added: usize) -> Option<String> {
        let gone: Vec<_> = gone.iter().map(|&line| line.to_owned()).collect();
        let [released, now] = [released, now].map(|text| Version::read(text).unwrap());
        verdict(released, now, &gone, added).err()
    }

    #[test]
    fn version_rises_with_what_is_gone_or_new() {
        for (released, now, gone, added, least) in [
            ("0.1.0", "0.1.0", 0, 0, None),
            ("0.1.0", "0.1.0", 0, 3, Some("0.1.1")),
            ("0.1.0", "0.1.1", 0, 3, None),
            ("0.1.4", "0.1.5", 1, 0, Some("0.2.0")),
            ("0.1.4", "0.2.0", 1, 9, None),
            ("1.2.0", "1.3.0", 1, 0, Some("2.0.0")),
            ("1.2.0", "2.0.0", 1, 0, None),
            ("1.2.0", "1.1.0", 0, 0, Some("1.2.1")),
        ] {
            let gone = &["pub fn bt_core::bark()"][..gone];
            let said = judged(released, now, gone, added);
            let expected = least.map(|least| format!("and has to be {least} at least"));
            match (&said, &expected) {
                (None, None) => {}
                (Some(said), Some(expected)) => {
                    assert!(said.contains(expected), "{released} {now}: {said}");
                    assert!(gone.iter().all(|line| said.contains(line)), "{said}");
                }
                (Some(_), None) | (None, Some(_)) => panic!("{released} {now}: {said:?}"),
            }
        }
        assert_eq!(Version::read("1.2"), None);
        assert_eq!(Version::read("1.2.3-beta"), None);
    }
}
