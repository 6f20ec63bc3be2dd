//! Tests of changes in an agent's properties, whoever makes them.

use super::*;
use bt_core::PropertyWatch;

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Plant {
    #[property(alias = ["size"])]
    height: f64,
}

#[agent]
impl Plant {
    #[action]
    fn grow(&mut self) {
        self.height += 1.0;
    }

    #[property]
    fn room(&self, #[world] world: &Crew) -> u32 {
        world.level.size
    }
}

#[derive(Agent, Default)]
#[agent(world = Crew<'w, 's>)]
struct Rose {
    #[agent(base)]
    plant: Plant,
    #[property]
    thorns: Vec<u8>,
}

type Changed = (&'static str, Option<Value>, Result<Value, String>);

fn changes(watch: &mut PropertyWatch<Rose>, rose: &mut Rose, size: u32) -> Vec<Changed> {
    let mut session = Session::new(0);
    let (changes, _) = in_level(size, |world| {
        watch.changes(rose, world, &mut session.context())
    });
    let text = |why: CallError| why.to_string();
    let flat = |change: bt_core::Change| (change.name, change.old, change.new.map_err(text));
    changes.into_iter().map(flat).collect()
}

#[test]
fn watch_reports_a_change_once() {
    let mut rose = Rose::default();
    let mut watch = registry().watch_all::<Rose>().unwrap();
    let all = changes(&mut watch, &mut rose, 3);
    assert_eq!(
        all,
        [
            ("height", None, Ok(json!(0.0))),
            ("room", None, Ok(json!(3))),
            ("thorns", None, Ok(json!([]))),
        ]
    );
    assert_eq!(changes(&mut watch, &mut rose, 3), []);
    // By an action, by the host, by the world.
    let mut session = Session::new(0);
    in_level(3, |world| {
        let cx = &mut session.context();
        registry()
            .invoke(&mut rose, world, cx, "grow", &json!([]))
            .unwrap();
    });
    rose.thorns.push(7);
    let expected = [
        ("height", Some(json!(0.0)), Ok(json!(1.0))),
        ("room", Some(json!(3)), Ok(json!(4))),
        ("thorns", Some(json!([])), Ok(json!([7]))),
    ];
    assert_eq!(changes(&mut watch, &mut rose, 4), expected);
    assert_eq!(changes(&mut watch, &mut rose, 4), []);
}

#[test]
fn a_value_that_changed_back_did_not_change() {
    let mut rose = Rose::default();
    let mut watch = registry().watch::<Rose>(["thorns"]).unwrap();
    changes(&mut watch, &mut rose, 3);
    rose.thorns.push(7);
    rose.thorns.clear();
    assert_eq!(changes(&mut watch, &mut rose, 3), []);
}

#[test]
fn watch_takes_names_and_aliases() {
    let mut rose = Rose::default();
    let mut watch = registry().watch::<Rose>(["size", "height"]).unwrap();
    assert_eq!(
        changes(&mut watch, &mut rose, 3),
        [("height", None, Ok(json!(0.0)))]
    );
    rose.thorns.push(7);
    assert_eq!(changes(&mut watch, &mut rose, 3), []);
    let error = registry().watch::<Rose>(["thorn"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no property `thorn`; did you mean `thorns`?"
    );
}

#[test]
fn a_value_that_cannot_be_shown_any_more_is_a_change_too() {
    let mut rose = Rose::default();
    let mut watch = registry().watch::<Rose>(["height"]).unwrap();
    changes(&mut watch, &mut rose, 3);
    rose.plant.height = f64::NAN;
    let no_json = "property `height`: value has no JSON form: the number NaN is not finite";
    let expected = [("height", Some(json!(0.0)), Err(no_json.to_owned()))];
    assert_eq!(changes(&mut watch, &mut rose, 3), expected);
    assert_eq!(changes(&mut watch, &mut rose, 3), []);
    rose.plant.height = 1.0;
    assert_eq!(
        changes(&mut watch, &mut rose, 3),
        [("height", None, Ok(json!(1.0)))]
    );
}
