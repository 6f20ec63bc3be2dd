//! A member's way to the servers, which can be cut: nothing arrives any more, without an error.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

#[derive(Clone)]
pub(crate) struct Proxy {
    pub(crate) urls: String,
    cut: Arc<AtomicBool>,
}

impl Proxy {
    pub(crate) fn start(ports: &[u16]) -> std::io::Result<Proxy> {
        let cut = Arc::new(AtomicBool::new(false));
        let mut urls = Vec::new();
        for port in ports {
            let listener = TcpListener::bind("127.0.0.1:0")?;
            urls.push(format!(
                "nats://127.0.0.1:{}",
                listener.local_addr()?.port()
            ));
            let (port, cut) = (*port, cut.clone());
            thread::spawn(move || {
                for client in listener.incoming().flatten() {
                    let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
                        continue;
                    };
                    for (from, to) in [(&client, &server), (&server, &client)] {
                        if let (Ok(from), Ok(to)) = (from.try_clone(), to.try_clone()) {
                            let cut = cut.clone();
                            thread::spawn(move || copy(from, to, &cut));
                        }
                    }
                }
            });
        }
        Ok(Proxy {
            urls: urls.join(","),
            cut,
        })
    }

    pub(crate) fn set_cut(&self, cut: bool) {
        self.cut.store(cut, Ordering::Relaxed);
    }
}

fn copy(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool) {
    let mut bytes = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while cut.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    _ = from.shutdown(std::net::Shutdown::Both);
    _ = to.shutdown(std::net::Shutdown::Both);
}
