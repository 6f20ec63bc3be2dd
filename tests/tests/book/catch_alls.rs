//! A match over one of our enums names every variant, so that the compiler finds each place that a new variant concerns.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, mem};

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, Expr, ExprMatch, ItemEnum, ItemImpl, Pat, Type, UseTree};

use crate::root;

/// The folders that the rule holds for.
const FOLDERS: &[&str] = &[
    "bt-bevy/src",
    "bt-core/src",
    "bt-fleet/src",
    "bt-live/src",
    "bt-macros/src",
    "bt-meta/src",
    "bt-studio/src",
    "benches/src",
    "examples",
    "xtask/src",
];

/// Files in which all that is not named is treated alike, as a new variant would be: records are written by serde.
const ALIKE: &[&str] = &["bt-live/src/port/encode.rs"];

/// Enums of which a match may name some: the walk knows a few kinds itself, and a table has the others.
const OPEN: &[&str] = &["Planned"];

/// An enum of ours.
struct Enum {
    /// The folder of its crate.
    home: String,
    variants: BTreeSet<String>,
    /// Another crate has to write a catch-all arm.
    is_non_exhaustive: bool,
}

/// By their names, which several may share.
type Enums = BTreeMap<String, Vec<Enum>>;

#[test]
fn match_over_our_enum_has_no_catch_all() {
    let files = files();
    let mut declared = Declared::default();
    for (path, file) in &files {
        declared.home = home(path);
        declared.visit_file(file);
    }
    let held = files
        .iter()
        .filter(|(path, _)| !ALIKE.iter().any(|one| path.starts_with(one)));
    let found = held.flat_map(|(path, file)| {
        let found = catch_alls(file, &home(path), &declared.enums).into_iter();
        found.map(|(line, of)| format!("{}:{line}: {of}", path.display()))
    });
    let found: Vec<_> = found.collect();
    assert!(
        found.is_empty(),
        "{} matches over our own enums have a catch-all arm: name the variants, or ask `if let`\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn catch_all_is_found_wherever_the_enum_stands() {
    let found = |arms: &str| {
        let text = format!(
            "enum Way {{ In, Out(u8) }}
             use Way::In;
             #[non_exhaustive] enum Far {{ One, Two }}
             fn f() {{ match x {{ {arms} }} }}"
        );
        let file = syn::parse_file(&text).unwrap();
        let mut declared = Declared::default();
        declared.visit_file(&file);
        !catch_alls(&file, "another crate", &declared.enums).is_empty()
    };
    for arms in [
        "Way::In => 1, _ => 2",
        "In => 1, _ => 2",
        "Way::In | _ => 1",
        "Some(Way::In) => 1, _ => 2",
        "Some(Way::In) => 1, Some(_) => 2, None => 3",
        "(Way::In, true) => 1, _ => 2",
        "(Way::In, 1) => 1, (_, n) => 2",
        "(1, Some(Way::Out(n))) => 1, (_, _) => 2",
        "Far::One => 1, _ => 2",
    ] {
        assert!(found(arms), "{arms}");
    }
    for arms in [
        "Way::In => 1, Way::Out(_) => 2",
        "Way::In => 1, way => way.number()",
        "(Way::In, 1) => 1, (Way::In | Way::Out(_), _) => 2",
        "(Way::In, 1) => 1, (_, 2) => 2, (Way::Out(_), _) => 3, (Way::In, _) => 4",
        "Some(1) => 1, _ => 2",
        "Far::One => 1, Far::Two => 2, _ => 3",
    ] {
        assert!(!found(arms), "{arms}");
    }
}

/// The folder of the crate that a file belongs to.
fn home(file: &Path) -> String {
    let folder = |part: &OsStr| part != "src" && part != "tests";
    let parts = file.iter().take_while(|part| folder(part));
    parts.collect::<PathBuf>().display().to_string()
}

/// All files that the rule holds for, read.
fn files() -> Vec<(PathBuf, syn::File)> {
    let mut paths = Vec::new();
    for folder in FOLDERS {
        rust_files(&root().join(folder), &mut paths);
    }
    paths.sort_unstable();
    let read = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        (path.strip_prefix(root()).unwrap().to_owned(), file)
    });
    read.collect()
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

/// The enums that are declared, also inside calls of macros.
#[derive(Default)]
struct Declared {
    home: String,
    enums: Enums,
}

