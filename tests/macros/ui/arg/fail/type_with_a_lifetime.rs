use bt_core::prelude::*;

#[derive(Clone, serde::Deserialize, schemars::JsonSchema)]
struct Words<'a>(&'a str);

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn say(&self, words: Words<'_>) {
        let _ = words.0;
    }

    #[action]
    fn shout<'a>(&self, words: Option<Words<'a>>, again: &[Words<'a>]) {
        let _ = (words, again);
    }
}

fn main() {}
