//! A progress bar that stays out of the way of short work.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Counts finished steps; may be shared between threads.
pub struct Progress {
    bar: ProgressBar,
    shown: Option<ProgressStyle>,
    started: Instant,
}

impl Progress {
    pub(super) fn new(length: usize, what: &'static str, visible: bool) -> Self {
        let bar = ProgressBar::hidden();
        bar.set_length(length as u64);
        let shown = visible
            .then(|| ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}"))
            .and_then(Result::ok);
        bar.set_message(what);
        Self { bar, shown, started: Instant::now() }
    }

    /// One step is done.
    pub fn step(&self) {
        self.bar.inc(1);
        if let Some(style) = &self.shown
            && self.bar.is_hidden()
            && self.started.elapsed() > PATIENCE
        {
            self.bar.set_style(style.clone());
            self.bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
