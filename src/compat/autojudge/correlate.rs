//! Truth against judge as autojudge-evaluate 1.1.0 computes it, its refusals included.

use std::collections::HashSet;

use super::{evaluate_filter, evaluate_ranking};
use crate::domain::Failure;
use crate::import::cells::incomplete;
use crate::table::correlate::{Base, Method, finite_pairs, pandas_spearman, upstream_coefficient};
use crate::table::{Select, Table};

/// What to do about what is missing, in that program's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// `error`
    Error,
    /// `warn`
    Warn,
    /// `skip`
    Skip,
    /// `default`
    Default,
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The methods, under the names they are reported by.
    pub methods: Vec<(String, Method)>,
    /// What is missing.
    pub missing: Missing,
    /// Only runs both have.
    pub only_shared_runs: bool,
    /// Only these runs.
    pub runs: Option<Vec<String>>,
    /// Only these topics, recomputed.
    pub topics: Option<Vec<String>>,
    /// Recompute the truth's, the judge's aggregates.
    pub recompute: (bool, bool),
    /// Measures of the truth, of the judge; `None` is all.
    pub measures: (Option<Vec<String>>, Option<Vec<String>>),
}

/// Truth's measure, judge's measure, and a value per method.
pub type Correlations = Vec<(String, String, Vec<(String, f64)>)>;

/// The coefficients it computes unless asked otherwise, in its order.
const DEFAULTS: [Base; 5] = [Base::TauB, Base::Pearson, Base::Spearman, Base::TauApB, Base::TauGap];

/// The methods under the names it gives them; its own defaults if none is asked for.
pub fn methods(asked: &[Method]) -> Result<Vec<(String, Method)>, Failure> {
    let defaults = || {
        let plain = DEFAULTS.map(|base| Method { base, top: None });
        plain.into_iter().chain([Method { base: Base::TauB, top: Some(10) }]).collect()
    };
    let asked = if asked.is_empty() { defaults() } else { asked.to_vec() };
    let mut methods: Vec<(String, Method)> = Vec::new();
    for method in asked {
        let key = key(method).ok_or_else(|| {
            Failure::unusable(format!("autojudge-evaluate does not have the method `{method}`"))
                .help("it has kendall, pearson, spearman, tauap_b and tau_gap, each also with @k")
        })?;
        if !methods.iter().any(|(known, _)| *known == key) {
            methods.push((key, method));
        }
    }
    Ok(methods)
}

/// The key it writes; `None` if it does not have the method.
fn key(method: Method) -> Option<String> {
    let name = match method.base {
        Base::TauB => "kendall",
        Base::TauA => return None,
        Base::TauApB => "tauap_b",
        Base::TauGap => "tau_gap",
        Base::Spearman => "spearman",
        Base::Pearson => "pearson",
    };
    Some(method.top.map_or_else(|| name.to_owned(), |top| format!("{name}@{top}")))
}

/// The topics of the truth that any judge has: it takes the topics of all judges together.
pub fn shared_topics(truth: &Table, judges: &[Table]) -> Vec<String> {
    truth
        .topics()
        .map(|topic| truth.topic_name(topic))
        .filter(|name| judges.iter().any(|judge| judge.topic(name).is_some()))
        .map(str::to_owned)
        .collect()
}

