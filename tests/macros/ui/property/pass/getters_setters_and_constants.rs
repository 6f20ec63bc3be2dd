#![deny(warnings)]
use bt_core::prelude::*;

#[derive(Agent, Default)]
#[agent(world = u32)]
struct Monster {
    #[property(display = "生命", category = "body", since = "1.0", alias = ["health"], meta(sync))]
    #[property(min = 0, max = 10, step = 1, unit = "hp")]
    hp: i32,
    #[property(read_only)]
    title: String,
    #[property(choices = ["calm", "angry"])]
    mood: Option<String>,
    speed: f64,
}

#[agent]
impl Monster {
    #[property]
    const SIGHT: f64 = 30.0;

    #[property(name = "sounds")]
    const NOISES: &'static [&'static str] = &["growl"];

    #[property]
    const TOP_SPEED_2: f64 = 9.0;

    #[property]
    pub const LIMITS: (u8, u8) = { (1, 2) };

    #[property(unit = "m/s")]
    fn speed(&self) -> f64 {
        self.speed
    }

    #[property(set, min = 0.0)]
    fn set_speed(&mut self, mut speed: f64, #[world] world: &u32) -> Result<(), String> {
        speed *= f64::from(*world);
        self.speed = speed;
        if speed > 9.0 { Err(format!("{speed} is too fast")) } else { Ok(()) }
    }

    #[property]
    fn name(&self) -> &str {
        &self.title
    }

    #[property(set, name = "name")]
    fn rename(&mut self, to: &str) {
        self.title = to.to_owned();
    }

    #[property]
    fn moods<'a>(&'a self, cx: &Context, #[world] _w: &u32) -> Option<&'a [String]> {
        let _ = cx.now();
        self.mood.as_ref().map(std::slice::from_ref)
    }

    #[property]
    fn count() -> usize {
        1
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(!agent.property("name").unwrap().read_only);
    assert!(agent.property("moods").unwrap().read_only);
    assert_eq!(agent.property("health").unwrap().ty.max, Some(10.into()));
    assert!(agent.property("count").unwrap().is_static);
    assert!(agent.property("TOP_SPEED_2").unwrap().is_static);
}
