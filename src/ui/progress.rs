//! A progress bar that stays out of the way of short work.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Ui;
use crate::workspace::LoadEvent;

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
            bar.set_draw_target(ProgressDrawTarget::stderr());
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

/// What a long command is doing, one phase after the other: a bar where its steps are known, else a
/// spinner. Nothing is shown before half a second has passed, also where no step is done until then.
pub struct Working {
    ui: Ui,
    /// Absent where it would not be visible.
    shown: Option<Shown>,
}

struct Shown {
    bar: ProgressBar,
    counted: ProgressStyle,
    uncounted: ProgressStyle,
    /// Dropped to end the thread that waits.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Working {
    pub(super) fn new(ui: Ui, visible: bool) -> Self {
        let style = |template: &str| ProgressStyle::with_template(template).ok();
        let shown = visible
            .then(|| {
                let counted = style("{msg} [{bar:30}] {human_pos}/{human_len} {elapsed}")?;
                let uncounted = style("{spinner} {msg} {elapsed}")?;
                let bar = ProgressBar::hidden();
                let (sender, receiver) = channel::<()>();
                let late = bar.clone();
                let wait = move || {
                    if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                        late.set_draw_target(ProgressDrawTarget::stderr());
                        late.enable_steady_tick(Duration::from_millis(200));
                    }
                };
                // Without a thread to spare the work goes on, only silently.
                let waiting = std::thread::Builder::new().spawn(wait).ok();
                let waiting = waiting.map(|thread| (sender, thread));
                Some(Shown { bar, counted, uncounted, waiting })
            })
            .flatten();
        Self { ui, shown }
    }

    /// Begins `what`, which has `steps` steps; 0 where that is not known.
    pub fn phase(&self, what: &str, steps: usize) {
        let Some(shown) = &self.shown else { return };
        let style = if steps == 0 { &shown.uncounted } else { &shown.counted };
        shown.bar.set_style(style.clone());
        shown.bar.set_length(steps as u64);
        shown.bar.set_position(0);
        shown.bar.set_message(super::escape(what).into_owned());
    }

    /// One step is done.
    pub fn step(&self) {
        if let Some(shown) = &self.shown {
            shown.bar.inc(1);
        }
    }

    /// Follows what is said while sources are read; notes are printed above the bar.
    pub fn remark(&self, remark: LoadEvent<'_>) {
        match (remark, &self.shown) {
            (LoadEvent::Phase(what, steps), _) => self.phase(what, steps),
            (LoadEvent::Step, _) => self.step(),
            (other, Some(shown)) => shown.bar.suspend(|| self.ui.remark(other)),
            (other, None) => self.ui.remark(other),
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let Some(shown) = &mut self.shown else { return };
        if let Some((sender, thread)) = shown.waiting.take() {
            drop(sender);
            let _ = thread.join();
        }
        shown.bar.finish_and_clear();
    }
}
