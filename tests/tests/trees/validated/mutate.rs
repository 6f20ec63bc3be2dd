//! Trees changed at random: most of what comes out is wrong somewhere.

use serde_json::{Map, Value, json};

/// A small generator of numbers, the same for the same seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Values that some place or other takes, and some that none does.
fn value(random: &mut Random, words: &[String]) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(4)),
        3 => random
            .one(&[
                json!(-1),
                json!(0),
                json!(1.0),
                json!(2.5),
                json!(255),
                json!(256),
                json!(-129),
                json!(1e300),
                json!(1e40),
                json!(u64::MAX),
                json!(i64::MIN),
                json!(9_007_199_254_740_993_u64),
                json!(1_999_999_999),
            ])
            .clone(),
        4 => random
            .one(&["", "x", "xy", "300.1.1.1", "::1", "1", "-1", "true"])
            .to_owned()
            .into(),
        5..=8 => misspelt(random, words).into(),
        9 => (0..random.below(4)).map(|_| value(random, words)).collect(),
        10 => {
            let pairs = (0..random.below(3))
                .map(|_| json!([misspelt(random, words), value(random, words)]));
            pairs.collect()
        }
        _ => {
            let entries =
                (0..random.below(3)).map(|_| (misspelt(random, words), value(random, words)));
            entries.collect::<Map<_, _>>().into()
        }
    }
}

/// One of the words, and every fourth time not quite.
fn misspelt(random: &mut Random, words: &[String]) -> String {
    let mut word = random.one(words).clone();
    if random.below(4) == 0 {
        match random.below(3) {
            0 => drop(word.pop()),
            1 => word.push('x'),
            _ => word = word.to_uppercase(),
        }
    }
    word
}

/// Every word of a tree.
pub(crate) fn words(of: &Value, into: &mut Vec<String>) {
    match of {
        Value::String(word) => into.push(word.clone()),
        Value::Array(items) => items.iter().for_each(|item| words(item, into)),
        Value::Object(map) => {
            for (key, value) in map {
                into.push(key.clone());
                words(value, into);
            }
        }
        _ => {}
    }
}

/// Changes one place of a value, which is chosen by going down.
pub(crate) fn mutate(of: &mut Value, random: &mut Random, words: &[String]) {
    // Going on is likelier than staying: most places are far down.
    if random.below(6) > 0 {
        match of {
            Value::Array(items) if !items.is_empty() => {
                let at = random.below(items.len());
                return mutate(&mut items[at], random, words);
            }
            Value::Object(map) if !map.is_empty() => {
                let at = random.below(map.len());
                let value = map.values_mut().nth(at);
                return value
                    .into_iter()
                    .for_each(|value| mutate(value, random, words));
            }
            _ => {}
        }
    }
    match of {
        Value::Array(items) => match random.below(5) {
            0 if !items.is_empty() => drop(items.remove(random.below(items.len()))),
            1 if !items.is_empty() => {
                let item = random.one(items).clone();
                items.insert(random.below(items.len() + 1), item);
            }
            2 if items.len() > 1 => {
                let (a, b) = (random.below(items.len()), random.below(items.len()));
                items.swap(a, b);
            }
            3 => items.push(value(random, words)),
            _ => *of = value(random, words),
        },
        Value::Object(map) => match random.below(4) {
            0 if !map.is_empty() => {
                let name = map.keys().nth(random.below(map.len())).cloned().unwrap();
                map.remove(&name);
            }
            1 if !map.is_empty() => {
                let name = map.keys().nth(random.below(map.len())).cloned().unwrap();
                let value = map.remove(&name).unwrap();
                map.insert(misspelt(random, words), value);
            }
            2 => drop(map.insert(misspelt(random, words), value(random, words))),
            _ => *of = value(random, words),
        },
        _ => *of = value(random, words),
    }
}
