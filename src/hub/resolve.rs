//! Name lookup that works where no thread can be started.

use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{NextTimeout, time};

/// ureq's resolver, without a time limit where no thread can be started: it looks a name up on a
/// thread of its own to limit the time, and panics if it gets none.
#[derive(Debug, Default)]
pub(crate) struct Resolve(DefaultResolver);

impl Resolver for Resolve {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        mut timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        match std::thread::Builder::new().spawn(|| ()) {
            Ok(thread) => drop(thread.join()),
            Err(_) => timeout.after = time::Duration::NotHappening,
        }
        self.0.resolve(uri, config, timeout)
    }
}
