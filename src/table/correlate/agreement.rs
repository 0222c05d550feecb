//! Two tables → one coefficient per pair of measures and method, with its interval.

use std::collections::{BTreeSet, HashMap};

use super::super::significance::{Interval, SplitMix64};
use super::coefficient::{Undefined, coefficient};
use super::method::Method;
use crate::table::{NameError, Table};

/// Every draw starts here.
const SEED: u64 = 7;

/// What to do about a run that only one side has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Missing {
    /// Refuse.
    Error,
    /// Leave it out and report it.
    #[default]
    Skip,
    /// A run the judge lacks scores 0; one the truth lacks is left out.
    Fill,
}

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The methods.
    pub methods: Vec<Method>,
    /// Measures of the truth; empty is all that are numbers.
    pub truth_measures: Vec<String>,
    /// Measures of the judge; empty is all that are numbers.
    pub judge_measures: Vec<String>,
    /// Runs that only one side has.
    pub missing: Missing,
    /// How many draws make an interval; 0 makes none.
    pub bootstrap: usize,
}

/// One method between one measure of the truth and one of the judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The truth's measure.
    pub truth: String,
    /// The judge's measure.
    pub judge: String,
    /// The method.
    pub method: Method,
    /// The coefficient, or why there is none.
    pub value: Result<f64, Undefined>,
    /// How many runs it rests on.
    pub n: usize,
    /// Where 95 % of the draws lie.
    pub interval: Option<Interval>,
    /// Draws without a coefficient, which the interval leaves out.
    pub dropped_draws: usize,
}

/// Runs that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Only the truth.
    pub truth_only: Vec<String>,
    /// Only the judge.
    pub judge_only: Vec<String>,
}

/// Everything about one judge.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// One per pair of measures and method.
    pub agreements: Vec<Agreement>,
    /// Runs left out, or filled.
    pub dropped: Dropped,
    /// Runs both have.
    pub shared: usize,
}

/// Topics that occur in both tables, in the order of the first.
pub fn shared_topics(a: &Table, b: &Table) -> Vec<String> {
    let names = a.topics().map(|topic| a.topic_name(topic));
    names.filter(|name| b.topic(name).is_some()).map(str::to_owned).collect()
}

/// The measures named, or all that are numbers, sorted.
pub(super) fn measures(table: &Table, wanted: &[String]) -> Result<Vec<String>, NameError> {
    if !wanted.is_empty() {
        return wanted
            .iter()
            .map(|name| Ok(table.measure(table.measure_named(name)?).name.clone()))
            .collect();
    }
    let mut names: Vec<String> = table
        .measures()
        .filter(|(id, _)| table.runs().any(|run| table.number(run, *id).is_some()))
        .map(|(_, measure)| measure.name.clone())
        .collect();
    names.sort();
    Ok(names)
}

/// How a judge's table agrees with the truth's.
///
/// ```
/// use gmat_leaderboard::table::correlate::{Plan, correlate};
/// use gmat_leaderboard::table::{Builder, Measure, Policy, Table};
///
/// let table = |values: [f64; 4]| -> Result<Table, Box<dyn std::error::Error>> {
///     let mut builder = Builder::new([Measure::number("score")]);
///     for (run, value) in ["a", "b", "c", "d"].into_iter().zip(values) {
///         builder.add(run, "t1", [("score", value.into())])?;
///     }
///     Ok(builder.build(&Policy::default())?.table)
/// };
/// let plan = Plan { methods: vec!["tau-b".parse()?], ..Plan::default() };
/// let report = correlate(&table([0.9, 0.7, 0.5, 0.1])?, &table([9.0, 7.0, 5.0, 6.0])?, &plan)?;
/// assert_eq!(report.agreements[0].value, Ok(2.0 / 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn correlate(truth: &Table, judge: &Table, plan: &Plan) -> Result<Report, NameError> {
    let ids = |table: &Table| -> BTreeSet<String> {
        table.runs().map(|run| table.id(run).to_owned()).collect()
    };
    let (ours, theirs) = (ids(truth), ids(judge));
    let dropped = Dropped {
        truth_only: ours.difference(&theirs).cloned().collect(),
        judge_only: theirs.difference(&ours).cloned().collect(),
    };
    let judges = measures(judge, &plan.judge_measures)?;
    let mut agreements = Vec::new();
    for truth_measure in measures(truth, &plan.truth_measures)? {
        for judge_measure in &judges {
            let sides = sides(truth, &truth_measure, judge, judge_measure, plan.missing)?;
            for method in &plan.methods {
                let (a, b) = best(&sides, method.top);
                let (interval, dropped_draws) = interval(*method, &a, &b, plan.bootstrap);
                agreements.push(Agreement {
                    truth: truth_measure.clone(),
                    judge: judge_measure.clone(),
                    method: *method,
                    value: coefficient(method.base, &a, &b),
                    n: a.len(),
                    interval,
                    dropped_draws,
                });
            }
        }
    }
    Ok(Report { agreements, dropped, shared: ours.intersection(&theirs).count() })
}

