//! Whether a script holds together and contains what a prompt asks for.

use super::prompts::Spec;
use crate::gmat::Script;

/// What is wrong or missing, in the order of the spec; empty if the script passes.
///
/// A script that does not parse contains nothing that could be looked up, so nothing beyond the
/// syntax error is reported for it.
pub fn failures(text: &str, spec: &Spec<'_>) -> Vec<String> {
    let script = Script::parse(text);
    if script.has_syntax_error() {
        return vec!["lint:syntax-error".into()];
    }
    let blocking = script.blocking_rules();
    let mut failures = Vec::new();
    if !blocking.is_empty() {
        failures.push(format!("lint:{}", blocking.join(",")));
    }
    failures.extend(
        spec.types.iter().filter(|of| !script.has_type(of)).map(|of| format!("missing-type:{of}")),
    );
    for (of, fields) in &spec.fields {
        let missing = fields.iter().filter(|field| !script.has_field(of, field));
        failures.extend(missing.map(|field| format!("missing-field:{of}.{field}")));
    }
    let missing = spec.commands.iter().filter(|command| !script.has_command(command));
    failures.extend(missing.map(|command| format!("missing-command:{command}")));
    failures
}
