//! The scene in real time, with a port.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use bt_live::port::{Options, Port};
use monster::scene::{STEP, Scene};

use crate::play::Failure;

/// The number of times that clients are heard.
const FRAME: Duration = Duration::from_millis(16);

/// A port, and the time that has passed for the scene.
pub(crate) struct Live {
    port: Port,
    looked: Instant,
    /// The part of the next step that has passed.
    passed: Duration,
}

impl Live {
    /// Opens a port, and says where.
    pub(crate) fn open(speed: f64, out: &mut impl Write) -> Result<Live, Failure> {
        let options = Options::new("monster").recordings(std::env::temp_dir());
        let port = Port::open(options.speed(speed));
        let port = port.map_err(|error| Failure::Other(format!("cannot open a port: {error}")))?;
        writeln!(out, "port: {}", port.url())?;
        writeln!(out, "token file: {}", port.token_file().display())?;
        Ok(Live {
            port,
            looked: Instant::now(),
            passed: Duration::ZERO,
        })
    }

    /// Lets all agents go.
    pub(crate) fn close(self, scene: &mut Scene) {
        self.port.close(scene);
    }

    /// Hears clients until the next step is due.
    pub(crate) fn wait(&mut self, scene: &mut Scene) {
        loop {
            self.port.poll(scene);
            let now = Instant::now();
            self.passed += (now - self.looked).mul_f64(self.port.speed());
            self.looked = now;
            if self.passed >= STEP {
                // Who was asleep for long does not hurry afterwards.
                self.passed = (self.passed - STEP).min(STEP);
                return;
            }
            thread::sleep(FRAME);
        }
    }
}
