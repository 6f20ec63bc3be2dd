//! The packages that take part in an export, those that ought to, and those that registered something.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, Node, Package, PackageId};

use super::package::Chosen;
use crate::catalogue::Catalogue;
use crate::error::{Error, quoted};

/// The dependencies of a package, as far as bt-core is concerned.
#[derive(Debug)]
pub(super) struct Closure {
    /// The bt-core that the package resolves to.
    pub(super) bt_core: PackageId,
    /// The package's dependencies, direct or not, that themselves depend on that bt-core, directly
    /// or not.
    pub(super) dependents: BTreeSet<PackageId>,
    /// Warnings about the way in which bt-core is linked.
    warnings: Vec<String>,
}

impl Closure {
    /// # Errors
    /// A failure when the package does not depend on bt-core.
    pub(super) fn of(metadata: &Metadata, chosen: &Chosen) -> Result<Self, Error> {
        let graph = Graph::of(metadata);
        let reached = graph.reach(&chosen.package.id);
        let cores: Vec<&PackageId> = reached
            .iter()
            .copied()
            .filter(|id| graph.is_core(id))
            .collect();
        let direct = graph.needs(&chosen.package.id);
        let bt_core = direct
            .into_iter()
            .find(|id| graph.is_core(id))
            .or(cores.first().copied());
        let Some(bt_core) = bt_core else {
            return Err(Error::failure(format!(
                "package `{}` does not depend on bt-core, so it has no agents to export: add \
                 `bt-core` to its dependencies, or turn on the feature that does (`--features …`)",
                chosen.package.name
            )));
        };
        let warnings = if cores.len() > 1 {
            let versions = cores
                .iter()
                .map(|id| graph.packages[*id].version.to_string());
            vec![format!(
                "package `{}` links bt-core more than once ({}): only what is annotated with {} is exported",
                chosen.package.name,
                quoted(versions),
                graph.packages[bt_core].version,
            )]
        } else {
            Vec::new()
        };
        let dependents = reached
            .iter()
            .filter(|id| **id != &chosen.package.id && **id != bt_core)
            .filter(|id| graph.reach(id).contains(bt_core))
            .map(|id| (*id).clone())
            .collect();
        Ok(Self {
            bt_core: bt_core.clone(),
            dependents,
            warnings,
        })
    }
}

struct Graph<'a> {
    nodes: BTreeMap<&'a PackageId, &'a Node>,
    packages: BTreeMap<&'a PackageId, &'a Package>,
}

impl<'a> Graph<'a> {
    fn of(metadata: &'a Metadata) -> Self {
        let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
        Self {
            nodes: nodes.map(|node| (&node.id, node)).collect(),
            packages: metadata
                .packages
                .iter()
                .map(|package| (&package.id, package))
                .collect(),
        }
    }

    fn is_core(&self, id: &PackageId) -> bool {
        self.packages
            .get(id)
            .is_some_and(|package| package.name.as_str() == "bt-core")
    }

    /// The packages that a package needs at run time: not for its build script or its tests, nor as a macro.
    fn needs(&self, id: &PackageId) -> Vec<&'a PackageId> {
        let is_macro =
            |package: &&Package| package.targets.iter().any(|target| target.is_proc_macro());
        if self.packages.get(id).is_some_and(is_macro) {
            return Vec::new();
        }
        let deps = self.nodes.get(id).into_iter().flat_map(|node| &node.deps);
        let normal = |kinds: &[cargo_metadata::DepKindInfo]| {
            kinds.iter().any(|kind| kind.kind == DependencyKind::Normal)
        };
        deps.filter(|dep| normal(&dep.dep_kinds))
            .map(|dep| &dep.pkg)
            .collect()
    }

    /// The package and everything that it needs.
    fn reach(&self, from: &PackageId) -> BTreeSet<&'a PackageId> {
        let start = self.nodes.get_key_value(from).map(|(id, _)| *id);
        let mut open: Vec<&PackageId> = start.into_iter().collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = open.pop() {
            if reached.insert(id) {
                open.extend(self.needs(id));
            }
        }
        reached
    }
}

