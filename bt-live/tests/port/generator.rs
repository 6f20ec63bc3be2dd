//! Random requests of all methods, made by the schemas of their parameters. The fuzzer begins with some of them.

use bt_core::Random;
use bt_live::protocol::METHODS;
use serde_json::{Map, Value, json};

/// A generator of random requests to a game.
pub(crate) struct Generator {
    /// The id of an agent that there is.
    agent: String,
    /// Words that mean something in some request.
    words: &'static [&'static str],
    /// The schema of the parameters of each method.
    params: Vec<Value>,
    /// The types that they name.
    types: Map<String, Value>,
}

impl Generator {
    pub(crate) fn new(agent: String, words: &'static [&'static str]) -> Generator {
        let mut schemas = schemars::SchemaGenerator::default();
        let params = METHODS.iter().map(|method| (method.params)(&mut schemas));
        let params = params.map(Value::from).collect();
        let types = schemas.take_definitions(false).into_iter().collect();
        Generator {
            agent,
            words,
            params,
            types,
        }
    }

    /// Parameters of the method of that number, most of them as it wants them.
    pub(crate) fn params(&self, method: usize, random: &mut Random) -> Value {
        self.fitting("", &self.params[method], random)
    }

    /// Any JSON, not very deep.
    fn any_json(&self, random: &mut Random, depth: u32) -> Value {
        let kinds = if depth > 0 { 8 } else { 6 };
        match random.int(0..=kinds) {
            0 => Value::Null,
            1 => json!(random.chance(0.5)),
            2 => json!(random.int(i64::MIN..=i64::MAX)),
            3 => json!(random.float(-1e300, 1e300)),
            4 => json!(random.choose(self.words)),
            5 => json!("\u{0}\u{202e}é".repeat(random.int(0..=50) as usize)),
            6 => json!(random.int(0..=10)),
            7 => (0..random.int(0..=4))
                .map(|_| self.any_json(random, depth - 1))
                .collect(),
            _ => {
                let fields = 0..random.int(0..=4);
                let field = fields.map(|at| (format!("f{at}"), self.any_json(random, depth - 1)));
                Value::Object(field.collect())
            }
        }
    }

    /// A value that the schema of a field allows, as far as it says.
    fn fitting(&self, field: &str, schema: &Value, random: &mut Random) -> Value {
        if let Some(name) = schema["$ref"].as_str() {
            return self.object(&self.types[name.rsplit('/').next().unwrap()], random);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            return self.fitting(field, &choices[0], random);
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds[0].as_str(),
            kind => kind.as_str(),
        };
        match kind {
            Some("string") if field.starts_with("agent") => json!(self.agent),
            Some("string") => json!(random.choose(self.words)),
            Some("integer") => json!(random.int(0..=12)),
            Some("number") => json!(random.float(0.0, 16.0)),
            Some("boolean") => json!(random.chance(0.5)),
            Some("array") => (0..random.int(0..=3))
                .map(|_| self.fitting(field, &schema["items"], random))
                .collect(),
            Some("object") => {
                let entries = 0..random.int(0..=2);
                let entry = entries.map(|_| {
                    let name = random.choose(self.words).map_or("", |word| *word);
                    let value = &schema["additionalProperties"];
                    (name.to_owned(), self.fitting(name, value, random))
                });
                Value::Object(entry.collect())
            }
            _ => self.any_json(random, 2),
        }
    }

    /// The fields of an object, most of them as the schema wants them.
    fn object(&self, schema: &Value, random: &mut Random) -> Value {
        let mut given = Map::new();
        let fields = schema["properties"].as_object().into_iter().flatten();
        for (name, field) in fields.filter(|(name, _)| *name != "token") {
            if random.chance(0.85) {
                let value = match random.chance(0.85) {
                    true => self.fitting(name, field, random),
                    false => self.any_json(random, 3),
                };
                given.insert(name.clone(), value);
            }
        }
        given.into()
    }
}
