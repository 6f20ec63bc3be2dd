//! The catalogue of what is linked: descriptors in no order become entries in one.

use std::any::TypeId;
use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::agent::NoBase;
use crate::call::table::descriptor::{AgentDesc, Block, Registration, Site};
use crate::call::table::item::{ItemDesc, Key};
use crate::call::table::members::{MethodDesc, PropertyDesc};
use crate::describe::catalogue::{
    AgentEntry, Catalogue, CrateEntry, Deprecation, EventEntry, ItemEntry, MethodEntry, Place,
    ProblemEntry, PropertyEntry, ReturnKind, SCHEMA_VERSION, TypeEntry, ValueEntry,
};
use crate::describe::docs::{Docs, one_line};
use crate::describe::schema;
use crate::describe::shape::Passing;
use crate::describe::type_name::{optional, type_name};
use crate::describe::value::{ValueDesc, ValueKey, arguments, param};

/// Everything that is linked into this program.
pub(crate) fn collect() -> Catalogue {
    let mut builder = Builder {
        generator: SchemaSettings::draft2020_12().into_generator(),
        problems: Vec::new(),
    };
    let mut agents = Vec::new();
    let mut blocks = Vec::new();
    let mut generics = Vec::new();
    for registration in inventory::iter::<Registration>() {
        match registration {
            Registration::Agent(agent) => agents.push(agent),
            Registration::Block(block) => blocks.push(block),
            Registration::Generic(generic) => generics.push(generic),
        }
    }
    agents.sort_by_key(|agent| (full_name(agent), agent.site, agent.item.line));
    blocks.sort_by_key(|block| (block.site, (block.type_name)()));
    generics.sort_by_key(|generic| (generic.site, generic.line));

    let names: BTreeMap<TypeId, String> = agents
        .iter()
        .map(|agent| ((agent.id)(), full_name(agent)))
        .collect();
    let mut catalogue = Catalogue {
        schema_version: SCHEMA_VERSION,
        bt_core: env!("CARGO_PKG_VERSION").to_owned(),
        crates: crates(&agents, &blocks),
        node_kinds: crate::kinds::node_kinds(),
        ..Catalogue::default()
    };
    for block in &blocks {
        if !names.contains_key(&(block.id)()) {
            builder.unregistered(block);
        }
    }
    builder.problems.extend(types_with_two_names(&agents));
    let mut done = Vec::new();
    for agent in &agents {
        // A type that is registered twice keeps its items once; the problem names both places.
        let id = (agent.id)();
        let repeated = done.contains(&id);
        done.push(id);
        let parts = agent.parts.iter().flatten();
        let blocks = blocks.iter().copied().filter(|block| (block.id)() == id);
        let blocks = blocks.chain(parts).filter(|_| !repeated);
        let entry = builder.agent(agent, blocks, &names, repeated);
        catalogue.agents.push(entry);
    }
    catalogue.unnamed_generics = generics
        .iter()
        .filter(|generic| {
            !agents.iter().any(|agent| {
                agent
                    .generic
                    .is_some_and(|of| (of.site, of.line) == (generic.site, generic.line))
            })
        })
        .map(|generic| {
            let what = format!("generic agent `{}`", generic.name);
            place(&generic.site, generic.line, what)
        })
        .collect();
    catalogue.defs = builder
        .generator
        .take_definitions(true)
        .into_iter()
        .collect();
    catalogue.defs.extend(crate::kinds::node_defs());
    catalogue.problems = builder.problems;
    let found = super::check::check(&catalogue);
    catalogue.problems.extend(found);
    catalogue
}

pub(super) fn full_name(agent: &AgentDesc) -> String {
    if agent.namespace.is_empty() {
        return agent.item.name.to_owned();
    }
    format!("{}::{}", agent.namespace, agent.item.name)
}

