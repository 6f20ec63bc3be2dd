//! Tests of the lines' content: arguments, attachments, comments.

use super::*;

/// The `extra` of a script's only node, and of its root.
fn written(script: &str) -> Value {
    let tree = TreeAsset::from_script("t", script).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(TreeAsset::from_json("t", &tree.to_json()), Ok(tree.clone()));
    let node = tree.node(1).unwrap();
    json!({"kind": node.kind, "extra": node.extra, "comment": node.comment, "root": tree.root().extra})
}

#[test]
fn script_gives_keys_and_properties_to_calls() {
    let args = |script: &str| written(script)["extra"]["action_args"].clone();
    let key = json!({"arg_type": "blackboard", "arg_value": "enemy"});
    assert_eq!(args("chase $enemy"), json!([key]));
    assert_eq!(
        args("chase $enemy, @run_speed, 1.5 # fast"),
        json!([key, {"arg_type": "property", "arg_value": "run_speed"}, {"arg_type": "plain", "arg_value": 1.5}])
    );
    assert_eq!(args("chase ($enemy,)"), json!([key]));
    assert_eq!(
        args("chase {'to': $\"the gate\"}"),
        json!([{"arg_type": "blackboard", "arg_value": "the gate", "arg_name": "to"}])
    );
    refused(
        "SEQUENCE\n a [1, $x]\n a $\n a {'b': {'c': @d}}\n",
        &[
            "2:8: `$x` is a whole argument, and here it is inside of a value; write the value itself, or let a key hold the whole list or dict",
            "3:4: expected the name of a key after `$`",
            "4:11: `@d` is a whole argument, and here it is inside of a value; write the value itself, or let a key hold the whole list or dict",
        ],
    );
    refused(
        "TIMEOUT {'seconds': $x}\n WAIT_EVENT {'event': $b}\n",
        &[
            "2:14: `event` of a node is a value that is written out, found `$b`; write the value itself; keys and properties are arguments of calls and of `SUB_TREE`, and numbers of nodes",
        ],
    );
}

#[test]
fn script_says_what_to_write_for_comparisons_services_and_effects() {
    let compare = "a comparison is a call of its own, as in `compare $hp, \"<\", 30`, or \
                   `compare @hp, \"<\", 30` of a property";
    let service = "a service is a line below its node, `SERVICE 0.5 look_around`";
    let effect = "an effect is a line below its node, `ON ENTER shout`";
    refused(
        "SEQUENCE\n hp < 30\n hp == 3\n SERVICES 1 bark\n EXIT shout\n",
        &[
            &format!("2:5: expected a value, found `<`; {compare}"),
            &format!("3:5: expected a value, found `=`; {compare}"),
            &format!("4:2: `SERVICES` is no word of a script; {service}"),
            &format!("5:2: `EXIT` is no word of a script; {effect}"),
        ],
    );
    // What the advice writes is a tree.
    for advice in [service, effect] {
        let line = advice.split('`').nth(1).unwrap();
        written(&format!("SEQUENCE\n {line}\n a\n"));
    }
}

