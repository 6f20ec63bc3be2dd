//! Strings that keys hold: asked about, put together and measured.

use serde_json::Value;

use super::{ActionAgent, held};
use crate::prelude::*;
use crate::text::name;

/// A template with every `{key}` replaced by what the key holds; `{{` and `}}` are braces.
fn filled(cx: &Context, template: &str) -> Result<String, String> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        held::add_text(&mut out, &rest[..at])?;
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            held::add_text(&mut out, brace)?;
            rest = after;
        } else if brace == "{"
            && let Some((key, after)) = rest.split_once('}')
        {
            held::add_text(&mut out, &held::text(&*held::value(cx, key)?))?;
            rest = after;
        } else {
            return Err(format!(
                "template `{}` has a single `{brace}`: write `{{key}}`, or the brace twice",
                name(template)
            ));
        }
    }
    held::add_text(&mut out, rest)?;
    Ok(out)
}

#[agent]
impl ActionAgent {
    /// Append to a string.
    ///
    /// # Returns
    /// `true`, also if the key is not set, which starts a string; `false` with a reason if it holds
    /// anything else, or would get longer than a megabyte.
    #[action(category = "string")]
    fn string_append(
        cx: &mut Context,
        /// The key that holds the string.
        bb_key: &str,
        /// The text to append: a string as it is, any other value as JSON.
        value: &Value,
    ) -> Result<(), String> {
        held::grow_string(cx.blackboard(), bb_key, &held::text(value))
    }

    /// Store a string made from a template.
    ///
    /// # Returns
    /// `true`; `false` with a reason if a key in the template is not set, a brace stands alone, or it
    /// would be longer than a megabyte.
    #[action(category = "string")]
    fn string_format(
        cx: &mut Context,
        /// The text, with `{key}` where the value of a key goes: a string as it is, any other value
        /// as JSON. `{{` and `}}` are braces.
        template: &str,
        /// The key to store the string in.
        dest_bb_key: &str,
    ) -> Result<(), String> {
        let text = filled(cx, template)?;
        cx.set(dest_bb_key, text);
        Ok(())
    }

    /// Store the length of a string.
    ///
    /// # Returns
    /// `true`; `false` with a reason if the key is not set or holds no string.
    #[action(category = "string")]
    fn get_string_length(
        cx: &mut Context,
        /// The key that holds the string.
        string_bb_key: &str,
        /// The key to store its number of characters in.
        sz_bb_key: &str,
    ) -> Result<(), String> {
        let length = held::string(cx, string_bb_key)?.chars().count();
        cx.set(sz_bb_key, length);
        Ok(())
    }

    /// Does a string contain a text?
    ///
    /// # Returns
    /// Whether it does, letter case counting; `false` with a reason if the key is not set or holds
    /// no string.
    #[condition(category = "string")]
    fn string_contains(
        cx: &Context,
        /// The key that holds the string.
        bb_key: &str,
        /// The text to look for.
        text: &str,
    ) -> Result<bool, String> {
        Ok(held::string(cx, bb_key)?.contains(text))
    }

    /// Does a string start with a text?
    ///
    /// # Returns
    /// Whether it does, letter case counting; `false` with a reason if the key is not set or holds
    /// no string.
    #[condition(category = "string")]
    fn string_starts_with(
        cx: &Context,
        /// The key that holds the string.
        bb_key: &str,
        /// The text at its beginning.
        text: &str,
    ) -> Result<bool, String> {
        Ok(held::string(cx, bb_key)?.starts_with(text))
    }

    /// Does a string end with a text?
    ///
    /// # Returns
    /// Whether it does, letter case counting; `false` with a reason if the key is not set or holds
    /// no string.
    #[condition(category = "string")]
    fn string_ends_with(
        cx: &Context,
        /// The key that holds the string.
        bb_key: &str,
        /// The text at its end.
        text: &str,
    ) -> Result<bool, String> {
        Ok(held::string(cx, bb_key)?.ends_with(text))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::builtin::bench::{answers, does, fails};

    #[test]
    fn any_value_is_appended_and_starts_a_string() {
        does(
            json!({"s": "a"}),
            "string_append",
            json!(["s", "b"]),
            json!({"s": "ab"}),
        );
        does(
            json!({"s": "a"}),
            "string_append",
            json!(["s", [1, "b"]]),
            json!({"s": "a[1,\"b\"]"}),
        );
        does(
            json!({}),
            "string_append",
            json!(["s", 1.5]),
            json!({"s": "1.5"}),
        );
        fails(
            json!({"s": 1}),
            "string_append",
            json!(["s", "b"]),
            "holds a number",
        );
    }

    #[test]
    fn a_template_takes_the_values_of_keys() {
        let formats = |template: &str, expect: &str| {
            let board = json!({"who": "Bär", "hp": 7, "at": [1, 2]});
            let mut after = board.clone();
            after["to"] = json!(expect);
            does(board, "string_format", json!([template, "to"]), after);
        };
        formats("{who} has {hp} left at {at}.", "Bär has 7 left at [1,2].");
        formats("{{{hp}}} é", "{7} é");
        formats("", "");
        let args = |template: &str| json!([template, "to"]);
        fails(json!({}), "string_format", args("{hp}"), "`hp` is not set");
        for template in ["{hp", "hp}", "{{hp}", "a } b"] {
            fails(json!({"hp": 1}), "string_format", args(template), "single");
        }
    }

    #[test]
    fn a_length_counts_characters() {
        let args = json!(["s", "n"]);
        does(
            json!({"s": "é狼"}),
            "get_string_length",
            args.clone(),
            json!({"s": "é狼", "n": 2}),
        );
        fails(
            json!({"s": []}),
            "get_string_length",
            args.clone(),
            "holds an array",
        );
        fails(json!({}), "get_string_length", args, "not set");
    }

    #[test]
    fn string_conditions_test_parts() {
        for (condition, yes, no) in [
            ("string_contains", "ol", "Ol"),
            ("string_starts_with", "wo", "lf"),
            ("string_ends_with", "lf", "wo"),
        ] {
            for (text, answer) in [(yes, true), (no, false), ("", true)] {
                answers(json!({"s": "wolf"}), condition, json!(["s", text]), answer);
            }
            fails(json!({}), condition, json!(["s", yes]), "not set");
            fails(
                json!({"s": null}),
                condition,
                json!(["s", yes]),
                "holds null",
            );
        }
    }
}
