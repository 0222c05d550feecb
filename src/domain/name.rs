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

/// What keeps `typed` from being `provider:model`; `None` if nothing does.
pub fn name_fault(typed: &str) -> Option<String> {
    let Some((provider, model)) = typed.split_once(':') else {
        return Some("there is no `:` between provider and model".to_owned());
    };
    let part = |what: &str, name: &str, longest: usize, allowed: fn(char) -> bool| {
        if name.is_empty() {
            return Some(format!("the {what} is empty"));
        }
        if let Some(bad) = name.chars().find(|c| !allowed(*c)) {
            return Some(match bad {
                ' ' => format!("the {what} contains a space"),
                'A'..='Z' => format!("the {what} contains the capital letter `{bad}`"),
                _ => format!("the {what} contains `{}`", bad.escape_debug()),
            });
        }
        let length = name.len();
        (length > longest).then(|| format!("the {what} has {length} characters, at most {longest}"))
    };
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    let any = |c: char| c.is_ascii_alphanumeric() || "._:/+@-".contains(c);
    let first = provider.chars().next().filter(|c| "._-".contains(*c));
    part("provider", provider, 41, lower)
        .or_else(|| part("model", model, 100, any))
        .or_else(|| first.map(|c| format!("the provider starts with `{c}`")))
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

    #[test]
    fn a_bad_name_has_a_fault_and_a_good_one_has_none() {
        for (typed, fault) in [
            ("m1", "there is no `:` between provider and model"),
            (":m1", "the provider is empty"),
            ("acme:", "the model is empty"),
            ("Acme:m1", "the provider contains the capital letter `A`"),
            ("acme:my model", "the model contains a space"),
            ("ac/me:m", "the provider contains `/`"),
            ("-a:m", "the provider starts with `-`"),
        ] {
            assert_eq!(name_fault(typed).as_deref(), Some(fault));
        }
        let long = format!("a:{}", "m".repeat(101));
        assert_eq!(name_fault(&long).expect("long"), "the model has 101 characters, at most 100");
        for good in ["github:openai/gpt-4.1-mini", "ollama:llama3:8b"] {
            assert_eq!(name_fault(good), None);
        }
    }
}
