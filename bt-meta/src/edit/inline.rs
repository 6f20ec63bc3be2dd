//! Trees that become parts of those that call them: the inverse of making a tree of a part.

use crate::text::style::New;
use bt_core::TreeAsset;
use bt_core::expression::keys;
use bt_core::kinds::Kind;
use bt_core::kinds::Use;
use serde_json::{Map, Value, json};

use super::Around;
use super::fragment::paste;
use super::trees::{ATTACHED, DECLARED, Extra, declared_above, declared_at, is_attached, is_key};
use super::work::Work;
use crate::mentions::Mention;

/// The parts of a node's `extra` that a call of a tree has for itself.
const OF_THE_CALL: [&str; 6] = [
    "sub_tree_name",
    "name_key",
    "mode",
    "args",
    "results",
    "results_on",
];

/// Puts the nodes of a tree in the place of a call of it.
pub(super) fn inline(work: &mut Work<'_, '_>, idx: u32, around: &dyn Around) -> Result<(), String> {
    work.links.find_below(idx)?;
    let tree = &work.text.tree;
    let call = Call::of(tree, idx, around)?;
    let (called, all) = (&call.called, around.mentions(&call.called));
    let root = called.root();
    let [top] = root.children() else {
        return Err(format!("the root of `{}` has not one child", call.name));
    };
    if ATTACHED.iter().any(|key| root.extra.contains_key(*key)) {
        return Err(format!(
            "the root of `{}` has guards, effects or other attachments: move them to the node below it first",
            call.name
        ));
    }
    for mention in all.iter().filter(|it| is_key(it)) {
        call.check_key(tree, mention)?;
    }
    let keys = call.keys(tree, &all)?;
    let mut nodes: Vec<Value> = called.below(*top).map(written).collect();
    let mut attached: Extra = call.attached.clone();
    for (key, declared) in &keys.of_the_part {
        let is_seen = around
            .mentions(tree)
            .iter()
            .any(|it| it.node == idx && is_key(it) && is_attached(it) && it.name == *key);
        if is_seen {
            return Err(format!(
                "node {idx} and `{}` both have a key `{key}`, which are two: rename one of them first",
                call.name
            ));
        }
        let all = attached
            .entry(DECLARED)
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(all) = all.as_object_mut() {
            all.insert(key.clone(), declared.clone());
        }
    }
    let own = called.node(*top).map(|node| &node.extra);
    let has = |key: &str| own.is_some_and(|extra| extra.contains_key(key));
    let is_crowded = attached.keys().any(|key| has(key));
    let sees_too_little = !keys.of_the_part.is_empty() && has("guards");
    if keys.first.is_empty() && !is_crowded && !sees_too_little {
        if let Some(extra) = nodes[0]["extra"].as_object_mut() {
            extra.extend(attached);
        }
    } else {
        wrap(&mut nodes, keys.first, attached);
    }
    for (key, declared) in keys.of_the_root {
        let steps = ["extra", DECLARED, &key].map(str::to_owned);
        let root = work.text.part(tree.root().idx())?;
        work.put(root, &steps, New::from(&declared))?;
    }
    let parent = work.links.parent(idx).unwrap_or_default();
    let at = u32::try_from(work.links.place(idx)).ok();
    work.links.remove(idx);
    paste(
        work,
        parent,
        at,
        &json!({ "nodes": nodes }).to_string(),
        false,
    )?;
    for top in work.links.created() {
        work.links.replace(top, idx);
    }
    Ok(())
}

/// Puts nodes below a `sequence`, behind others that come first.
fn wrap(nodes: &mut Vec<Value>, first: Vec<Value>, attached: Extra) {
    let largest = nodes.iter().filter_map(|node| node["idx"].as_u64()).max();
    let next = largest.unwrap_or_default() + 1;
    let top = nodes[0]["idx"].clone();
    let numbers = (next + 1..).zip(&first);
    let mut children: Vec<Value> = numbers.map(|(idx, _)| idx.into()).collect();
    children.push(top);
    let around = json!({"idx": next, "type": Kind::Sequence.name(), "children": children, "extra": attached});
    nodes.insert(0, around);
    for (idx, mut node) in (next + 1..).zip(first) {
        node["idx"] = idx.into();
        nodes.push(node);
    }
}

