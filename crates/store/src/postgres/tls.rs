//! The TLS settings of a connection to PostgreSQL if `store.require_tls` is set. Otherwise the client library's default
//! applies, which silently falls back to plain text. Must not weaken the `sslmode` of an address.

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use std::net::IpAddr;

/// Adds verification of the server's certificate to the options. An address with its own `sslmode` keeps it, with a
/// warning if that is weaker. A server on this machine needs no TLS.
pub(super) fn required(url: &str, options: PgConnectOptions) -> PgConnectOptions {
    if is_local(&options) {
        return options;
    }
    if !names_mode(url) {
        return options.ssl_mode(PgSslMode::VerifyFull);
    }
    let mode = options.get_ssl_mode();
    if !matches!(mode, PgSslMode::VerifyFull) {
        tracing::warn!(?mode, "store.url names an sslmode that is weaker than verify-full: {mode:?}");
    }
    options
}

fn is_local(options: &PgConnectOptions) -> bool {
    let host = options.get_host();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    options.get_socket().is_some() || host.starts_with('/') || host.eq_ignore_ascii_case("localhost") || is_loopback
}

fn names_mode(url: &str) -> bool {
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    let name = |parameter: &str| parameter.split('=').next().is_some_and(|name| matches!(name, "sslmode" | "ssl-mode"));
    parameters.split('&').any(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn a_remote_server_is_verified_unless_the_address_names_another_mode() {
        let own = format!("{:?}", PgSslMode::Prefer);
        for (url, mode) in [
            ("postgres://kvota@db.example/kvota", "VerifyFull"),
            ("postgres://kvota@10.0.0.7:5432/kvota?sslrootcert=/etc/ca.pem", "VerifyFull"),
            ("postgres://kvota@db.example/kvota?sslmode=require", "Require"),
            ("postgres://kvota@db.example/kvota?application_name=a&sslmode=disable", "Disable"),
            ("postgres://kvota@db.example/kvota?sslmode=verify-full", "VerifyFull"),
            ("postgres://kvota@localhost/kvota", &own),
            ("postgres://kvota@127.0.0.1:5432/kvota", &own),
            ("postgres://kvota@[::1]:5432/kvota", &own),
            ("postgres://kvota@%2Fvar%2Frun%2Fpostgresql/kvota", &own),
            ("postgres:///kvota?host=/var/run/postgresql", &own),
        ] {
            let options = PgConnectOptions::from_str(url).unwrap();
            assert_eq!(format!("{:?}", required(url, options).get_ssl_mode()), mode, "{url}");
        }
    }
}