#[test]
fn script_attaches_services_and_effects_to_nodes_of_all_kinds() {
    let lines = "
    SERVICE 0.5 look_around
    SERVICE 2 aim $enemy, @range
    SERVICE 1 SET $seen = $seen + 1 # count
    ON ENTER shout {'text': 'here'}
    ON ENTER SET {'set': {'$alarm': 'true'}}
    ON SUCCESS rest
    ON FAILURE SET $tries = 0, @speed = 2
    ON EXIT sit ($hp / 2)
";
    let plain = |value: Value| json!({"arg_type": "plain", "arg_value": value});
    let services = json!([
        {"seconds": 0.5, "action_name": "look_around", "action_args": []},
        {"seconds": 2.0, "action_name": "aim", "action_args": [
            {"arg_type": "blackboard", "arg_value": "enemy"}, {"arg_type": "property", "arg_value": "range"}]},
        {"seconds": 1.0, "set": {"$seen": "$seen + 1"}},
    ]);
    let mut text = plain(json!("here"));
    text["arg_name"] = json!("text");
    let effects = json!({
        "enter": [{"action_name": "shout", "action_args": [text]}, {"set": {"$alarm": "true"}}],
        "success": [{"action_name": "rest", "action_args": []}],
        "failure": [{"set": {"$tries": "0", "@speed": "2"}}],
        "exit": [{"action_name": "sit", "action_args": [{"arg_type": "expression", "arg_value": "$hp / 2"}]}],
    });
    for above in ["chase 1", "FALLBACK", "REPEAT {'count': 3}", "twice"] {
        let below = if above == "chase 1" { "" } else { "    a\n" };
        let node = written(&format!("{above}{lines}{below}"));
        assert_eq!(node["extra"]["services"], services, "{above}");
        assert_eq!(node["extra"]["effects"], effects, "{above}");
    }
    refused(
        "SEQUENCE\n SERVICE look\n SERVICE\n SERVICE 1\n ON\n ON LEAVE x\n ON ENTR x\n ON EXIT\n SERVICE 1 a tru\n ON EXIT SEQUENCE\n SERVICE 1 SET $x\n  a\n ON EXIT SET # x\n",
        &[
            "2:10: expected the seconds between two calls, found `l`; a service is written `SERVICE 0.5 look_around`",
            "3:9: expected the seconds between two calls, found the end of the line; a service is written `SERVICE 0.5 look_around`",
            "4:11: expected the name of an action, or `SET`, found the end of the line",
            "5:4: expected one of `ENTER`, `SUCCESS`, `FAILURE`, `ABORTED`, `EXIT` after `ON`; an effect is written `ON ENTER shout`",
            "6:5: expected one of `ENTER`, `SUCCESS`, `FAILURE`, `ABORTED`, `EXIT` after `ON`, found `LEAVE`; an effect is written `ON ENTER shout`",
            "7:5: expected one of `ENTER`, `SUCCESS`, `FAILURE`, `ABORTED`, `EXIT` after `ON`, found `ENTR`; did you mean `ENTER`?",
            "8:9: expected the name of an action, or `SET`, found the end of the line",
            "9:14: expected a value, found `tru`; did you mean `True`?",
            "10:2: `ON` calls an action of the agent, found `SEQUENCE`; it writes with `SET $count = $count + 1`",
            "11:18: expected `=` and the value after what is written; such as `$count = $count + 1`",
            "12:3: no node stands below `SERVICE`; indent it as that line is",
            "13:14: expected `$key` or `@property`, which is written; such as `$count = $count + 1`",
        ],
    );
}

#[test]
fn script_attaches_guards_events_and_keys() {
    let script = "
AGENT sentry 'once'
KEY home {'type': 'string', 'scope': 'agent'}
chase $enemy
    GUARD LOWER NOT is_blind
    GUARD is_enemy $enemy, 7
    EVENT alarm 'answer.json'
    EVENT shot {'tree': 'hide.bt', 'mode': 'return', 'params': {'by': $who, 'at': 'place'}}
    KEY enemy 'string'
";
    let node = written(script);
    assert_eq!(node["kind"], "action");
    assert_eq!(node["root"]["agent_name"], "sentry");
    assert_eq!(node["root"]["mode"], "once");
    assert_eq!(
        node["root"]["blackboard"],
        json!({"home": {"type": "string", "scope": "agent"}})
    );
    let extra = &node["extra"];
    assert_eq!(
        extra["guards"],
        json!([
            {"condition_name": "is_blind", "condition_args": [], "not": true, "abort": "lower"},
            {"condition_name": "is_enemy", "condition_args": [
                {"arg_type": "blackboard", "arg_value": "enemy"}, {"arg_type": "plain", "arg_value": 7}]},
        ])
    );
    assert_eq!(
        extra["events"],
        json!([
            {"event": "alarm", "tree": "answer.json"},
            {"event": "shot", "tree": "hide.bt", "mode": "return", "params": {"by": "who", "at": "place"}},
        ])
    );
    assert_eq!(extra["blackboard"], json!({"enemy": {"type": "string"}}));
    refused(
        "SEQUENCE\n GUARD x\n  a\n AGENT b\n GUARD\n EVENT c\n KEY d 7\n a\n",
        &[
            "3:3: no node stands below `GUARD`; indent it as that line is",
            "4:2: `AGENT` stands above the first node, indented as that is",
            "5:7: expected the name of a condition, or an expression, found the end of the line",
            "6:2: `EVENT c` takes its tree in quotes, or a dict, found nothing",
            "7:2: `KEY d` takes its type in quotes, or a dict, found 7",
        ],
    );
    refused("AGENT a\n", &[" expected a node, found nothing"]);
}

