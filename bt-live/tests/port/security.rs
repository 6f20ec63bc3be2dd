//! Attacks of hostile clients: they are refused, and the game plays on.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bt_live::client::Client;
use bt_live::protocol::types::*;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

use crate::game::Game;

pub(crate) type Socket = WebSocket<TcpStream>;

/// A connection with these headers, in place of the usual ones.
fn open(game: &Game, headers: &[(&'static str, &str)]) -> Result<Socket, Box<Error>> {
    let (address, _) = game.address();
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    for (name, value) in headers {
        let value = HeaderValue::from_str(value).unwrap();
        request.headers_mut().insert(*name, value);
    }
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    match tungstenite::client::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(error)) => Err(Box::new(error)),
        Err(error) => panic!("{error}"),
    }
}

/// The reason in the answer to a refused connection.
fn refusal(game: &Game, headers: &[(&'static str, &str)]) -> (u16, String) {
    match *open(game, headers).unwrap_err() {
        Error::Http(response) => {
            let body = response.body().clone().unwrap_or_default();
            (response.status().as_u16(), String::from_utf8(body).unwrap())
        }
        error => panic!("{error}"),
    }
}

/// A connection that has shown the token.
pub(crate) fn open_with_token(game: &Game) -> Socket {
    let bearer = format!("Bearer {}", game.address().1);
    open(game, &[("authorization", &bearer)]).unwrap()
}

fn ask(socket: &mut Socket, text: &str) -> String {
    socket.send(Message::text(text)).unwrap();
    heard(socket)
}

pub(crate) fn heard(socket: &mut Socket) -> String {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return text.to_string();
        }
    }
}

/// Returns true if the other side has closed the connection.
pub(crate) fn is_closed(socket: &mut Socket) -> bool {
    loop {
        match socket.read() {
            Ok(_) => {}
            Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                return false;
            }
            Err(_) => return true,
        }
    }
}

/// The end of the connection, as the other side says it.
fn end(socket: &mut Socket) -> (CloseCode, String) {
    loop {
        match socket.read() {
            Ok(Message::Close(Some(frame))) => return (frame.code, frame.reason.to_string()),
            Ok(_) => {}
            Err(error) => panic!("it ends without a reason: {error}"),
        }
    }
}

/// A client that does what is right still can.
pub(crate) fn is_served(game: &Game) {
    let mut client = game.client();
    assert_eq!(client.call(ListAgents::default()).unwrap().agents.len(), 1);
    game.plays_on(2);
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"hello"}"#;

#[test]
fn request_without_token_is_refused() {
    let game = Game::of(1);
    let requests = [
        HELLO,
        r#"{"jsonrpc":"2.0","id":1,"method":"agents.list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"token":""}}"#,
    ];
    for request in requests {
        let mut socket = open(&game, &[]).unwrap();
        let answer = ask(&mut socket, request);
        let why =
            r#""code":1,"message":"the token is missing or wrong: say `hello` with it first""#;
        assert!(answer.contains(why), "{answer}");
        assert!(is_closed(&mut socket));
    }
    assert!(game.between(|_, port| port.statistics().refused) >= 3);
    is_served(&game);
}

#[test]
fn wrong_token_is_refused() {
    let game = Game::of(1);
    let wrong = "0".repeat(64);
    let hello =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"hello","params":{{"token":"{wrong}"}}}}"#);
    let mut socket = open(&game, &[]).unwrap();
    assert!(ask(&mut socket, &hello).contains("the token is missing or wrong"));
    for said in [&*format!("Bearer {wrong}"), "Bearer ", "Basic eDp5"] {
        let (status, why) = refusal(&game, &[("authorization", said)]);
        assert_eq!((status, &*why), (401, "the token is wrong\n"));
    }
    // That of another game is as wrong.
    let other = Game::of(1);
    let bearer = format!("Bearer {}", other.address().1);
    assert_eq!(refusal(&game, &[("authorization", &bearer)]).0, 401);
    is_served(&game);
}