/// Types that are registered under several names; [`super::check`] reports those of one name.
fn types_with_two_names(agents: &[&AgentDesc]) -> Vec<ProblemEntry> {
    let mut by_type: BTreeMap<TypeId, Vec<&AgentDesc>> = BTreeMap::new();
    for agent in agents {
        by_type.entry((agent.id)()).or_default().push(agent);
    }
    let mut problems: Vec<_> = by_type
        .into_values()
        .filter(|same| same.iter().any(|a| full_name(a) != full_name(same[0])))
        .map(|same| {
            let names: Vec<_> = same.iter().map(|a| format!("`{}`", full_name(a))).collect();
            ProblemEntry {
                message: format!(
                    "one type is registered as {}: a type is one agent, so take all but one \
                     `register_agent!` away",
                    names.join(" and as ")
                ),
                places: same
                    .iter()
                    .map(|a| place(&a.site, a.item.line, format!("agent `{}`", full_name(a))))
                    .collect(),
            }
        })
        .collect();
    // The order of `TypeId`s is another in each build.
    problems.sort_by(|a, b| a.message.cmp(&b.message));
    problems
}

fn crates(agents: &[&AgentDesc], blocks: &[&Block]) -> Vec<CrateEntry> {
    let sites = agents.iter().map(|agent| agent.site);
    let mut crates: Vec<_> = sites
        .chain(blocks.iter().map(|block| block.site))
        .map(|site| CrateEntry {
            package: site.package.to_owned(),
            name: site.krate.to_owned(),
        })
        .collect();
    crates.sort();
    crates.dedup();
    crates
}

fn place(site: &Site, line: u32, what: String) -> Place {
    Place {
        what,
        package: site.package.to_owned(),
        file: site.file.to_owned(),
        line,
    }
}

/// The line of a block's first item; a block has no line of its own.
fn first_line(block: &Block) -> u32 {
    let table = block.table;
    let methods = table.methods().into_iter().map(|m| m.item.line);
    let properties = table.properties().into_iter().map(|p| p.item.line);
    let events = table.events().iter().map(|event| event.item.line);
    let lines = methods.chain(properties).chain(events);
    lines.chain(table.fallback()).min().unwrap_or(1)
}

fn setter_place(site: &Site, setter: &PropertyDesc) -> Place {
    let what = format!("setter of `{}`", setter.item.name);
    place(site, setter.item.line, what)
}

struct Builder {
    generator: SchemaGenerator,
    problems: Vec<ProblemEntry>,
}

impl Builder {
    fn unregistered(&mut self, block: &Block) {
        let name = (block.type_name)();
        self.problems.push(ProblemEntry {
            message: format!(
                "`{name}` has an `#[agent]` block, but no instance of this generic agent is \
                 registered under that type: write `register_agent!({name});`"
            ),
            places: vec![place(
                &block.site,
                first_line(block),
                format!("a block of `{name}`"),
            )],
        });
    }

