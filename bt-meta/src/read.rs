//! Files read whole, up to a size: what never ends, as `/dev/zero`, is an error.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The longest file that is read.
const MOST: u64 = 256 << 20;

/// The bytes of a file.
///
/// # Errors
/// Those of reading, and one for a file that is longer than 256 MiB.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it is longer than 256 MiB",
        )),
        false => Ok(bytes),
    }
}

/// The text of a file.
///
/// # Errors
/// As of [`bytes`], and one for what is not UTF-8.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    let not_text = |error: std::string::FromUtf8Error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the file is not UTF-8 (byte {at})"),
        )
    };
    String::from_utf8(bytes(path)?).map_err(not_text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_never_ends_is_an_error() {
        let error = bytes(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