#[test]
fn token_is_taken_from_the_first_message_or_the_header() {
    let game = Game::of(1);
    let token = game.address().1;
    let hello =
        format!(r#"{{"jsonrpc":"2.0","id":"a","method":"hello","params":{{"token":"{token}"}}}}"#);
    let mut socket = open(&game, &[]).unwrap();
    assert!(ask(&mut socket, &hello).contains(r#""id":"a","result""#));
    let mut socket = open_with_token(&game);
    assert!(ask(&mut socket, HELLO).contains(r#""game":"dogs""#));
}

#[test]
fn page_of_another_origin_is_refused() {
    let game = Game::with(1, "guard.json", |options| {
        options.origin("https://studio.example")
    });
    for origin in [
        "https://evil.example",
        "null",
        "http://127.0.0.1:1",
        "file://",
    ] {
        let (status, why) = refusal(&game, &[("origin", origin)]);
        let expected = "pages of that origin are not allowed\n";
        assert_eq!((status, &*why), (403, expected), "{origin}");
    }
    let own = format!("http://{}", game.address().0);
    assert!(open(&game, &[("origin", &own)]).is_ok());
    assert!(open(&game, &[("origin", "https://studio.example")]).is_ok());
}

#[test]
fn name_that_was_rebound_to_this_machine_is_refused() {
    let game = Game::of(1);
    let port = game.address().0.rsplit_once(':').unwrap().1.to_owned();
    for host in [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example",
    ] {
        let named = format!("{host}:{port}");
        for host in [host, &named]
            .into_iter()
            .filter(|it| **it != format!("127.0.0.1:{port}"))
        {
            let (status, why) = refusal(&game, &[("host", host)]);
            assert_eq!(status, 403, "{host}");
            assert!(
                why.starts_with("the host is not one of `127.0.0.1:"),
                "{why}"
            );
        }
    }
    let local = format!("localhost:{port}");
    assert!(open(&game, &[("host", &local)]).is_ok());
}

#[test]
fn only_this_machine_is_listened_to() {
    let game = Game::of(1);
    assert!(game.address().0.starts_with("127.0.0.1:"));
}

#[test]
#[cfg(unix)]
fn token_file_is_of_one_user_alone_and_goes_with_the_port() {
    use std::os::unix::fs::PermissionsExt as _;
    let game = Game::of(1);
    let path = game.token_file.clone();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // One that others can read may be anybody's.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let refused = Client::attach(&path).unwrap_err().to_string();
    assert!(
        refused.starts_with("the token file cannot be used: "),
        "{refused}"
    );
    assert!(refused.ends_with("other users can read it"), "{refused}");
    drop(game);
    assert!(!path.exists());
}

#[test]
#[cfg(unix)]
fn token_file_is_read_by_no_other_user() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    let game = Game::of(1);
    let folder = game.folder.path();
    if std::fs::metadata(folder).unwrap().uid() != 0 {
        // Only root can try it as somebody else.
        return;
    }
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let open_to_all = folder.join("open.json");
    std::fs::write(&open_to_all, "{}").unwrap();
    let is_read = |path, user| {
        let cat = std::process::Command::new("cat")
            .arg(path)
            .uid(user)
            .output();
        cat.unwrap().status.success()
    };
    let nobody = 65_534;
    assert!(is_read(&game.token_file, 0));
    assert!(is_read(&open_to_all, nobody));
    assert!(!is_read(&game.token_file, nobody));
}

#[test]
fn file_that_is_no_token_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.json");
    let attach = || Client::attach(&path).unwrap_err().to_string();
    assert!(attach().starts_with("the token file cannot be used: "));
    std::fs::write(&path, "{}").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    assert!(
        attach().ends_with("this is no token file of a port"),
        "{}",
        attach()
    );
}

#[test]
fn token_is_in_no_text_of_the_port() {
    let game = Game::of(1);
    let token = game.address().1;
    let shown = game.between(|_, port| format!("{port:?}"));
    assert!(!shown.contains(&token));
}

#[test]
fn message_that_is_too_long_ends_the_connection() {
    let game = Game::of(1);
    // 4 KiB before the token is shown, 4 MiB after.
    for (mut socket, bytes) in [
        (open(&game, &[]).unwrap(), 5_000),
        (open_with_token(&game), 5 << 20),
    ] {
        // The other side may have closed it before all was sent.
        _ = socket.send(Message::text("x".repeat(bytes)));
        let (code, why) = end(&mut socket);
        assert_eq!(code, CloseCode::Size);
        assert_eq!(
            why,
            "a message has at most 4 MiB, 4 KiB before the token is shown"
        );
    }
    is_served(&game);
}

#[test]
fn token_in_a_message_that_is_too_long_lets_nobody_in() {
    let game = Game::of(1);
    let token = game.address().1;
    let hello = |client: String| {
        let params = format!(r#"{{"token":"{token}","client":"{client}"}}"#);
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"hello","params":{params}}}"#)
    };
    let mut socket = open(&game, &[]).unwrap();
    _ = socket.send(Message::text(hello("x".repeat(5_000))));
    assert!(!matches!(socket.read(), Ok(Message::Text(_))));
    let mut socket = open(&game, &[]).unwrap();
    assert!(ask(&mut socket, &hello("x".repeat(1_000))).contains("result"));
}

#[test]
fn slow_requests_are_answered_one_in_a_poll() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    let counted = || {
        let counted = game.between(|_, port| port.statistics());
        (counted.requests, counted.polls)
    };
    let doze = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"agent.call","params":{{"agent":"{}","action":"doze"}}}}"#,
        Game::dog(0)
    );
    let mut before = counted();
    let all = before.0 + 20;
    for _ in before.0..all {
        socket.send(Message::text(doze.as_str())).unwrap();
    }
    while before.0 < all {
        let now = counted();
        assert!(now.0 - before.0 <= now.1 - before.1, "{before:?}, {now:?}");
        before = now;
    }
    assert!(heard(&mut socket).contains("success"));
}

