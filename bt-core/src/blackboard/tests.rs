//! Values that a blackboard keeps, refuses, shares and reports.

use serde_json::json;

use super::*;

fn ty(name: &str) -> ValueType {
    name.parse().unwrap()
}

#[test]
fn slots_keep_their_place_while_keys_are_added() {
    let board = Blackboard::new();
    for n in 0..1000u32 {
        board.set(&format!("k{n}"), n);
    }
    let loan = board.lend("k999").unwrap();
    for n in 1000..5000u32 {
        board.set(&format!("k{n}"), n);
    }
    assert_eq!(*loan, 999);
    drop(loan);
    for n in 0..5000u32 {
        assert_eq!(board.get(&format!("k{n}")), n);
    }
}

#[test]
fn a_write_to_a_key_on_loan_waits_for_the_end_of_the_loan() {
    let board = Blackboard::new();
    board.set("hp", 1);
    let loan = board.lend("hp").unwrap();
    board.set("hp", 2);
    board.update("hp", |hp| {
        *hp = Some(json!(hp.as_ref().unwrap().as_i64().unwrap() + 1))
    });
    assert_eq!(*loan, 1);
    drop(loan);
    board.settle();
    assert_eq!(board.get("hp"), 3);
}

#[test]
fn a_removed_key_is_unset_and_null_is_a_value() {
    let board = Blackboard::new();
    board.set("hp", Value::Null);
    assert!(board.has("hp"));
    assert!(board.remove("hp"));
    assert!(!board.remove("hp"));
    assert_eq!(board.to_map().len(), 0);
    assert_eq!(board.get_or("hp", 7), 7);
}

#[test]
fn a_typed_read_says_what_the_key_holds() {
    let board = Blackboard::new();
    board.set("hp", "many");
    let error = board.get_as::<u8>("hp").unwrap_err();
    assert_eq!(
        error.to_string(),
        "blackboard key `hp` holds \"many\": expected an integer from 0 to 255, found \"many\""
    );
    assert!(error.is_type() && !error.is_unset() && error.key() == "hp");
    assert!(board.get_as::<u8>("mana").unwrap_err().is_unset());
    assert!(
        board
            .set_as("hp", &f64::NAN)
            .unwrap_err()
            .to_string()
            .contains("not finite")
    );
    assert_eq!(board.get("hp"), "many");
}

#[test]
fn a_declared_key_refuses_values_of_another_type() {
    let board = Blackboard::new();
    board
        .declare(Declaration::new("hp", ty("int32")).initial(100))
        .unwrap();
    assert_eq!(board.get("hp"), 100);
    assert_eq!(
        board.try_set("hp", "many").unwrap_err().to_string(),
        "blackboard key `hp` is declared as `int32` and cannot hold \"many\": \
         expected an integer from -2147483648 to 2147483647, found \"many\""
    );
    board.set("hp", 2.5);
    assert_eq!(board.get("hp"), 100);
    assert!(board.settle_writes().is_none());
    let refused = board.take_error().unwrap().to_string();
    assert!(refused.contains("cannot hold 2.5"), "{refused}");
    assert!(board.settle_writes().is_some());
    board.set("hp", 7);
    assert!(board.remove("hp"));
    assert!(!board.has("hp"));
    board.set_initial();
    assert_eq!(board.get("hp"), 100);
    let twice = board
        .declare(Declaration::new("hp", ty("string")))
        .unwrap_err();
    assert!(twice.to_string().contains("cannot hold 100"), "{twice}");
    board.remove("hp");
    let twice = board
        .declare(Declaration::new("hp", ty("string")))
        .unwrap_err();
    assert!(
        twice
            .to_string()
            .contains("declared as `int32` and as `string`"),
        "{twice}"
    );
    let initial = board.declare(Declaration::new("mp", ty("uint8")).initial(-1));
    assert!(
        initial
            .unwrap_err()
            .to_string()
            .contains("`uint8` and cannot hold -1")
    );
}

#[test]
fn a_value_that_is_set_before_goes_before_the_declared_initial_one() {
    let board = Blackboard::new();
    board.set("hp", 7);
    board
        .declare(Declaration::new("hp", ty("int32")).initial(100))
        .unwrap();
    assert_eq!(board.get("hp"), 7);
}

