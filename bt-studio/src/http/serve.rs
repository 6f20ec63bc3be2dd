//! Connections: so many at once, and none that says nothing for long.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// So many connections wait for a request or its answer, at most. WebSockets are counted by themselves.
const CONNECTIONS: usize = 256;

/// The time that a request may take to arrive, and that a connection waits for the next one.
const TIMEOUT: Duration = Duration::from_secs(10);

/// After that time a connection takes no further request, and ends as soon as it has answered; at the latest after as long
/// again.
const LIFE: Duration = Duration::from_secs(60);

/// Serves until the program ends, or this is dropped.
///
/// # Errors
/// If the listener cannot be used.
pub(crate) async fn serve(listener: TcpListener, router: Router) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = Arc::clone(&room).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            // There are no more sockets: some will be closed.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let router = router.clone();
        tokio::spawn(async move {
            talk(stream, router).await;
            drop(place);
        });
    }
}

/// One connection, until it ends or has become a WebSocket.
async fn talk(stream: TcpStream, router: Router) {
    // What follows an answer would wait for the page's acknowledgement, 40 ms.
    _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(TIMEOUT)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    let mut connection = pin!(connection);
    // One that is broken is over.
    if timeout(LIFE, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        _ = timeout(LIFE, connection).await;
    }
}