/// The values of the runs that count, by run id: the order of input never matters.
fn sides(
    truth: &Table,
    truth_measure: &str,
    judge: &Table,
    judge_measure: &str,
    missing: Missing,
) -> Result<Vec<(f64, f64)>, NameError> {
    let (t, j) = (truth.measure_named(truth_measure)?, judge.measure_named(judge_measure)?);
    let known: HashMap<&str, f64> =
        judge.runs().filter_map(|run| Some((judge.id(run), judge.number(run, j)?))).collect();
    let mut pairs: Vec<(&str, f64, f64)> = truth
        .runs()
        .filter_map(|run| {
            let filled = (missing == Missing::Fill).then_some(0.0);
            let id = truth.id(run);
            let (a, b) = (truth.number(run, t)?, known.get(id).copied().or(filled)?);
            // −0.0 ties with 0.0, also where runs are ordered to find the best.
            Some((id, a + 0.0, b + 0.0))
        })
        .filter(|(_, a, b)| !a.is_nan() && !b.is_nan())
        .collect();
    pairs.sort_by(|a, b| a.0.cmp(b.0));
    Ok(pairs.into_iter().map(|(_, a, b)| (a, b)).collect())
}

/// All, or the `top` best in truth; ties at the cut go to the first. The order of runs stays:
/// tau-GAP breaks the judge's ties by it.
fn best(pairs: &[(f64, f64)], top: Option<usize>) -> (Vec<f64>, Vec<f64>) {
    match top {
        Some(top) if top < pairs.len() => {
            let mut order: Vec<usize> = (0..pairs.len()).collect();
            order.sort_by(|&i, &j| pairs[j].0.total_cmp(&pairs[i].0));
            order.truncate(top);
            order.sort_unstable();
            order.iter().map(|&at| pairs[at]).unzip()
        }
        _ => pairs.iter().copied().unzip(),
    }
}

/// Runs are drawn in pairs: truth and judge of one run stay together.
fn interval(method: Method, a: &[f64], b: &[f64], draws: usize) -> (Option<Interval>, usize) {
    let mut random = SplitMix64::new(SEED);
    let mut values = Vec::with_capacity(draws);
    let (mut x, mut y) = (vec![0.0; a.len()], vec![0.0; b.len()]);
    for _ in 0..draws {
        for at in 0..a.len() {
            let run = random.below(a.len());
            (x[at], y[at]) = (a[run], b[run]);
        }
        values.extend(coefficient(method.base, &x, &y).ok());
    }
    let dropped = draws - values.len();
    if values.is_empty() {
        return (None, dropped);
    }
    values.sort_by(f64::total_cmp);
    let at = |thousandths: usize| values[(values.len() * thousandths).div_ceil(1000).max(1) - 1];
    (Some(Interval { low: at(25), high: at(975) }), dropped)
}
