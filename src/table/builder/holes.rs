//! Runs that lack a value for a topic they should have.

use super::super::grid::{Cell, MeasureId, Run, Scope, Topic};
use super::super::value::{Kind, Value};
use super::presence::Presence;
use super::{BuildError, Builder, Expect, Holes, Policy};

/// A value that is not there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hole {
    /// The run.
    pub run: String,
    /// The topic.
    pub topic: String,
    /// The measure.
    pub measure: String,
}

/// How many runs and topics a message names.
const SHOWN: usize = 10;

/// The holes by run and topic, the first few in full.
pub(super) fn words(holes: &[Hole]) -> String {
    let mut places: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for Hole { run, topic, measure } in holes {
        match places.last_mut() {
            Some((r, t, measures)) if r == run && t == topic => measures.push(measure),
            _ => places.push((run, topic, vec![measure])),
        }
    }
    let mut shown: Vec<String> = places
        .iter()
        .take(SHOWN)
        .map(|(run, topic, measures)| {
            format!("run `{run}` on topic `{topic}` (`{}`)", measures.join("`, `"))
        })
        .collect();
    if places.len() > SHOWN {
        shown.push(format!("and {} more", places.len() - SHOWN));
    }
    shown.join(", ")
}

/// A hole by numbers.
pub(super) type Gap = (u32, u32, u16);

impl Builder {
    /// The holes that count as default values in the aggregates.
    pub(super) fn treat_holes(
        &mut self,
        policy: &Policy,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Gap>, BuildError> {
        if policy.holes == Holes::Skip || policy.expect == Expect::Nothing {
            return Ok(Vec::new());
        }
        let gaps = self.gaps(&policy.expect);
        if gaps.is_empty() {
            return Ok(gaps);
        }
        match policy.holes {
            Holes::Error => return Err(BuildError::Holes(self.named(&gaps))),
            Holes::Warn => {
                let holes = self.named(&gaps);
                let (count, verb) = (holes.len(), super::policy::plural(holes.len()));
                notes.push(format!("{count} {verb} missing: {}", words(&holes)));
                return Ok(Vec::new());
            }
            Holes::Fill => {
                for (run, topic, measure) in gaps {
                    let kind = self.content.measures[usize::from(measure)].topic;
                    let value = match kind {
                        Some(Kind::Text) => Value::from(""),
                        _ => Value::Number(0.0),
                    };
                    self.cell(Run(run), Scope::Topic(Topic(topic)), MeasureId(measure), value, 0)?;
                }
                return Ok(Vec::new());
            }
            Holes::FixAggregate | Holes::Skip => {}
        }
        Ok(gaps)
    }

    fn gaps(&mut self, expect: &Expect) -> Vec<Gap> {
        if let Expect::Topics(names) = expect {
            for name in names {
                self.content.topics.intern(name);
            }
        }
        let content = &self.content;
        let mut presence = Presence::of(content);
        let mut has_topics = vec![false; content.runs.len()];
        for cell in content.cells.iter().filter(|cell| cell.scope != Cell::ALL) {
            presence.insert(cell);
            has_topics[cell.run as usize] = true;
        }
        let topics: Vec<u32> = match expect {
            Expect::Topics(names) => {
                names.iter().filter_map(|name| content.topics.find(name)).collect()
            }
            _ => (0..u32::try_from(content.topics.len()).unwrap_or(u32::MAX)).collect(),
        };
        let measures: Vec<u16> = (0u16..)
            .zip(&content.measures)
            .filter(|(_, measure)| measure.topic.is_some())
            .map(|(at, _)| at)
            .collect();
        let mut gaps = Vec::new();
        for (run, _) in (0u32..).zip(&has_topics).filter(|(_, has)| **has) {
            for &topic in &topics {
                for &measure in &measures {
                    if !presence.has(run, topic, measure) {
                        gaps.push((run, topic, measure));
                    }
                }
            }
        }
        gaps
    }

    fn named(&self, gaps: &[Gap]) -> Vec<Hole> {
        let content = &self.content;
        let mut holes: Vec<Hole> = gaps
            .iter()
            .map(|(run, topic, measure)| Hole {
                run: content.ids.get(content.runs[*run as usize]).to_owned(),
                topic: content.topics.get(*topic).to_owned(),
                measure: content.measures[usize::from(*measure)].name.clone(),
            })
            .collect();
        holes.sort();
        holes
    }
}
