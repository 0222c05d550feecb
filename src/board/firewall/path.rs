//! Where a leak is, without repeating it.

use super::exempt::Exempt;
use crate::json::{Node, Value};

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
                if exempt.is_field(key) {
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
