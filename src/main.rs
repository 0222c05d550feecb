//! Arguments in, exit code out.

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::{io, thread};

fn main() -> ExitCode {
    // A limit on the size of files (`ulimit -f`) is then an error like a full disk, not the end of the
    // process. Only a handler can be set without unsafe code; its flag is not read.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    start_pool();
    gmat_leaderboard::run(std::env::args_os()).into()
}

/// Starts rayon's global pool: the main thread, and one thread for each further core.
///
/// `RAYON_NUM_THREADS` can lower the number, not raise it. Where fewer threads can be started (a
/// limit on processes), the pool has fewer. Left to itself, rayon panics in that case on its first
/// use, so every thread is started before the pool asks for it.
fn start_pool() {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let wanted = asked.filter(|number| *number > 0).unwrap_or(cores).min(cores);

    let (sender, receiver) = mpsc::channel::<rayon::ThreadBuilder>();
    let receiver = Arc::new(Mutex::new(receiver));
    let mut threads = 1;
    while threads < wanted {
        let receiver = Arc::clone(&receiver);
        let work = move || {
            let worker = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
            if let Ok(worker) = worker {
                worker.run();
            }
        };
        if thread::Builder::new().spawn(work).is_err() {
            break;
        }
        threads += 1;
    }
    let hand_over = move |worker| sender.send(worker).map_err(|_| io::ErrorKind::Other.into());
    // Fails only if a pool exists already, and this is the only place that makes one.
    let _ = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .use_current_thread()
        .spawn_handler(hand_over)
        .build_global();
}