#[test]
fn keys_of_a_tree_and_of_a_node_are_seen_from_inside_only() {
    let mut table = KeyTable::new();
    let tree = table.tree();
    let node = table.node(tree);
    let sister = table.node(tree);
    table
        .declare(tree, Declaration::new("hp", ty("int32")).initial(1))
        .unwrap();
    table
        .declare(node, Declaration::new("hp", ty("string")).initial("inner"))
        .unwrap();
    table
        .declare(sister, Declaration::new("mp", ty("int32")).initial(3))
        .unwrap();
    assert_eq!(table.declared_type(node, "hp"), Some(&ValueType::Text));
    assert_eq!(table.declared_type(sister, "hp"), Some(&ty("int32")));
    let inner = table.seen_from(node).intern("hp");
    let outer = table.seen_from(sister).intern("hp");
    let agents = table.seen_from(node).intern("name");
    assert_eq!(agents, table.seen_from(Scope::AGENT).intern("name"));

    let board = Blackboard::with_keys(table.into());
    board.set("hp", "the agent's");
    let frame = board.open(tree);
    assert_eq!(board.get("hp"), "the agent's");
    let before = board.enter(frame, node);
    assert_eq!(board.get("hp"), "inner");
    assert_eq!(board.get("mp"), Value::Null);
    assert_eq!(board.read(inner).as_deref(), Some(&json!("inner")));
    assert_eq!(board.read(outer).as_deref(), Some(&json!(1)));
    assert!(board.try_set("hp", 5).is_err());
    board.set("name", "x");
    board.enter(frame, sister);
    board.set("hp", 5);
    assert_eq!(board.get("mp"), 3);

    // The same tree once more, as when it calls itself.
    let again = board.open(tree);
    board.enter(again, sister);
    assert_eq!(board.get("hp"), 1);
    board.enter(frame, sister);
    assert_eq!(board.get("hp"), 5);
    board.close(again);
    board.close(frame);
    board.enter(before.0, before.1);
    assert_eq!(board.to_json(), json!({"hp": "the agent's", "name": "x"}));
    let slots = board.rest().added.count();
    board.close(board.open(tree));
    assert_eq!(
        board.rest().added.count(),
        slots,
        "a closed frame is used again"
    );
}

#[test]
fn a_global_key_is_shared_and_others_see_it_when_they_look_again() {
    let mut table = KeyTable::new();
    let alarm = Declaration::new("alarm", ty("int32")).initial(0).global();
    table.declare(Scope::AGENT, alarm).unwrap();
    let table = Arc::new(table);
    let shared = SharedBoard::new();
    let [one, two] = [(); 2].map(|()| Blackboard::with_keys(table.clone()));
    one.share(&shared);
    two.share(&shared);
    two.watch("alarm");
    one.set("alarm", 3);
    one.set("own", 1);
    assert_eq!((one.get("alarm"), two.get("alarm")), (json!(3), json!(0)));
    two.refresh();
    assert_eq!(two.get("alarm"), 3);
    let noticed = two.take_changes();
    assert_eq!(
        (&*noticed[0].key, noticed[0].value.clone()),
        ("alarm", Some(json!(3)))
    );
    assert_eq!(shared.to_map().len(), 1);
    let count = |board: &Blackboard| {
        board.update("alarm", |alarm| {
            *alarm = alarm.as_ref().and_then(Value::as_i64).map(|n| json!(n + 1))
        });
    };
    count(&one);
    count(&two);
    assert_eq!(shared.get("alarm"), 5, "no write is lost");
    one.update("alarm", |alarm| *alarm = Some(json!("loud")));
    assert!(one.settle_writes().is_none());
    assert_eq!(shared.get("alarm"), 5);
    one.clear();
    assert_eq!(shared.get("alarm"), 5);
    two.remove("alarm");
    one.refresh();
    assert!(!one.has("alarm") && !shared.has("alarm"));
}