/// Answers as that program does; an error is its refusal, in our words.
pub fn evaluate(truth: &Table, judge: &Table, question: &Question) -> Result<Correlations, String> {
    if question.missing == Missing::Error {
        for table in [truth, judge] {
            if let Some(why) = incomplete(table) {
                return Err(why);
            }
        }
    }
    if truth.len() < 3 {
        return Err(format!("the truth has only {} runs, 3 are needed", truth.len()));
    }
    let names = |table: &Table| {
        let mut names: Vec<String> = table.measures().map(|(_, m)| m.name.clone()).collect();
        names.sort();
        names
    };
    let chosen = |table: &Table, wanted: &Option<Vec<String>>| -> Result<Vec<String>, String> {
        let known = names(table);
        let Some(wanted) = wanted else { return Ok(known) };
        let mut absent: Vec<&str> =
            wanted.iter().filter(|name| !known.contains(name)).map(String::as_str).collect();
        absent.sort_unstable();
        if absent.is_empty() {
            Ok(known.into_iter().filter(|name| wanted.contains(name)).collect())
        } else {
            Err(format!("measures not found: `{}`", absent.join("`, `")))
        }
    };
    let truth_measures = chosen(truth, &question.measures.0)?;
    let judge_measures = chosen(judge, &question.measures.1)?;
    let narrowed = |table: &Table, recompute: bool| {
        let select = Select { topics: question.topics.clone(), ..Select::default() };
        let recompute = recompute || question.topics.is_some();
        evaluate_filter(table.clone(), &select, recompute).map_err(|error| error.to_string())
    };
    let truth = narrowed(truth, question.recompute.0)?;
    let judge = narrowed(judge, question.recompute.1)?;
    // Its quirk: any @k narrows all methods to shared runs.
    let shared = question.only_shared_runs || question.methods.iter().any(|(_, m)| m.top.is_some());
    let ids = |table: &Table| -> HashSet<String> {
        table.runs().map(|run| table.id(run).to_owned()).collect()
    };
    let (ours, theirs) = (ids(&truth), ids(&judge));
    let allowed = |id: &str| {
        question.runs.as_ref().is_none_or(|runs| runs.iter().any(|run| run == id))
            && (!shared || (ours.contains(id) && theirs.contains(id)))
    };
    let side = |table: &Table, measure: &String| -> Option<Side> {
        let ranking = evaluate_ranking(table, measure)?;
        Some(ranking.into_iter().filter(|(run, _)| allowed(run)).collect())
    };
    let zeros = |table: &Table| -> Side {
        let runs = table.runs().map(|run| (table.id(run).to_owned(), 0.0));
        runs.filter(|(run, _)| allowed(run)).collect()
    };
    let judges: Vec<Option<Side>> = judge_measures.iter().map(|name| side(&judge, name)).collect();
    let mut out = Vec::new();
    for truth_measure in &truth_measures {
        let a = side(&truth, truth_measure);
        for (judge_measure, b) in judge_measures.iter().zip(&judges) {
            let mut values = Vec::new();
            let sides = match (a.clone(), b.clone(), question.missing) {
                (Some(a), Some(b), _) => Some((a, b)),
                (None, _, Missing::Error) => return Err(not_found(truth_measure)),
                (_, None, Missing::Error) => return Err(not_found(judge_measure)),
                (a, b, Missing::Default) => {
                    Some((a.unwrap_or_else(|| zeros(&truth)), b.unwrap_or_else(|| zeros(&judge))))
                }
                _ => None,
            };
            if let Some((a, b)) = sides {
                for (name, method) in &question.methods {
                    values.push((name.clone(), one(*method, a.clone(), &b, question.missing)?));
                }
            }
            out.push((truth_measure.clone(), judge_measure.clone(), values));
        }
    }
    Ok(out)
}

/// Runs with their value of one measure.
type Side = Vec<(String, f64)>;

fn not_found(measure: &str) -> String {
    format!("measure `{measure}` has no numeric aggregate")
}

fn one(
    method: Method,
    mut truth: Side,
    judge: &[(String, f64)],
    missing: Missing,
) -> Result<f64, String> {
    let mut extra: Vec<&str> = judge
        .iter()
        .map(|(run, _)| run.as_str())
        .filter(|run| !truth.iter().any(|(t, _)| t == run))
        .collect();
    if let Some(top) = method.top {
        // `+ 0.0` makes −0.0 and 0.0 tie at the cut.
        truth.sort_by(|a, b| (b.1 + 0.0).total_cmp(&(a.1 + 0.0)));
        truth.truncate(top);
        extra.clear();
    }
    // It aligns runs by id; tau-GAP breaks the judge's ties by that order.
    truth.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut a, mut b, mut lacking) = (Vec::new(), Vec::new(), Vec::new());
    for (run, value) in &truth {
        match judge.iter().find(|(known, _)| known == run) {
            Some((_, score)) => {
                a.push(*value);
                b.push(*score);
            }
            None if missing == Missing::Default => {
                a.push(*value);
                b.push(0.0);
            }
            None => lacking.push(run.as_str()),
        }
    }
    if missing == Missing::Error && !(lacking.is_empty() && extra.is_empty()) {
        return Err(format!(
            "runs do not match: the judge lacks `{}`; the truth lacks `{}`; shared: `{}`",
            lacking.join("`, `"),
            extra.join("`, `"),
            truth
                .iter()
                .map(|(run, _)| run.as_str())
                .filter(|run| !lacking.contains(run))
                .collect::<Vec<_>>()
                .join("`, `")
        ));
    }
    if a.len() < 3 {
        return Err(format!("only {} runs, 3 are needed", a.len()));
    }
    if matches!(method.base, Base::TauB | Base::Pearson) {
        (a, b) = finite_pairs(&a, &b);
    }
    Ok(match method.base {
        Base::Spearman => pandas_spearman(&a, &b),
        base => upstream_coefficient(base, &a, &b),
    })
}