    fn agent<'a>(
        &mut self,
        agent: &'a AgentDesc,
        blocks: impl Iterator<Item = &'a Block>,
        names: &BTreeMap<TypeId, String>,
        repeated: bool,
    ) -> AgentEntry {
        let kin = (agent.kin)();
        let base = (kin.base != TypeId::of::<NoBase>()).then(|| {
            let name = names.get(&kin.base).cloned();
            name.unwrap_or_else(|| kin.base_name.to_owned())
        });
        let docs = Docs::of(agent.item.docs);
        let mut entry = AgentEntry {
            item: item(&agent.item, &agent.site, &docs),
            full_name: full_name(agent),
            namespace: (!agent.namespace.is_empty()).then(|| agent.namespace.to_owned()),
            base,
            world: kin.world,
            ..AgentEntry::default()
        };
        let mut properties = Vec::new();
        let defined = agent.generic.map_or(agent.site, |generic| generic.site);
        let own = (!repeated).then_some((defined, agent.table));
        for (site, table) in own.into_iter().chain(blocks.map(|b| (b.site, b.table))) {
            let methods = table.methods();
            entry
                .methods
                .extend(methods.iter().map(|method| self.method(method, &site)));
            properties.extend(table.properties().into_iter().map(|p| (site, p)));
            for event in table.events() {
                let docs = Docs::of(event.item.docs);
                entry.events.push(EventEntry {
                    item: item(&event.item, &site, &docs),
                    params: self.values(event.params.iter().map(|param| param.value), &docs),
                });
            }
            if let Some(line) = table.fallback() {
                let what = format!("fallback of `{}`", entry.full_name);
                let place = place(&site, line, what);
                match &entry.fallback {
                    Some(first) => self.problems.push(ProblemEntry {
                        message: format!("agent `{}` has two fallbacks", entry.full_name),
                        places: vec![first.clone(), place],
                    }),
                    None => entry.fallback = Some(place),
                }
            }
        }
        entry.properties = self.properties(&entry.full_name, properties);
        entry.methods.sort_by(|a, b| by_place(&a.item, &b.item));
        entry.events.sort_by(|a, b| by_place(&a.item, &b.item));
        entry
    }

    fn method(&mut self, method: &MethodDesc, site: &Site) -> MethodEntry {
        let docs = Docs::of(method.item.docs);
        let mut shapes = method.shapes.iter();
        let takes_context = shapes.any(|shape| shape.passing == Passing::Context);
        for arg in arguments(method.args, method.shapes) {
            self.default_of(&arg, method, site);
        }
        MethodEntry {
            item: item(&method.item, site, &docs),
            kind: method.kind,
            returns: docs.returns.clone(),
            result: method.result,
            answer: method.answer.map(|answer| {
                let value = ValueDesc {
                    param: param(method.item.name, ""),
                    shape: answer.shape,
                };
                self.ty(&value, [], &docs.returns)
            }),
            fallible: method.fallible,
            is_async: matches!(method.result, ReturnKind::Async | ReturnKind::Status),
            is_static: method.is_static,
            world: method.takes_world,
            args_only: method.is_static && !method.takes_world && !takes_context,
            is_override: method.is_override,
            exit: method.exit.map(str::to_owned),
            exit_args: method
                .exit_args
                .iter()
                .map(|param| param.name.to_owned())
                .collect(),
            resume: method.resume.map(str::to_owned),
            running: method.asking.running,
            child_min: method.asking.children.map(|(least, _)| least),
            child_max: method.asking.children.and_then(|(_, most)| most),
            args: self.values(arguments(method.args, method.shapes), &docs),
        }
    }

    /// A default that its own argument does not take: `f64::NAN` is no JSON.
    fn default_of(&mut self, arg: &ValueDesc, method: &MethodDesc, site: &Site) {
        let Some(default) = arg.param.default_value() else {
            return;
        };
        if let Err(why) = (arg.shape.decodes)(&default) {
            let (name, of) = (arg.param.name, method.item.name);
            self.problems.push(ProblemEntry {
                message: format!(
                    "the default of argument `{name}` of `{of}` is `{default}` in JSON, which the argument \
                     does not take: {why}; write a default that JSON can say, or an `Option`"
                ),
                places: vec![place(site, method.item.line, format!("`{of}`"))],
            });
        }
    }

    fn values(
        &mut self,
        descs: impl IntoIterator<Item = ValueDesc>,
        docs: &Docs,
    ) -> Vec<ValueEntry> {
        let entries = descs.into_iter().map(|desc| {
            let comment = if desc.param.docs.is_empty() {
                let name = desc.param.name;
                let listed = docs.arguments.iter().find(|(listed, _)| listed == name);
                listed.map(|(_, text)| text.clone()).unwrap_or_default()
            } else {
                one_line(desc.param.docs)
            };
            self.value(&desc, comment)
        });
        entries.collect()
    }

    fn value(&mut self, desc: &ValueDesc, comment: String) -> ValueEntry {
        let mut entry = ValueEntry {
            name: desc.param.name.to_owned(),
            ty: self.ty(desc, desc.param.keys, &comment),
            comment,
            ..ValueEntry::default()
        };
        for key in desc.param.keys {
            match key {
                ValueKey::Display(display) => entry.display = Some((*display).to_owned()),
                ValueKey::Alias(names) => {
                    entry
                        .alias
                        .extend(names.iter().map(|&name| name.to_owned()));
                }
                ValueKey::Deprecated => entry.deprecated = true,
                ValueKey::Default(_)
                | ValueKey::Min(_)
                | ValueKey::Max(_)
                | ValueKey::Step(_)
                | ValueKey::Choices(_)
                | ValueKey::Unit(_) => {}
            }
        }
        if entry.deprecated
            && let Value::Object(schema) = &mut entry.ty.schema
        {
            schema.insert("deprecated".to_owned(), true.into());
        }
        entry
    }

    fn ty<'k>(
        &mut self,
        desc: &ValueDesc,
        keys: impl IntoIterator<Item = &'k ValueKey>,
        comment: &str,
    ) -> TypeEntry {
        let schema = (desc.shape.schema)(&mut self.generator).to_value();
        let mut entry = TypeEntry {
            type_name: type_name(&schema),
            by_ref: desc.shape.passing == Passing::Shared,
            optional: (desc.shape.optional)(),
            in_out: desc.shape.passing.in_out(),
            ..TypeEntry::default()
        };
        for key in keys {
            match key {
                ValueKey::Default(make) => entry.default = Some(make()),
                ValueKey::Min(make) => entry.min = Some(make()),
                ValueKey::Max(make) => entry.max = Some(make()),
                ValueKey::Step(make) => entry.step = Some(make()),
                ValueKey::Choices(make) => entry.choices = Some(make()),
                ValueKey::Unit(unit) => entry.unit = Some((*unit).to_owned()),
                ValueKey::Display(_) | ValueKey::Alias(_) | ValueKey::Deprecated => {}
            }
        }
        entry.optional |= entry.default.is_some();
        entry.schema = narrowed(schema.clone(), &entry, comment);
        if entry.choices.is_none() {
            entry.choices = self.variants(&schema);
        }
        entry
    }

    /// The variants without fields of an enum, if it has no others.
    fn variants(&mut self, schema: &Value) -> Option<Vec<Value>> {
        let map = schema.as_object()?;
        if let Some(inner) = optional(map) {
            return self.variants(&inner);
        }
        if let Some(name) = schema::reference(schema) {
            let target = self.generator.definitions().get(&*name)?.clone();
            return self.variants(&target);
        }
        if let Some(values) = schema::fixed(schema) {
            return Some(values.to_vec());
        }
        let lists = schema::branches(schema)?
            .iter()
            .map(|option| self.variants(option));
        Some(lists.collect::<Option<Vec<_>>>()?.concat())
    }

    /// Joins getters with their setters.
    fn properties(&mut self, agent: &str, all: Vec<(Site, PropertyDesc)>) -> Vec<PropertyEntry> {
        for (site, property) in &all {
            self.problems.extend(set_by_one(agent, site, property));
        }
        let (getters, mut setters): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(_, property)| property.value.is_some());
        let mut entries = Vec::new();
        // What writes each property that something writes.
        let mut written: BTreeMap<&str, Place> = BTreeMap::new();
        for (site, getter) in getters {
            let name = getter.item.name;
            let setter = if getter.params.is_some() {
                let field = place(&site, getter.item.line, format!("property `{name}`"));
                written.entry(name).or_insert(field);
                None
            } else {
                let mut all = setters.iter();
                let at = all.position(|(_, setter)| setter.item.name == name);
                at.map(|at| setters.remove(at))
            };
            if let Some((site, setter)) = &setter {
                written.entry(name).or_insert(setter_place(site, setter));
            }
            entries.push(self.property(agent, (site, getter), setter));
        }
        for (site, setter) in &setters {
            let name = setter.item.name;
            let here = setter_place(site, setter);
            self.problems.push(match written.get(name) {
                Some(first) => ProblemEntry {
                    message: format!("agent `{agent}` has two setters for property `{name}`"),
                    places: vec![first.clone(), here],
                },
                None => ProblemEntry {
                    message: format!(
                        "agent `{agent}` has a setter for property `{name}`, but no getter: write \
                         `#[property]` on a getter (or a field) called `{name}`, or give the setter \
                         the property's name with `name = \"…\"`"
                    ),
                    places: vec![here],
                },
            });
        }
        entries.sort_by(|a, b| by_place(&a.item, &b.item));
        entries
    }

    fn property(
        &mut self,
        agent: &str,
        (site, getter): (Site, PropertyDesc),
        setter: Option<(Site, PropertyDesc)>,
    ) -> PropertyEntry {
        let docs = Docs::of(getter.item.docs);
        let name = getter.item.name;
        let taken = setter.as_ref().and_then(|(_, setter)| argument(setter));
        let more = taken.map_or(&[][..], |taken| taken.param.keys);
        let mut ty = TypeEntry::default();
        if let Some(desc) = &getter.value {
            let keys = desc.param.keys.iter().chain(more);
            ty = self.ty(desc, keys, &docs.brief);
        }
        if let (Some((setter_site, setter)), Some(desc)) = (&setter, taken) {
            let taken = self.ty(&desc, [], "");
            if taken.type_name != ty.type_name {
                self.problems.push(ProblemEntry {
                    message: format!(
                        "property `{name}` of agent `{agent}` is read as `{}` and written as \
                         `{}`: getter and setter have one type",
                        ty.type_name, taken.type_name
                    ),
                    places: vec![
                        place(&site, getter.item.line, format!("getter of `{name}`")),
                        setter_place(setter_site, setter),
                    ],
                });
            }
        }
        PropertyEntry {
            item: item(&getter.item, &site, &docs),
            read_only: getter.params.is_none() && setter.is_none(),
            is_static: getter.is_static && setter.is_none_or(|(_, s)| s.is_static),
            is_override: getter.is_override,
            ty,
        }
    }
}

