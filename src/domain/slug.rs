//! The file name of a row's page: it never changes, is safe on every file system, one per row.

use crate::domain::sha256;

/// The slug of `provider:model`.
///
/// Plain names read as themselves (`github--openai--gpt-4.1-mini`). Any other name keeps what is
/// plain in it and gets eight digits of its hash, so two names never share a page even where the
/// file system does not tell `A` from `a`.
pub fn slug(provider: &str, model: &str) -> String {
    let parts: Vec<&str> = std::iter::once(provider).chain(model.split('/')).collect();
    if parts.iter().all(|part| is_plain(part)) && provider.len() + model.len() <= 100 {
        return parts.join("--");
    }
    let mut kept = String::new();
    for c in format!("{provider}--{model}").chars().take(60) {
        let c = c.to_ascii_lowercase();
        let safe = c.is_ascii_alphanumeric() || (c == '.' && !kept.ends_with(['-', '.']));
        match (safe, kept.ends_with("--")) {
            (true, _) => kept.push(c),
            (false, false) => kept.push('-'),
            (false, true) => {}
        }
    }
    let digest = sha256(format!("{provider}:{model}"));
    format!("{}-{}", kept.trim_matches(['-', '.']), &digest[..8])
}

/// The slug of one name, such as a pack's.
pub(crate) fn slug_of(name: &str) -> String {
    if is_plain(name) && name.len() <= 100 { name.to_owned() } else { slug("", name) }
}

fn is_plain(part: &str) -> bool {
    let alphabet = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
    !part.is_empty()
        && part.bytes().all(alphabet)
        && !part.contains("--")
        && !part.starts_with(['.', '-'])
        && !part.ends_with(['.', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_read_as_themselves() {
        assert_eq!(slug("github", "openai/gpt-4.1-mini"), "github--openai--gpt-4.1-mini");
        assert_eq!(slug("demo", "careful"), "demo--careful");
    }

    #[test]
    fn odd_names_are_safe_and_never_meet() {
        assert_eq!(slug("ollama", "llama3:8b"), "ollama--llama3-8b-8547cfda");
        let names = ["../../x", "<script>", "A", "a", "a--b", "a/b", "", "é", "\u{202e}", "=1"];
        let long = "m".repeat(300);
        let slugs: Vec<String> =
            names.iter().chain([&long.as_str()]).map(|model| slug("demo", model)).collect();
        for slug in &slugs {
            assert!(slug.len() <= 100 && !slug.starts_with('.'), "{slug}");
            assert!(
                slug.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b)),
                "{slug}"
            );
        }
        let mut unique = slugs.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), slugs.len(), "{slugs:?}");
    }
}
