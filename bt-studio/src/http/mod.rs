//! The server for this machine's browser: the page, and its WebSocket.

mod page;
mod serve;
mod socket;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};

use crate::studio::Message;
pub(crate) use serve::serve;

/// The policy for the page: it loads what this server has, and talks to it. Nothing else is loaded, embedded
/// or sent.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
img-src 'self' data: blob:; font-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'";

/// The rules of admission, and the target of requests.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) token: Token,
    pub(crate) port: u16,
    pub(crate) studio: Sender<Message>,
}

/// 32 bytes that nobody guesses, in hexadecimal digits.
#[derive(Debug)]
pub(crate) struct Token(String);

impl Token {
    fn random() -> std::io::Result<Token> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Token(data_encoding::HEXLOWER.encode(&bytes)))
    }

    /// Returns true if a client has it. How long that takes says nothing about it.
    pub(crate) fn is(&self, said: &str) -> bool {
        let pairs = self.0.bytes().zip(said.bytes());
        let differs = pairs.fold(0, |differs, (own, other)| differs | (own ^ other));
        said.len() == self.0.len() && differs == 0
    }
}

/// A server that listens and does not serve yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    gate: Arc<Gate>,
}

impl Server {
    /// Listens on this machine's own address; port 0 is any that is free.
    ///
    /// # Errors
    /// If the port is taken.
    pub fn bind(port: u16, studio: Sender<Message>) -> std::io::Result<Server> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let gate = Gate {
            token: Token::random()?,
            port: listener.local_addr()?.port(),
            studio,
        };
        Ok(Server {
            listener,
            gate: Arc::new(gate),
        })
    }

    /// The address of the page, with the token.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.gate.port, self.gate.token.0)
    }

    /// Serves until the program ends.
    ///
    /// # Errors
    /// If the machine gives no threads or sockets.
    pub fn serve(self) -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let router = Router::new()
            .route("/ws", any(socket::upgrade))
            .fallback(get(page::serve))
            .layer(middleware::from_fn_with_state(
                Arc::clone(&self.gate),
                guard,
            ))
            .with_state(self.gate);
        runtime.block_on(serve(self.listener, router))
    }
}

/// Refuses what does not come from this machine's own page, and says in each answer what the page may do.
async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match admit(gate.port, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(why) => (StatusCode::FORBIDDEN, why + "\n").into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The reason why a request is refused by its headers.
fn admit(port: u16, headers: &HeaderMap) -> Result<(), String> {
    let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    // A name that leads here by a foreign domain name server is not this machine's.
    let is_own = host.is_some_and(|host| own.iter().any(|own| own == host));
    if !is_own || hosts.next().is_some() {
        return Err(format!("the host is not one of `{}`", own.join("`, `")));
    }
    for origin in headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or("");
        if !own
            .iter()
            .any(|own| origin.strip_prefix("http://") == Some(own))
        {
            return Err("pages of that origin are not allowed".to_owned());
        }
    }
    Ok(())
}
