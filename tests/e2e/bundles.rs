//! Small bundles of our own for the commands that take one.

use crate::harness::World;

/// Two tiers, three prompts.
pub const PROMPTS: &str = r#"[
  {"id": "coast", "difficulty": "easy", "request": "Coast for a day.", "intent": "One day.",
   "structural": {"required_types": ["Spacecraft"], "required_commands": ["Propagate"]}},
  {"id": "mass", "difficulty": "easy", "request": "Set the dry mass.", "intent": "850 kg.",
   "structural": {"required_types": ["Spacecraft"], "required_fields": {"Spacecraft": ["DryMass"]}}},
  {"id": "burn", "difficulty": "hard", "request": "Burn once.", "intent": "A burn."}
]
"#;
pub const COAST: &str = "Create Spacecraft Sat\nCreate Propagator Prop\nBeginMissionSequence\nPropagate Prop(Sat) {Sat.ElapsedDays = 1}\n";
pub const MASS: &str = "Create Spacecraft Sat\nSat.DriMass = 850\nBeginMissionSequence\nStop Sat\n";
pub const BURN: &str =
    "Create Spacecraft Sat\nCreate ImpulsiveBurn Kick\nBeginMissionSequence\nManeuver Kick(Sat)\n";

/// Digests of the three requests.
pub const DIGESTS: [&str; 3] = ["c7177acb5e88afef", "5f778f1b61a9e1d4", "568e5d91b2cb23b2"];

pub const VOTES: &str =
    r#"{"coast": [true, true, false], "mass": [true, true, true], "burn": [false, null, true]}"#;

/// completions.json of `name` with these three texts.
pub fn completions(name: &str, texts: [&str; 3]) -> String {
    let lines: Vec<String> = DIGESTS
        .iter()
        .zip(texts)
        .map(|(digest, text)| {
            let text = serde_json::to_string(text).expect("a string");
            format!(r#"  "{name}:{digest}": {{"text": {text}, "usage": {{"total_tokens": 7}}}}"#)
        })
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Puts a bundle of `name` into `dir`: one prompt passes, one fails the linter, one the judge.
pub fn bundle(world: &World, dir: &str, name: &str) {
    world.write(&format!("{dir}/prompts.json"), PROMPTS);
    world.write(&format!("{dir}/completions.json"), completions(name, [COAST, MASS, BURN]));
    world.write(&format!("{dir}/judge.json"), VOTES);
}
