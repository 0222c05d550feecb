//! The sources of an analysis: read, built into a table, filtered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::compat::Program;
use crate::compat::autojudge::{JudgeProgram, JudgedCells, evaluate_policy};
use crate::domain::Failure;
use crate::domain::config::Price;
use crate::fs;
use crate::import::{Source, Tally, rlm_code};
use crate::table::{
    Aggregates, Builder, Condition, Duplicates, Expect, Holes, Measure, MeasureId, Moment, Policy,
    Select, Table,
};
use crate::workspace::{self, SourceOptions};

/// Which sources an analysis reads, and how. `None` leaves a choice to the sources.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Analysis {
    /// The board's directory.
    pub root: PathBuf,
    /// The board's config.
    pub config: Option<PathBuf>,
    /// Files and directories; empty is the board below the root, else .rlm_code.
    pub sources: Vec<PathBuf>,
    /// Whether .rlm_code is the default source even where there is a board.
    pub workdir_first: bool,
    /// The kind of every source.
    pub from: Option<Source>,
    /// Measures that the user describes.
    pub measures: Vec<Measure>,
    /// A file that lists all measures there are.
    pub spec: Option<PathBuf>,
    /// A file that lists the topics every run should have.
    pub topics: Option<PathBuf>,
    /// Keep only the newest results file of each model.
    pub latest: bool,
    /// Keep runs of an rlm-code runs.jsonl that a benchmark already holds.
    pub keep_benchmark_runs: bool,
    /// Whether files of cells start with a header.
    pub header: bool,
    /// What the aggregate is called in files of cells.
    pub all_topic: String,
    /// The program whose answers are asked for.
    pub compat: Option<Program>,
    /// Where a run lacks a topic that others have.
    pub holes: Option<Holes>,
    /// Aggregates of the sources.
    pub aggregates: Option<Aggregates>,
    /// A value that is given twice.
    pub duplicates: Duplicates,
    /// Whether texts have no aggregate.
    pub no_text_aggregate: bool,
}

/// Which runs are taken; all conditions must hold.
#[derive(Debug, Clone, Default)]
pub struct RunFilter {
    /// Texts of a facet, any of which a run must have.
    pub facets: Vec<(String, Vec<String>)>,
    /// Conditions on measures and facets.
    pub conditions: Vec<Condition>,
    /// Started at or after: a day or a time.
    pub since: Option<String>,
    /// Started at or before; a day counts whole.
    pub until: Option<String>,
    /// Keep runs without a readable time although a bound is given.
    pub keep_undated: bool,
    /// Leave out these runs, each by its id or any unique start of it.
    pub without: Vec<String>,
}

