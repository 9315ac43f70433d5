//! Starts the logs and metrics of the process, called once by `command/mod.rs` and `server/mod.rs`. Other modules use only the
//! macros of `tracing` and `metrics`, which do nothing unless they are started (as in tests).

use crate::config::{Log, LogFormat};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Upper bounds of the buckets for durations, in seconds: from 1 ms, an answer from memory, to 10 s, when a user has
/// given up.
const SECONDS: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];
/// Upper bounds of the buckets for sizes, in bytes: from a price change to a whole offer.
const BYTES: [f64; 8] = [32.0, 128.0, 512.0, 2048.0, 16_384.0, 131_072.0, 1_048_576.0, 8_388_608.0];

/// Quietens libraries that log their internals at `info`, or every malformed request of a client at `error`. A filter
/// that names them has priority.
const QUIET: &str = "lapin=error,actix_server=warn,actix_http::h1::dispatcher=off";

static RECORDER: Mutex<Option<PrometheusHandle>> = Mutex::new(None);

/// Starts the logs on the standard error. A valid `rust_log` (the environment variable) replaces the configured level.
/// A second call changes nothing. Panics are logged as events, too.
pub fn start_logs(log: &Log, rust_log: Option<&str>) {
    let given = rust_log.filter(|filter| !filter.is_empty());
    let filter = given.and_then(|filter| EnvFilter::try_new(filter).ok());
    let filter = filter.unwrap_or_else(|| EnvFilter::new(format!("{QUIET},{}", log.level)));
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let logs =
        tracing_subscriber::fmt().with_env_filter(filter).with_span_events(FmtSpan::NONE).with_writer(std::io::stderr);
    // An error means that logs are already running, which is fine.
    let _ = match log.format {
        LogFormat::Pretty => logs.with_ansi(colours).compact().try_init(),
        LogFormat::Json => logs.json().flatten_event(true).try_init(),
    };
    crate::panics::log_panics();
}

/// The recorder of this process, started by the first call; later calls return the same one.
///
/// # Errors
/// Another recorder is already installed.
pub fn metrics() -> Result<PrometheusHandle, BuildError> {
    let mut started = RECORDER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = started.as_ref() {
        return Ok(handle.clone());
    }
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_bytes".to_owned()), &BYTES)?;
    let handle = builder.install_recorder()?;
    describe();
    *started = Some(handle.clone());
    Ok(handle)
}

/// Describes the metrics of this layer; every other layer describes its own.
fn describe() {
    metrics::describe_counter!("kvota_http_requests_total", "Requests answered, by method, route and status");
    metrics::describe_histogram!("kvota_http_request_seconds", "Time from a request's head to its answer's, by route");
    metrics::describe_gauge!("kvota_build_info", "Always 1; the labels name the running version");
    metrics::gauge!("kvota_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_recorded_once_and_rendered() {
        let first = metrics().unwrap();
        let second = metrics().unwrap();
        metrics::counter!("kvota_test_total").increment(2);
        metrics::histogram!("kvota_test_seconds").record(0.02);
        for handle in [first, second] {
            let text = handle.render();
            assert!(text.contains("kvota_test_total 2"), "{text}");
            assert!(text.contains("kvota_test_seconds_bucket{le=\"0.025\"} 1"), "{text}");
            assert!(text.contains("kvota_build_info{version="), "{text}");
        }
    }
}
