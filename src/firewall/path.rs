//! Where a leak is, without repeating it.

use crate::firewall::Exempt;
use crate::json::{Node, Value};

/// The longest `x-` key that is shown. With fewer than 24 letters it cannot hold a part of a secret.
const LONGEST_OWN_KEY: usize = 23;

/// Whether `key` is a plain `x-` key of a config.
fn is_own_key(key: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    key.starts_with("x-") && key.len() <= LONGEST_OWN_KEY && key.chars().all(is_plain)
}

/// The key path of the innermost value that covers the offset `at`. A key that is not exempt may
/// be the leak itself and is shown as its position.
pub(super) fn path(root: &Node<'_>, at: usize, exempt: &Exempt) -> String {
    let mut path = String::new();
    let mut node = root;
    loop {
        match &node.value {
            Value::Array(items) => {
                let next = items.partition_point(|item| item.at <= at);
                let Some(index) = next.checked_sub(1) else { return path };
                path.push_str(&format!("[{index}]"));
                node = &items[index];
            }
            Value::Object(members) => {
                let started = members.iter().enumerate().take_while(|(_, (_, node))| node.at <= at);
                let Some((index, (key, member))) = started.last() else { return path };
                if exempt.is_field(key) || is_own_key(key) {
                    let dot = if path.is_empty() { "" } else { "." };
                    path.push_str(&format!("{dot}{key}"));
                } else {
                    path.push_str(&format!("[key number {}]", index + 1));
                }
                node = member;
            }
            _ => return path,
        }
    }
}
