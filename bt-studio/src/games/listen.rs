//! The port that takes what games post to the original's debugger. It has no token, so it is there on
//! request only, takes texts of this machine alone, and none of a page.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use tokio::sync::oneshot;

use super::ToSession;
use super::log::read_all;
use super::log_rows::Posted;
use super::session::Session;
use crate::http;

/// The largest body.
const LARGEST: usize = 32 << 20;

/// So many bytes of bodies wait for the session, at most.
const WAITING: usize = 128 << 20;

/// The port; it closes when it is dropped.
#[derive(Debug)]
pub(super) struct Listener {
    _ends: oneshot::Sender<()>,
}

#[derive(Clone)]
struct Shared {
    port: u16,
    to: Sender<ToSession>,
    waiting: Arc<AtomicUsize>,
}

impl Session {
    /// Takes posts from now on.
    pub(super) fn listen_at(&mut self, port: u16) -> Result<(), String> {
        let failed = |error: std::io::Error| {
            format!("cannot listen on port {port}: {error}; choose another, or 0 for any")
        };
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        let listener = listener.map_err(failed)?;
        let number = listener.local_addr().map_err(failed)?.port();
        let shared = Shared {
            port: number,
            to: self.own(),
            waiting: Arc::default(),
        };
        let (ends, ended) = oneshot::channel();
        let run = move || serve(listener, shared, ended);
        let name = "studio listener".to_owned();
        thread::Builder::new()
            .name(name)
            .spawn(run)
            .map_err(failed)?;
        self.listener = Some(Listener { _ends: ends });
        self.about.address = Some(format!("http://127.0.0.1:{number}/post/ai_debug/"));
        Ok(())
    }
}

fn serve(listener: TcpListener, shared: Shared, ended: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else { return };
    runtime.block_on(async {
        let router = Router::new()
            .route("/post/ai_debug/", post(take))
            .route("/post/ai_debug", post(take))
            .layer(DefaultBodyLimit::max(LARGEST))
            .with_state(shared);
        tokio::select! {
            _ = http::serve(listener, router) => {}
            _ = ended => {}
        }
    });
}

type Answer = (StatusCode, String);

async fn take(State(shared): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let refused = |status: StatusCode, why: &str| (status, format!("{why}\n"));
    // Only pages have one.
    if headers.contains_key(header::ORIGIN) {
        return refused(StatusCode::FORBIDDEN, "pages are not allowed to post here");
    }
    let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{}", shared.port));
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| own.iter().any(|own| own == host)) {
        let why = format!("the host is not one of `{}`", own.join("`, `"));
        return refused(StatusCode::FORBIDDEN, &why);
    }
    let length = body.len();
    if shared.waiting.load(Ordering::Relaxed) + length > WAITING {
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "too much waits: post again later",
        );
    }
    let posted = match read_all(&body) {
        Ok(posted) => posted,
        Err(error) => {
            let why = format!("this is no log of the original's debugger: {error}");
            return refused(StatusCode::BAD_REQUEST, &why);
        }
    };
    shared.waiting.fetch_add(length, Ordering::Relaxed);
    let posted = Posted {
        waiting: Some(Taken(length, Arc::clone(&shared.waiting))),
        ..posted
    };
    match shared.to.send(ToSession::Posted(posted)) {
        Ok(()) => (StatusCode::OK, "{}\n".to_owned()),
        Err(_) => refused(StatusCode::GONE, "the session is over"),
    }
}

/// Bytes that wait until this is dropped.
#[derive(Debug)]
pub(super) struct Taken(usize, Arc<AtomicUsize>);

impl Drop for Taken {
    fn drop(&mut self) {
        self.1.fetch_sub(self.0, Ordering::Relaxed);
    }
}
