//! The scene through a port.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bt_live::client::Client;
use bt_live::port::{Game, Texts};
use bt_live::protocol::types::*;
use monster::scene::Scene;
use monster::scene::trees::FILES;

use crate::scene;

fn texts(from: &str, to: &str) -> Texts {
    let texts = FILES.iter();
    texts
        .map(|(name, text)| ((*name).to_owned(), text.replace(from, to)))
        .collect()
}

#[test]
fn scene_lends_agents_of_all_types_by_their_entities() {
    let mut scene = scene(12, 7);
    scene.run(Duration::from_secs(10));
    let ids = scene.ids(None, 1_000);
    assert_eq!(ids.len(), scene.count());
    assert_eq!(scene.ids(Some(ids[0]), 1), [ids[1]]);
    let mut types = std::collections::BTreeSet::new();
    for id in &ids {
        assert!(scene.look(*id, &mut |view| _ =
            types.insert(view.agent_type().to_owned())));
        assert!(scene.change(*id, &mut |agent| agent.pause()));
    }
    assert_eq!(types.len(), 3, "{types:?}");
    let before = scene.world().now();
    scene.run(Duration::from_secs(5));
    assert!(scene.world().now() > before);
    let name = scene.name(ids[0]);
    assert!(name.contains('#'), "{name}");
    assert!(!scene.look(u64::MAX, &mut |_| ()));
    assert!(!scene.change(u64::MAX, &mut |_| ()));
}

#[test]
fn scene_moves_to_other_trees_or_keeps_its_own() {
    let mut scene = scene(12, 7);
    scene.run(Duration::from_secs(5));
    let mut torn = texts("", "");
    torn.insert("patrol.json".to_owned(), "{".to_owned());
    let problems = |scene: &Scene, texts: &Texts| scene.build()(texts).err().unwrap_or_default();
    assert_eq!(problems(&scene, &torn).len(), 1, "it is named once");
    let wrong = texts("\"call_for_help\"", "\"call_for_hlp\"");
    let problems = problems(&scene, &wrong);
    let unknown = |problem: &bt_core::Problem| problem.message().contains("call_for_hlp");
    assert!(!problems.is_empty() && problems.iter().all(unknown));
    let replace = |scene: &mut Scene, texts: Texts| {
        let built = scene.build()(&texts).unwrap_or_else(|problems| panic!("{problems:?}"));
        scene.replace(Arc::new(texts), built)
    };
    assert_eq!(replace(&mut scene, texts("", "")), 0, "nothing changed");
    assert_eq!(*scene.texts(), texts("", ""));
    let longer = texts("\"arg_value\": 14", "\"arg_value\": 15");
    assert_ne!(longer, *scene.texts());
    assert!(replace(&mut scene, longer.clone()) > 0);
    assert_eq!(*scene.texts(), longer);
    scene.run(Duration::from_secs(5));
    assert!(scene.diagnostics().is_empty());
}

#[test]
fn monster_without_a_route_stands_still_until_it_has_one_again() {
    let mut scene = scene(36, 1);
    scene.take_route();
    let first = scene.ids(None, 1)[0];
    assert_eq!(scene.name(first), "wolf#2");
    let place = |scene: &monster::scene::Scene| scene.world().entity(first).unwrap().position;
    let begin = place(&scene);
    scene.run(Duration::from_secs(5));
    let mut said = String::new();
    let now = scene.world().now();
    scene.look(first, &mut |view| said = view.explain(now).to_string());
    assert!(
        said.contains("`next_waypoint`): no point on the route"),
        "{said}"
    );
    assert_eq!(place(&scene), begin);
    let near = serde_json::json!([{ "x": begin.x + 1.0, "y": begin.y }]);
    scene.change(first, &mut |agent| {
        agent.set_key("route", near.clone()).unwrap();
    });
    scene.run(Duration::from_secs(5));
    assert_ne!(place(&scene), begin);
    scene.run(Duration::from_secs(400));
    assert!(scene.world().entity(first).unwrap().is_alive());
}

#[test]
fn program_opens_a_port_and_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_monster"))
        .arg("--live")
        .env("XDG_RUNTIME_DIR", folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("port: ws://127.0.0.1:"));
    let file = lines.next().unwrap();
    let file = file.strip_prefix("token file: ").unwrap();
    let mut client = Client::attach(file).unwrap();
    assert_eq!(client.welcome().game, "monster");
    assert_eq!(client.welcome().trees.len(), FILES.len());
    let agents = client.call(ListAgents::default()).unwrap().agents;
    assert!(
        agents
            .iter()
            .any(|agent| agent.agent_type.ends_with("monster_agent"))
    );
    let keep = false;
    client.call(SetSpeed { speed: 0.0, keep }).unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
}