impl<'f> Visit<'f> for Declared {
    fn visit_item_enum(&mut self, item: &'f ItemEnum) {
        let variants = item.variants.iter().map(|one| one.ident.to_string());
        let mut attributes = item.attrs.iter();
        let is_non_exhaustive = attributes.any(|one| one.path().is_ident("non_exhaustive"));
        self.add(
            item.ident.to_string(),
            variants.collect(),
            is_non_exhaustive,
        );
    }

    fn visit_macro(&mut self, called: &'f syn::Macro) {
        self.in_tokens(called.tokens.clone());
    }
}

impl Declared {
    fn add(&mut self, name: String, variants: BTreeSet<String>, is_non_exhaustive: bool) {
        let home = self.home.clone();
        self.enums.entry(name).or_default().push(Enum {
            home,
            variants,
            is_non_exhaustive,
        });
    }

    /// Takes all capitalized words in the braces for variants: a few types of fields among them do no harm.
    fn in_tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if word == "enum" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.next(), tokens.peek())
                    {
                        let words = body.stream().into_iter().map(|token| token.to_string());
                        let words = words.filter(|word| is_capitalized(word));
                        self.add(name.to_string(), words.collect(), false);
                    }
                }
                TokenTree::Group(group) => self.in_tokens(group.stream()),
                _ => {}
            }
        }
    }
}

fn is_capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

/// The lines of the catch-all arms over enums of ours, each with the enum's name.
fn catch_alls(file: &syn::File, home: &str, enums: &Enums) -> Vec<(usize, String)> {
    let mut imported = Imported {
        enums,
        variants: BTreeMap::new(),
    };
    imported.visit_file(file);
    let mut matches = Matches {
        enums,
        home,
        variants: imported.variants,
        itself: None,
        found: Vec::new(),
    };
    matches.visit_file(file);
    matches.found
}

/// The variants that a file imports: `use Step::*`.
struct Imported<'e> {
    enums: &'e Enums,
    /// Each with its enum.
    variants: BTreeMap<String, String>,
}

impl<'f> Visit<'f> for Imported<'_> {
    fn visit_item_use(&mut self, item: &'f syn::ItemUse) {
        self.tree(None, &item.tree);
    }
}

impl Imported<'_> {
    fn tree(&mut self, of: Option<&str>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.tree(Some(&path.ident.to_string()), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(of, tree)),
            UseTree::Glob(_) => self.add(of, |_| true),
            UseTree::Name(name) => self.add(of, |variant| name.ident == variant),
            UseTree::Rename(_) => {}
        }
    }

    fn add(&mut self, of: Option<&str>, is_meant: impl Fn(&str) -> bool) {
        let Some((of, enums)) = of.and_then(|of| self.enums.get_key_value(of)) else {
            return;
        };
        let variants = enums.iter().flat_map(|one| &one.variants);
        let meant = variants.filter(|variant| is_meant(variant));
        self.variants
            .extend(meant.map(|variant| (variant.clone(), of.clone())));
    }
}

/// The matches of a file.
struct Matches<'e> {
    enums: &'e Enums,
    /// The crate's folder.
    home: &'e str,
    variants: BTreeMap<String, String>,
    /// The type that `Self` stands for.
    itself: Option<String>,
    found: Vec<(usize, String)>,
}

impl<'f> Visit<'f> for Matches<'_> {
    fn visit_item_impl(&mut self, item: &'f ItemImpl) {
        let itself = match &*item.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let outer = mem::replace(&mut self.itself, itself);
        visit::visit_item_impl(self, item);
        self.itself = outer;
    }

    fn visit_expr_match(&mut self, found: &'f ExprMatch) {
        let patterns: Vec<&Pat> = found.arms.iter().flat_map(alternatives).collect();
        for arm in &found.arms {
            let caught = alternatives(arm).into_iter().find_map(|wild| {
                let mut others = patterns.iter().filter(|other| !std::ptr::eq(**other, wild));
                others.find_map(|other| self.caught(wild, other))
            });
            if let Some(of) = caught.filter(|of| !self.is_demanded(of, &patterns)) {
                self.found.push((arm.pat.span().start().line, of));
            }
        }
        visit::visit_expr_match(self, found);
    }
}

/// The patterns of an arm, `A | B` taken apart.
fn alternatives(arm: &Arm) -> Vec<&Pat> {
    fn open<'p>(pat: &'p Pat, into: &mut Vec<&'p Pat>) {
        match pat {
            Pat::Or(or) => or.cases.iter().for_each(|pat| open(pat, into)),
            Pat::Paren(inner) => open(&inner.pat, into),
            _ => into.push(pat),
        }
    }
    let mut all = Vec::new();
    open(&arm.pat, &mut all);
    all
}

