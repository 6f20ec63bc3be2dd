//! Tests of the agents' registrations: enough of them, and all of them documented.

use std::collections::BTreeSet;

use bt_core::prelude::*;
use bt_core::registry::AgentInfo;
use bt_core::registry::catalogue::{InOut, MethodEntry, MethodKind, ValueEntry};

// Links the crate under test, and with it what it registers.
use monster as _;

fn agents() -> Vec<AgentInfo<'static>> {
    let registry = Registry::global().unwrap_or_else(|error| panic!("{error}"));
    let ours = |agent: &AgentInfo<'_>| agent.entry().item.package == "monster";
    registry.agents().filter(ours).collect()
}

fn methods() -> impl Iterator<Item = &'static MethodEntry> {
    agents().into_iter().flat_map(|a| &a.entry().methods)
}

#[test]
fn four_agents_and_their_bases_are_registered() {
    let base = |agent: AgentInfo<'static>| (agent.name(), agent.base().unwrap().name());
    let bases: Vec<_> = agents().into_iter().map(base).collect();
    let expect = [
        ("account_agent", "actor_agent"),
        ("actor_agent", "action_agent"),
        ("monster_agent", "actor_agent"),
        ("player_agent", "actor_agent"),
    ];
    assert_eq!(bases, expect);
    assert!(agents().iter().all(|agent| agent.entry().world));
}

#[test]
fn there_is_enough_of_everything() {
    let leaves = methods().filter(|method| method.kind != MethodKind::Decorator);
    let properties = agents()
        .iter()
        .map(|a| a.entry().properties.len())
        .sum::<usize>();
    let events = agents()
        .iter()
        .map(|a| a.entry().events.len())
        .sum::<usize>();
    assert!(leaves.count() >= 50);
    assert!(properties >= 16, "{properties}");
    assert!(events >= 15, "{events}");
}

#[test]
fn every_item_and_every_value_is_documented() {
    let comments = |what: &str, values: &[ValueEntry]| {
        for value in values {
            assert!(!value.comment.is_empty(), "`{}` of {what}", value.name);
        }
    };
    for agent in agents() {
        assert!(!agent.entry().item.brief.is_empty());
        assert!(agent.entry().item.display.is_some(), "{}", agent.name());
        for method in &agent.entry().methods {
            let what = format!("`{}` of `{}`", method.item.name, agent.name());
            assert!(!method.item.brief.is_empty(), "{what} has no brief");
            assert!(!method.returns.is_empty(), "{what} has no `# Returns`");
            assert!(method.item.category.is_some(), "{what} has no category");
            comments(&what, &method.args);
        }
        for property in &agent.entry().properties {
            let what = format!("`{}` of `{}`", property.item.name, agent.name());
            assert!(!property.item.brief.is_empty(), "{what} has no brief");
            assert!(!property.item.brief.is_empty(), "{what} has no comment");
        }
        for event in &agent.entry().events {
            let what = format!("`{}` of `{}`", event.item.name, agent.name());
            assert!(!event.item.brief.is_empty(), "{what} has no brief");
            assert!(!event.params.is_empty(), "{what} carries nothing");
            comments(&what, &event.params);
        }
    }
}

#[test]
fn no_agent_has_two_actions_of_one_brief() {
    for agent in agents() {
        let mut seen = BTreeSet::new();
        for action in agent.actions() {
            let brief = &action.entry.item.brief;
            assert!(seen.insert(brief), "`{brief}` twice in `{}`", agent.name());
        }
    }
}

#[test]
fn every_started_action_is_cleaned_up() {
    for method in methods().filter(|method| method.is_async) {
        // Waiting needs no clean-up: the node's timer goes with the node.
        let waits = method.item.name == "linger";
        assert_eq!(method.exit.is_none(), waits, "{}", method.item.name);
    }
}

#[test]
fn some_have_names_in_chinese() {
    let chinese = methods().filter_map(|method| method.item.display.as_deref());
    assert!(chinese.filter(|name| !name.is_ascii()).count() >= 20);
}

#[test]
fn every_feature_of_an_annotation_is_shown() {
    let registry = Registry::global().unwrap();
    let agent = |name| registry.agent(name).unwrap();
    let (actor, monster) = (agent("actor_agent"), agent("monster_agent"));
    let (player, account) = (agent("player_agent"), agent("account_agent"));

    let go_to = actor.action("go_to").unwrap();
    let note = &go_to.item.deprecated.as_ref().unwrap().note;
    assert!(note.contains("move_to"));
    let log_in = account.action("log_in").unwrap();
    assert_eq!(log_in.resume.as_deref(), Some("resume_log_in"));
    let move_to = actor.action("move_to").unwrap();
    assert_eq!(move_to.args[0].ty.type_name, "Point");
    assert!(move_to.fallible && move_to.is_async);
    assert_eq!(
        actor.action("move_to_entity").unwrap().item.name,
        "approach"
    );
    assert_eq!(
        actor.action("follow_route").unwrap().args[0].ty.type_name,
        "array<Point>"
    );
    let in_out = |name| {
        actor
            .action("next_waypoint")
            .unwrap()
            .args
            .iter()
            .find(|a| a.name == name)
            .unwrap()
            .ty
            .in_out
    };
    assert_eq!(in_out("taken"), Some(InOut::InOut));
    assert_eq!(in_out("point"), Some(InOut::Out));
    let stance = &actor.action("set_stance").unwrap().args[0];
    assert_eq!(stance.ty.choices.as_ref().unwrap().len(), 4);
    assert_eq!(stance.ty.default, Some("alert".into()));
    assert!(actor.action("find_nearest").unwrap().args[0].ty.optional);

    assert!(monster.action("say").unwrap().is_override);
    assert_eq!(
        monster.action("while_healthy").unwrap().kind,
        MethodKind::Decorator
    );
    assert_eq!(
        player.action("emote").unwrap().item.meta["net_role"],
        "non_authority"
    );
    assert_eq!(
        player.property("heal_threshold").unwrap().item.name,
        "heal_below"
    );
    let ending = &account.action("make_up_name").unwrap().args[0];
    assert_eq!(ending.ty.choices.as_ref().unwrap().len(), 3);

    let speed = actor.property("speed").unwrap();
    assert!(!speed.read_only);
    assert_eq!(speed.ty.unit.as_deref(), Some("m/s"));
    assert_eq!(speed.ty.max, Some(12.0.into()));
    assert!(actor.property("health").unwrap().read_only);
    for (agent, name) in [(actor, "SIGHT"), (monster, "TERRITORY")] {
        let property = agent.property(name).unwrap();
        assert!(property.is_static && property.read_only, "{name}");
    }
}

#[test]
fn the_world_spells_its_events_as_they_are_registered() {
    // `Context::finish_on` takes a name, which no compiler checks.
    let registry = Registry::global().unwrap();
    let monster = registry.agent("monster_agent").unwrap();
    let waited_for = [
        "arrived",
        "path_blocked",
        "target_lost",
        "attack_landed",
        "attack_missed",
    ];
    for name in waited_for {
        assert!(monster.event(name).is_ok(), "{name}");
    }
}
