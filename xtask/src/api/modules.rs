//! A crate's modules as a tree, without what its cargo features leave out; and what a path in it leads to.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, Token, UseTree, Visibility};

/// The modules of a crate; the first is its root.
pub(super) struct Crate {
    pub(super) name: String,
    features: Vec<String>,
    pub(super) modules: Vec<Module>,
}

pub(super) struct Module {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// True if all crates can name it: it is public and not hidden.
    pub(super) is_public: bool,
    pub(super) items: Vec<Item>,
    /// The positions of items in `items`.
    names: HashMap<String, usize>,
    pub(super) imports: Vec<Import>,
}

/// One name of a `use`, or `*`.
pub(super) struct Import {
    pub(super) path: Vec<String>,
    pub(super) name: String,
    pub(super) is_public: bool,
}

/// The target of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Def {
    Module(usize),
    Item(usize, usize),
}

/// Files that were parsed: those of one crate are read for each set of cargo features.
#[derive(Default)]
pub(super) struct Sources(HashMap<PathBuf, Vec<Item>>);

impl Sources {
    fn parsed(&mut self, file: &Path) -> Vec<Item> {
        if let Some(items) = self.0.get(file) {
            return items.clone();
        }
        let items = parsed(file);
        self.0.insert(file.to_owned(), items.clone());
        items
    }
}

/// Paths that lead in circles are given up.
const DEEPEST: usize = 16;

impl Crate {
    pub(super) fn read(root: &Path, name: &str, features: &[&str], sources: &mut Sources) -> Crate {
        let mut read = Crate {
            name: name.replace('-', "_"),
            features: features.iter().map(|&name| name.to_owned()).collect(),
            modules: Vec::new(),
        };
        let file = root.join(name).join("src/lib.rs");
        let items = sources.parsed(&file);
        let src = file.with_file_name("");
        read.module(String::new(), None, true, items, &src, sources);
        read
    }

