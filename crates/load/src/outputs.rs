//! The results for other programs: a CSV file of the seconds, a JUnit file of the verdict, and the seconds of a run that
//! goes on by OTLP. Names of metrics are in docs/load.md. Called by `command.rs`; must never delay or end a run.

use super::http::{Line, Request};
use super::panel::verdict_text;
use super::results::{Point, Results};
use super::tally::Timing;
use super::target::{Endpoint, Target};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Seconds that wait for a slow collector before more are dropped.
const WAITING_MAX: usize = 30;
/// Time limit of one export.
const EXPORT_LIMIT: Duration = Duration::from_secs(5);

/// One row for each second, with a head. A value that was not measured is empty.
pub fn csv(results: &Results) -> String {
    let parts = ["p50", "p90", "p99", "max"];
    let mut text =
        "t,connections,planned,frames,messages,bytes,commands,calls,bets,errors,server_cores,server_rss_bytes,\
                    server_files,generator_cores,generator_late_ms"
            .to_owned();
    for timing in Timing::ALL {
        parts.iter().for_each(|part| text.push_str(&format!(",{}_{part}_ms", timing.name())));
    }
    text.push('\n');
    let optional = |value: Option<String>| value.unwrap_or_default();
    for point in &results.series {
        let whole = [
            point.t,
            point.connections,
            point.planned,
            point.frames,
            point.messages,
            point.bytes,
            point.commands,
            point.calls,
            point.bets,
            point.errors.values().sum(),
        ];
        let mut cells: Vec<String> = whole.iter().map(u64::to_string).collect();
        cells.push(optional(point.server_cores.map(|value| value.to_string())));
        cells.push(optional(point.server_rss_bytes.map(|value| value.to_string())));
        cells.push(optional(point.server_files.map(|value| value.to_string())));
        cells.extend([point.generator_cores.to_string(), point.generator_late_ms.to_string()]);
        for timing in Timing::ALL {
            match point.latency.get(timing.name()) {
                Some(values) => cells.extend(values.iter().map(f64::to_string)),
                None => cells.extend(parts.map(|_| String::new())),
            }
        }
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A test case for each threshold, and one for the verdict.
pub fn junit(results: &Results) -> String {
    let failed = results.thresholds.iter().filter(|it| !it.passed).count() + usize::from(!results.passed);
    let name = if results.demand.name.is_empty() { "kvota load" } else { &results.demand.name };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" \
         failures=\"{failed}\" time=\"{}\">\n",
        escaped(name),
        results.thresholds.len() + 1,
        results.duration_s
    );
    let mut case = |name: &str, failure: Option<String>| {
        let name = escaped(name);
        // Writing to a string cannot fail.
        let _ = match failure {
            None => writeln!(text, "    <testcase classname=\"kvota.load\" name=\"{name}\"/>"),
            Some(failure) => writeln!(
                text,
                "    <testcase classname=\"kvota.load\" name=\"{name}\"><failure message=\"{}\"/></testcase>",
                escaped(&failure)
            ),
        };
    };
    case("verdict", (!results.passed).then(|| verdict_text(results)));
    for it in &results.thresholds {
        let value = it.value.map_or_else(|| "not measured".to_owned(), |value| value.to_string());
        case(&it.name, (!it.passed).then(|| format!("{value}, limit {}", it.limit)));
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Sends each second to a collector of OpenTelemetry, as OTLP over HTTP with JSON. A collector that is slow or gone
/// delays nothing: its seconds are dropped and counted.
#[derive(Debug)]
pub struct Exporter {
    queue: Option<SyncSender<String>>,
    thread: Option<JoinHandle<Exported>>,
    attributes: Vec<Value>,
    dropped: u64,
}

/// What became of the exports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Exported {
    sent: u64,
    failed: u64,
    cause: String,
}

impl Exporter {
    /// An exporter to this address, such as `http://127.0.0.1:4318/v1/metrics`.
    ///
    /// # Errors
    /// The address is invalid, or there is no thread.
    pub fn start(url: &str, name: &str, tags: &BTreeMap<String, String>) -> Result<Exporter, String> {
        let (host, path) = match url.trim_start_matches("http://").split_once('/') {
            Some((host, path)) => (host, format!("/{path}")),
            None => (url.trim_start_matches("http://"), "/v1/metrics".to_owned()),
        };
        let target = Target::parse(&format!("http://{host}")).map_err(|wrong| wrong.to_string())?;
        let text = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
        let mut attributes = vec![text("service.name", "kvota-load"), text("test.name", name)];
        attributes.extend(tags.iter().map(|(key, value)| text(key, value)));
        let (queue, waiting) = sync_channel(WAITING_MAX);
        let thread = std::thread::Builder::new().name("load-export".to_owned());
        let thread = thread.spawn(move || export(target, &path, &waiting)).map_err(|error| error.to_string())?;
        Ok(Exporter { queue: Some(queue), thread: Some(thread), attributes, dropped: 0 })
    }

    /// Sends a second that ended at this time, in ms since the epoch.
    pub fn send(&mut self, point: &Point, at_ms: i64) {
        let Some(queue) = &self.queue else { return };
        if queue.try_send(body(point, at_ms, &self.attributes).to_string()).is_err() {
            self.dropped += 1;
        }
    }

    /// Waits for the last export; a warning if some were lost.
    pub fn end(mut self) -> Option<String> {
        drop(self.queue.take());
        let exported = self.thread.take()?.join().unwrap_or_default();
        let lost = exported.failed + self.dropped;
        (lost > 0).then(|| {
            format!("{lost} of {} seconds were not exported by OTLP: {}", lost + exported.sent, exported.cause)
        })
    }
}

fn export(target: Target, path: &str, waiting: &Receiver<String>) -> Exported {
    let mut exported = Exported::default();
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return exported };
    let mut line = Line::new(Endpoint { target, local: None, receive_bytes: None });
    while let Ok(body) = waiting.recv() {
        match runtime.block_on(line.call(&Request::post(path, &body, EXPORT_LIMIT))) {
            Ok(answer) if answer.status == 200 => exported.sent += 1,
            Ok(answer) => {
                exported.failed += 1;
                exported.cause = format!("status {}", answer.status);
            }
            Err(fault) => {
                exported.failed += 1;
                exported.cause = fault.to_string();
            }
        }
    }
    exported
}

/// A second as OTLP.
fn body(point: &Point, at_ms: i64, attributes: &[Value]) -> Value {
    let time = format!("{at_ms}000000");
    let gauge = |name: &str, unit: &str, points: Vec<Value>| json!({"name": format!("kvota.load.{name}"), "unit": unit, "gauge": {"dataPoints": points}});
    let one = |value: f64| vec![json!({"timeUnixNano": time, "asDouble": value})];
    let mut metrics = vec![
        gauge("connections", "{connection}", one(point.connections as f64)),
        gauge("planned", "{session}", one(point.planned as f64)),
        gauge("frames", "{frame}/s", one(point.frames as f64)),
        gauge("messages", "{message}/s", one(point.messages as f64)),
        gauge("received", "By/s", one(point.bytes as f64)),
        gauge("commands", "{command}/s", one(point.commands as f64)),
        gauge("calls", "{call}/s", one(point.calls as f64)),
        gauge("bets", "{bet}/s", one(point.bets as f64)),
        gauge("errors", "{error}/s", one(point.errors.values().sum::<u64>() as f64)),
        gauge("tester.cores", "{core}", one(point.generator_cores)),
        gauge("tester.late", "ms", one(point.generator_late_ms)),
    ];
    if let (Some(cores), Some(rss)) = (point.server_cores, point.server_rss_bytes) {
        metrics.push(gauge("server.cores", "{core}", one(cores)));
        metrics.push(gauge("server.memory", "By", one(rss as f64)));
    }
    let text = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
    let values = point.latency.iter().flat_map(|(name, values)| {
        ["0.5", "0.9", "0.99", "1"].into_iter().zip(values).map(|(quantile, value)| {
            json!({"timeUnixNano": time, "asDouble": value, "attributes": [text("latency", name), text("quantile", quantile)]})
        })
    });
    metrics.push(gauge("latency", "ms", values.collect()));
    json!({"resourceMetrics": [{
        "resource": {"attributes": attributes},
        "scopeMetrics": [{"scope": {"name": "kvota-load"}, "metrics": metrics}],
    }]})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{ThresholdResult, Verdict};
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    fn point() -> Point {
        let latency = BTreeMap::from([("bet".to_owned(), [1.0, 2.0, 3.5, 4.0])]);
        let errors = BTreeMap::from([("hub: closed".to_owned(), 2)]);
        Point { t: 3, connections: 10, latency, errors, ..Point::default() }
    }

    #[test]
    fn csv_has_a_cell_for_each_column() {
        let text = csv(&Results { series: vec![point()], ..Results::default() });
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(rows[0].len(), rows[1].len());
        let cell = |name: &str| rows[1][rows[0].iter().position(|column| *column == name).expect("a column")];
        assert_eq!([cell("t"), cell("errors"), cell("bet_p99_ms"), cell("offer_max_ms")], ["3", "2", "3.5", ""]);
    }

    #[test]
    fn junit_has_a_case_for_each_threshold() {
        let threshold = |name: &str, passed| ThresholdResult {
            name: name.to_owned(),
            is_default: false,
            limit: 5.0,
            value: Some(7.5),
            passed,
        };
        let results = Results {
            verdict: Verdict::Failed,
            reasons: vec!["a < b".to_owned()],
            thresholds: vec![threshold("errors", false), threshold("frames_min", true)],
            ..Results::default()
        };
        let text = junit(&results);
        assert!(text.contains("tests=\"3\" failures=\"2\""), "{text}");
        assert!(text.contains("<failure message=\"7.5, limit 5\"/>") && text.contains("a &lt; b"), "{text}");
    }

    #[test]
    fn seconds_are_sent_as_otlp_and_a_missing_collector_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/v1/metrics", listener.local_addr().expect("an address"));
        let mut exporter = Exporter::start(&url, "evening", &BTreeMap::new()).expect("an exporter");
        exporter.send(&point(), 1_700_000_000_000);
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut request = String::new();
        let mut buffer = [0; 4096];
        while !request.ends_with("\"kvota-load\"}}]}]}") {
            let read = stream.read(&mut buffer).expect("a request");
            assert!(read > 0, "the request ended early: {request}");
            request.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").expect("an answer");
        assert!(request.starts_with("POST /v1/metrics HTTP/1.1"), "{request}");
        let body: Value =
            serde_json::from_str(&request[request.find("{\"resourceMetrics").expect("a body")..]).expect("JSON");
        assert_eq!(body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][0]["name"], "kvota.load.connections");
        assert_eq!(exporter.end(), None);

        drop((stream, listener));
        let mut exporter = Exporter::start(&url, "", &BTreeMap::new()).expect("an exporter");
        exporter.send(&point(), 0);
        let warning = exporter.end().expect("a warning");
        assert!(warning.starts_with("1 of 1 seconds"), "{warning}");
    }
}