/// A node as a file has it.
fn written(node: &bt_core::tree::asset::AssetNode) -> Value {
    let mut map = Map::new();
    map.insert("idx".to_owned(), node.idx().into());
    map.insert("type".to_owned(), node.kind.as_str().into());
    map.insert("children".to_owned(), node.children().into());
    map.insert("comment".to_owned(), node.comment.as_str().into());
    map.insert("color".to_owned(), node.color.into());
    map.insert("is_collapsed".to_owned(), node.is_collapsed.into());
    map.insert("extra".to_owned(), Value::Object(node.extra.clone()));
    map.extend(node.others.clone());
    Value::Object(map)
}

/// A call of a tree.
struct Call {
    idx: u32,
    name: String,
    called: TreeAsset,
    args: Extra,
    /// The parts that stand at the node beside the call.
    attached: Extra,
}

/// The fate of the keys that the called tree declares.
#[derive(Default)]
struct Keys {
    /// Those that are declared at the root of this tree.
    of_the_root: Vec<(String, Value)>,
    /// Those that each run of the part has for itself.
    of_the_part: Vec<(String, Value)>,
    /// Nodes that come first: they write what was handed over.
    first: Vec<Value>,
}

impl Call {
    fn of(tree: &TreeAsset, idx: u32, around: &dyn Around) -> Result<Call, String> {
        let node = tree
            .node(idx)
            .ok_or_else(|| format!("there is no node {idx}"))?;
        let (mut name, mut comes_back, mut gives) = (None, true, false);
        node.uses(&mut |_, used| {
            if let Use::Tree(called) = used {
                name = called.named().map(str::to_owned);
                comes_back = called.comes_back();
                gives = !called.results.0.is_empty();
            }
        });
        let name = name.ok_or_else(|| format!("node {idx} runs no tree that is known by name"))?;
        if !comes_back {
            return Err(format!(
                "node {idx} leaves this tree for `{name}` and does not come back (mode `transfer`): only a tree that is \
                 called can be put in place"
            ));
        }
        if gives {
            return Err(format!(
                "node {idx} takes results of `{name}` when that has ended, which nodes in its place do not give: remove \
                 its `results` first"
            ));
        }
        let called = around
            .tree(&name)
            .ok_or_else(|| format!("there is no tree `{name}`"))?;
        if called.name() == tree.name() {
            return Err(format!("`{name}` is this tree itself"));
        }
        let args = node.extra.get("args").and_then(Value::as_object);
        let args = args.cloned().unwrap_or_default();
        let mut attached = node.extra.clone();
        attached.retain(|key, _| !OF_THE_CALL.contains(&key.as_str()));
        Ok(Call {
            idx,
            name,
            called,
            args,
            attached,
        })
    }

    /// A key that the called tree leaves to the agent must not become one that this tree has for itself.
    fn check_key(&self, tree: &TreeAsset, mention: &Mention) -> Result<(), String> {
        let key = &mention.name;
        let root = self.called.root().idx();
        let declared = declared_above(&self.called, mention.node, key);
        let is_agents =
            declared.is_none_or(|(at, declared)| at == root && declared["scope"] != "tree");
        let own = declared_at(&self.called, mention.node);
        if !is_agents || own.is_some_and(|keys| keys.contains_key(key)) {
            return Ok(());
        }
        let here = match declared_at(tree, self.idx).and_then(|keys| keys.get(key)) {
            Some(declared) => Some((self.idx, declared)),
            None => declared_above(tree, self.idx, key),
        };
        match here {
            Some((at, declared)) if at != tree.root().idx() || declared["scope"] == "tree" => {
                Err(format!(
                    "key `{key}` is the agent's in `{}`, and another one here, declared by node {at}: rename one of them \
                     first",
                    self.name
                ))
            }
            _ => Ok(()),
        }
    }

