//! Input that means harm is an error, and soon.

use std::time::{Duration, Instant};

use super::*;

/// A build without optimisation on a busy machine is slow; what is not linear takes hours.
const SOON: Duration = Duration::from_secs(60);

fn refused(text: &str) -> AssetError {
    let start = Instant::now();
    let error = TreeAsset::from_json("t", text).unwrap_err();
    assert!(error.problems().len() <= problem::MAX_PROBLEMS);
    assert!(error.to_string().len() < 1_000_000);
    assert!(start.elapsed() < SOON);
    error
}

#[test]
fn deep_json_is_refused() {
    refused(&"[".repeat(10_000_000));
    for open in ["{\"a\":", "{\"nodes\":[{\"extra\":"] {
        let error = refused(&open.repeat(10_000_000 / open.len()));
        assert!(error.to_string().contains("recursion limit"), "{error}");
    }
}

#[test]
fn more_nodes_than_a_tree_may_have_are_refused() {
    let error = refused(&format!("{{\"nodes\":[{}0]}}", "0,".repeat(MAX_NODES)));
    assert_eq!(error.problems()[0].message(), "more than 1000000 nodes");
    assert_eq!(error.unlisted(), 0);
}

#[test]
fn a_file_of_mistakes_is_an_error_of_the_usual_size() {
    let error = refused(&format!("{{\"nodes\":[{}0]}}", "0,".repeat(99_999)));
    assert_eq!(error.problems().len() + error.unlisted(), 100_000);
    assert!(error.to_string().ends_with("\nand 99000 more"));
}

/// A file of so many nodes, the children of the n-th by a rule.
fn many(count: u32, children: impl Fn(u32) -> Vec<u32>) -> String {
    let nodes: Vec<String> = (0..count)
        .map(|idx| {
            let kind = if idx == 0 { "root" } else { "x" };
            let children = format!("{:?}", children(idx)).replace(' ', "");
            format!(r#"{{"idx":{idx},"type":"{kind}","children":{children}}}"#)
        })
        .collect();
    format!("{{\"nodes\":[{}]}}", nodes.join(","))
}

const MANY: u32 = 20_000;

#[test]
fn a_wide_tree_is_read_and_written_in_time() {
    let start = Instant::now();
    let text = many(MANY, |idx| {
        if idx == 0 {
            (1..MANY).collect()
        } else {
            vec![]
        }
    });
    let tree = TreeAsset::from_json("t", &text).unwrap();
    assert_eq!(tree.preorder().count(), MANY as usize);
    assert_eq!(TreeAsset::from_json("t", &tree.to_json()), Ok(tree));
    assert!(start.elapsed() < SOON);
}

#[test]
fn a_chain_is_refused_where_it_gets_too_deep() {
    let deepest = MAX_DEPTH as u32;
    let chain = |count: u32| {
        let below = move |idx| {
            if idx + 1 < count {
                vec![idx + 1]
            } else {
                vec![]
            }
        };
        many(count, below)
    };
    assert!(TreeAsset::from_json("t", &chain(deepest)).is_ok());
    let error = refused(&chain(deepest + 1));
    let problem = &error.problems()[0];
    assert_eq!(problem.node(), Some(deepest));
    assert_eq!(problem.message(), "more than 256 nodes below one another");
    assert_eq!(problem.position().unwrap().line, 1);
    refused(&chain(MANY));
}

#[test]
fn cycles_and_crossings_are_refused_in_time() {
    // One cycle of all, one of each, pairs, everyone below one, everyone's child.
    let last = MANY - 1;
    refused(&many(MANY, |idx| vec![(idx + 1) % MANY]));
    let error = refused(&many(MANY, |idx| match idx {
        0 => vec![],
        idx if idx == last => vec![1],
        idx => vec![idx + 1],
    }));
    assert_eq!(
        error.problems()[0].message(),
        "is below itself: 1 -> 2 -> 3 -> 4 -> 5 -> … -> 19996 -> 19997 -> 19998 -> 19999 -> 1"
    );
    refused(&many(MANY, |idx| vec![idx]));
    refused(&many(MANY, |idx| vec![idx ^ 1]));
    refused(&many(MANY, |_| vec![7]));
    refused(&many(1_000, |_| (0..1_000).collect()));
    refused(&many(MANY, |_| vec![u32::MAX]));
    refused(&many(MANY, |_| vec![]));
}

#[test]
fn one_idx_for_all_is_refused() {
    let node = r#"{"idx":0,"type":"root","children":[0]},"#;
    refused(&format!("{{\"nodes\":[{}{{}}]}}", node.repeat(20_000)));
}

#[test]
fn numbers_without_end_are_refused() {
    for number in [
        "1e999",
        &"9".repeat(1_000_000),
        "-0",
        "1e2",
        "18446744073709551616",
    ] {
        let text = format!(r#"{{"nodes":[{{"idx":{number},"type":"root","children":[]}}]}}"#);
        refused(&text);
    }
}

#[test]
fn keys_of_megabytes_are_not_multiplied() {
    let key = "k".repeat(1_000_000);
    let twice = r#""a":0,"#.repeat(10_000);
    refused(&format!(r#"{{"nodes":[],"{key}":{{{twice}"a":0}}}}"#));
    refused(&format!(
        r#"{{"nodes":[{{"{key}":0,"{key}":0,"type":"{key}"}}]}}"#
    ));
}

#[test]
fn a_text_that_ends_anywhere_is_refused_without_a_panic() {
    let whole = file(&["0 root - 1", "1 日本 0"]);
    let end = whole.trim_end().len();
    for cut in (0..end).filter(|cut| whole.is_char_boundary(*cut)) {
        refused(&whole[..cut]);
    }
    for cut in 0..end {
        let mut bytes = whole.clone().into_bytes();
        for byte in [b'"', b'}', b'7', b'\\', 0xff, 0] {
            bytes[cut] = byte;
            let _ = TreeAsset::from_slice("t", &bytes);
        }
    }
}