/// The fault of a setter that does not take one value. The macro cannot find it: a `&T` may be the context
/// under another name.
fn set_by_one(agent: &str, site: &Site, setter: &PropertyDesc) -> Option<ProblemEntry> {
    let values: Vec<_> = arguments(setter.params?, setter.shapes).collect();
    let given = |value: &ValueDesc| value.shape.passing.in_out().is_none();
    let takes = match values.as_slice() {
        [one] if given(one) => return None,
        [_] => "a value to write back".to_owned(),
        many => format!("{} values", many.len()),
    };
    Some(ProblemEntry {
        message: format!(
            "the setter of property `{}` of agent `{agent}` takes {takes}: a property is set to \
             one, by value or by `&`",
            setter.item.name
        ),
        places: vec![setter_place(site, setter)],
    })
}

/// The argument of a setter: its parameter that is not a context.
fn argument(setter: &PropertyDesc) -> Option<ValueDesc> {
    arguments(setter.params?, setter.shapes).next()
}

fn by_place(a: &ItemEntry, b: &ItemEntry) -> std::cmp::Ordering {
    let key = |item: &ItemEntry| {
        (
            item.name.clone(),
            item.package.clone(),
            item.file.clone(),
            item.line,
        )
    };
    key(a).cmp(&key(b))
}

