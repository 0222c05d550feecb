//! A progress bar that stays out of the way of short work.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Counts finished steps; may be shared between threads.
pub struct Progress {
    /// Absent where it would not be visible.
    bar: Option<(ProgressBar, ProgressStyle)>,
    started: Instant,
}

impl Progress {
    pub(super) fn new(length: usize, what: &'static str, visible: bool) -> Self {
        let style = visible
            .then(|| ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}"))
            .and_then(Result::ok);
        let bar = style.map(|style| {
            let bar = ProgressBar::hidden();
            bar.set_length(length as u64);
            bar.set_message(what);
            (bar, style)
        });
        Self { bar, started: Instant::now() }
    }

    /// One step is done.
    pub fn step(&self) {
        let Some((bar, style)) = &self.bar else { return };
        bar.inc(1);
        if bar.is_hidden() && self.started.elapsed() > PATIENCE {
            bar.set_style(style.clone());
            bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((bar, _)) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
