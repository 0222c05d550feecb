//! What `fetch`, `publish` and `doctor` share: the environment's hub, and who hears of progress.

use std::sync::Mutex;

use crate::cli::Network;
use crate::domain::Failure;
use crate::hub::{Client, Endpoint, HubError, HubEvent, Patience, Token};
use crate::ui::{Progress, Ui};

/// A hub and the way to talk to it.
pub(crate) struct Access {
    pub(crate) endpoint: Endpoint,
    pub(crate) token: Option<Token>,
    pub(crate) patience: Patience,
}

/// The hub this environment names.
pub(crate) fn connect(network: Network) -> Result<Access, HubError> {
    let (endpoint, token) = (Endpoint::from_environment()?, Token::from_environment()?);
    Ok(Access { endpoint, token, patience: network.into() })
}

/// Runs `work` with a client that reports its progress.
pub(crate) fn with_client<T>(
    access: Access,
    ui: Ui,
    what: &'static str,
    work: impl FnOnce(&Client<'_>) -> Result<T, HubError>,
) -> Result<T, Failure> {
    // A changed endpoint receives the token, so it is always said.
    ui.note(&format!("hub: {}", access.endpoint));
    let bar: Mutex<Option<Progress>> = Mutex::default();
    // A hub can put the token into any name or address that it gives: here errors become text.
    let token = access.token.clone();
    let scrub = |text: &str| token.as_ref().map_or(text.to_owned(), |token| token.scrub(text));
    let watch = |event: HubEvent<'_>| {
        let mut bar = bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match event {
            HubEvent::Files(count) => *bar = Some(ui.progress(count, what)),
            HubEvent::FileDone => bar.iter().for_each(Progress::step),
            HubEvent::Warning(text) => ui.note(&format!("the hub warns: {}", scrub(text))),
            HubEvent::Waiting { pause, why } => {
                ui.note(&scrub(&format!("{why}; again in {:.1} s", pause.as_secs_f64())));
            }
        }
    };
    let Access { endpoint, token, patience } = access;
    let client = Client::new(endpoint, token, patience, &watch);
    work(&client).map_err(|error| Failure::from(error).reworded(&scrub))
}
