//! Bytes and names as the hub's protocol wants them: base64 and percent-encoding.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Standard base64 with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte));
        let group = group << (8 * (3 - chunk.len()));
        for position in 0..4 {
            let digit = (group >> (18 - 6 * position)) & 63;
            text.push(if position > chunk.len() { '=' } else { BASE64[digit as usize] as char });
        }
    }
    text
}

/// Everything but unreserved characters as `%XX`: one segment of a path.
pub(super) fn segment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// A path with each segment encoded and the slashes kept.
pub(super) fn path(text: &str) -> String {
    text.split('/').map(segment).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_gives_the_vectors_of_rfc_4648() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(b"fooba"), "Zm9vYmE=");
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }

    #[test]
    fn names_are_encoded_as_the_hub_s_own_client_does() {
        assert_eq!(path("notes/a b+c%25.txt"), "notes/a%20b%2Bc%2525.txt");
        assert_eq!(path("é/~x"), "%C3%A9/~x");
        assert_eq!(segment("refs/pr/1"), "refs%2Fpr%2F1");
    }
}