/// The report about the packages that took part.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) warnings: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Compares who registered something with who was linked and who was not.
///
/// # Errors
/// A finding when the package itself registers nothing.
pub(super) fn report(
    catalogue: &Catalogue,
    metadata: &Metadata,
    chosen: &Chosen,
    closure: &Closure,
    linked: &[PackageId],
) -> Result<Report, Error> {
    let graph = Graph::of(metadata);
    let registered = |package: &Package| {
        catalogue
            .crates
            .iter()
            .any(|entry| entry.package == package.name.as_str())
    };
    // What contradicts itself says more than that something is missing.
    if catalogue.problems.is_empty() && !registered(&chosen.package) {
        return Err(Error::finding(format!(
            "package `{name}` registers nothing: annotate a type with `#[derive(Agent)]` and its methods \
             with `#[agent]` and `#[action]`{generic}{features}; what registered something is {there}",
            name = chosen.package.name,
            generic = if catalogue.unnamed_generics.is_empty() {
                ""
            } else {
                ", name the concrete types of generic agents with `register_agent!`"
            },
            features = if chosen.package.features.is_empty() {
                ""
            } else {
                ", or turn on the feature that has them (`--features …`)"
            },
            there = quoted(catalogue.crates.iter().map(|entry| &entry.package)),
        )));
    }
    let mut report = Report {
        warnings: closure.warnings.clone(),
        notes: Vec::new(),
    };
    for id in linked {
        let package = graph.packages[id];
        if !registered(package) && graph.needs(id).contains(&&closure.bt_core) {
            report.notes.push(format!(
                "crate `{}` depends on bt-core and is linked, but registers nothing",
                package.name
            ));
        }
    }
    for member in metadata.workspace_packages() {
        let takes_part = member.id == chosen.package.id || linked.contains(&member.id);
        let could = graph.reach(&member.id).iter().any(|id| graph.is_core(id));
        let folder = member.manifest_path.parent();
        let separate = member.metadata["bt"]["separate"].as_bool() == Some(true);
        if takes_part || !could || separate || graph.is_core(&member.id) {
            continue;
        }
        if folder.is_some_and(|folder| annotates(&folder.as_std_path().join("src"))) {
            report.warnings.push(format!(
                "crate `{}` annotates agents but is not linked into `{}`, so they are not exported: add \
                 it to the dependencies of `{}`, or export it by itself (and if that is how it is meant, \
                 write `[package.metadata.bt] separate = true` in its manifest)",
                member.name, chosen.package.name, chosen.package.name
            ));
        }
    }
    if !chosen.is_binary() {
        for target in chosen
            .package
            .targets
            .iter()
            .filter(|target| target.is_bin())
        {
            if file_annotates(target.src_path.as_std_path()) {
                report.warnings.push(format!(
                    "binary `{name}` of `{}` annotates agents, but its library is what was exported: \
                     export the binary with `--bin {name}`",
                    chosen.package.name,
                    name = target.name,
                ));
            }
        }
    }
    Ok(report)
}

/// Returns true if a folder's Rust files look as if they annotate agents.
///
/// A glance at the text, not a parse: good enough for a warning, which a comment may then cause too.
fn annotates(dir: &Path) -> bool {
    let Ok(entries) = fs::read_dir(dir) else {
        return false;
    };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        if path.is_symlink() {
            false
        } else if path.is_dir() {
            annotates(&path)
        } else {
            path.extension().is_some_and(|ending| ending == "rs") && file_annotates(&path)
        }
    })
}

fn file_annotates(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text_annotates(&text))
}

fn text_annotates(text: &str) -> bool {
    text.lines()
        .map(str::trim_start)
        .filter(|line| !line.starts_with("//"))
        .any(|line| {
            let derives = line.starts_with("#[derive(")
                && line
                    .split(['(', ',', ')', ' ', ':'])
                    .any(|word| word == "Agent");
            let attribute = ["#[agent]", "#[agent(", "#[bt_core::agent"];
            derives || attribute.iter().any(|start| line.starts_with(start))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_seen_and_comments_are_not() {
        for text in [
            "#[derive(Debug, Agent)]",
            "  #[agent]\nimpl X {}",
            "#[agent(part = 1)]",
        ] {
            assert!(text_annotates(text), "{text}");
        }
        for text in [
            "// #[agent]",
            "#[derive(Debug, AgentLike)]",
            "fn agent() {}",
            "/// #[derive(Agent)]",
        ] {
            assert!(!text_annotates(text), "{text}");
        }
    }
}