/// What is said while sources are read.
#[derive(Debug, Clone, Copy)]
pub enum LoadEvent<'r> {
    /// Nobody named a source, so this one is read.
    Source(&'r Path),
    /// How much was read and what was left out.
    Tally(&'r Tally),
    /// A note of a build or of a filter.
    Note(&'r str),
    /// Work begins: what it is, and its number of steps; 0 where that is not known.
    Phase(&'r str, usize),
    /// One step of it is done.
    Step,
}

/// Hears what is said while sources are read, also before a failure.
pub type Listener<'l> = &'l dyn Fn(LoadEvent<'_>);

/// The filtered table, and how many runs there were before.
#[derive(Debug)]
pub struct FilteredTable {
    /// The table.
    pub table: Table,
    /// How many runs there were before any filter.
    pub total: usize,
}

impl Analysis {
    /// Reads the sources and applies `filter` and `extra`. `aggregates` is what to do with them
    /// unless the user says.
    pub fn ready(
        &self,
        filter: &RunFilter,
        extra: Select,
        aggregates: Option<Aggregates>,
        tell: Listener<'_>,
    ) -> Result<FilteredTable, Failure> {
        let mut select = filter.apply(extra, self.is_rlm_compat())?;
        if let Some(topics) = &mut select.topics {
            topics.retain(|topic| *topic != self.all_topic);
            if topics.is_empty() {
                select.topics = None;
            }
        }
        let selects = select.topics.is_some()
            || select.measures.is_some()
            || !select.takes_all_runs()
            || !filter.without.is_empty();
        let Raw { builder, policy, has_cells } = self.raw(aggregates, tell)?;
        // The second build says what is missing in what is left.
        let quiet = selects && policy.holes == Holes::Warn;
        let first =
            Policy { holes: if quiet { Holes::Skip } else { policy.holes }, ..policy.clone() };
        tell(LoadEvent::Phase("building the table", 0));
        let built = builder.build(&first)?;
        built.notes.iter().for_each(|note| tell(LoadEvent::Note(note)));
        let table = built.table;
        let total = table.len();
        for name in &filter.without {
            select.without.push(table.id(table.find(name)?).to_owned());
        }
        for unmatched in table.unmatched(&select) {
            tell(LoadEvent::Note(&unmatched.to_string()));
        }
        let cuts = select.topics.is_some()
            || select.runs.is_some()
            || (has_cells && !select.takes_all_runs());
        let policy = if cuts && self.aggregates.is_none() && self.compat.is_none() {
            select.keep_topicless = true;
            self.recomputing(&table, &select, policy)
        } else {
            policy
        };
        let built = table.select(&select, &policy)?;
        built.notes.iter().for_each(|note| tell(LoadEvent::Note(note)));
        Ok(FilteredTable { table: built.table, total })
    }

    /// How aggregates are made for some of the runs or topics: afresh, and a run that lacks a
    /// topic is averaged as if it had 0 there, unless the user says otherwise.
    fn recomputing(&self, table: &Table, select: &Select, policy: Policy) -> Policy {
        let expect = match (&select.topics, policy.expect) {
            (Some(topics), _) => {
                let known = |name: &&String| table.topic(name).is_some();
                Expect::Topics(topics.iter().filter(known).cloned().collect())
            }
            (None, Expect::Union) => Expect::Topics(
                table.topics().map(|topic| table.topic_name(topic).to_owned()).collect(),
            ),
            (None, expect) => expect,
        };
        let holes = if self.holes.is_none() { Holes::FixAggregate } else { policy.holes };
        Policy { aggregates: Aggregates::Recompute, holes, expect, ..policy }
    }

    /// Reads the sources and builds the table, without filters. `aggregates` is what to do with
    /// them unless the user says.
    pub fn read(
        &self,
        aggregates: Option<Aggregates>,
        tell: Listener<'_>,
    ) -> Result<Table, Failure> {
        let Raw { builder, policy, .. } = self.raw(aggregates, tell)?;
        let built = builder.build(&policy)?;
        built.notes.iter().for_each(|note| tell(LoadEvent::Note(note)));
        Ok(built.table)
    }

    /// Reads the one source as a judge program does.
    pub fn judged(&self, program: JudgeProgram) -> Result<JudgedCells, Failure> {
        let [path] = self.sources.as_slice() else {
            return Err(Failure::unusable("a judge program reads one file or one directory"));
        };
        workspace::load_judged(path, &self.source_options()?, program)
    }

    fn raw(&self, aggregates: Option<Aggregates>, tell: Listener<'_>) -> Result<Raw, Failure> {
        if self.sources.is_empty() {
            let path = workspace::default_source(&self.root, self.workdir_first)?;
            tell(LoadEvent::Source(path.strip_prefix("./").unwrap_or(&path)));
            return Self { sources: vec![path], ..self.clone() }.raw(aggregates, tell);
        }
        if let Some(program) = self.judge_program() {
            let builder = Builder::from_table(self.judged(program)?.table);
            return Ok(Raw { builder, policy: evaluate_policy(false), has_cells: true });
        }
        let source_options = self.source_options()?;
        let loaded = workspace::load_table(&self.sources, &source_options, tell)?;
        tell(LoadEvent::Tally(&loaded.tally));
        let topics = self.topics.as_deref().map(listed_names).transpose()?;
        let mut policy = self.policy(topics, loaded.has_cells);
        if self.spec.is_some() && self.holes == Some(Holes::Error) {
            policy.required =
                source_options.measures.iter().map(|measure| measure.name.clone()).collect();
        }
        if let (None, Some(aggregates)) = (self.aggregates, aggregates) {
            let merges =
                aggregates == Aggregates::Keep && loaded.has_cells && self.sources.len() > 1;
            policy.aggregates = if merges { Aggregates::Recompute } else { aggregates };
        }
        Ok(Raw { builder: loaded.builder, policy, has_cells: loaded.has_cells })
    }

    /// How a table is built; `topics` are the expected ones, `has_cells` sets the default for
    /// holes.
    pub fn policy(&self, topics: Option<Vec<String>>, has_cells: bool) -> Policy {
        Policy {
            holes: self.holes.unwrap_or(if has_cells { Holes::Warn } else { Holes::Skip }),
            aggregates: self.aggregates.unwrap_or(Aggregates::Complete),
            duplicates: self.duplicates,
            expect: topics.map_or(Expect::Union, Expect::Topics),
            no_text_aggregate: self.no_text_aggregate,
            required: Vec::new(),
        }
    }

    /// The judge program whose reading is asked for.
    pub fn judge_program(&self) -> Option<JudgeProgram> {
        self.compat?.judge(self.aggregates == Some(Aggregates::Recompute), self.holes)
    }

    /// Whether rlm-code's own answers are asked for.
    pub fn is_rlm_compat(&self) -> bool {
        self.compat == Some(Program::RlmCode)
    }

    /// How the sources are read.
    pub fn source_options(&self) -> Result<SourceOptions, Failure> {
        let mut measures = self.measures.clone();
        for line in self.spec.as_deref().map(listed_names).transpose()?.unwrap_or_default() {
            measures.push(line.parse::<Measure>()?);
        }
        Ok(SourceOptions {
            from: self.from,
            rlm: rlm_code::Options {
                compat: self.is_rlm_compat(),
                keep_benchmark_runs: self.keep_benchmark_runs,
            },
            prices: self.prices(),
            measures,
            closed: self.spec.is_some(),
            latest: self.latest,
            all_topic: self.all_topic.clone(),
            header: self.header.then_some(true),
            root: self.root.clone(),
            config: self.config.clone(),
        })
    }

    /// The list prices of the config; none where there is no config that can be read.
    fn prices(&self) -> BTreeMap<String, Price> {
        let config = workspace::read_config_or_default(&self.root, self.config.as_deref());
        config.map(|(config, _)| config.prices).unwrap_or_default()
    }
}

/// What the sources hold, and how it is to be built.
struct Raw {
    builder: Builder,
    policy: Policy,
    has_cells: bool,
}

impl RunFilter {
    /// Adds the conditions to `select`; under `quirks` times are compared as rlm-code does.
    fn apply(&self, mut select: Select, quirks: bool) -> Result<Select, Failure> {
        select.facets.extend(self.facets.iter().cloned());
        select.conditions.extend(self.conditions.iter().cloned());
        select.since = moment(self.since.as_deref())?;
        select.until = moment(self.until.as_deref())?.map(|at| if quirks { at } else { at.end() });
        select.keep_undated = self.keep_undated || quirks;
        Ok(select)
    }
}

fn moment(text: Option<&str>) -> Result<Option<Moment>, Failure> {
    let parse = |text| {
        Moment::parse(text).ok_or_else(|| {
            Failure::unusable(format!("`{text}` is not a day or a time"))
                .help("write it as 2026-01-31 or 2026-01-31T12:00:00Z")
        })
    };
    text.map(parse).transpose()
}

/// Reads results in any format that `rank` reads: a file, a directory, a board, a ledger. Runs in
/// the table are removed with [`Table::remove`] and found with [`Table::find`];
/// [`Builder::for_table`] adds to it.
pub fn load(path: &Path) -> Result<Table, Failure> {
    let analysis = Analysis {
        root: PathBuf::from("."),
        sources: vec![path.to_owned()],
        all_topic: "all".to_owned(),
        ..Analysis::default()
    };
    analysis.read(None, &|_| ())
}

/// The measures asked for, each once, or the source's first; never empty.
pub fn main_measures(table: &Table, names: &[String]) -> Result<Vec<MeasureId>, Failure> {
    let mut measures: Vec<MeasureId> = Vec::new();
    for name in names {
        let measure = table.measure_named(name)?;
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    if measures.is_empty() {
        measures.push(table.main_measure().ok_or_else(|| {
            Failure::unusable("the sources have no measure").help("`--measure NAME` names one")
        })?);
    }
    Ok(measures)
}

/// The one measure asked for, or the source's first; `what` cannot show several.
pub fn main_measure(table: &Table, names: &[String], what: &str) -> Result<MeasureId, Failure> {
    match main_measures(table, names)?[..] {
        [measure] => Ok(measure),
        _ => Err(Failure::unusable(format!("{what} takes one measure"))
            .help("name one with `--by`, and run the command once for each")),
    }
}

/// The lines of a file that are neither empty nor comments.
pub fn listed_names(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = fs::read_typed(path, fs::OWN_FILE_LIMIT)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::unusable(format!("`{}` is not UTF-8", path.display())))?;
    let useful = |line: &&str| !line.is_empty() && !line.starts_with('#');
    Ok(text.lines().map(str::trim).filter(useful).map(str::to_owned).collect())
}
