//! The signals of the process, and what they order. Listened to by what runs until it is told to stop: the server
//! (`serving.rs`) and the publisher of a feed (`app.rs`). Does nothing by itself.

use crate::app::AppError;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal orders.
pub(crate) enum Order {
    /// SIGTERM of a supervisor, SIGINT of a person.
    Stop(&'static str),
    /// SIGUSR1 turns the embedded feed off, SIGUSR2 on: the operators' hook.
    Feed { active: bool },
}

/// What the process is told from outside.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    off: Signal,
    on: Signal,
}

impl Signals {
    /// # Errors
    ///
    /// Where the system lets nobody listen.
    pub(crate) fn listen() -> Result<Signals, AppError> {
        let listen = |kind| signal(kind).map_err(|source| AppError::System { what: "listen to signals", source });
        Ok(Signals {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
            off: listen(SignalKind::user_defined1())?,
            on: listen(SignalKind::user_defined2())?,
        })
    }

    /// The next order, whenever it comes.
    pub(crate) async fn given(&mut self) -> Order {
        tokio::select! {
            _ = self.terminate.recv() => Order::Stop("SIGTERM"),
            _ = self.interrupt.recv() => Order::Stop("SIGINT"),
            _ = self.off.recv() => Order::Feed { active: false },
            _ = self.on.recv() => Order::Feed { active: true },
        }
    }
}
