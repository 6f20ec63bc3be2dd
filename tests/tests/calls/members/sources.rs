//! Arguments of a tree that are taken from the agent's properties.

use bt_core::Source;

use super::*;

/// Has what others measure.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Scale {
    #[property]
    load: f64,
    #[property]
    label: String,
}

#[agent]
impl Scale {
    /// The most it carries.
    #[property]
    const MOST: u32 = 40;

    #[property]
    fn broken(&self) -> f64 {
        f64::NAN
    }

    #[action]
    fn weigh(&mut self, cx: &mut Context, load: f64, #[arg(max = 100.0)] limit: f64, label: &str) {
        cx.set("weighed", format!("{label}: {load} of {limit}"));
    }

    #[action]
    fn tare(&mut self, by: &mut f64) {
        *by = 0.0;
    }
}

/// Inherits all of it.
#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Bridge {
    #[agent(base)]
    scale: Scale,
}

#[agent]
impl Bridge {
    #[fallback]
    fn other(&mut self, cx: &mut Context, name: &str, args: &[Value]) -> Option<bool> {
        cx.set("other", json!([name, args]));
        Some(true)
    }
}

#[test]
fn a_property_is_read_at_each_call() {
    let actions = ActionSet::<Bridge>::collect().unwrap();
    let mut session = Session::new(0);
    let sources = ["load", "MOST", "label"].map(Source::property);
    let weigh = actions.bind("weigh", sources, &mut session.blackboard());
    let weigh = weigh.unwrap();
    let mut bridge = Bridge::default();
    bridge.scale.label = "lorry".to_owned();
    in_level(1, |world| {
        for load in [3.5, 7.0] {
            bridge.scale.load = load;
            let cx = &mut session.context();
            assert_eq!(weigh.call(&mut bridge, world, cx), Ok(Outcome::Done(true)));
            assert_eq!(cx.get("weighed"), format!("lorry: {load} of 40"));
        }
    });
    let keys: Vec<_> = session.blackboard().to_map().into_keys().collect();
    assert_eq!(keys, ["weighed"], "what is read is under no name");
}

#[test]
fn argument_error_names_the_property() {
    let actions = ActionSet::<Bridge>::collect().unwrap();
    let mut session = Session::new(0);
    let mut bridge = Bridge::default();
    let mut call = |action: &str, sources: Vec<Source>| {
        let bound = actions.bind(action, sources, &mut session.blackboard());
        let (called, _) = in_level(1, |world| {
            bound?.call(&mut bridge, world, &mut session.context())
        });
        called.unwrap_err()
    };
    let of_label = |name| {
        vec![
            Source::property(name),
            Source::literal(1),
            Source::literal(""),
        ]
    };
    let error = call("weigh", of_label("label"));
    assert_eq!(
        error.to_string(),
        "`weigh`: argument `load` takes property `label`: expected a number that 64 bits hold, \
         found \"\""
    );
    assert!(error.is_key_type());
    let error = call("weigh", of_label("lod"));
    assert!(error.is_unknown());
    assert_eq!(
        error.to_string(),
        "`weigh`: no property `lod`; did you mean `load`?"
    );
    let mut several = of_label("lod");
    several[1] = Source::literal("far");
    assert_eq!(
        call("weigh", several).to_string(),
        "`weigh`: argument `limit`: expected a number that 64 bits hold, found \"far\"; no property \
         `lod`; did you mean `load`?"
    );
    let error = call("weigh", of_label("broken")).to_string();
    assert!(error.contains("property `broken`"), "{error}");
    assert!(error.contains("NaN is not finite"), "{error}");
    let error = call("tare", vec![Source::property("load")]).to_string();
    assert!(error.contains("`by` is written back"), "{error}");
    let limits = vec![
        Source::literal(1),
        Source::property("load"),
        Source::literal(""),
    ];
    bridge.scale.load = 1000.0;
    let bound = actions.bind("weigh", limits, &mut session.blackboard());
    let (called, _) = in_level(1, |world| {
        bound?.call(&mut bridge, world, &mut session.context())
    });
    assert_eq!(
        called.unwrap_err().to_string(),
        "`weigh`: argument `limit` takes property `load`, which holds 1000.0: expected 100.0 at most"
    );
}

#[test]
fn a_fallback_gets_the_values_of_properties() {
    let actions = ActionSet::<Bridge>::collect().unwrap();
    let mut session = Session::new(0);
    let sources = [Source::literal(1), Source::property("MOST")];
    let bound = actions.bind("sway", sources, &mut session.blackboard());
    let bound = bound.unwrap();
    in_level(1, |world| {
        let cx = &mut session.context();
        bound.call(&mut Bridge::default(), world, cx).unwrap();
    });
    assert_eq!(session.blackboard().get("other"), json!(["sway", [1, 40]]));
}
