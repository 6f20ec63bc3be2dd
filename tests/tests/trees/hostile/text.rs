//! Bytes that are no text, marks, halves of characters, and names of megabytes or of nothing.

use bt_core::TreeAsset;

use crate::hostile::{built, file, node, on_a_small_stack, one, wrong};

fn of_bytes(bytes: &[u8]) -> String {
    TreeAsset::from_slice("t.json", bytes)
        .unwrap_err()
        .to_string()
}

#[test]
fn bytes_that_are_no_utf8_are_refused_at_their_place_wherever_they_stand() {
    let text = one("action", 0, r#""action_name":"@""#);
    let at = text.find('@').unwrap();
    // Latin-1, a half of a character, a surrogate, what is longer than it need be, beyond Unicode.
    for bad in [
        &b"\xe9"[..],
        b"\xe6\x97",
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\xf4\x90\x80\x80",
    ] {
        let bytes = [&text.as_bytes()[..at], bad, &text.as_bytes()[at + 1..]].concat();
        let why = of_bytes(&bytes);
        let expected = format!("byte {:#04x} is not UTF-8; save the file as UTF-8", bad[0]);
        assert!(
            why.starts_with("t.json:3:") && why.ends_with(&expected),
            "{why}"
        );
    }
}

#[test]
fn a_file_of_another_encoding_is_refused_where_it_begins() {
    let text = one("action", 0, r#""action_name":"nop""#);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(of_bytes(&[b"\xff\xfe", &*wide].concat()).starts_with("t.json:1:1: byte 0xff"));
    assert!(of_bytes(&wide).starts_with("t.json:1:"));
    assert!(of_bytes(&[0; 1_000_000]).starts_with("t.json:1:1: "));
}

#[test]
fn one_byte_order_mark_is_passed_over_and_two_are_not() {
    let text = one("action", 0, r#""action_name":"nop""#);
    assert!(built(&format!("\u{feff}{text}")).is_ok());
    assert!(wrong(&format!("\u{feff}\u{feff}{text}")).starts_with("t.json:1:1: "));
    assert!(wrong(&text.replacen("[\n", "[\n\u{feff}", 1)).starts_with("t.json:2:1: "));
    let script = "\u{feff}SEQUENCE\n    nop\n";
    assert!(TreeAsset::from_script("t", script).is_ok());
    let twice = TreeAsset::from_script("t", &format!("\u{feff}{script}"));
    assert!(twice.unwrap_err().to_string().starts_with("t:1:1: "));
}

#[test]
fn half_a_character_in_an_escape_is_refused_at_its_place() {
    for half in [
        r"\ud800",
        r"\udc00",
        r"\ud800\ud800",
        r"\ud83d\u0041",
        r"\u12",
        r"\x41",
        "\u{0}",
    ] {
        let why = wrong(&one("action", 0, &format!(r#""action_name":"{half}""#)));
        assert!(why.starts_with("t.json:3:"), "{half}: {why}");
    }
}

#[test]
fn a_name_of_ten_megabytes_is_shown_by_its_beginning() {
    on_a_small_stack(|| {
        let long = "長".repeat(10_000_000 / 3);
        for (kind, extra) in [
            ("action", r#""action_name":"@""#),
            ("wait_event", r#""event":"@""#),
            ("sub_tree", r#""sub_tree_name":"@""#),
            ("decorator", r#""decorator_name":"@""#),
            ("@", ""),
            ("action", r#""action_name":"nop","@":1"#),
            (
                "action",
                r#""action_name":"nop","blackboard":{"@":{"type":"@"}}"#,
            ),
            (
                "action",
                r#""action_name":"set_key_value","action_args":[{"arg_type":"blackboard","arg_value":"@"},{"arg_type":"property","arg_value":"@"}]"#,
            ),
            (
                "action",
                r#""action_name":"nop","guards":[{"condition_name":"@"}]"#,
            ),
            (
                "action",
                r#""action_name":"nop","services":[{"seconds":1,"action_name":"@"}]"#,
            ),
            (
                "action",
                r#""action_name":"nop","events":[{"event":"@","tree":"@"}]"#,
            ),
        ] {
            let leaves = usize::from(kind == "decorator");
            let text = one(kind, leaves, extra).replace('@', &long);
            let tree = TreeAsset::from_json("t.json", &text).unwrap();
            let checked = bt_core::TreeSet::<bt_tests::probe::Probe>::new()
                .add(tree)
                .check();
            assert!(
                !checked.problems.is_empty() || !checked.warnings.is_empty(),
                "{extra}"
            );
            for problem in checked.problems.iter().chain(&checked.warnings) {
                let said = problem.to_string();
                assert!(said.len() < 2_000, "{}", said.len());
                assert!(said.contains("node 1: "), "{said}");
            }
        }
    });
}

#[test]
fn an_event_of_megabytes_is_waited_for_and_never_shown_whole() {
    let long = "e".repeat(1_000_000);
    let trees = built(&one("wait_event", 0, &format!(r#""event":"{long}""#))).unwrap();
    let mut run = crate::hostile::Run::new(&trees);
    run.runner.fire(bt_core::Event::new("f".repeat(1_000_000)));
    run.polls(2);
    assert!(run.diagnostics().len() < 1_000);
    run.runner.fire(bt_core::Event::new(long));
    run.polls(1);
    assert_eq!(run.runner.result(), Some(true));
}

#[test]
fn empty_name_is_refused_where_a_name_is_required() {
    for (kind, key) in [
        ("action", "action_name"),
        ("condition", "action_name"),
        ("wait_event", "event"),
        ("sub_tree", "sub_tree_name"),
        ("decorator", "decorator_name"),
    ] {
        let leaves = usize::from(kind == "decorator");
        let why = wrong(&one(kind, leaves, &format!(r#""{key}":"""#)));
        assert!(
            why.contains(&format!("node 1: `{key}`: expected text that is not empty")),
            "{why}"
        );
    }
    let why = wrong(&one("", 0, ""));
    assert!(why.contains("node 1: ") && why.contains("``"), "{why}");
    let why = wrong(&file([node("0", "root", "", r#""agent_name":"""#)]));
    assert!(why.contains("node 0: "), "{why}");
    // A key may have any name.
    let args = r#""action_name":"set_key_value","action_args":[{"arg_type":"plain","arg_value":""},{"arg_type":"plain","arg_value":1}]"#;
    let mut run = crate::hostile::Run::new(&built(&one("action", 0, args)).unwrap());
    run.polls(1);
    assert_eq!(run.runner.blackboard().get(""), 1);
}
