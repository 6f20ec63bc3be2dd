//! The rules of an HTML page that works by itself, whatever it describes.

use std::collections::BTreeSet;

/// All marks are there once, all links inside lead somewhere, and nothing is loaded.
pub fn check_page(page: &str) {
    let ids: Vec<&str> = values(page, " id=\"").collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "a mark is there twice");
    for link in values(page, " href=\"") {
        match link.strip_prefix('#') {
            Some(target) => assert!(unique.contains(target), "{link} leads nowhere"),
            None => assert!(
                ["https://", "http://", "mailto:"]
                    .iter()
                    .any(|scheme| link.starts_with(scheme)),
                "{link}"
            ),
        }
    }
    // What follows a `<` in the script is no tag.
    let (tags, _) = page.split_once("<script>").unwrap_or((page, ""));
    for tag in tags.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let element = tag.split_whitespace().next().unwrap_or_default();
        let loads = ["link", "img", "iframe", "object", "embed", "base"];
        assert!(!loads.contains(&element), "<{tag}>");
        // Without the values of its attributes, which are between quotes.
        let names: String = tag.split('"').step_by(2).collect();
        let acts = |word: &str| word.starts_with("src") || word.starts_with("on");
        assert!(!names.split_whitespace().skip(1).any(acts), "<{tag}>");
    }
    for element in ["style", "script"] {
        let (begin, end) = (format!("<{element}>"), format!("</{element}>"));
        for own in page.split(&begin).skip(1) {
            let (own, _) = own.split_once(&end).unwrap();
            for loads in ["@import", "url(", "fetch(", "import(", "XMLHttpRequest"] {
                assert!(!own.contains(loads), "{loads}");
            }
        }
    }
    let scripts = page.matches("<script").count();
    assert!(scripts <= 1, "the page's own script alone");
    assert_eq!(page.matches("</script>").count(), scripts);
    for element in [
        "section", "table", "tbody", "tr", "td", "dl", "ul", "li", "p", "code", "a",
    ] {
        let opened = page.matches(&format!("<{element} ")).count()
            + page.matches(&format!("<{element}>")).count();
        assert_eq!(
            opened,
            page.matches(&format!("</{element}>")).count(),
            "{element}"
        );
    }
}

/// The values of an attribute; quotes inside a value are escaped.
fn values<'p>(page: &'p str, attribute: &'p str) -> impl Iterator<Item = &'p str> {
    let parts = page.split(attribute).skip(1);
    parts.filter_map(|part| part.split('"').next())
}
