//! Events of any actor. The world makes these events and fires none itself: see
//! [`World::take_events`](crate::World::take_events).

use bt_core::prelude::*;

use super::ActorAgent;
use crate::Point;
use crate::world::MissReason;

#[agent]
impl ActorAgent {
    /// The entity is where it was sent.
    #[event(category = "movement", display = "到达")]
    pub fn arrived(
        /// The point of it.
        at: Point,
    );

    /// No way leads on.
    #[event(category = "movement", display = "路被堵住")]
    pub fn path_blocked(
        /// The point at which the entity stands.
        at: Point,
    );

    /// The followed entity died or vanished.
    #[event(category = "movement")]
    pub fn target_lost(
        /// Online id of the one that was followed.
        target: u64,
    );

    /// An alarm rang.
    #[event(category = "timer")]
    pub fn alarm_rang(
        /// The alarm's name.
        name: &str,
    );

    /// Somebody spoke nearby.
    #[event(category = "talk")]
    pub fn heard(
        /// Online id of the one who spoke.
        speaker: u64,
        /// The words.
        words: &str,
    );

    /// The entity was wounded.
    #[event(category = "combat", display = "受伤")]
    pub fn hurt(
        /// Online id of the one who did it.
        attacker: u64,
        /// Hit points lost.
        #[arg(unit = "hp", min = 0.0)]
        damage: f64,
    );

    /// The entity was killed.
    #[event(category = "combat", display = "死亡")]
    pub fn died(
        /// Online id of the one who did it.
        killer: u64,
    );

    /// The entity's attack hit.
    #[event(category = "combat")]
    pub fn attack_landed(
        /// Online id of the one that was hit.
        target: u64,
        /// Hit points that it cost.
        #[arg(unit = "hp", min = 0.0)]
        damage: f64,
    );

    /// The entity's attack hit nobody.
    #[event(category = "combat")]
    pub fn attack_missed(
        /// Online id of the one that was meant.
        target: u64,
        /// The reason why it was not hit.
        why: MissReason,
    );
}
