//! Graphviz's language, read as far as pictures use it.

use std::iter::Peekable;
use std::str::Chars;

/// The content of a picture.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Graph {
    /// The nodes, each with its label as it would be seen.
    pub(crate) nodes: Vec<(String, String)>,
    /// The edges from parent to child, in order.
    pub(crate) edges: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
    Arrow,
}

pub(crate) fn read(text: &str) -> Graph {
    let tokens = tokens(text);
    let mut graph = Graph::default();
    let mut depth = 0;
    let mut at = 0;
    let word = |at: usize| match tokens.get(at) {
        Some(Token::Word(word)) => Some(word.clone()),
        _ => None,
    };
    while at < tokens.len() {
        match (&tokens[at], tokens.get(at + 1)) {
            (Token::Sign('{'), _) => depth += 1,
            (Token::Sign('}'), _) => {
                depth -= 1;
                assert!(depth >= 0, "a brace too many");
            }
            (Token::Word(from), Some(Token::Arrow)) => {
                let to = word(at + 2).expect("an arrow leads to a name");
                let attributes = attributes(&tokens, at + 3);
                if attributes.0.is_empty() {
                    graph.edges.push((from.clone(), to));
                }
                at = attributes.1;
                continue;
            }
            (Token::Word(name), Some(Token::Sign('['))) => {
                let (attributes, end) = attributes(&tokens, at + 1);
                if let Some((_, label)) = attributes.into_iter().find(|(key, _)| key == "label") {
                    graph.nodes.push((name.clone(), seen(&label)));
                }
                at = end;
                continue;
            }
            (Token::Word(_), Some(Token::Sign('='))) => {
                assert!(matches!(tokens[at + 2], Token::Word(_) | Token::Text(_)));
                at += 3;
                continue;
            }
            (Token::Word(word), _) => {
                let is_head = ["digraph", "subgraph", "trees"].contains(&word.as_str());
                assert!(
                    is_head || word.starts_with("cluster_"),
                    "`{word}` in the open"
                );
            }
            (token, _) => panic!("{token:?} in the open"),
        }
        at += 1;
    }
    assert_eq!(depth, 0, "a brace is missing");
    graph
}

/// The pairs between brackets, and where they end; none where there are none.
fn attributes(tokens: &[Token], from: usize) -> (Vec<(String, String)>, usize) {
    let mut pairs = Vec::new();
    if tokens.get(from) != Some(&Token::Sign('[')) {
        return (pairs, from);
    }
    let mut at = from + 1;
    while tokens[at] != Token::Sign(']') {
        let [
            Token::Word(key),
            Token::Sign('='),
            Token::Word(value) | Token::Text(value),
        ] = &tokens[at..at + 3]
        else {
            panic!("no attribute: {:?}", &tokens[at..at + 3]);
        };
        pairs.push((key.clone(), value.clone()));
        at += 3;
        if tokens[at] == Token::Sign(',') {
            at += 1;
        }
    }
    (pairs, at + 1)
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            ' ' | '\n' => continue,
            '"' => Token::Text(quoted(&mut chars)),
            '-' => {
                assert_eq!(chars.next(), Some('>'));
                Token::Arrow
            }
            '{' | '}' | '[' | ']' | '=' | ',' => Token::Sign(c),
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let mut word = String::from(c);
                let is_part = |c: &char| c.is_ascii_alphanumeric() || "_.".contains(*c);
                while let Some(c) = chars.next_if(is_part) {
                    word.push(c);
                }
                Token::Word(word)
            }
            c => panic!("{c:?} outside quotes"),
        });
    }
    tokens
}

/// A text up to its closing quote; of backslashes only those before quotes are its own.
fn quoted(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut text = String::new();
    loop {
        match chars.next().expect("the quote is closed") {
            '"' => return text,
            '\\' => match chars.next().expect("something after a backslash") {
                '"' => text.push('"'),
                c => text.extend(['\\', c]),
            },
            c => text.push(c),
        }
    }
}

/// The look of a label.
fn seen(label: &str) -> String {
    let mut text = String::new();
    let mut chars = label.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('l') => text.push('\n'),
                Some('\\') => text.push('\\'),
                other => panic!("\\{other:?} means something to Graphviz"),
            },
            '&' => {
                let rest = chars.as_str();
                chars = rest.strip_prefix("amp;").expect("a bare ampersand").chars();
                text.push('&');
            }
            c => text.push(c),
        }
    }
    text
}

#[test]
fn names_and_escapes_are_read() {
    let graph = read(
        "digraph trees {\n a [label=\"x \\\\ \\\" &amp;\\ly\\l\", color=\"#fff\"]\n a -> b\n}\n",
    );
    assert_eq!(graph.nodes, [("a".to_owned(), "x \\ \" &\ny\n".to_owned())]);
    assert_eq!(graph.edges, [("a".to_owned(), "b".to_owned())]);
}
