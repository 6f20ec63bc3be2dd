//! Doc comments, which are Markdown, taken into a document that is ours.
//!
//! What they could do to it is left out: HTML is shown as it is written, pictures are their words, and
//! a link goes to the web or inside the page. Whatever is left open in a comment ends with it.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use pulldown_cmark_to_cmark::cmark;

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);

/// Sections that the manual shows in its own way.
const SHOWN_ELSEWHERE: [&str; 4] = ["returns", "return", "arguments", "parameters"];

/// As HTML.
pub(super) fn as_html(markdown: &str) -> String {
    let mut text = String::new();
    html::push_html(&mut text, events(&ended(markdown)).into_iter());
    text
}

/// As HTML that may stand in a line: paragraphs are no more.
pub(super) fn as_inline_html(markdown: &str) -> String {
    let is_paragraph = |event: &Event<'_>| {
        matches!(
            event,
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
        )
    };
    let markdown = ended(markdown);
    let mut events = events(&markdown);
    events.retain(|event| !is_paragraph(event));
    let mut text = String::new();
    html::push_html(&mut text, events.into_iter());
    text
}

/// As Markdown again, without what could reach beyond it.
pub(super) fn as_markdown(markdown: &str) -> String {
    written(events(&ended(markdown)))
}

/// Text that means nothing in Markdown, as Markdown on one line.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    written(vec![Event::Text(words.join(" ").into())])
}

/// A name or a value, as Markdown on one line.
pub(super) fn code(text: &str) -> String {
    let words = text.replace(['\n', '\r'], " ");
    match words.trim().is_empty() {
        true => String::new(),
        false => written(vec![Event::Code(words.into())]),
    }
}

/// A name that leads to another place of the document.
pub(super) fn link(name: &str, id: Option<&String>) -> String {
    let name = code(name);
    match id {
        Some(id) if !name.is_empty() => format!("[{name}](#{id})"),
        _ => name,
    }
}

/// Into memory: a writer into a `String` has no errors of its own, and events out of a parser are
/// sound.
fn written(events: Vec<Event<'_>>) -> String {
    let mut text = String::new();
    match cmark(events, &mut text, OPTIONS) {
        Ok(_) => text.trim().to_owned(),
        Err(_) => String::new(),
    }
}

/// With a line feed at the end: without, code at the end would run into what comes after it.
fn ended(markdown: &str) -> String {
    format!("{markdown}\n")
}

fn events(markdown: &str) -> Vec<Event<'_>> {
    let parsed = Parser::new_ext(markdown, OPTIONS).collect();
    let mut dropped_links = Vec::new();
    let mut kept = Vec::new();
    for event in without_sections(parsed) {
        let event = match event {
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => continue,
            Event::Start(Tag::Heading { .. }) => Event::Start(heading()),
            Event::End(TagEnd::Heading(_)) => Event::End(TagEnd::Heading(HeadingLevel::H6)),
            Event::Start(Tag::Link { ref dest_url, .. }) => {
                let dropped = !is_kept(dest_url);
                dropped_links.push(dropped);
                if dropped {
                    continue;
                }
                event
            }
            Event::End(TagEnd::Link) if dropped_links.pop() == Some(true) => continue,
            other => other,
        };
        kept.push(event);
    }
    kept
}

/// Headings of a comment are below all that are ours.
fn heading() -> Tag<'static> {
    Tag::Heading {
        level: HeadingLevel::H6,
        id: None,
        classes: Vec::new(),
        attrs: Vec::new(),
    }
}

/// Paths of Rust items, which rustdoc resolves, lead nowhere here.
fn is_kept(target: &CowStr<'_>) -> bool {
    let lower = target.trim().to_ascii_lowercase();
    let schemes = ["https://", "http://", "mailto:", "#"];
    schemes.iter().any(|scheme| lower.starts_with(scheme))
}

/// Leaves out the sections that are shown elsewhere, each up to the next heading.
fn without_sections(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let mut kept = Vec::new();
    let mut skipping = false;
    let mut rest = events.into_iter().peekable();
    while let Some(event) = rest.next() {
        if !matches!(event, Event::Start(Tag::Heading { .. })) {
            if !skipping {
                kept.push(event);
            }
            continue;
        }
        let mut heading = vec![event];
        let mut title = String::new();
        for event in rest.by_ref() {
            if let Event::Text(text) | Event::Code(text) = &event {
                title += text;
            }
            let is_end = matches!(event, Event::End(TagEnd::Heading(_)));
            heading.push(event);
            if is_end {
                break;
            }
        }
        let title = title.trim().to_ascii_lowercase();
        skipping = SHOWN_ELSEWHERE.contains(&title.as_str());
        if !skipping {
            kept.extend(heading);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manual_shows_html_in_comments_as_text() {
        for (markdown, html) in [
            (
                "a <script>alert(1)</script> b",
                "<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n",
            ),
            (
                "<div onclick=\"x()\">\n</div>",
                "<p>&lt;div onclick=\"x()\"&gt;\n&lt;/div&gt;\n</p>\n",
            ),
            ("[x](javascript:alert(1))", "<p>x</p>\n"),
            ("[x](JaVaScript:alert(1)) y", "<p>x y</p>\n"),
            ("[x](data:text/html,a)", "<p>x</p>\n"),
            ("![far](https://example.com/a.png)", "<p>far</p>\n"),
            ("[`Point`](crate::Point)", "<p><code>Point</code></p>\n"),
            (
                "[x](https://example.com/\"onclick=)",
                "<p><a href=\"https://example.com/%22onclick=\">x</a></p>\n",
            ),
            ("# Big", "<h6>Big</h6>\n"),
        ] {
            assert_eq!(as_html(markdown), html, "{markdown}");
        }
    }

    #[test]
    fn manual_closes_blocks_that_a_comment_leaves_open() {
        for open in [
            "Look:\n\n```text\nno end",
            "a <!-- no end",
            "<!-- no end",
            "<script>\n\nx",
            "<pre>\nx",
            "[x](<y",
            "`x",
            "**x",
            "> x",
        ] {
            let page = as_html(&format!("{}\n\nafter", as_markdown(open)));
            assert!(page.ends_with("<p>after</p>\n"), "{open}: {page}");
        }
    }

    #[test]
    fn sections_that_the_manual_shows_are_left_out_and_the_others_stay() {
        let markdown = "Walks.\n\n# Returns\n`true`\n\n# Notes\nSlow.\n\n# Arguments\n- x: y";
        assert_eq!(as_markdown(markdown), "Walks.\n\n###### Notes\n\nSlow.");
    }

    #[test]
    fn names_are_code_whatever_is_in_them() {
        for name in ["chase", "a`b", "``", "|", "<b>", " x ", "*_[]"] {
            let html = as_inline_html(&code(name));
            let shown = html.replace("&lt;", "<").replace("&gt;", ">");
            assert_eq!(shown, format!("<code>{}</code>", name), "{}", code(name));
        }
    }
}