#[test]
fn update_writes_nothing_when_the_value_stays_or_is_refused() {
    let mut table = KeyTable::new();
    let loud = Declaration::new("loud", ty("int32")).initial(7).global();
    table.declare(Scope::AGENT, loud).unwrap();
    let shared = SharedBoard::new();
    let board = Blackboard::with_keys(table.into());
    board.set("own", 7);
    board.share(&shared);
    board.keep_journal(true);
    for key in ["own", "loud"] {
        assert_eq!(board.update(key, |value| value.clone()), Some(json!(7)));
        let refused: Result<(), &str> = board.try_update(key, |value| {
            *value = Some(json!(8));
            Err("no")
        });
        assert_eq!((refused, board.get(key)), (Err("no"), json!(7)));
    }
    let refused: Result<(), ()> = board.try_update("unset", |value| {
        *value = Some(json!(8));
        Err(())
    });
    assert!(refused.is_err() && !board.has("unset"));
    assert_eq!(shared.get("loud"), 7);
    let version = shared.version();
    let mut written = Vec::new();
    board.take_journal(&mut written);
    assert_eq!(written, []);
    // What does change is written once.
    board.update("loud", |loud| *loud = Some(json!(8)));
    board.take_journal(&mut written);
    assert_eq!((written.len(), shared.version()), (1, version + 1));
}

#[test]
fn a_shared_key_counts_exactly_from_many_threads() {
    let shared = SharedBoard::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let board = Blackboard::new();
                board
                    .declare(Declaration::new("n", ty("int64")).initial(0).global())
                    .unwrap();
                board.share(&shared);
                for _ in 0..100 {
                    board.update("n", |n| {
                        *n = Some(json!(n.as_ref().and_then(Value::as_i64).unwrap_or(0) + 1));
                    });
                }
            });
        }
    });
    assert_eq!(shared.get("n"), 400);
}

/// Agents that come to share a board at the same time: none of them puts the initial value in the
/// place of what another one has written.
#[test]
fn an_initial_value_never_takes_the_place_of_a_write() {
    for _ in 0..500 {
        let (shared, all) = (SharedBoard::new(), std::sync::Barrier::new(4));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let board = Blackboard::new();
                    board
                        .declare(Declaration::new("n", ty("int64")).initial(0).global())
                        .unwrap();
                    all.wait();
                    board.share(&shared);
                    board.update("n", |n| {
                        *n = Some(json!(n.as_ref().and_then(Value::as_i64).unwrap_or(0) + 1));
                    });
                });
            }
        });
        assert_eq!(shared.get("n"), 4);
    }
}

#[test]
fn a_watcher_gets_each_change_once_and_none_where_nothing_changed() {
    let board = Blackboard::new();
    board.watch("hp");
    board.set("hp", 1);
    board.set("mp", 1);
    board.set("hp", 2);
    let changes = board.take_changes();
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (&*changes[0].key, &changes[0].value),
        ("hp", &Some(json!(2)))
    );
    board.set("hp", 2);
    assert!(board.take_changes().is_empty());
    board.remove("hp");
    assert_eq!(board.take_changes()[0].value, None);
    board.unwatch("hp");
    board.set("hp", 3);
    assert!(board.take_changes().is_empty());
}

#[test]
fn json_goes_out_sorted_and_comes_in_with_all_its_mistakes() {
    let board = Blackboard::new();
    board.declare(Declaration::new("hp", ty("int32"))).unwrap();
    let wrong = board
        .set_all(&json!({"z": 1, "hp": "x", "a": [1, 2]}))
        .unwrap_err();
    assert_eq!(wrong.len(), 1);
    assert_eq!(
        serde_json::to_string(&board).unwrap(),
        r#"{"a":[1,2],"z":1}"#
    );
    assert!(board.set_all(&json!([["b", 1]])).is_ok());
    let error = board.set_all(&json!(7)).unwrap_err().remove(0);
    assert!(error.is_type() && error.key().is_empty());
    assert_eq!(
        error.to_string(),
        "keys and their values: expected an object, or an array of `[key, value]` pairs, found 7"
    );
    let mut seen = Vec::new();
    board.for_each(|key, _| seen.push(key.to_owned()));
    assert_eq!(seen, ["a", "b", "z"]);
}

