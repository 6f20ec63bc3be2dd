//! A client's WebSocket: the token first, then its requests one by one, with answers and events as they come.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bt_live::protocol::{Error, ErrorCode};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{interval, timeout};

use super::Gate;
use crate::project::files::LARGEST;
use crate::protocol::{Failure, Request, VERSION, Welcome};
use crate::studio::{Message, answer, read};

/// The longest message: a whole text, escaped, and more.
const MESSAGE: usize = 2 * LARGEST + (1 << 20);

/// So long has a client to show the token.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The interval at which a client is asked whether it is still there, and the time that one may say nothing,
/// or take nothing.
const BEAT: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);

/// So many answers and events wait for a client, at most.
const WAITING: usize = 4_096;

/// So many clients are connected at once, at most.
const CLIENTS: usize = 64;

static NEXT: AtomicU64 = AtomicU64::new(1);
static CONNECTED: AtomicUsize = AtomicUsize::new(0);

/// Opens a WebSocket.
pub(super) async fn upgrade(State(gate): State<Arc<Gate>>, asked: WebSocketUpgrade) -> Response {
    if CONNECTED.load(Ordering::Relaxed) >= CLIENTS {
        let why = format!("{CLIENTS} clients are connected, which is the most: close some tabs\n");
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    }
    asked
        .max_message_size(MESSAGE)
        .max_frame_size(MESSAGE)
        .on_upgrade(move |socket| async move {
            CONNECTED.fetch_add(1, Ordering::Relaxed);
            talk(&gate, socket).await;
            CONNECTED.fetch_sub(1, Ordering::Relaxed);
        })
}

async fn talk(gate: &Gate, mut socket: WebSocket) {
    let shown = timeout(TIMEOUT, greet(gate, &mut socket)).await;
    if !matches!(shown, Ok(true)) {
        let frame = CloseFrame {
            code: 1008,
            reason: "the first message has to be `hello` with the token".into(),
        };
        _ = socket.send(Frame::Close(Some(frame))).await;
        return;
    }
    let client = NEXT.fetch_add(1, Ordering::Relaxed);
    let (outbox, mut inbox) = mpsc::channel(WAITING);
    if gate.studio.send(Message::Join { client, outbox }).is_err() {
        return;
    }
    let mut busy: Option<oneshot::Receiver<()>> = None;
    let mut beat = interval(BEAT);
    let mut heard = Instant::now();
    loop {
        // The next request is read when the one before is answered.
        tokio::select! {
            biased;
            text = inbox.recv() => {
                let Some(text) = text else { break };
                if !is_sent(&mut socket, Frame::Text(text.into())).await {
                    break;
                }
            }
            _ = wait(&mut busy), if busy.is_some() => {
                busy = None;
                heard = Instant::now();
            }
            _ = beat.tick() => {
                let is_silent = busy.is_none() && heard.elapsed() > SILENCE;
                if is_silent || !is_sent(&mut socket, Frame::Ping(Bytes::new())).await {
                    break;
                }
            }
            frame = socket.recv(), if busy.is_none() => {
                heard = Instant::now();
                let text = match frame {
                    Some(Ok(Frame::Text(text))) => text.to_string(),
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
                    _ => break,
                };
                let (done, answered) = oneshot::channel();
                busy = Some(answered);
                if gate.studio.send(Message::Request { client, text, done }).is_err() {
                    break;
                }
            }
        }
    }
    // The studio ends with the program.
    _ = gate.studio.send(Message::Leave { client });
}

/// Returns true if a client takes a message in time.
async fn is_sent(socket: &mut WebSocket, frame: Frame) -> bool {
    matches!(timeout(SILENCE, socket.send(frame)).await, Ok(Ok(())))
}

async fn wait(busy: &mut Option<oneshot::Receiver<()>>) {
    if let Some(busy) = busy {
        _ = busy.await;
    }
}

/// Reads the first message; whether it has the token.
async fn greet(gate: &Gate, socket: &mut WebSocket) -> bool {
    let Some(Ok(Frame::Text(text))) = socket.recv().await else {
        return false;
    };
    let (id, hello) = match read(&text) {
        Ok((id, Request::Hello(hello))) => (Some(id), hello),
        Ok((id, _)) => {
            let error = Error::new(
                ErrorCode::Token,
                "the first request has to be `hello` with the token",
            );
            _ = socket
                .send(Frame::Text(
                    answer::<serde_json::Value>(Some(id), Err(error.into())).into(),
                ))
                .await;
            return false;
        }
        Err(answer) => {
            _ = socket.send(Frame::Text(answer.into())).await;
            return false;
        }
    };
    let refused = if !gate.token.is(&hello.token) {
        let why = "the token is wrong: open the address that the studio printed";
        Some(Failure::from(Error::new(ErrorCode::Token, why)))
    } else if hello.protocol != VERSION {
        let why = format!(
            "the page speaks version {} of the protocol, the studio version {VERSION}: reload the page",
            hello.protocol
        );
        Some(Failure::refused(why))
    } else {
        None
    };
    let is_refused = refused.is_some();
    let result = match refused {
        Some(failure) => Err(failure),
        None => {
            let welcome = Welcome {
                server: "bt-studio".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                protocol: VERSION,
            };
            serde_json::to_value(welcome).map_err(Failure::refused)
        }
    };
    let sent = socket.send(Frame::Text(answer(id, result).into())).await;
    sent.is_ok() && !is_refused
}
