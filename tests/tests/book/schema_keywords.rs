//! One module reads the keywords of JSON Schemas, as types: all others ask it.

use crate::rooms::code;
use crate::root;

const READER: &str = "bt-core/src/describe/schema.rs";

/// Files that have a keyword as a key, and why.
const OTHERS: &[(&str, &str)] = &[
    (
        "bt-core/src/describe/type_name.rs",
        "it takes `null` out of a schema, and makes another",
    ),
    ("bt-core/src/kinds/tidy.rs", "a list of keys without one"),
    (
        "bt-core/src/registry/known.rs",
        "it writes into the parts of a schema",
    ),
    (
        "bt-core/src/snapshot/mod.rs",
        "a saved agent has a `format`",
    ),
    (
        "bt-meta/src/dap/wire.rs",
        "a debug adapter's message has a `type`",
    ),
    (
        "bt-meta/src/diff/node_kinds.rs",
        "it takes a part out of a schema",
    ),
    (
        "bt-meta/src/diff/schema/fits.rs",
        "it compares parts that are not understood",
    ),
    ("bt-meta/src/diff/uses/find.rs", "a node has a `type`"),
    (
        "bt-meta/src/import/btcpp/models.rs",
        "a port in the XML of BehaviorTree.CPP has a `type`",
    ),
    (
        "bt-meta/src/mcp/table.rs",
        "makes the schemas of tools smaller: they are schemars', of types here",
    ),
];

const KEYWORDS: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "type",
    "x-decoder",
];

#[test]
fn one_module_reads_the_keywords_of_schemas() {
    let forms = |word: &&str| {
        ["get", "get_mut", "contains_key", "remove", "pointer"]
            .map(|with| format!(".{with}(\"{word}\")"))
    };
    let forms: Vec<String> = KEYWORDS.iter().flat_map(forms).collect();
    let mut found = Vec::new();
    for folder in ["bt-core/src", "bt-live/src", "bt-meta/src", "bt-studio/src"] {
        let mut files = Vec::new();
        code(&root().join(folder), &mut files);
        for (file, code) in files {
            let (_, file) = file.rsplit_once("/../").expect("it is below the root");
            if forms.iter().any(|form| code.contains(form.as_str())) && file != READER {
                found.push(file.to_owned());
            }
        }
    }
    found.sort_unstable();
    let known: Vec<_> = OTHERS.iter().map(|(file, _)| *file).collect();
    assert_eq!(
        found, known,
        "read a schema by `registry::schema`, or say here what else the key is"
    );
}
