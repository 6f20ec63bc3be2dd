//! The common parts of HTML pages that need nothing else: no network, no other file.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A whole page of a title, its styles, and the script at its end, if it has one. Nothing may be loaded, whatever
/// stands on it.
pub(crate) fn page_of(title: &str, style: &str, body: &Markup, script: Option<&str>) -> String {
    let scripts = script.map_or("", |_| "script-src 'unsafe-inline'; ");
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; {scripts}base-uri 'none'; form-action 'none'"
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body {
                (body)
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string() + "\n"
}
