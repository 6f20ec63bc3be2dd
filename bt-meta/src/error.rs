//! The errors of an export: those of the user's annotations, and those on the way to them.

use std::fmt::Display;

/// The reason why nothing, or not everything, was exported.
///
/// It is either a *finding*, which means that the work was done and something is wrong with what was
/// annotated or asked for, or a *failure*: the work could not be done.
#[derive(Debug, thiserror::Error)]
#[error("{}", messages.join("\n\n"))]
pub struct Error {
    finding: bool,
    messages: Vec<String>,
}

impl Error {
    /// Something is wrong with what was annotated.
    pub fn finding(message: impl Into<String>) -> Self {
        Self::findings(vec![message.into()])
    }

    /// Several things are wrong with what was annotated.
    pub fn findings(messages: Vec<String>) -> Self {
        Self {
            finding: true,
            messages,
        }
    }

    /// The work could not be done.
    pub fn failure(message: impl Into<String>) -> Self {
        Self {
            finding: false,
            messages: vec![message.into()],
        }
    }

    /// The same about a file, or what stands for one.
    pub(crate) fn in_file(mut self, file: &str) -> Self {
        for message in &mut self.messages {
            *message = format!("{file}: {message}");
        }
        self
    }

    /// Returns true if the annotations are at fault, not the way here.
    pub fn is_finding(&self) -> bool {
        self.finding
    }

    /// The exit code of the process: 1 for a finding, 2 for a failure.
    pub fn exit_code(&self) -> u8 {
        if self.finding { 1 } else { 2 }
    }

    /// One text for each thing that is wrong; never empty.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }
}

/// A name that is not there: the nearest that is, or the few that are.
pub(crate) fn did_you_mean<'a>(
    wanted: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    let near = |name: &&str| strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
    let best = known
        .iter()
        .copied()
        .max_by(|a, b| near(a).total_cmp(&near(b)))?;
    if near(&best) > 0.8 {
        return Some(format!("did you mean `{best}`?"));
    }
    match known.len() {
        1 => Some(format!("there is only {}", quoted(known))),
        2..=12 => Some(format!("there are {}", quoted(known))),
        _ => None,
    }
}

/// `` `a`, `b` and `c` ``
pub(crate) fn quoted<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| format!("`{item}`")).collect();
    match items.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 agent`, `2 agents`
pub(crate) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    match what.strip_suffix('y') {
        Some(stem) if number != 1 => format!("{number} {stem}ies"),
        _ => format!("{number} {what}{plural}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_lists_what_there_is() {
        let known = ["monster_agent", "player_agent"];
        assert_eq!(
            did_you_mean("monster_agnt", known).unwrap(),
            "did you mean `monster_agent`?"
        );
        assert_eq!(
            did_you_mean("xyz", known).unwrap(),
            "there are `monster_agent` and `player_agent`"
        );
        assert_eq!(did_you_mean("xyz", []), None);
    }

    #[test]
    fn counts_are_spelled_as_english_does() {
        assert_eq!(count(1, "property"), "1 property");
        assert_eq!(count(2, "property"), "2 properties");
        assert_eq!(count(0, "agent"), "0 agents");
    }
}