    fn keys(&self, tree: &TreeAsset, all: &[Mention]) -> Result<Keys, String> {
        let mut keys = Keys::default();
        let root = self.called.root().idx();
        let none = Extra::new();
        let declared_keys = declared_at(&self.called, root).unwrap_or(&none);
        for (key, declared) in declared_keys {
            let given = self.args.get(key);
            if declared["scope"] != "tree" {
                match declared_at(tree, tree.root().idx()).and_then(|keys| keys.get(key)) {
                    None => keys.of_the_root.push((key.clone(), declared.clone())),
                    Some(own) if own == declared => {}
                    Some(_) => {
                        return Err(format!(
                            "`{}` declares key `{key}` otherwise than this tree does: declare it alike in both first",
                            self.name
                        ));
                    }
                }
                keys.first.extend(self.write(key, given, declared_keys)?);
                continue;
            }
            let is_same = given.is_some_and(|given| {
                given["arg_type"] == "blackboard" && given["arg_value"] == key.as_str()
            });
            let is_set = all
                .iter()
                .any(|it| is_key(it) && it.name == *key && it.sets);
            if is_same && is_set {
                return Err(format!(
                    "`{}` writes its key `{key}`, which is handed over from a key of the same name: rename one of them \
                     first",
                    self.name
                ));
            }
            // What is only read can be read where it is.
            if is_same {
                continue;
            }
            let mut declared = declared.clone();
            if let Some(map) = declared.as_object_mut() {
                map.remove("scope");
            }
            keys.of_the_part.push((key.clone(), declared));
            keys.first.extend(self.write(key, given, declared_keys)?);
        }
        if let Some(key) = self
            .args
            .keys()
            .find(|key| !declared_keys.contains_key(*key))
        {
            return Err(format!(
                "node {} hands a value to key `{key}`, which `{}` does not declare: take it out of `args` first",
                self.idx, self.name
            ));
        }
        Ok(keys)
    }

    /// The node that writes what is handed over; none where that is the key itself.
    /// `declared`: the keys of the called tree, which hide those of the same names.
    fn write(
        &self,
        key: &str,
        given: Option<&Value>,
        declared: &Extra,
    ) -> Result<Option<Value>, String> {
        let Some(given) = given else { return Ok(None) };
        let value = &given["arg_value"];
        let (action, of, [first, second]) = match given["arg_type"].as_str() {
            Some(of @ ("plain" | "expression")) => {
                ("set_key_value", of, [key.into(), value.clone()])
            }
            Some("blackboard") if value == key => return Ok(None),
            Some("blackboard") => ("copy_key", "plain", [value.clone(), key.into()]),
            _ => {
                return Err(format!(
                    "node {} hands a property to key `{key}` of `{}`: write it to a key of this tree first, or hand \
                     over an expression, `@name`",
                    self.idx, self.name
                ));
            }
        };
        let reads = match given["arg_type"] == "expression" {
            true => keys(value.as_str().unwrap_or_default()).collect(),
            false => Vec::new(),
        };
        if let Some(read) = reads.iter().find(|read| declared.contains_key(*read)) {
            return Err(format!(
                "node {} computes key `{key}` from key `{read}`, and `{}` has a key `{read}`, too: rename one of them \
                 first",
                self.idx, self.name
            ));
        }
        let args = [("plain", first), (of, second)];
        let args = args.map(|(of, value)| json!({"arg_type": of, "arg_value": value}));
        Ok(Some(json!({
            "idx": 0, "type": Kind::Action.name(), "children": [], "extra": {"action_name": action, "action_args": args},
        })))
    }
}
