//! The live runs of a ledger as rows of a table.

use super::history::History;
use super::run::Run;
use crate::domain::real;
use crate::table::{
    Better, BuildError, Builder, FacetKind, FacetValue, Measure, Reduce, STARTED_AT,
};

/// Adds every run that counts: not retracted, not superseded by a rescored one. Returns how many.
pub fn add_runs(builder: &mut Builder, history: &History) -> Result<usize, BuildError> {
    let runs = history.runs();
    for run in &runs {
        add(builder, run)?;
    }
    Ok(runs.len())
}

fn add(builder: &mut Builder, run: &Run) -> Result<(), BuildError> {
    use Better::{Higher, Lower, Unordered};
    let count = |count: Option<u64>| count.map(real);
    let row = builder.run(&run.run_id);
    let fixed = [
        ("score", Higher, run.aggregate_score),
        ("hallucination_rate", Lower, run.hallucination_rate),
        ("hallucination_count", Lower, count(run.hallucination_count)),
        ("latency_p95_ms", Lower, run.latency_p95_ms),
        ("cost_per_message_usd", Lower, run.cost_per_message_usd),
        ("n_prompts", Unordered, count(run.n_prompts)),
    ];
    let fixed = fixed.into_iter().map(|(name, better, value)| (name.to_owned(), better, value));
    let parts = |kind: &'static str, scores: &std::collections::BTreeMap<String, f64>| {
        let part =
            |(name, score): (&String, &f64)| (format!("{kind}:{name}"), Higher, Some(*score));
        scores.iter().map(part).collect::<Vec<_>>()
    };
    let rubrics = parts("rubric", &run.rubric_scores);
    let datasets = parts("dataset", &run.dataset_scores);
    for (name, better, value) in fixed.chain(rubrics).chain(datasets) {
        let measure = Measure::number(name).better(better).reduce(Reduce::Given).aggregate_only();
        let measure = builder.measure(measure)?;
        if let Some(value) = value {
            builder.aggregate(row, measure, value.into())?;
        }
    }
    let provider = run.model.split_once(':').map(|(provider, _)| provider);
    for (name, text) in [
        (STARTED_AT, Some(run.run_at.as_str())),
        ("model", Some(run.model.as_str())),
        ("provider", provider),
        ("eval_protocol_version", run.eval_protocol_version.as_deref()),
        ("weights_sha16", run.conditions_id.as_deref()),
    ] {
        if let Some(text) = text {
            builder.facet(row, name, FacetKind::Text, FacetValue::Text(text));
        }
    }
    Ok(())
}
