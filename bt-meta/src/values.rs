//! Keys, properties and expressions over them, as an agent's picture has them.

use bt_core::expression::{Expr, Form, Mistake, Target, evaluate, parse};
use bt_live::protocol::types::AgentPicture;
use serde_json::Value;

use crate::error::did_you_mean;

/// So many operands of an expression are shown.
const OPERANDS: usize = 100;

/// A value, or the mistake that there is in place of it.
pub type Valued = Result<Value, String>;

/// Evaluates a key's name, an `@property` or an expression over both, such as `$hp < 0.3 * @max_hp`. A tree's own keys
/// are those of the run that is given, or of the innermost node that is active.
///
/// # Errors
/// The mistake with its column, and the nearest name of one that the picture has not.
pub fn evaluated(text: &str, picture: &AgentPicture, run: Option<u32>) -> Valued {
    let named = match text.strip_prefix('@') {
        Some(property) => picture.properties.get(property),
        None => picture.blackboard.get(text),
    };
    if let Some(value) = named {
        return Ok(value.clone());
    }
    let is_name = |name: &str| {
        name.chars()
            .all(|it| it.is_alphanumeric() || "_@".contains(it))
    };
    if !text.starts_with('@') && !text.starts_with(|it: char| it.is_ascii_digit()) && is_name(text)
    {
        let text: String = text.chars().take(60).collect();
        let why = format!("there is no key `{text}`");
        return Err(with_near(why, &Target::Key(text), picture));
    }
    let over = Over::new(text, picture, run);
    over.value(&parse(text).map_err(|mistake| over.said(&mistake))?)
}

/// The operands of an expression with their values, from left to right, each text once: what a key, a property, a
/// call or an operator comes to. Literals and the whole expression are left out, and so is all of a text that cannot be
/// read. There are at most 100.
pub fn operands(text: &str, picture: &AgentPicture, run: Option<u32>) -> Vec<(String, Valued)> {
    let over = Over::new(text, picture, run);
    let mut all: Vec<(String, Valued)> = Vec::new();
    let Ok(expr) = parse(text) else {
        return all;
    };
    let mut left: Vec<&Expr> = vec![&expr];
    while let Some(part) = left.pop()
        && all.len() < OPERANDS
    {
        let written = part.at.of(text);
        let is_whole = part.at == expr.at;
        let is_known = all.iter().any(|(known, _)| known == written);
        if !is_whole && !is_known && !matches!(part.form, Form::Literal(_)) {
            all.push((written.to_owned(), over.value(part)));
        }
        let mut inside = Vec::new();
        part.parts(&mut |part| inside.push(part));
        // Of `$pos.x` the value of `x` is wanted, and not all of `pos`.
        if !matches!(part.form, Form::Field(..)) {
            left.extend(inside.into_iter().rev());
        }
    }
    all
}

/// An expression, the picture over which it is evaluated, and the run whose own keys it sees.
struct Over<'a> {
    text: &'a str,
    picture: &'a AgentPicture,
    run: Option<u32>,
}

impl<'a> Over<'a> {
    fn new(text: &'a str, picture: &'a AgentPicture, run: Option<u32>) -> Over<'a> {
        let run = run.or_else(|| picture.active.last().map(|node| node.run));
        Over { text, picture, run }
    }

    fn found(&self, target: &Target) -> Option<Value> {
        let Over { picture, run, .. } = self;
        match target {
            Target::Key(key) => {
                let own = run.and_then(|run| picture.blackboard.get(&format!("{key}@{run}")));
                own.or_else(|| picture.blackboard.get(key)).cloned()
            }
            Target::Property(property) => picture.properties.get(property).cloned(),
        }
    }

    /// The value of the expression, or of a part of it.
    fn value(&self, part: &Expr) -> Valued {
        if let Some(cut) = cut(part.at.of(self.text), self.picture, self.run) {
            return Err(format!(
                "`{cut}` is too large for the picture of an agent, and has no whole value here"
            ));
        }
        evaluate(part, &|target| self.found(target)).map_err(|mistake| self.said(&mistake))
    }

    /// A mistake with its column, and the nearest name where one is unset.
    fn said(&self, mistake: &Mistake) -> String {
        let (part, place) = (mistake.at.of(self.text), mistake.at.words(self.text));
        let part: String = part.chars().take(60).collect();
        let why = format!("`{part}`, {place}: {}", mistake.message);
        let target = Target::read(mistake.at.of(self.text));
        match target.filter(|target| self.found(target).is_none()) {
            Some(target) => with_near(why, &target, self.picture),
            None if mistake.help.is_empty() => why,
            None => format!("{why}; {}", mistake.help),
        }
    }
}

