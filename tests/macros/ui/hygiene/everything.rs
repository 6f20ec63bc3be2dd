// Agents that use all of the macros: the cases of `pass/` include it below what could disturb it.

/// A monster.
#[derive(Agent)]
#[agent(world = World)]
pub struct Monster {
    /// Inside.
    #[agent(base)]
    pub actor: Actor,
    /// Hit points.
    #[property(min = 0, max = 9, choices = [1, 2])]
    pub hp: i32,
}

/// An actor.
#[derive(Agent)]
pub struct Actor;

/// A world.
pub struct World;

/// Walks.
#[derive(Agent)]
pub struct Walker<T>(pub T);

#[agent]
impl<T> Walker<T> {
    /// Walks.
    #[action]
    pub fn walk(&self) {}
}

register_agent!(Walker<u8>, name = "byte_walker");

#[agent]
impl Monster {
    /// Chases.
    #[action(exit = "left", resume = "again", alias = ["hunt"], meta(a = 1))]
    pub fn chase(
        &mut self,
        #[world] _world: &mut World,
        _cx: &mut Context<'_>,
        #[arg(default = 2.0, min = 0.0, max = 9.0, unit = "m")] _range: f64,
        #[arg(default = "x", choices = ["x"])] _text: &str,
        _list: &[u8],
        _inout: &mut u8,
        #[arg(out)] _out: &mut u8,
    ) -> ::core::option::Option<bool> {
        ::core::option::Option::None
    }

    /// Leaves.
    pub fn left(&mut self, _cx: &mut Context<'_>, _exit: Exit) {}

    /// Again.
    pub fn again(&mut self, _cx: &mut Context<'_>, _kept: u8) -> ::core::option::Option<bool> {
        ::core::option::Option::None
    }

    /// Sees.
    #[condition]
    pub fn sees(&self, _at: ::core::option::Option<u8>) -> bool {
        true
    }

    /// Twice.
    #[decorator]
    pub fn twice(&mut self, _limit: u8, _ended: ::core::option::Option<bool>) -> Next {
        Next::Run
    }

    /// Anything.
    #[fallback]
    pub fn anything(&mut self, _cx: &mut Context<'_>, _name: &str, _args: &[::serde_json::Value]) -> ::core::option::Option<bool> {
        ::core::option::Option::None
    }

    /// Speed.
    #[property]
    pub fn speed(&self) -> f64 {
        1.0
    }

    /// Speed.
    #[property(set)]
    pub fn set_speed(&mut self, _speed: f64) {}

    /// Sight.
    #[property]
    pub const SIGHT: f64 = 30.0;

    /// Hit.
    #[event]
    pub fn hit(by: u64, words: &str);
}

fn main() {
    let mut monster = Monster { actor: Actor, hp: 7 };
    ::std::assert!(Monster::sees(&monster, ::core::option::Option::None));
    ::std::assert!(monster.hp > 0 && Monster::speed(&monster) > 0.0);
    Monster::set_speed(&mut monster, 1.0);
    let Monster { actor: Actor, .. } = monster;
    Walker::walk(&Walker(7u8));
    let _event = (Monster::SIGHT, Monster::hit(7, "x"), World);
    ::std::assert!(Registry::global().is_ok());
}
