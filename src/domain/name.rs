//! Which names may stand on a board.

/// `[a-z0-9][a-z0-9._-]{0,40}`
pub fn is_provider(name: &str) -> bool {
    let bytes = name.as_bytes();
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    bytes.first().is_some_and(plain)
        && bytes.len() <= 41
        && bytes.iter().all(|byte| plain(byte) || matches!(byte, b'.' | b'_' | b'-'))
}

/// `[A-Za-z0-9._:/+@-]{1,100}`
pub fn is_model(name: &str) -> bool {
    (1..=100).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:/+@-".contains(&byte))
}

/// Provider and model of `provider:model`: the provider precedes the first colon, and the model may
/// hold colons of its own.
pub fn split_name(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(provider, model)| !provider.is_empty() && !model.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_to_their_alphabets_and_lengths() {
        for good in ["openai/gpt-4.1-mini", "llama3:8b", "a", &"m".repeat(100)] {
            assert!(is_model(good), "{good}");
        }
        for bad in ["", "demo/\u{430}lpha", "a b", "<x>", "=1", "a\n", &"m".repeat(101)] {
            assert!(!is_model(bad), "{bad}");
        }
        for good in ["github", "hf-inference", "0x.y_z", &"p".repeat(41)] {
            assert!(is_provider(good), "{good}");
        }
        for bad in ["", "GitHub", "-a", ".a", "a/b", &"p".repeat(42)] {
            assert!(!is_provider(bad), "{bad}");
        }
    }
}
