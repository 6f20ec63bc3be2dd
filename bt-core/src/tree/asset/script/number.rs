//! Numbers as Python writes them.

use serde_json::{Number, Value};

/// Returns true if a number begins as one in another base than ten.
pub(super) fn is_radix(written: &str) -> bool {
    let mut chars = written.chars();
    chars.next() == Some('0') && matches!(chars.next(), Some('x' | 'X' | 'o' | 'O' | 'b' | 'B'))
}

/// A number as Python writes it.
pub(super) fn number(written: &str) -> Result<Value, &'static str> {
    const NO_NUMBER: &str = "expected a number";
    const TOO_LARGE: &str = "expected a number of 64 bits";
    let (negative, digits) = match written.strip_prefix(['+', '-']) {
        Some(digits) => (written.starts_with('-'), digits),
        None => (false, written),
    };
    let alone =
        |part: &str| part.is_empty() || !part.chars().all(|char| char.is_ascii_alphanumeric());
    // One between two digits means nothing.
    if digits.contains('_') && digits.split(['.', '_']).any(alone) {
        return Err(NO_NUMBER);
    }
    let digits = digits.replace('_', "");
    let radix = match digits.get(..2).filter(|start| is_radix(start)) {
        Some("0x" | "0X") => Some((16, &digits[2..])),
        Some("0o" | "0O") => Some((8, &digits[2..])),
        Some(_) => Some((2, &digits[2..])),
        None if digits.bytes().all(|digit| digit.is_ascii_digit()) => Some((10, digits.as_str())),
        None => None,
    };
    let Some((radix, whole)) = radix else {
        let number: f64 = digits.parse().map_err(|_| NO_NUMBER)?;
        let number = if negative { -number } else { number };
        return Number::from_f64(number).map(Value::Number).ok_or(TOO_LARGE);
    };
    if whole.is_empty() || !whole.chars().all(|digit| digit.is_digit(radix)) {
        return Err(NO_NUMBER);
    }
    if radix == 10 && whole.starts_with('0') && whole.bytes().any(|digit| digit != b'0') {
        return Err("expected a number without zeros before it");
    }
    let number = i128::from_str_radix(whole, radix).map_err(|_| TOO_LARGE)?;
    let number = if negative { -number } else { number };
    if let Ok(number) = u64::try_from(number) {
        return Ok(number.into());
    }
    i64::try_from(number)
        .map(Value::from)
        .map_err(|_| TOO_LARGE)
}