/// The first name in an expression of which the picture has a part only.
fn cut(text: &str, picture: &AgentPicture, run: Option<u32>) -> Option<String> {
    use bt_core::expression::{Named, names};
    let at = |part: &str, name: &str| {
        let name = name.replace('~', "~0").replace('/', "~1");
        format!("/{part}/{name}")
    };
    let is_cut = |at: String| {
        let inside = format!("{at}/");
        let mut cuts = picture.cut.iter();
        cuts.any(|cut| cut.at == at || cut.at.starts_with(&inside))
    };
    let mut all = names(text).into_iter();
    all.find_map(|(named, name, _)| match named {
        Named::Key => {
            let own = run.map(|run| at("blackboard", &format!("{name}@{run}")));
            let is_cut = own.is_some_and(is_cut) || is_cut(at("blackboard", &name));
            is_cut.then(|| format!("${name}"))
        }
        Named::Property => is_cut(at("properties", &name)).then(|| format!("@{name}")),
        Named::Method => None,
    })
}

/// The message with the nearest name that the picture has.
fn with_near(why: String, target: &Target, picture: &AgentPicture) -> String {
    let near = match target {
        Target::Key(key) => {
            let keys = picture.blackboard.keys();
            did_you_mean(key, keys.map(|key| key.split('@').next().unwrap_or(key)))
        }
        Target::Property(property) => {
            did_you_mean(property, picture.properties.keys().map(String::as_str))
        }
    };
    near.map_or_else(|| why.clone(), |near| format!("{why}; {near}"))
}

#[cfg(test)]
mod tests {
    use bt_live::protocol::types::{ActiveNode, Cut};
    use serde_json::json;

    use super::*;

    fn picture() -> AgentPicture {
        let keys = json!({ "hp": 12, "name": "Bo", "spot@1": 1, "spot@2": 2, "list": [1] });
        let properties = json!({ "max_hp": 80 });
        let read = |value: Value| serde_json::from_value(value).unwrap();
        AgentPicture {
            blackboard: read(keys),
            properties: read(properties),
            active: vec![ActiveNode {
                run: 2,
                ..ActiveNode::default()
            }],
            cut: vec![Cut {
                at: "/blackboard/list".to_owned(),
                missing: 5,
            }],
            ..AgentPicture::default()
        }
    }

    #[test]
    fn names_and_expressions_have_the_values_of_the_picture() {
        let value = |text| evaluated(text, &picture(), None).unwrap();
        assert_eq!(value("hp"), 12);
        assert_eq!(value("@max_hp"), 80);
        assert_eq!(value("$hp < 0.5 * @max_hp"), true);
        assert_eq!(value("$name + '!'"), "Bo!");
        assert_eq!(value("$nobody ?? 3"), 3);
        assert_eq!(value("7"), 7);
    }

    #[test]
    fn keys_of_a_running_tree_are_those_of_its_run() {
        let value = |run| evaluated("$spot", &picture(), run).unwrap();
        assert_eq!(value(Some(1)), 1);
        assert_eq!(value(None), 2);
        assert_eq!(evaluated("spot@1", &picture(), None).unwrap(), 1);
    }

    #[test]
    fn operands_of_an_expression_have_their_values() {
        let all = operands("$hp < 0.5 * @max_hp && sees($hp) || $hpp", &picture(), None);
        let all: Vec<String> = all
            .into_iter()
            .map(|(text, value)| match value {
                Ok(value) => format!("{text} = {value}"),
                Err(why) => format!("{text}: {why}"),
            })
            .collect();
        assert_eq!(
            all,
            [
                "$hp < 0.5 * @max_hp && sees($hp): `sees($hp)`, column 24: `sees` is not called here: only keys, \
                 properties and built-in functions have values",
                "$hp < 0.5 * @max_hp = true",
                "$hp = 12",
                "0.5 * @max_hp = 40.0",
                "@max_hp = 80",
                "sees($hp): `sees($hp)`, column 24: `sees` is not called here: only keys, properties and built-in \
                 functions have values",
                "$hpp: `$hpp`, column 37: it is unset; did you mean `hp`?",
            ]
        );
        assert_eq!(operands("$hp", &picture(), None), []);
        assert_eq!(operands("$hp <", &picture(), None), []);
    }

    #[test]
    fn mistakes_have_their_column_and_the_nearest_name() {
        let why = |text| evaluated(text, &picture(), None).unwrap_err();
        assert_eq!(why("hpp"), "there is no key `hpp`; did you mean `hp`?");
        assert_eq!(
            why("1 + $hpp"),
            "`$hpp`, column 5: it is unset; did you mean `hp`?"
        );
        assert_eq!(
            why("@maxhp"),
            "`@maxhp`, column 1: it is unset; did you mean `max_hp`?"
        );
        assert_eq!(
            why("$hp < $name"),
            "`$hp < $name`, column 1: `<` compares two numbers or two texts, found a number and text"
        );
        assert_eq!(
            why("sees($hp)"),
            "`sees($hp)`, column 1: `sees` is not called here: only keys, properties and built-in functions have values"
        );
        assert_eq!(
            why("len($list)"),
            "`$list` is too large for the picture of an agent, and has no whole value here"
        );
        assert!(why("$hp <").contains("column"), "{}", why("$hp <"));
    }
}
