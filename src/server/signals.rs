//! The signals of the process and their meaning. Used by the server (`server/mod.rs`) and the publisher of a feed
//! (`command/actions.rs`). Must not act on a signal itself.

use crate::error::ProgramError;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The meaning of a signal.
pub(crate) enum Order {
    /// SIGTERM from a supervisor, SIGINT from a person.
    Stop(&'static str),
    /// SIGUSR1 turns the embedded feed off, SIGUSR2 on, for operators.
    Feed { active: bool },
}

/// Receives the signals of the process.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    off: Signal,
    on: Signal,
}

impl Signals {
    /// Starts listening to signals.
    ///
    /// # Errors
    /// The system does not allow it.
    pub(crate) fn listen() -> Result<Signals, ProgramError> {
        let listen = |kind| signal(kind).map_err(|source| ProgramError::System { what: "listen to signals", source });
        Ok(Signals {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            off: listen(SignalKind::user_defined1())?,
            on: listen(SignalKind::user_defined2())?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn given(&mut self) -> Order {
        tokio::select! {
            _ = self.terminate.recv() => Order::Stop("SIGTERM"),
            _ = self.interrupt.recv() => Order::Stop("SIGINT"),
            _ = self.off.recv() => Order::Feed { active: false },
            _ = self.on.recv() => Order::Feed { active: true },
        }
    }
}
