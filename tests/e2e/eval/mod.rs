//! `eval` from an API key to a bundle, against stand-ins for the providers on this machine.

mod protocol;