    fn module(
        &mut self,
        name: String,
        parent: Option<usize>,
        is_public: bool,
        items: Vec<Item>,
        folder: &Path,
        sources: &mut Sources,
    ) -> usize {
        let at = self.modules.len();
        self.modules.push(Module {
            name,
            parent,
            children: Vec::new(),
            is_public,
            items: Vec::new(),
            names: HashMap::new(),
            imports: Vec::new(),
        });
        for item in items {
            if !self.is_on(attributes(&item)) {
                continue;
            }
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let is_public = is_public && is_pub(&module.vis) && !is_hidden(&module.attrs);
                    let (items, below) = match module.content {
                        Some((_, items)) => (items, folder.join(&name)),
                        None => {
                            let file = file_of(&name, &module.attrs, folder);
                            (sources.parsed(&file), folder.join(&name))
                        }
                    };
                    let child = self.module(name, Some(at), is_public, items, &below, sources);
                    self.modules[at].children.push(child);
                }
                Item::Use(item) => {
                    let is_public = is_pub(&item.vis) && !is_hidden(&item.attrs);
                    let imports = &mut self.modules[at].imports;
                    imported(&item.tree, &mut Vec::new(), is_public, imports);
                }
                item => {
                    let module = &mut self.modules[at];
                    let index = module.items.len();
                    let name = super::items::name(&item);
                    module.names.extend(name.map(|name| (name, index)));
                    module.items.push(item);
                }
            }
        }
        at
    }

    /// Returns true if `#[cfg(…)]`s leave it in.
    pub(super) fn is_on(&self, attributes: &[Attribute]) -> bool {
        let conditions = attributes.iter().filter(|one| one.path().is_ident("cfg"));
        conditions
            .filter_map(|one| one.parse_args::<Meta>().ok())
            .all(|condition| self.holds(&condition))
    }

    fn holds(&self, condition: &Meta) -> bool {
        let all = |list: &syn::MetaList| {
            let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
            list.parse_args_with(parser).expect("conditions of a cfg")
        };
        match condition {
            Meta::List(list) if list.path.is_ident("not") => {
                !all(list).iter().all(|one| self.holds(one))
            }
            Meta::List(list) if list.path.is_ident("any") => {
                all(list).iter().any(|one| self.holds(one))
            }
            Meta::List(list) => all(list).iter().all(|one| self.holds(one)),
            Meta::NameValue(pair) if pair.path.is_ident("feature") => {
                matches!(&pair.value, Expr::Lit(ExprLit { lit: Lit::Str(name), .. })
                    if self.features.contains(&name.value()))
            }
            Meta::NameValue(_) => true,
            Meta::Path(path) => !path.is_ident("test") && !path.is_ident("doctest"),
        }
    }

    /// The target of a path in a module, if it is in this crate.
    pub(super) fn resolve(&self, module: usize, path: &[String]) -> Option<Def> {
        self.find(module, path, DEEPEST)
    }

    fn find(&self, module: usize, path: &[String], depth: usize) -> Option<Def> {
        let (first, mut rest) = path.split_first()?;
        let depth = depth.checked_sub(1)?;
        let mut found = match first.as_str() {
            "crate" => Def::Module(0),
            name if *name == self.name => Def::Module(0),
            "self" => Def::Module(module),
            "super" => Def::Module(self.modules[module].parent?),
            name => self.named(module, name, depth)?,
        };
        while let (Def::Module(module), Some((name, more))) = (found, rest.split_first()) {
            found = match name.as_str() {
                "super" => Def::Module(self.modules[module].parent?),
                name => self.named(module, name, depth)?,
            };
            rest = more;
        }
        rest.is_empty().then_some(found)
    }

    fn named(&self, at: usize, name: &str, depth: usize) -> Option<Def> {
        let module = &self.modules[at];
        let mut children = module.children.iter().copied();
        if let Some(child) = children.find(|&child| self.modules[child].name == name) {
            return Some(Def::Module(child));
        }
        if let Some(&item) = module.names.get(name) {
            return Some(Def::Item(at, item));
        }
        let imports = || module.imports.iter();
        let direct = imports().filter(|one| one.name == name && one.path != [name]);
        let globs = imports().filter(|one| one.name == "*");
        let direct = direct.filter_map(|one| self.find(at, &one.path, depth));
        let globs = globs.filter_map(|one| match self.find(at, &one.path, depth)? {
            Def::Module(other) if other != at => self.named(other, name, depth.checked_sub(1)?),
            Def::Module(_) | Def::Item(..) => None,
        });
        direct.chain(globs).next()
    }
}

fn parsed(file: &Path) -> Vec<Item> {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed = syn::parse_file(&text);
    parsed
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        .items
}

fn file_of(name: &str, attributes: &[Attribute], folder: &Path) -> PathBuf {
    let path = attributes.iter().find_map(|one| match &one.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(path),
                ..
            }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    });
    match path {
        Some(path) => folder.join(path),
        None => {
            let beside = folder.join(format!("{name}.rs"));
            if beside.exists() {
                beside
            } else {
                folder.join(name).join("mod.rs")
            }
        }
    }
}

fn imported(tree: &UseTree, before: &mut Vec<String>, is_public: bool, into: &mut Vec<Import>) {
    let mut add = |last: Option<String>, name: String| {
        let mut path = before.clone();
        path.extend(last.filter(|last| last != "self"));
        let name = if name == "self" {
            path.last().cloned().unwrap_or_default()
        } else {
            name
        };
        into.push(Import {
            path,
            name,
            is_public,
        });
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            imported(&path.tree, before, is_public, into);
            before.pop();
        }
        UseTree::Name(name) => add(Some(name.ident.to_string()), name.ident.to_string()),
        UseTree::Rename(one) => add(Some(one.ident.to_string()), one.rename.to_string()),
        UseTree::Glob(_) => add(None, "*".to_owned()),
        UseTree::Group(group) => {
            for tree in &group.items {
                imported(tree, before, is_public, into);
            }
        }
    }
}

pub(super) fn is_pub(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        let Meta::List(list) = &one.meta else {
            return false;
        };
        list.path.is_ident("doc") && list.tokens.to_string().contains("hidden")
    })
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
