//! The turns of requests: each client's requests are answered in their order, those of all clients in turn.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Port;
use super::game::Game;
use super::inbox::{Backlog, News};
use super::limits::{ANSWER_BYTES, ANSWER_TIME};
use super::task::{Clock, Step, Task, panicked};
use crate::protocol::{Id, Request};

/// The requests of a client.
pub(super) struct Line {
    client: u64,
    asked: VecDeque<(Id, Request)>,
    /// The request that takes longer.
    current: Option<(Id, Task)>,
    backlog: Backlog,
}

impl Line {
    pub(super) fn client(&self) -> u64 {
        self.client
    }

    fn is_waiting(&self) -> bool {
        self.current.is_some() || !self.asked.is_empty()
    }
}

impl Port {
    /// Takes what the sockets' thread has.
    pub(super) fn hear(&mut self, game: &dyn Game) {
        for news in self.inbox.take() {
            match news {
                News::Joined(client, backlog) => {
                    self.outlets.join(client, backlog.clone());
                    self.lines.push_back(Line {
                        client,
                        asked: VecDeque::new(),
                        current: None,
                        backlog,
                    });
                }
                News::Asked {
                    client,
                    id,
                    request,
                } => {
                    let mut lines = self.lines.iter_mut();
                    if let Some(line) = lines.find(|line| line.client == client) {
                        line.asked.push_back((id, request));
                    }
                }
                News::Left(client) => self.leave(client, game),
            }
        }
    }

    /// Answers requests, as many as there is time for.
    pub(super) fn answer_all(&mut self, game: &mut dyn Game) {
        if !self.lines.iter().any(Line::is_waiting) {
            return;
        }
        let clock = Clock::of(ANSWER_TIME);
        let mut idle = 0;
        while idle < self.lines.len() {
            let Some(mut line) = self.lines.pop_front() else {
                return;
            };
            let moved = self.advance(&mut line, game, clock);
            self.lines.push_back(line);
            if clock.is_over() {
                return;
            }
            idle = if moved { 0 } else { idle + 1 };
        }
    }

    /// Does the next step for a client; whether that was more than waiting.
    fn advance(&mut self, line: &mut Line, game: &mut dyn Game, clock: Clock) -> bool {
        if line.backlog.answers.bytes() >= ANSWER_BYTES {
            return false;
        }
        let client = line.client;
        let (id, step) = match line.current.take() {
            Some((id, mut task)) => {
                let step = AssertUnwindSafe(|| match task.step(self, game, clock) {
                    Some(answer) => Step::Done(answer),
                    None => Step::Later(task),
                });
                (id, catch_unwind(step))
            }
            None => {
                let Some((id, request)) = line.asked.pop_front() else {
                    return false;
                };
                self.statistics.requests += 1;
                let begin = AssertUnwindSafe(|| self.begin(client, request, game));
                let begun = catch_unwind(begin);
                // What takes longer is stepped when it is this client's turn again.
                if let Ok(Step::Later(task)) = begun {
                    line.current = Some((id, task));
                    return true;
                }
                (id, begun)
            }
        };
        match step {
            Ok(Step::Done(answer)) => self.outlets.answer(client, &id, answer),
            Ok(Step::Later(task)) => {
                line.current = Some((id, task));
                return false;
            }
            Err(_) => self.outlets.answer(client, &id, Err(panicked())),
        }
        true
    }
}
