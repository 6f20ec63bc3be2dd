//! Accounts in the world: requests to the server, and the answers, each after a while.

use bt_core::Completion;

use super::server::{Pending, PlayerClass, Request};
use super::{Blueprint, Entity, Point, World, WorldError};
use crate::agents::AccountAgent;

impl World {
    /// Sends a request to the server. When its time has come the completion is finished, and the
    /// entity is told `server_agreed` or `server_refused`. The number of the request.
    pub fn request(&mut self, from: u64, request: Request, completion: Completion) -> u64 {
        let answer_at = self.now + self.server.latency;
        self.server.requests += 1;
        let number = self.server.requests;
        self.server.pending.push(Pending {
            number,
            from,
            answer_at,
            request,
            completion: Some(completion),
        });
        number
    }

    pub(super) fn step_accounts(&mut self) {
        let now = self.now;
        let due = self.server.pending.extract_if(.., |p| p.answer_at <= now);
        let due: Vec<Pending> = due.collect();
        for pending in due {
            let answer = self.server.answer(pending.from, pending.request);
            if let Some(completion) = pending.completion {
                completion.finish(answer.is_ok());
            }
            let event = match answer {
                Ok(account) => AccountAgent::server_agreed(&account),
                Err(why) => AccountAgent::server_refused(why),
            };
            self.tell(pending.from, event);
        }
    }

    /// Puts the player of the account that an entity is logged in to into the world.
    ///
    /// # Errors
    /// [`WorldError`] if the entity is not logged in, or the account has no player.
    pub fn enter(&mut self, entity: u64, at: Point) -> Result<u64, WorldError> {
        let player = self.server.player_of(entity);
        let (name, class) = player.ok_or(WorldError::Missing("player to enter with"))?;
        let player = Blueprint::player(name, at);
        let player = match class {
            PlayerClass::Warrior => player.health(70.0),
            PlayerClass::Ranger => player.speed(6.0),
            PlayerClass::Healer => player.potions(5),
        };
        let player = self.spawn(player);
        self.entity_mut(player)?.owner = Some(entity);
        Ok(player)
    }

    /// Takes the players of an account out of the world; how many there were.
    pub fn leave(&mut self, account: u64) -> usize {
        let is_owned = |entity: &&Entity| entity.owner == Some(account);
        let owned = self.entities().filter(is_owned);
        let owned: Vec<u64> = owned.map(|entity| entity.id).collect();
        for player in &owned {
            self.despawn(*player);
        }
        owned.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bt_core::Session;
    use std::time::Duration;

    /// Sends a request and waits for the answer.
    fn ask(world: &mut World, from: u64, request: Request) -> bool {
        let mut session = Session::new(0);
        let completion = session.context().completion();
        world.request(from, request, completion);
        world.step(Duration::from_millis(100));
        assert_eq!(session.take_completions(), [], "answers take a while");
        world.step(Duration::from_millis(200));
        session.take_completions()[0].1.unwrap()
    }

    fn register(account: &str) -> Request {
        Request::Register {
            account: account.into(),
            password: "secret".into(),
        }
    }

    fn log_in(account: &str, password: &str) -> Request {
        Request::LogIn {
            account: account.into(),
            password: password.into(),
        }
    }

    #[test]
    fn an_account_is_registered_logged_in_and_played() {
        let mut world = World::new();
        let [ann, bob] = ["ann", "bob"].map(|name| world.spawn(Blueprint::account(name)));
        let player = || Request::CreatePlayer {
            name: "Anna".into(),
            class: PlayerClass::Ranger,
        };
        assert!(!ask(&mut world, ann, log_in("ann", "secret")));
        assert!(ask(&mut world, ann, register("ann")));
        assert!(!ask(&mut world, bob, register("ann")));
        assert!(!ask(&mut world, ann, log_in("ann", "guess")));
        assert!(!ask(&mut world, ann, player()));
        assert!(ask(&mut world, ann, log_in("ann", "secret")));
        assert!(!ask(&mut world, bob, log_in("ann", "secret")), "in use");
        assert!(world.enter(ann, Point::default()).is_err());
        assert!(ask(&mut world, ann, player()));
        let id = world.enter(ann, Point::new(5.0, 5.0)).unwrap();
        let entity = world.entity(id).unwrap();
        assert_eq!((entity.name.as_str(), entity.speed), ("Anna", 6.0));
        assert!(world.server_mut().log_out(ann));
        assert!(ask(&mut world, bob, log_in("ann", "secret")));
    }

    #[test]
    fn a_withdrawn_request_is_not_answered() {
        let mut world = World::new();
        let ann = world.spawn(Blueprint::account("ann"));
        let mut session = Session::new(0);
        let completion = session.context().completion();
        world.request(ann, register("ann"), completion);
        assert_eq!(world.server_mut().withdraw(ann), 1);
        world.step(Duration::from_secs(1));
        assert!(!world.server().is_registered("ann"));
        drop(session.take_requests());
        assert_eq!(session.take_completions()[0].1, None);
    }

    #[test]
    fn a_seat_is_free_again_when_it_is_dropped() {
        let mut world = World::new();
        world.server_mut().set_free_seats(1);
        let seat = world.server().take_seat().unwrap();
        assert!(world.server().take_seat().is_err());
        drop(seat);
        assert_eq!(world.server().free_seats(), 1);
    }
}
