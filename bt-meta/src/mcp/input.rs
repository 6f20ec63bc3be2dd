//! The input line by line. A request that is too long is answered, and not only dropped: its client would wait for ever.

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWriteExt as _, DuplexStream};

/// The longest line that is read, in bytes: a request.
pub(super) const LONGEST: usize = 4 << 20;

/// The name of the tool that stands in for a request that is too long. No tool is called so.
pub(super) const TOO_LONG: &str = "too long a request";

/// Copies lines until the input ends. One that is too long is replaced by a call of [`TOO_LONG`] with its id.
pub(super) async fn copy(mut from: impl AsyncBufRead + Unpin, mut to: DuplexStream) {
    let mut line = Vec::new();
    let mut is_long = false;
    loop {
        let read = match from.fill_buf().await {
            Ok([]) | Err(_) => break,
            Ok(read) => read,
        };
        let end = read.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(read.len(), |end| end + 1);
        let room = LONGEST.saturating_sub(line.len());
        is_long |= taken > room;
        line.extend_from_slice(&read[..taken.min(room)]);
        from.consume(taken);
        if end.is_none() {
            continue;
        }
        if std::mem::take(&mut is_long) {
            line = in_its_place(&line).into_bytes();
        }
        // Nobody reads any more when the server has ended.
        if to.write_all(&line).await.is_err() {
            return;
        }
        line.clear();
    }
    // The last line may have no end.
    if !line.is_empty() && !is_long {
        _ = to.write_all(&line).await;
    }
}

/// The request in the place of one that begins so.
fn in_its_place(start: &[u8]) -> String {
    let id = id_of(&String::from_utf8_lossy(start)).unwrap_or(serde_json::Value::from("unknown"));
    let params = serde_json::json!({ "name": TOO_LONG });
    let request =
        serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    format!("{request}\n")
}

/// The id of a request, if it stands before the parameters, which may have ids of their own.
fn id_of(text: &str) -> Option<serde_json::Value> {
    let text = text.split("\"params\"").next().unwrap_or_default();
    let mut places = text.match_indices("\"id\"").take(100);
    places.find_map(|(at, key)| {
        let value = text[at + key.len()..].trim_start().strip_prefix(':')?;
        let id = serde_json::Deserializer::from_str(value).into_iter().next();
        let id: serde_json::Value = id?.ok()?;
        (id.is_number() || id.is_string()).then_some(id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_is_found_before_the_parameters() {
        for (text, id) in [
            (
                r#"{"jsonrpc":"2.0","id":77,"method":"x","params":{"a":"xx"#,
                Some(serde_json::json!(77)),
            ),
            (
                r#"{"id" : "a-1" ,"params":"#,
                Some(serde_json::json!("a-1")),
            ),
            (r#"{"id":null,"params":"#, None),
            (r#"{"id":"#, None),
            (r#"{"params":{"id":5,"a":"#, None),
            ("xxxx", None),
        ] {
            assert_eq!(id_of(text), id, "{text}");
        }
    }
}
