//! Failures of calls and connections, with short names under which the report counts them. Created by the clients of
//! this crate, counted by the sessions.

use std::fmt;
use std::io;

/// A failure.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// An error of the system, or the peer closed the connection.
    #[error("{0}")]
    Io(&'static str),
    /// No answer in time.
    #[error("no answer")]
    NoAnswer,
    /// The peer closed the connection, with this code if it sent one.
    #[error("closed{}", CodeText(*.0))]
    Closed(Option<u16>),
    /// The answer is neither HTTP nor WebSocket.
    #[error("malformed answer")]
    Malformed,
    /// An unexpected HTTP status.
    #[error("status {0}")]
    Status(u16),
    /// The hub rejected a command with this code.
    #[error("refused: {0}")]
    Refused(String),
}

struct CodeText(Option<u16>);

impl fmt::Display for CodeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |code| write!(f, " with {code}"))
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        const TOO_MANY_FILES: [i32; 2] = [23, 24];
        if error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code)) {
            return Fault::Io("too many open files");
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Fault::Io("connection refused"),
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionAborted => {
                Fault::Io("connection reset")
            }
            io::ErrorKind::TimedOut => Fault::Io("connection timed out"),
            io::ErrorKind::AddrNotAvailable | io::ErrorKind::AddrInUse => Fault::Io("no free local port"),
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => Fault::Io("host unreachable"),
            io::ErrorKind::WouldBlock => Fault::Io("the peer takes nothing"),
            _ => Fault::Io("input or output failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_short_names() {
        let of = |kind: io::ErrorKind| Fault::from(io::Error::from(kind)).to_string();
        assert_eq!(of(io::ErrorKind::ConnectionRefused), "connection refused");
        assert_eq!(of(io::ErrorKind::BrokenPipe), "connection reset");
        assert_eq!(Fault::from(io::Error::from_raw_os_error(24)).to_string(), "too many open files");
        assert_eq!(Fault::Closed(Some(4008)).to_string(), "closed with 4008");
        assert_eq!(Fault::Closed(None).to_string(), "closed");
    }
}
