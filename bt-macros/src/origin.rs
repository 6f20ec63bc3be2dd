//! The place of a macro's use, and the path by which it finds bt-core.

use std::path::{Path, PathBuf};

use proc_macro_crate::FoundCrate;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The path to bt-core in the user's crate: what `crate = "…"` says, else what the manifest calls
/// the dependency, else what the manifest's `[package.metadata.bt] crate = "…"` says (for a crate
/// that has bt-core through another's re-export), else `::bt_core`.
pub(crate) fn bt_core(given: Option<&syn::Path>) -> TokenStream {
    if let Some(path) = given {
        return quote!(#path);
    }
    match proc_macro_crate::crate_name("bt-core") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        Ok(FoundCrate::Itself) => quote!(::bt_core),
        Err(_) => from_metadata().unwrap_or_else(|| quote!(::bt_core)),
    }
}

/// A place in the user's code for tokens of ours: errors point there, and names resolve as the
/// macro's own do, whatever `macro_rules!` the place comes from.
pub(crate) fn here(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// The path to bt-core at a place in the user's code, so that what the compiler says of an
/// expression that starts with it is said there.
pub(crate) fn at(bt: &TokenStream, span: Span) -> TokenStream {
    let span = here(span);
    let tokens = bt.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    tokens.collect()
}

/// `crate = "…"` below `[package.metadata.bt]`.
fn from_metadata() -> Option<TokenStream> {
    let manifest = manifest_dir()?.join("Cargo.toml");
    let text = std::fs::read_to_string(manifest).ok()?;
    let path: syn::Path = syn::parse_str(metadata_crate(&text)?).ok()?;
    Some(quote!(#path))
}

fn metadata_crate(manifest: &str) -> Option<&str> {
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[package.metadata.bt]";
        } else if inside && let Some((key, value)) = line.split_once('=') {
            let value = value.split('#').next().unwrap_or_default().trim();
            if key.trim() == "crate" {
                return value.strip_prefix('"')?.strip_suffix('"');
            }
        }
    }
    None
}

fn manifest_dir() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

/// The `Site` of a place in the source.
pub(crate) fn site(bt: &TokenStream, span: Span) -> TokenStream {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let krate = std::env::var("CARGO_CRATE_NAME").unwrap_or_else(|_| package.replace('-', "_"));
    let file = file(span);
    quote! {
        #bt::__private::Site { package: #package, krate: #krate, file: #file }
    }
}

/// The line of a place, from 1; 0 where the compiler does not say.
pub(crate) fn line(span: Span) -> u32 {
    if !proc_macro::is_available() {
        return 0;
    }
    u32::try_from(span.unwrap().line()).unwrap_or(0)
}

/// Returns true if an attribute stands above the derive that runs. The compiler says then that its name is
/// ambiguous, and not what to write. What comes out of a `macro_rules!` stands in no order: its place is in
/// the macro, and its syntax context, which only `Debug` shows, is not the outermost, `#0`.
pub(crate) fn stands_above_the_derive(attribute: Span) -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let (attribute, derive) = (attribute.unwrap(), proc_macro::Span::call_site());
    let place = |span: proc_macro::Span| (span.line(), span.column());
    format!("{attribute:?}").starts_with("#0 ")
        && attribute.file() == derive.file()
        && place(attribute) < place(derive)
}

/// The file of a place, relative to the package's folder, with `/` between its parts.
fn file(span: Span) -> String {
    if !proc_macro::is_available() {
        return String::new();
    }
    let span = span.unwrap();
    let shown = || span.file().replace('\\', "/");
    let Some(file) = span.local_file() else {
        return shown();
    };
    let file = std::path::absolute(file);
    let relative = |file: &Path| {
        let relative = file.strip_prefix(manifest_dir()?).ok()?;
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        Some(parts.join("/"))
    };
    file.ok()
        .and_then(|file| relative(&file))
        .unwrap_or_else(shown)
}

#[cfg(test)]
mod tests {
    use super::metadata_crate;

    #[test]
    fn the_manifest_can_name_the_path() {
        let manifest = "[package]\ncrate = \"no\"\n[package.metadata.bt]\n crate = \"engine::bt\" # re-export\n[x]";
        assert_eq!(metadata_crate(manifest), Some("engine::bt"));
        assert_eq!(
            metadata_crate("[package.metadata.bt]\n[x]\ncrate = \"no\""),
            None
        );
    }
}
