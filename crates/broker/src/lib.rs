//! A connection to a message broker (AMQP 0-9-1): its address, TLS, time limits, and the wait before the next attempt.
//! Shared by the native feed and by a provider's feed, which declare everything again on each connection.
//!
//! Must never reconnect by itself: the caller has to report first that the connection was lost. A password must never
//! reach a log.

mod backoff;

pub use backoff::Backoff;

use lapin::protocol::constants::REPLY_SUCCESS;
use lapin::tcp::OwnedTLSConfig;
use lapin::types::{LongString, ShortString};
use lapin::uri::AMQPUri;
use lapin::{Connection, ConnectionProperties};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// If the handshake takes longer than this, the attempt is given up.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// How long a dropped connection waits for the broker to confirm that it is closed.
const CLOSE_MAX: Duration = Duration::from_secs(5);

/// Why an address can never work.
#[derive(thiserror::Error, Debug)]
pub enum AddressError {
    /// Not an AMQP URL.
    #[error("{0}")]
    Url(String),
    /// The file of certificates cannot be read.
    #[error("cannot read {0}")]
    CaFile(PathBuf, #[source] std::io::Error),
    /// The file contains no certificate.
    #[error("{0} holds no PEM certificate")]
    NoCertificate(PathBuf),
}

/// The validated address of a broker.
pub struct Broker {
    uri: AMQPUri,
    tls: OwnedTLSConfig,
    connection_name: &'static str,
    /// The address without credentials, for the log.
    pub address: String,
}

impl Broker {
    /// The broker at a URL. `ca_file` has certificates (PEM) of an authority that is trusted in addition to the public
    /// ones. A `heartbeat` in the URL takes precedence over `heartbeat_s`.
    ///
    /// # Errors
    /// An address or a file that can never work.
    pub fn new(
        url: &str,
        ca_file: Option<&Path>,
        heartbeat_s: u16,
        connection_name: &'static str,
    ) -> Result<Broker, AddressError> {
        let mut uri: AMQPUri = url.parse().map_err(AddressError::Url)?;
        if has_empty_password(url) {
            // The library would take its default instead.
            uri.authority.userinfo.password.clear();
        }
        uri.query.heartbeat.get_or_insert(heartbeat_s);
        uri.query.connection_timeout.get_or_insert(CONNECT_MAX.as_millis() as u64);
        let cert_chain = match ca_file {
            None => None,
            Some(path) => {
                let pem =
                    std::fs::read_to_string(path).map_err(|error| AddressError::CaFile(path.to_owned(), error))?;
                // Check it here: the TLS library ignores anything that is not a certificate, and would then not trust
                // the broker.
                if !pem.contains("-----BEGIN CERTIFICATE-----") {
                    return Err(AddressError::NoCertificate(path.to_owned()));
                }
                Some(pem)
            }
        };
        let tls = OwnedTLSConfig { identity: None, cert_chain };
        Ok(Broker { uri, tls, connection_name, address: without_credentials(url) })
    }

    /// One attempt to connect.
    ///
    /// # Errors
    /// The broker refuses, or does not answer in time.
    pub async fn connect(&self) -> Result<OpenConnection, lapin::Error> {
        let properties =
            ConnectionProperties::default().with_connection_name(LongString::from(self.connection_name.as_bytes()));
        let runtime = lapin::runtime::default_runtime()?;
        let connecting = Connection::connect_uri_with_config(self.uri.clone(), properties, self.tls.clone(), runtime);
        // The library's own time-out covers only the socket; a broker may also accept the socket and then send nothing.
        match tokio::time::timeout(CONNECT_MAX, connecting).await {
            Ok(connected) => Ok(OpenConnection(Some(connected?))),
            Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
        }
    }
}

/// A broker's URL without user and password, for logs.
pub fn without_credentials(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => url.to_owned(),
    }
}

/// Whether a URL names a user without a password: a provider's token.
fn has_empty_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    user.is_some_and(|user| user.split_once(':').is_none_or(|(_, password)| password.is_empty()))
}

/// A connection that is closed when it is dropped. lapin alone closes it only after all its channels have closed: if it
/// were dropped while a channel opens, a consumer would remain that takes messages and never acknowledges them.
pub struct OpenConnection(Option<Connection>);

impl std::ops::Deref for OpenConnection {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.0.as_ref().expect("only `drop` takes it")
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        // Without a runtime, the process ends and the operating system closes the socket.
        if let (Some(connection), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(async move {
                let closing = connection.close(REPLY_SUCCESS, ShortString::default());
                // The connection may have failed before.
                let _ = tokio::time::timeout(CLOSE_MAX, closing).await;
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_without_a_password_and_a_virtual_host_with_slashes_are_read() {
        let broker = Broker::new("amqps://TOKEN:@host:5671/%2Funifiedfeed%2F12345", None, 5, "test").unwrap();
        assert_eq!(broker.uri.authority.userinfo.username, "TOKEN");
        assert_eq!(broker.uri.authority.userinfo.password, "");
        assert_eq!(broker.uri.vhost, "/unifiedfeed/12345");
        let password = |url| Broker::new(url, None, 5, "test").unwrap().uri.authority.userinfo.password;
        assert_eq!(["amqp://TOKEN@h/x", "amqp://a:b@h/x", "amqp://h/x"].map(password), ["", "b", "guest"]);
        assert_eq!(broker.address, "amqps://host:5671/%2Funifiedfeed%2F12345");
    }
}
