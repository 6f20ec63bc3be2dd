//! [`AccountAgent`]: the login before the game, which load tests go through by the thousand.
//!
//! A request waits for its answer by a completion, and a login holds a seat meanwhile. Neither can be
//! saved with the tree, so these actions have resume methods; what waits for a time or an event, as
//! walks do, goes on by itself.

use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::world::{PlayerClass, Request};
use crate::{ActorAgent, Point, World, WorldError};

/// A login: it registers, logs in, and makes itself a player.
#[derive(Debug, Clone, Agent, Serialize, Deserialize)]
#[agent(world = World, display = "账号")]
pub struct AccountAgent {
    #[agent(base)]
    actor: ActorAgent,
    /// Name to register and log in with.
    #[property(name = "account", category = "account", display = "账号名")]
    pub name: String,
    /// Its password: not a property, so that no log and no debugger shows it.
    password: String,
    /// The number of its requests sent to the server.
    #[property(read_only, category = "account")]
    requests: u32,
}

impl AccountAgent {
    /// The agent of an account's entity.
    pub fn new(entity: u64, name: &str, password: &str) -> AccountAgent {
        AccountAgent {
            actor: ActorAgent::new(entity),
            name: name.to_owned(),
            password: password.to_owned(),
            requests: 0,
        }
    }

    /// Online id of the entity that this agent drives.
    pub fn entity(&self) -> u64 {
        self.actor.entity()
    }

    /// Sends a request that the server answers through the call's completion.
    fn send(&mut self, world: &mut World, cx: &mut Context, request: Request) -> Option<bool> {
        self.requests += 1;
        let number = world.request(self.entity(), request, cx.completion());
        cx.keep(number);
        None
    }
}

#[agent]
impl AccountAgent {
    /// Register the account.
    ///
    /// # Returns
    /// `true` when the server agrees, `false` if the name is taken.
    #[action(
        category = "account",
        display = "注册",
        exit = "leave_request",
        resume = "resume_request"
    )]
    pub fn register(&mut self, #[world] world: &mut World, cx: &mut Context) -> Option<bool> {
        let request = Request::Register {
            account: self.name.clone(),
            password: self.password.clone(),
        };
        self.send(world, cx, request)
    }

    /// Log in.
    ///
    /// A connection is held for as long as the server thinks, and given back whatever comes.
    ///
    /// # Returns
    /// `true` when the server agrees, `false` if it does not, or is full.
    #[action(
        category = "account",
        display = "登录",
        exit = "leave_request",
        resume = "resume_log_in"
    )]
    pub fn log_in(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// The password; left out, the one that it registers with.
        password: Option<String>,
    ) -> Result<Option<bool>, WorldError> {
        cx.on_exit(world.server().take_seat()?);
        let request = Request::LogIn {
            account: self.name.clone(),
            password: password.unwrap_or_else(|| self.password.clone()),
        };
        Ok(self.send(world, cx, request))
    }

    /// Create a player.
    ///
    /// # Returns
    /// `true` when the server agrees, `false` if the account is not logged in or has one.
    #[action(
        category = "account",
        display = "创建角色",
        exit = "leave_request",
        resume = "resume_request"
    )]
    pub fn create_player(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        /// The name of the new player.
        name: &str,
        /// The class of the new player.
        #[arg(default = PlayerClass::Warrior)]
        class: PlayerClass,
    ) -> Option<bool> {
        let name = name.to_owned();
        self.send(world, cx, Request::CreatePlayer { name, class })
    }

    /// Clean-up of every request: one that nobody waits for is taken back.
    pub fn leave_request(&mut self, #[world] world: &mut World, _cx: &mut Context, exit: Exit) {
        if exit == Exit::Aborted {
            world.server_mut().withdraw(self.entity());
        }
    }

    /// Goes on with a request after a save: it is under way in the world, and needs somebody to be
    /// answered to.
    pub fn resume_request(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        number: u64,
    ) -> Option<bool> {
        let is_under_way = world.server_mut().answer_to(number, cx.completion());
        (!is_under_way).then_some(false)
    }

    /// Goes on with `log_in` after a save: in a seat again.
    pub fn resume_log_in(
        &mut self,
        #[world] world: &mut World,
        cx: &mut Context,
        number: u64,
    ) -> Option<bool> {
        let Ok(seat) = world.server().take_seat() else {
            return Some(false);
        };
        cx.on_exit(seat);
        self.resume_request(world, cx, number)
    }

    /// Log out.
    ///
    /// # Returns
    /// `true` if it was logged in.
    #[action(category = "account", display = "登出")]
    pub fn log_out(&mut self, #[world] world: &mut World) -> bool {
        world.server_mut().log_out(self.entity())
    }

    /// Enter the world with the account's player.
    ///
    /// # Returns
    /// `true`; `false` if it is not logged in or has no player.
    #[action(category = "account", display = "进入世界")]
    pub fn enter_world(
        &mut self,
        #[world] world: &mut World,
        /// The point to appear at.
        at: Point,
        /// Online id of the player.
        #[arg(out)]
        player: &mut u64,
    ) -> Result<(), WorldError> {
        *player = world.enter(self.entity(), at)?;
        Ok(())
    }

    /// Take the account's player out of the world.
    ///
    /// # Returns
    /// `true` if it was in it.
    #[action(category = "account", display = "离开世界")]
    pub fn leave_world(&mut self, #[world] world: &mut World) -> bool {
        world.leave(self.entity()) > 0
    }

    /// Make up a name.
    ///
    /// # Returns
    /// Always `true`.
    #[action(category = "account")]
    pub fn make_up_name(
        cx: &mut Context,
        /// The ending of the name.
        #[arg(choices = ["a", "o", "us"], default = "a")]
        ending: &str,
        /// The name.
        #[arg(out)]
        name: &mut String,
    ) {
        const SYLLABLES: [&str; 8] = ["ka", "lo", "mi", "ra", "shi", "to", "ven", "zu"];
        let mut made = String::new();
        for _ in 0..3 {
            made.push_str(cx.random().choose(&SYLLABLES).unwrap_or(&"la"));
        }
        *name = made + ending;
    }

    /// Is the name registered?
    ///
    /// # Returns
    /// `true` if the server knows it, whoever registered it.
    #[condition(category = "account")]
    pub fn is_registered(&self, #[world] world: &World) -> bool {
        world.server().is_registered(&self.name)
    }

    /// Is the account logged in?
    ///
    /// # Returns
    /// `true` from the server's consent until it logs out.
    #[condition(category = "account", display = "已登录")]
    pub fn is_logged_in(&self, #[world] world: &World) -> bool {
        world.server().account_of(self.entity()) == Some(self.name.as_str())
    }

    /// Does the account have a player?
    ///
    /// # Returns
    /// `true` if it is logged in and has one.
    #[condition(category = "account")]
    pub fn has_player(&self, #[world] world: &World) -> bool {
        world.server().player_of(self.entity()).is_some()
    }

    /// The server has agreed to a request.
    #[event(category = "account", display = "服务器同意")]
    pub fn server_agreed(
        /// The account's name.
        account: &str,
    );

    /// The account's player was killed.
    #[event(category = "account", display = "角色死亡")]
    pub fn player_died(
        /// Online id of the player.
        player: u64,
    );

    /// The server has refused a request.
    #[event(category = "account", display = "服务器拒绝")]
    pub fn server_refused(
        /// The reason.
        why: &str,
    );
}
