//! Whoever sends hits, so many a second, repeats those without an answer, and knows what is to be found afterwards.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bt_core::Random;
use bt_fleet::{Fleet, Reply};

use crate::walker::{Walker, ordered};

/// The hits that were sent and stored.
#[derive(Default)]
pub(crate) struct Sent {
    /// For each agent its hits: the place in the stream, and the number.
    pub(crate) hits: HashMap<u64, Vec<(u64, u64)>>,
    pub(crate) count: u64,
    pub(crate) repeated: u64,
    pub(crate) acks_ms: Vec<f64>,
}

impl Sent {
    /// The number that the agent has to have, and the count.
    pub(crate) fn expected(&mut self, key: u64) -> (u64, u64) {
        let Some(hits) = self.hits.get_mut(&key) else {
            return (0, 0);
        };
        hits.sort_unstable();
        let order = hits
            .iter()
            .fold(0, |order, (_, number)| ordered(order, *number));
        (hits.len() as u64, order)
    }
}

pub(crate) struct Publisher {
    stops: Arc<AtomicBool>,
    thread: JoinHandle<Sent>,
}

struct Flight {
    key: u64,
    number: u64,
    since: Instant,
    reply: Reply<u64>,
}

impl Publisher {
    pub(crate) fn start(fleet: Fleet<Walker>, agents: u64, rate: u32) -> Publisher {
        let stops = Arc::new(AtomicBool::new(false));
        let stop = stops.clone();
        let thread = thread::spawn(move || publish(&fleet, agents, rate, &stop));
        Publisher { stops, thread }
    }

    /// Stops once everything is stored.
    pub(crate) fn stop(self) -> Sent {
        self.stops.store(true, Ordering::Relaxed);
        self.thread.join().expect("it does not panic")
    }
}

fn send(fleet: &Fleet<Walker>, key: u64, number: u64) -> Reply<u64> {
    fleet
        .fire(key, Walker::hit(number))
        .id(format!("hit-{number}"))
        .send()
}

fn publish(fleet: &Fleet<Walker>, agents: u64, rate: u32, stops: &AtomicBool) -> Sent {
    let mut sent = Sent::default();
    let mut random = Random::new(7);
    let mut flights: Vec<Flight> = Vec::new();
    let (mut due, mut last) = (0.0, Instant::now());
    loop {
        let ends = stops.load(Ordering::Relaxed);
        if ends && flights.is_empty() {
            return sent;
        }
        let now = Instant::now();
        due += f64::from(rate) * (now - last).as_secs_f64();
        last = now;
        while due >= 1.0 && !ends {
            due -= 1.0;
            if flights.len() > 20_000 {
                continue;
            }
            sent.count += 1;
            let (key, number) = (random.int(0..=agents as i64 - 1) as u64, sent.count);
            let reply = send(fleet, key, number);
            flights.push(Flight {
                key,
                number,
                since: now,
                reply,
            });
        }
        flights.retain_mut(|flight| match flight.reply.try_take() {
            None => true,
            Some(Ok(seq)) => {
                sent.acks_ms
                    .push(flight.since.elapsed().as_secs_f64() * 1e3);
                sent.hits
                    .entry(flight.key)
                    .or_default()
                    .push((seq, flight.number));
                false
            }
            Some(Err(_)) => {
                sent.repeated += 1;
                flight.reply = send(fleet, flight.key, flight.number);
                true
            }
        });
        thread::sleep(Duration::from_millis(5));
    }
}