#[test]
fn message_that_is_nested_too_deep_is_no_request() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    for deep in ["[".repeat(1 << 20), "{\"params\":".repeat(1 << 18)] {
        let answer = ask(&mut socket, &deep);
        assert!(answer.contains("-32700"), "{answer}");
    }
    let value = "[".repeat(60_000) + &"]".repeat(60_000);
    let request = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"agent.set_key","params":{{"agent":"1","key":"k","value":{value}}}}}"#
    );
    assert!(ask(&mut socket, &request).contains("recursion limit"));
    is_served(&game);
}

#[test]
fn what_is_no_request_is_answered_as_such() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    let cases = [
        ("", -32700),
        ("hello", -32700),
        ("[]", -32600),
        ("[{}]", -32600),
        ("[1,2,3]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"hello"}]"#, -32600),
        (r#"["2.0",1,"hello",{}]"#, -32600),
        ("[{]", -32700),
        ("[1,", -32700),
        ("{\"a\"}", -32700),
        ("nul", -32700),
        ("null", -32600),
        (r#"{"jsonrpc":{}}"#, -32600),
        (r#"{"jsonrpc":["2.0"],"id":1,"method":"hello"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"hello"}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"hello"}"#,
            -32600,
        ),
        ("3", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"hello"}"#, -32600),
        (r#"{"jsonrpc":"2.0","method":"hello"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"hello"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"hello"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"rm"}"#, -32601),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"hello","params":[]}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"agent.explain","params":{}}"#,
            -32602,
        ),
    ];
    for (request, code) in cases {
        let answer = ask(&mut socket, request);
        assert!(
            answer.contains(&format!("\"code\":{code}")),
            "{request}: {answer}"
        );
    }
    socket.send(Message::binary(vec![0xc1; 100])).unwrap();
    let answer = heard(&mut socket);
    assert!(answer.contains("requests are texts"), "{answer}");
    assert!(is_closed(&mut socket));
    is_served(&game);
}

#[test]
fn garbage_of_bytes_ends_connections_and_nothing_else() {
    let game = Game::of(1);
    let mut random = bt_core::Random::new(7);
    for round in 0..200 {
        let mut stream = TcpStream::connect(game.address().0).unwrap();
        let length = 1 + round * 17;
        let bytes: Vec<u8> = (0..length).map(|_| random.int(0..=255) as u8).collect();
        _ = stream.write_all(&bytes);
        if round % 2 == 0 {
            // Behind a handshake, too.
            drop(stream);
            let mut socket = open_with_token(&game);
            _ = socket.get_mut().write_all(&bytes);
        }
    }
    is_served(&game);
}

#[test]
fn thousand_connections_leave_room_for_a_client() {
    let game = Game::of(1);
    let address = game.address().0;
    let idle: Vec<_> = (0..1_000)
        .filter_map(|_| TcpStream::connect(&address).ok())
        .collect();
    assert!(idle.len() > 900);
    is_served(&game);
    let refused = game.between(|_, port| port.statistics().refused);
    assert!(refused > 900, "{refused}");
}

#[test]
fn clients_are_sixteen_at_most() {
    let game = Game::of(1);
    let clients: Vec<_> = (0..16).map(|_| game.client()).collect();
    assert!(Client::attach(&game.token_file).is_err());
    drop(clients);
    game.plays_on(300);
    is_served(&game);
}

#[test]
fn who_says_nothing_or_little_is_closed_in_time() {
    let game = Game::of(1);
    let address = game.address().0;
    let mut silent = TcpStream::connect(&address).unwrap();
    let mut slow = TcpStream::connect(&address).unwrap();
    let mut opened = open(&game, &[]).unwrap();
    silent
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let began = Instant::now();
    let mut letters = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        .bytes()
        .chain(std::iter::repeat(b'x'));
    // A letter at a time, for ever.
    while slow.write_all(&[letters.next().unwrap()]).is_ok() {
        std::thread::sleep(Duration::from_millis(50));
        assert!(began.elapsed() < Duration::from_secs(60), "it is closed");
    }
    assert!(matches!(silent.read(&mut [0; 8]), Ok(0) | Err(_)));
    assert!(is_closed(&mut opened));
    is_served(&game);
}

#[test]
fn many_requests_wait_their_turn() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    let mut other = game.client();
    let requests: u32 = if cfg!(debug_assertions) {
        20_000
    } else {
        1_000_000
    };
    let mut reader = WebSocket::from_raw_socket(
        socket.get_ref().try_clone().unwrap(),
        tungstenite::protocol::Role::Client,
        None,
    );
    let asks = std::thread::spawn(move || {
        for id in 0..requests {
            let request =
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"agents.list","params":{{}}}}"#);
            socket.send(Message::text(request)).unwrap();
        }
        socket
    });
    for id in 0..requests {
        let answer = heard(&mut reader);
        assert!(answer.contains(&format!("\"id\":{id},")), "{answer}");
        // Others are served between them.
        if id % (requests / 10) == 0 {
            other.call(GetStatistics {}).unwrap();
        }
    }
    asks.join().unwrap();
    is_served(&game);
}