impl Matches<'_> {
    /// The enum of which `wild` takes all variants where `other` names one.
    fn caught(&self, wild: &Pat, other: &Pat) -> Option<String> {
        match (wild, other) {
            (Pat::Wild(_), other) => self.named(other),
            (Pat::Paren(one), other) => self.caught(&one.pat, other),
            (wild, Pat::Paren(one)) => self.caught(wild, &one.pat),
            (Pat::Reference(one), Pat::Reference(two)) => self.caught(&one.pat, &two.pat),
            (Pat::Tuple(one), Pat::Tuple(two)) => self.in_all(one.elems.iter(), two.elems.iter()),
            (Pat::TupleStruct(one), Pat::TupleStruct(two)) => {
                let same = one.path.segments.last()?.ident == two.path.segments.last()?.ident;
                same.then(|| self.in_all(one.elems.iter(), two.elems.iter()))?
            }
            (wild, Pat::Or(or)) => or.cases.iter().find_map(|case| self.caught(wild, case)),
            _ => None,
        }
    }

    /// The enum that is caught in one of several positions, if nothing else in `wild` distinguishes.
    fn in_all<'p>(
        &self,
        wild: impl Iterator<Item = &'p Pat> + Clone,
        other: impl Iterator<Item = &'p Pat>,
    ) -> Option<String> {
        let partly = wild.clone().filter(|pat| !is_irrefutable(pat)).count();
        let mut pairs = wild.zip(other);
        match partly {
            0 => pairs.find_map(|(wild, other)| self.caught(wild, other)),
            1 => pairs
                .filter(|(wild, _)| !is_irrefutable(wild))
                .find_map(|(wild, other)| self.caught(wild, other)),
            _ => None,
        }
    }

    /// Returns true if the compiler demands a catch-all arm of a match that names all variants.
    fn is_demanded(&self, of: &str, patterns: &[&Pat]) -> bool {
        let mut named = Search::in_patterns(self, patterns);
        named.retain(|(found, _)| found == of);
        let named: BTreeSet<_> = named.into_iter().map(|(_, variant)| variant).collect();
        let mut enums = self.enums[of].iter();
        let is_far = |one: &Enum| one.is_non_exhaustive && one.home != self.home;
        OPEN.contains(&of) || enums.any(|one| is_far(one) && one.variants == named)
    }

    /// The enum that a pattern names a variant of.
    fn named(&self, pat: &Pat) -> Option<String> {
        let found = Search::in_patterns(self, &[pat]);
        found.into_iter().next().map(|(of, _)| of)
    }

    /// The enum that a path is a variant of, and the variant.
    fn variant(&self, path: &syn::Path) -> Option<(String, String)> {
        let mut backwards = path.segments.iter().rev().map(|one| one.ident.to_string());
        let variant = backwards.next()?;
        let of = match backwards.next() {
            None => self.variants.get(&variant).cloned()?,
            Some(name) if name == "Self" => self.itself.clone()?,
            Some(name) => name,
        };
        let mut enums = self.enums.get(&of)?.iter();
        let is_known = enums.any(|one| one.variants.contains(&variant));
        is_known.then_some((of, variant))
    }
}

/// Looks for variants in patterns.
struct Search<'m, 'e> {
    matches: &'m Matches<'e>,
    found: Vec<(String, String)>,
}

impl<'m, 'e> Search<'m, 'e> {
    fn in_patterns(matches: &'m Matches<'e>, patterns: &[&Pat]) -> Vec<(String, String)> {
        let found = Vec::new();
        let mut search = Search { matches, found };
        patterns.iter().for_each(|pat| search.visit_pat(pat));
        search.found
    }
}

impl<'p> Visit<'p> for Search<'_, '_> {
    fn visit_path(&mut self, path: &'p syn::Path) {
        self.found.extend(self.matches.variant(path));
    }

    fn visit_pat_ident(&mut self, name: &'p syn::PatIdent) {
        self.found
            .extend(self.matches.variant(&name.ident.clone().into()));
        visit::visit_pat_ident(self, name);
    }

    fn visit_expr(&mut self, _: &'p Expr) {}
}

/// Returns true if a pattern distinguishes nothing.
fn is_irrefutable(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(name) => match &name.subpat {
            Some((_, inner)) => is_irrefutable(inner),
            None => !is_capitalized(&name.ident.to_string()),
        },
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_irrefutable),
        Pat::Reference(inner) => is_irrefutable(&inner.pat),
        Pat::Paren(inner) => is_irrefutable(&inner.pat),
        Pat::Type(inner) => is_irrefutable(&inner.pat),
        _ => false,
    }
}
