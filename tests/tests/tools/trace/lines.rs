//! JSON lines, written and read.

use std::io::Cursor;

use bt_core::trace::{JsonLines, Record, Replay, Ring, SharedWriter, Tracer, read_lines};
use bt_core::tree::asset::spec::{parallel, sequence, sub_tree, wait_event};
use bt_tests::probe::{Play, holds, key_true, now, polled, starts, wait};

fn read(text: impl AsRef<[u8]>) -> Vec<Result<(Option<String>, Record<'static>), String>> {
    let read = read_lines(Cursor::new(text));
    read.map(|line| line.map_err(|error| error.to_string()))
        .collect()
}

#[test]
fn json_lines_read_back_equal_the_records_of_a_ring() {
    let main = parallel(
        2,
        1,
        [
            sub_tree("other"),
            sequence([wait(0.5), polled("p"), holds("x"), key_true("k")]),
            wait_event("go"),
        ],
    );
    let mut play = Play::trees([("main", main), ("other", sequence([now("n"), starts("s")]))]);
    play.on_call("n", |cx| {
        cx.set("k", 0.1);
        cx.note("seen", "\u{2028}\"\\");
        cx.fire(bt_core::Event::new("told").with("what", -3));
    });
    let written = SharedWriter::new(Vec::new());
    let ring = Ring::new(play.runner.trees(), 1000).bytes(100_000);
    let both: Vec<Box<dyn Tracer>> = vec![
        Box::new(JsonLines::new(written.clone()).of("wolf \"1\"")),
        Box::new(ring),
    ];
    play.runner.set_tracer(Some(Box::new(both)));
    for step in 0..4 {
        play.set("host", step);
        play.poll(f64::from(step) / 4.0);
    }
    play.flag("x", true).reply("p", [true]);
    play.poll(2.0);
    let all = play.runner.tracer::<Vec<Box<dyn Tracer>>>().unwrap();
    let ring: &dyn std::any::Any = &*all[1];
    let ring: Vec<_> = ring.downcast_ref::<Ring>().unwrap().records().collect();
    let bytes = written.with(|bytes| bytes.clone());
    let mut replay = Replay::new();
    let mut records = Vec::new();
    for line in read(&bytes) {
        let (agent, record) = line.unwrap();
        assert_eq!(agent.as_deref(), Some("wolf \"1\""));
        replay.apply(&record).unwrap();
        records.push(record);
    }
    assert_eq!(records, ring);
    assert!(records.len() > 40);
    assert_eq!(*replay.picture(), play.runner.picture());
}

#[test]
fn lines_that_are_no_records_are_errors_that_name_the_line() {
    let good = r#"{"ns":5,"poll":1,"cmd":"poll_begin"}"#;
    for bad in [
        r#"{"ns":5,"poll":1,"cmd":"poll_b"#,
        r#"{"ns":5,"poll":1,"cmd":"dance"}"#,
        r#"{"ns":"5","poll":1,"cmd":"poll_begin"}"#,
        r#"{"ns":-5,"poll":1,"cmd":"poll_begin"}"#,
        r#"{"ns":5,"poll":1e99,"cmd":"poll_begin"}"#,
        r#"{"ns":5,"poll":1}"#,
        r#"{"poll":1,"cmd":"poll_begin"}"#,
        r#"{"ns":5,"poll":1,"cmd":"bb_set","key":3,"value":1}"#,
        r#"{"ns":5,"poll":1,"cmd":"node_leave","at":[0,1],"result":"bored"}"#,
        r#"{"ns":5,"poll":1,"cmd":"snapshot","trees":3,"blackboard":{},"active":[]}"#,
        r#"{"ns":5,"poll":1,"cmd":"event_fired","event":"go","params":[]}"#,
        "{}",
        "[]",
        "null",
        "7",
        "not JSON",
        "\u{0}",
    ] {
        let lines = read(format!("{good}\n\n{bad}\n{good}\n"));
        assert_eq!(lines.len(), 3, "{bad}");
        assert!(lines[0].is_ok() && lines[2].is_ok(), "{bad}");
        let error = lines[1].as_ref().unwrap_err();
        assert!(error.starts_with("line 3: "), "{bad}: {error}");
    }
}

#[test]
fn a_place_that_is_none_is_an_error_or_nowhere_but_no_panic() {
    for at in ["[0]", "[0,-1]", "\"x\"", "[4294967296,1]", "{}", "null"] {
        let line = format!(r#"{{"ns":5,"poll":1,"at":{at},"cmd":"node_enter"}}"#);
        let lines = read(&line);
        let mut replay = Replay::new();
        if let Ok((_, record)) = &lines[0] {
            assert!(record.at.is_none(), "{line}");
            let snapshot =
                r#"{"ns":5,"poll":1,"cmd":"snapshot","trees":["a"],"blackboard":{},"active":[]}"#;
            replay
                .apply(&read(snapshot)[0].as_ref().unwrap().1)
                .unwrap();
            replay.apply(record).unwrap_err();
        }
    }
}

#[test]
fn ten_megabytes_of_nesting_are_an_error() {
    let nested = "[".repeat(10 << 20);
    let line = format!(r#"{{"ns":5,"poll":1,"cmd":"bb_set","key":"k","value":{nested}"#);
    let error = read(&line)[0].as_ref().unwrap_err().clone();
    assert!(
        error.starts_with("line 1: ") && error.len() < 300,
        "{error}"
    );
    read(&nested)[0].as_ref().unwrap_err();
    // As deep as it may be, it is read and dropped.
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let line = format!(r#"{{"ns":5,"poll":1,"cmd":"bb_set","key":"k","value":{deep}}}"#);
    read(&line)[0].as_ref().unwrap();
}

#[test]
fn bytes_that_are_no_text_are_an_error_and_what_follows_is_read() {
    let good = br#"{"ns":5,"poll":1,"cmd":"poll_begin"}"#;
    let mut bytes = b"\xff\xfe\n".to_vec();
    bytes.extend(good);
    let lines = read(&bytes);
    assert_eq!(lines.len(), 2);
    let error = lines[0].as_ref().unwrap_err();
    assert!(error.starts_with("line 1: "), "{error}");
    assert!(lines[1].is_ok());
}

#[test]
fn a_file_that_cannot_be_read_ends() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let lines: Vec<_> = read_lines(std::io::BufReader::new(Broken)).collect();
    assert_eq!(lines.len(), 1);
    assert_eq!(
        lines[0].as_ref().unwrap_err().to_string(),
        "the disk is gone"
    );
}

#[test]
fn windows_line_ends_are_read() {
    let good = r#"{"ns":5,"poll":1,"cmd":"poll_begin"}"#;
    let lines = read(format!("{good}\r\n{good}\r\n"));
    assert!(lines.len() == 2 && lines.iter().all(Result::is_ok));
}