fn item(desc: &ItemDesc, site: &Site, docs: &Docs) -> ItemEntry {
    let mut entry = ItemEntry {
        name: desc.name.to_owned(),
        brief: docs.brief.clone(),
        docs: docs.text.clone(),
        package: site.package.to_owned(),
        file: site.file.to_owned(),
        line: desc.line,
        ..ItemEntry::default()
    };
    for key in desc.keys {
        match key {
            Key::Alias(names) => entry.alias.extend(names.iter().map(|&n| n.to_owned())),
            Key::Display(text) => entry.display = Some((*text).to_owned()),
            Key::Category(text) => entry.category = Some((*text).to_owned()),
            Key::Since(text) => entry.since = Some((*text).to_owned()),
            Key::Meta(name, json) => {
                let value = serde_json::from_str(json).unwrap_or(Value::Null);
                entry.meta.insert((*name).to_owned(), value);
            }
            Key::Deprecated(since, note) => {
                entry.deprecated = Some(Deprecation {
                    since: (*since).to_owned(),
                    note: (*note).to_owned(),
                });
            }
        }
    }
    entry
}

/// A type's schema with what the annotation adds to it.
pub(crate) fn narrowed(schema: Value, entry: &TypeEntry, comment: &str) -> Value {
    let mut map = match schema {
        Value::Object(map) => map,
        _ => serde_json::Map::new(),
    };
    let choices = entry.choices.as_ref().map(|choices| {
        let mut choices = choices.clone();
        if optional(&map).is_some() && !choices.contains(&Value::Null) {
            choices.push(Value::Null);
        }
        choices
    });
    // Choices among a type's own values stand beside them: the decoder knows more names than these.
    let own = ["enum", "oneOf", "anyOf"];
    if choices.is_some() && own.iter().any(|key| map.contains_key(*key)) {
        map = serde_json::Map::from_iter([("allOf".to_owned(), vec![Value::Object(map)].into())]);
    }
    if !comment.is_empty() {
        map.insert("description".to_owned(), comment.into());
    }
    let mut put = |name: &str, value: &Option<Value>| {
        if let Some(value) = value {
            map.insert(name.to_owned(), value.clone());
        }
    };
    put("default", &entry.default);
    put("minimum", &entry.min);
    put("maximum", &entry.max);
    put("enum", &choices.map(Value::from));
    Value::Object(map)
}