#[test]
fn script_calls_trees_and_has_nodes_of_every_kind() {
    let node = written("SUB_TREE 'patrol.json', {'post': $home, 'rounds': 3}");
    assert_eq!(node["kind"], "sub_tree");
    assert_eq!(
        node["extra"],
        json!({"sub_tree_name": "patrol.json", "args": {
            "post": {"arg_type": "blackboard", "arg_value": "home"},
            "rounds": {"arg_type": "plain", "arg_value": 3}}})
    );
    assert_eq!(
        written("SUB_TREE $next")["extra"],
        json!({"name_key": "next"})
    );
    let node = written("SUB_TREE 'find', {}, {'way': $route, 'cost': $price}");
    assert_eq!(
        node["extra"],
        json!({"sub_tree_name": "find", "results": {"way": "route", "cost": "price"}})
    );
    let node = written("SUB_TREE $next, {'to': $home}, {'way': $route}, 'success'");
    assert_eq!(
        node["extra"],
        json!({"name_key": "next", "args": {"to": {"arg_type": "blackboard", "arg_value": "home"}},
            "results": {"way": "route"}, "results_on": "success"})
    );
    refused(
        "SUB_TREE 'find', {}, {'way': 7}\n",
        &["1:23: result `way` is taken by a key, written `$key`"],
    );
    refused(
        "SUB_TREE 'find', {}, {'way': $route}, 7\n",
        &["1:39: behind results stands `\"success\"`, if they are taken after that alone"],
    );
    let node = written("REPEAT {'count': 3}\n knock\n");
    assert_eq!(node["kind"], "repeat");
    assert_eq!(node["extra"], json!({"count": 3}));
    for kind in crate::kinds::Kind::ALL {
        let word = kind.name().to_uppercase();
        let read = TreeAsset::from_script("t", &format!("{word} {{}}"));
        let own = ["sequence", "select", "parallel", "sub_tree"].contains(&kind.name());
        match ["root", "action", "condition", "decorator"].contains(&kind.name()) {
            true => assert!(
                read.unwrap_err()
                    .to_string()
                    .contains("is no node of a script; write")
            ),
            false if own => {}
            false => assert_eq!(read.unwrap().node(1).unwrap().kind, kind.name()),
        }
    }
}

#[test]
fn comment_above_a_node_or_behind_it_is_the_nodes() {
    let node = written(
        "# Of the file.\n\n# Fight,\n#or flee.\nchase 1 # at once\n    # unused\n    GUARD a # lost\n",
    );
    assert_eq!(node["comment"], "Fight,\nor flee.\nat once");
}

#[test]
fn comment_of_the_agent_is_the_roots() {
    let text = "# Of the file.\n\n# Who sleeps at noon.\nAGENT sentry # or later\n# Naps.\nnap\n";
    let tree = TreeAsset::from_script("nap.bt", text).unwrap();
    assert_eq!(tree.root().comment, "Who sleeps at noon.\nor later");
    assert_eq!(tree.node(1).unwrap().comment, "Naps.");
}

#[test]
fn what_stands_in_place_of_a_dict_gets_its_form() {
    let error = TreeAsset::from_script("t", "WAIT_EVENT 'noise'\n").unwrap_err();
    let help = "its keys are `broadcast`, `event`, `latch`, `params`";
    assert_eq!(error.problems()[0].help(), Some(help));
    let error = TreeAsset::from_script("t", "linger least=3\n").unwrap_err();
    let help = "arguments are named in a dict: `{\"least\": …}`";
    assert_eq!(error.problems()[0].help(), Some(help));
    let error = TreeAsset::from_script("t", "NEGATIVE 1\n    a\n").unwrap_err();
    let help = "it has none: leave out what stands behind it";
    assert_eq!(error.problems()[0].help(), Some(help));
}