#[test]
fn a_blackboard_is_small_and_allocates_its_slots_only() {
    assert!(size_of::<Blackboard>() <= 48, "{}", size_of::<Blackboard>());
    let mut table = KeyTable::new();
    for n in 0..3 {
        let key = Declaration::new(format!("k{n}"), ty("int32")).initial(n);
        table.declare(Scope::AGENT, key).unwrap();
    }
    let tree = table.tree();
    let board = Blackboard::with_keys(table.into());
    board.set("k1", 7);
    board.close(board.open(tree));
    board.refresh();
    board.settle();
    board.set_failure(None);
    assert!(board.take_changes().is_empty() && board.take_refused().is_empty());
    assert_eq!(board.to_json(), json!({"k0": 0, "k1": 7, "k2": 2}));
    assert!(board.try_set("k2", "many").is_err());
    assert!(board.rest.get().is_none());
    board.set("other", 1);
    assert_eq!(board.get("other"), 1);
    assert_eq!(board.rest().added.count(), 4);
}

fn stirred(board: &Blackboard) -> Vec<KeyId> {
    let mut ids = Vec::new();
    board.take_stirred(&mut ids);
    ids
}

#[test]
fn observed_key_is_stirred_once_until_it_is_read() {
    let board = Blackboard::new();
    let [hp, mp, _] = ["hp", "mp", "other"].map(|key| board.intern(key));
    board.observe(mp);
    board.observe(hp);
    board.set("other", 1);
    assert!(!board.has_pending_changes() && stirred(&board).is_empty());
    board.set("hp", 1);
    board.put(mp, Some(json!(1)));
    board.set("hp", 2);
    assert!(board.has_pending_changes());
    assert_eq!(stirred(&board), [hp, mp]);
    assert!(!board.has_pending_changes() && stirred(&board).is_empty());
    board.set("hp", 2);
    board.update("hp", |hp| *hp = Some(json!(2)));
    assert!(!board.has_pending_changes(), "an equal value");
    board.update("hp", |hp| *hp = Some(json!(3)));
    assert_eq!(stirred(&board), [hp]);
    board.remove("hp");
    board.clear();
    assert_eq!(stirred(&board), [hp, mp]);
    assert!(!board.has_pending_changes() && !board.has("other"));
}

#[test]
fn a_key_is_observed_beside_being_watched() {
    let board = Blackboard::new();
    let hp = board.intern("hp");
    board.observe(hp);
    board.observe(hp);
    board.watch("hp");
    board.set("hp", 1);
    assert_eq!(stirred(&board), [hp]);
    assert_eq!(board.take_changes().len(), 1);
    board.unwatch("hp");
    board.set("hp", 3);
    assert_eq!(stirred(&board), [hp]);
    assert!(board.take_changes().is_empty());
}

#[test]
fn a_late_write_stirs_when_it_is_carried_out() {
    let board = Blackboard::new();
    board.set("hp", 1);
    let hp = board.intern("hp");
    board.observe(hp);
    board.watch("hp");
    let loan = board.lend("hp").unwrap();
    board.set("hp", 2);
    assert!(!board.has_pending_changes() && board.take_changes().is_empty());
    drop(loan);
    board.settle();
    assert_eq!(stirred(&board), [hp]);
    assert_eq!(board.take_changes()[0].value, Some(json!(2)));
}

#[test]
fn shared_key_written_by_others_notifies_observers() {
    let shared = SharedBoard::new();
    let board = Blackboard::new();
    let alarm = Declaration::new("alarm", ty("bool")).initial(false);
    board.declare(alarm.global()).unwrap();
    board.share(&shared);
    let alarm = board.intern("alarm");
    board.observe(alarm);
    shared.set("alarm", true);
    assert!(!board.has_pending_changes());
    board.refresh();
    assert_eq!(stirred(&board), [alarm]);
    board.update("alarm", |alarm| *alarm = Some(json!(false)));
    assert_eq!(stirred(&board), [alarm]);
}

#[test]
fn a_place_in_a_frame_is_observed_in_the_frame_that_is_entered() {
    let mut table = KeyTable::new();
    let tree = table.tree();
    let target = Declaration::new("target", ty("int32")).initial(1);
    let local = table.declare(tree, target).unwrap();
    let board = Blackboard::with_keys(table.into());
    let [one, two] = [(); 2].map(|()| board.open(tree));
    board.enter(one, tree);
    let absolute = board.absolute_id(local);
    board.observe(local);
    board.enter(two, tree);
    board.set("target", 2);
    assert!(!board.has_pending_changes());
    board.enter(one, tree);
    board.put(local, Some(json!(3)));
    assert_eq!(stirred(&board), [absolute]);
    assert_eq!(board.absolute_id(absolute), absolute);
}