#[test]
fn who_asks_and_never_reads_is_not_read_any_more() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    socket
        .get_mut()
        .set_write_timeout(Some(Duration::from_millis(500)))
        .unwrap();
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"catalogue","params":{}}"#;
    let mut asked = 0_u64;
    while socket.send(Message::text(request)).is_ok() {
        asked += 1;
        assert!(asked < 2_000_000, "what is not answered is limited");
    }
    let answered = game.between(|_, port| port.statistics().requests);
    assert!(answered < asked, "{answered} of {asked}");
    is_served(&game);
}

#[test]
fn connection_that_is_closed_says_why() {
    let game = Game::of(1);
    let mut socket = open(&game, &[]).unwrap();
    ask(&mut socket, HELLO);
    assert_eq!(end(&mut socket).0, CloseCode::Policy);
    let mut socket = open_with_token(&game);
    socket.send(Message::binary(vec![1])).unwrap();
    heard(&mut socket);
    assert_eq!(end(&mut socket).0, CloseCode::Unsupported);
    // A text that is no UTF-8, masked by nothing; and a frame of a kind that there is not.
    let raw = |bytes: &[u8]| {
        let mut socket = open_with_token(&game);
        socket.get_mut().write_all(bytes).unwrap();
        end(&mut socket).0
    };
    assert_eq!(
        raw(&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]),
        CloseCode::Invalid
    );
    assert_eq!(raw(&[0x8f, 0x80, 0, 0, 0, 0]), CloseCode::Protocol);
    let mut socket = open_with_token(&game);
    ask(&mut socket, HELLO);
    drop(game);
    assert_eq!(end(&mut socket).0, CloseCode::Away);
}

