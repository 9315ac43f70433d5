//! Why the program could not start or continue. `command/mod.rs` prints the error and chooses the exit code.

use crate::server::sources::SourceError;
use kvota_feed::amqp::AmqpConfigError;
use kvota_store::{OpenError, StoreError};
use std::io;
use std::path::PathBuf;

/// Why the program could not start or continue.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// Another program listens at the address.
    #[error(
        "{address} is in use: another program, perhaps another kvota, listens there. Stop it, or choose another \
         address with {setting} (port 0 takes any free one)"
    )]
    Busy {
        /// The configured address.
        address: String,
        /// The option or key that sets it.
        setting: &'static str,
    },
    /// Listening at the address fails for another reason.
    #[error("cannot listen on {address} ({setting})")]
    Listen {
        /// The configured address.
        address: String,
        /// The option or key that sets it.
        setting: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The server failed.
    #[error("the server failed")]
    Serve(#[source] io::Error),
    /// The process could not get a resource from the system.
    #[error("cannot {what}")]
    System {
        /// Lower case, as in "listen to signals".
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// Metrics could not be started.
    #[error("cannot record metrics")]
    Metrics(#[from] metrics_exporter_prometheus::BuildError),
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The source of the feed cannot work.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The provider of the Unified Odds Feed cannot be served.
    #[error(transparent)]
    Provider(#[from] kvota_uof_provider::serving::ServeError),
    /// The store does not exist yet.
    #[error("there is no store at {}: nothing has been kept there", file.display())]
    NoStore {
        /// Its path.
        file: PathBuf,
    },
    /// The cookie key can neither be read nor created.
    #[error("the key of the sessions' cookies cannot be kept in {} (store.data_dir; or give one, http.cookie_keys)", folder.display())]
    CookieKey {
        /// The data folder.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The stores cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// An operation of the store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The audit found something wrong.
    #[error("the store is not as it must be: {findings} of the audit's questions found something")]
    Audit {
        /// How many findings.
        findings: usize,
    },
    /// The link to the broker is configured wrongly.
    #[error("the feed is configured wrongly")]
    Amqp(#[from] AmqpConfigError),
}

impl ProgramError {
    /// Whether the arguments or the configuration are wrong, rather than something failed.
    pub fn is_mistake(&self) -> bool {
        matches!(self, ProgramError::Source(SourceError::Simulator(_)))
    }
}
