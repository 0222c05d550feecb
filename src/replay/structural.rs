//! Whether a script holds together and contains what a prompt asks for.

use super::prompts::Spec;
use crate::gmat::{Memory, Script};

/// The reasons why a prompt fails that are not rules of the linter, and what each means.
pub const REASONS: [(&str, &str); 6] = [
    (
        "fence",
        "The answer has a Markdown code fence (```) around the script, which is a syntax error in GMAT.",
    ),
    (
        "missing-command",
        "The prompt asks for a command that the mission sequence does not have.\n\
         Only commands after `BeginMissionSequence` count; those in an `Else` part do not.",
    ),
    (
        "missing-completion",
        "The bundle has no answer to the prompt. Record it, and freeze the bundle again.",
    ),
    (
        "missing-field",
        "The prompt asks for a field that the script sets on no resource of the type. Case matters.\n\
         Setting it only in the mission sequence does not count.",
    ),
    (
        "missing-type",
        "The prompt asks for a resource type that no `Create` of the script names. Case matters.",
    ),
    (
        "votes",
        "The judge did not accept the answer: fewer than half of the readable votes are yes, or as many yes as no,\n\
         or there is none. The script may still be a valid one that does not do what the prompt asks.",
    ),
];

/// What is wrong or missing, in the order of the spec; empty if the script passes.
///
/// A script that does not parse contains nothing that could be looked up, so nothing beyond the
/// syntax error is reported for it.
pub fn failures(text: &str, spec: &Spec<'_>) -> Vec<String> {
    failures_in(text, spec, &mut Memory::default())
}

/// As [`failures`], in the buffers of the script before.
pub(super) fn failures_in(text: &str, spec: &Spec<'_>, memory: &mut Memory) -> Vec<String> {
    let script = Script::parse_in(text, std::mem::take(memory));
    let failures = of_script(&script, spec);
    *memory = script.into_memory();
    failures
}

fn of_script(script: &Script<'_>, spec: &Spec<'_>) -> Vec<String> {
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