#[test]
fn reads_by_name_are_recorded_set_or_not() {
    let mut table = KeyTable::new();
    let tree = table.tree();
    let own = Declaration::new("own", ty("int32"));
    let local = table.declare(tree, own).unwrap();
    let hp = table.seen_from(Scope::AGENT).intern("hp");
    let board = Blackboard::with_keys(table.into());
    let frame = board.open(tree);
    board.enter(frame, tree);
    let reads = || {
        let mut reads = Vec::new();
        board.take_reads(&mut reads);
        reads
    };
    board.get("before");
    board.record_reads();
    board.set("written", 1);
    board.has("hp");
    assert!(board.get_as::<u8>("unset").is_err());
    board.get_or("own", 1);
    board.get("hp");
    board.update("counted", |_| ());
    let [unset, counted] = ["unset", "counted"].map(|key| board.intern(key));
    assert_eq!(reads(), [hp, unset, board.absolute_id(local), counted]);
    board.get("hp");
    assert_eq!(reads(), []);
    // What was read stays a key that nobody has set.
    assert!(!board.has("unset"));
}

#[test]
fn a_declared_key_has_a_name() {
    let nameless = || Declaration::new("", ty("bool"));
    let error = Blackboard::new().declare(nameless()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a blackboard key that is declared needs a name; this one is empty"
    );
    let mut table = KeyTable::new();
    for scope in [Scope::AGENT, table.tree()] {
        assert_eq!(table.declare(scope, nameless()), Err(error.clone()));
    }
}

#[test]
fn an_unset_key_is_answered_with_the_nearest_that_is_set_or_declared() {
    let mut table = KeyTable::new();
    table.seen_from(Scope::AGENT).intern("targets");
    let tree = table.tree();
    let local = Declaration::new("position", ty("any_value"));
    table.declare(tree, local).unwrap();
    let mana = Declaration::new("mana", ty("int32"));
    table.declare(Scope::AGENT, mana).unwrap();
    let board = Blackboard::with_keys(table.into());
    let unset = |key: &str| board.get_as::<u8>(key).unwrap_err().to_string();
    assert_eq!(unset("tagret"), "blackboard key `tagret` is not set");
    board.set("target", 1);
    assert_eq!(
        unset("tagret"),
        "blackboard key `tagret` is not set; did you mean `target`?"
    );
    assert!(unset("mena").ends_with("; did you mean `mana`?"));
    assert!(unset("mana").ends_with("is not set"));
    assert!(unset("positon").ends_with("is not set"));
    board.enter(board.open(tree), tree);
    assert!(unset("positon").ends_with("; did you mean `position`?"));
}

#[test]
fn a_key_of_a_frame_is_not_taken_for_one_of_another_tree() {
    let mut table = KeyTable::new();
    let [one, two] = ["int32", "string"].map(|name| {
        let tree = table.tree();
        table
            .declare(tree, Declaration::new("x", ty(name)))
            .unwrap();
        tree
    });
    let board = Blackboard::with_keys(table.into());
    board.close(board.open(one));
    let frame = board.open(two);
    board.enter(frame, two);
    board.set("x", "text");
    assert_eq!(board.get("x"), "text");
    let below = board.open(one);
    board.enter(below, one);
    assert!(board.try_set("x", "text").is_err());
    // Closed twice is closed once.
    board.close(below);
    board.close(below);
    let [again, more] = [(); 2].map(|()| board.open(one));
    assert!(again == below && more != below);
}

#[test]
fn blackboard_knows_keys_that_are_declared_named_or_set() {
    let mut table = KeyTable::new();
    let hp = Declaration::new("hp", "int32".parse().unwrap());
    table.declare(Scope::AGENT, hp).unwrap();
    table.seen_from(Scope::AGENT).intern("named");
    let board = Blackboard::with_keys(table.into());
    board.set("own", 1);
    assert!(["hp", "named", "own"].iter().all(|key| board.knows(key)));
    assert!(
        !board.knows("other") && !board.has("other"),
        "a look makes none"
    );
    assert!(!board.knows("other"));
}