#[test]
fn refusal_repeats_little_of_what_was_said() {
    let game = Game::of(1);
    let mut socket = open_with_token(&game);
    let long = "x".repeat(1 << 20);
    let agent = Game::dog(0);
    let request = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
    };
    let long_number = "7".repeat(1 << 20);
    let cases = [
        request("agents.list", &format!(r#"{{"limit":"{long}"}}"#)),
        request("agents.list", &format!(r#"{{"{long}":1}}"#)),
        request("agents.list", &format!(r#"{{"limit":{long_number}}}"#)),
        request("agent.picture", &format!(r#"{{"agent":"{long}"}}"#)),
        request(
            "agent.step",
            &format!(r#"{{"agent":"{agent}","number":0,"step":"{long}"}}"#),
        ),
        request(
            "agent.load",
            &format!(r#"{{"agent":"{agent}","tree":"{long}"}}"#),
        ),
        request(
            "agent.call",
            &format!(r#"{{"agent":"{agent}","action":"{long}"}}"#),
        ),
        request(
            "agent.call",
            &format!(r#"{{"agent":"{agent}","action":"bark","args":["{long}"]}}"#),
        ),
        request(
            "agent.set_property",
            &format!(r#"{{"agent":"{agent}","property":"trust","value":"{long}"}}"#),
        ),
        request(
            "agent.fire",
            &format!(r#"{{"agent":"{agent}","event":"stick","params":{{"length":"{long}"}}}}"#),
        ),
        request(
            "agent.finish",
            &format!(r#"{{"agent":"{agent}","tree":"{long}","idx":1,"success":true}}"#),
        ),
        request(
            "agent.force",
            &format!(r#"{{"agent":"{agent}","tree":"x","idx":1,"forced":"{long}"}}"#),
        ),
        request("tree.text", &format!(r#"{{"name":"{long}"}}"#)),
        request("recording.stop", &format!(r#"{{"name":"{long}"}}"#)),
        request(
            "recording.fetch",
            &format!(r#"{{"name":"{long}","offset":0}}"#),
        ),
        request(
            "breakpoints.set",
            &format!(r#"{{"breakpoints":[{{"on":"{long}"}}]}}"#),
        ),
        request(
            "breakpoints.set",
            &format!(r#"{{"breakpoints":[{{"on":"key","name":"a","condition":"{long}"}}]}}"#),
        ),
        request(&long, "{}"),
        format!(r#"{{"jsonrpc":"{long}","id":1,"method":"hello"}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":"{long}","method":"hello"}}"#),
        format!(r#"{{"{long}":1}}"#),
        long.clone(),
    ];
    for request in cases {
        let answer = ask(&mut socket, &request);
        let begin: String = request.chars().take(100).collect();
        assert!(answer.contains("\"error\""), "{begin}: {answer:.300}");
        assert!(answer.len() < 5_000, "{begin}: {} bytes", answer.len());
    }
}

/// The status with which a request of these headers is answered.
fn status(game: &Game, headers: &str) -> String {
    let mut stream = TcpStream::connect(game.address().0).unwrap();
    let always = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                  Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let request = format!("GET / HTTP/1.1\r\n{headers}\r\n{always}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8_lossy(&answer[9..]).into_owned()
}

#[test]
fn header_that_is_there_twice_is_refused() {
    let game = Game::of(1);
    let (address, token) = game.address();
    let (host, origin) = (
        format!("Host: {address}"),
        format!("Origin: http://{address}"),
    );
    let bearer = format!("Authorization: Bearer {token}");
    assert_eq!(
        status(&game, &format!("{host}\r\n{origin}\r\n{bearer}")),
        "101"
    );
    for twice in [
        format!("{host}\r\n{host}"),
        format!("{host}\r\nhost: evil.example"),
        format!("{host}\r\n{origin}\r\n{origin}"),
        format!("{host}\r\n{origin}\r\nOrigin: https://evil.example"),
        format!("{host}\r\n{bearer}\r\n{bearer}"),
    ] {
        assert_eq!(status(&game, &twice), "400", "{twice}");
    }
    assert_eq!(status(&game, &origin), "403");
    is_served(&game);
}
