//! Shows the progress of a load test: a panel in a terminal, else a line at intervals; and the summary at the end. Must
//! write only to the given output; called by `command.rs`.

use super::Progress;
use super::results::{HostileResult, Latency, Point, Results, Verdict};
use super::tally::{Count, Timing};
use std::fmt::Write as _;
use std::io;

/// Interval of lines without a terminal, in seconds.
const LINE_EVERY: u64 = 5;
/// Seconds that the small curves show.
const CURVE: usize = 48;
/// The heights in the small curves.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The progress display.
#[derive(Debug)]
pub struct Panel<W> {
    out: W,
    is_terminal: bool,
    target: String,
    lines_drawn: usize,
    connections: Vec<f64>,
    deliveries: Vec<f64>,
    feed_p99: Vec<f64>,
}

impl<W: io::Write> Panel<W> {
    /// Draws to `out`, and redraws in place if that is a terminal.
    pub fn new(out: W, is_terminal: bool, target: String) -> Panel<W> {
        Panel {
            out,
            is_terminal,
            target,
            lines_drawn: 0,
            connections: Vec::new(),
            deliveries: Vec::new(),
            feed_p99: Vec::new(),
        }
    }

    /// Shows the progress. The run continues if this fails.
    pub fn show(&mut self, progress: &Progress<'_>) {
        let text = match progress {
            Progress::Accounts { opened, wanted, .. } if self.is_terminal => {
                self.lines_drawn = 1;
                format!("\r\x1b[Kopening accounts: {opened} of {wanted}{}", if opened == wanted { "\n" } else { "" })
            }
            // Registering costs the server a password hash: many accounts take a while.
            Progress::Accounts { known, opened, wanted } if is_shown(*opened - *known, *wanted - *known) => {
                format!("{} of {} accounts opened\n", opened - known, wanted - known)
            }
            Progress::Accounts { known, opened, .. } if known == opened && *known > 0 => {
                format!("{known} accounts of an earlier run are used again\n")
            }
            Progress::Accounts { .. } => return,
            Progress::SoFar(_) => return,
            Progress::Second { point, so_far, length, is_server_gone } => {
                let feed = point.latency.get(Timing::FeedToClient.name()).copied().unwrap_or_default();
                self.connections.push(point.connections as f64);
                self.deliveries.push(point.messages as f64);
                self.feed_p99.push(feed[2]);
                if self.is_terminal {
                    self.drawn(point, so_far, length.as_secs(), *is_server_gone)
                } else if point.t.is_multiple_of(LINE_EVERY) {
                    line(point, length.as_secs(), *is_server_gone)
                } else {
                    return;
                }
            }
        };
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }

    fn drawn(&mut self, point: &Point, so_far: &super::tally::Tally, length: u64, is_server_gone: bool) -> String {
        let done = (point.t + 1).min(length.max(1));
        let bar = usize::try_from(done * 30 / length.max(1)).unwrap_or_default().min(30);
        let mut lines = vec![
            format!(
                "kvota load  {}   {} / {}  [{}{}]",
                self.target,
                clock(done),
                clock(length),
                "=".repeat(bar),
                " ".repeat(30 - bar)
            ),
            String::new(),
            format!("connections {:>9}  of {:<9} {}", point.connections, point.planned, curve(&self.connections)),
            format!("messages/s  {:>9}  {:>7} KB/s {}", point.messages, point.bytes / 1000, curve(&self.deliveries)),
            format!(
                "feed p99    {:>6.1} ms {:<12} {}",
                self.feed_p99.last().copied().unwrap_or_default(),
                "",
                curve(&self.feed_p99)
            ),
            String::new(),
            format!("{:<16}{:>10}{:>10}{:>10}{:>10}", "ms, this second", "p50", "p90", "p99", "max"),
        ];
        for timing in Timing::ALL {
            if let Some([p50, p90, p99, max]) = point.latency.get(timing.name()) {
                lines.push(format!(
                    "{:<16}{p50:>10.1}{p90:>10.1}{p99:>10.1}{max:>10.1}",
                    timing.name().replace('_', " ")
                ));
            }
        }
        let bets = [Count::BetsTaken, Count::BetsRefused].map(|count| so_far.of(count));
        lines.push(String::new());
        lines.push(format!("bets        {:>9} taken, {} refused", bets[0], bets[1]));
        if let (Some(cores), Some(rss)) = (point.server_cores, point.server_rss_bytes) {
            lines.push(format!("server      {:>8.0} % of a core, {:.0} MB", cores * 100.0, rss as f64 / 1e6));
        } else if is_server_gone {
            lines.push("server      its process has ended".to_owned());
        }
        lines.push(format!(
            "load tester {:>8.0} % of a core, its clock {:.1} ms late (p99)",
            point.generator_cores * 100.0,
            point.generator_late_ms
        ));
        let errors: u64 = so_far.errors.values().sum();
        lines.push(format!("errors      {errors:>9}"));
        let mut kinds: Vec<(&String, &u64)> = so_far.errors.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        lines.extend(kinds.iter().take(4).map(|(kind, count)| format!("  {count:>7}  {kind}")));
        let up = if self.lines_drawn > 0 { format!("\x1b[{}A\r", self.lines_drawn) } else { String::new() };
        self.lines_drawn = lines.len();
        // Clears the rest of each line, and the lines below that a longer panel left.
        let body: String = lines.iter().map(|line| format!("{line}\x1b[K\n")).collect();
        format!("{up}{body}\x1b[J")
    }
}

fn clock(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn curve(values: &[f64]) -> String {
    let shown = &values[values.len().saturating_sub(CURVE)..];
    let most = shown.iter().copied().fold(0.0, f64::max);
    let height = |value: f64| if most > 0.0 { (value / most * 7.0).round() as usize } else { 0 };
    shown.iter().map(|value| BLOCKS[height(*value).min(7)]).collect()
}

/// Every 50 accounts, and all of them.
fn is_shown(opened: u32, wanted: u32) -> bool {
    wanted > 0 && (opened == wanted || opened % 50 < 4 && opened >= 4)
}

/// The same data on one line, for a log.
fn line(point: &Point, length: u64, is_server_gone: bool) -> String {
    let mut text = format!(
        "{:>5} of {length} s: {} connections, {} frames/s, {} messages/s",
        point.t + 1,
        point.connections,
        point.frames,
        point.messages
    );
    // Writing to a string cannot fail.
    if let Some([p50, _, p99, _]) = point.latency.get(Timing::FeedToClient.name()) {
        let _ = write!(text, ", feed to client {p50:.1} / {p99:.1} ms (p50 / p99)");
    }
    if let (Some(cores), Some(rss)) = (point.server_cores, point.server_rss_bytes) {
        let _ = write!(text, ", server {:.0} % and {:.0} MB", cores * 100.0, rss as f64 / 1e6);
    } else if is_server_gone {
        text.push_str(", the server's process has ended");
    }
    let errors: u64 = point.errors.values().sum();
    if errors > 0 {
        let _ = write!(text, ", {errors} errors");
    }
    text.push('\n');
    text
}

/// The results as a text for the end of a run.
pub fn summary(results: &Results) -> String {
    let mut text = format!(
        "\n{:<16}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>14}\n",
        "ms", "count", "p50", "p90", "p99", "p99.9", "max", "uncorr. p99"
    );
    for timing in Timing::ALL {
        let Some(Latency { felt, uncorrected }) = results.latency.get(timing.name()) else { continue };
        let _ = writeln!(
            text,
            "{:<16}{:>10}{:>10.1}{:>10.1}{:>10.1}{:>10.1}{:>10.1}{:>14.1}",
            timing.name().replace('_', " "),
            felt.count,
            felt.p50,
            felt.p90,
            felt.p99,
            felt.p999,
            felt.max,
            uncorrected.p99
        );
    }
    let count = |count: Count| results.counts.get(count.name()).copied().unwrap_or_default();
    let _ = writeln!(
        text,
        "\n{} sessions, {} connections at most; {} frames with {} messages; {} commands, {} calls",
        results.demand.sessions,
        results.connections_max,
        count(Count::Frames),
        count(Count::Messages),
        count(Count::Commands),
        count(Count::Calls)
    );
    if count(Count::BetsSent) > 0 {
        let _ = writeln!(
            text,
            "bets: {} sent: {} taken, {} refused, {} failed, {} without an outcome when their session left; {} calls repeated",
            count(Count::BetsSent),
            count(Count::BetsTaken),
            count(Count::BetsRefused),
            count(Count::BetsFailed),
            count(Count::BetsLeft),
            count(Count::BetsRepeated)
        );
    }
    let found = &results.convergence;
    let _ = writeln!(
        text,
        "convergence: {} comparisons by {} sampled connections; {} differed, {} gaps, {} late",
        found.compared, found.sessions, found.mismatches, found.gaps, found.late
    );
    found.examples.iter().for_each(|example| text.push_str(&format!("  {example}\n")));
    for storm in &results.storms {
        let _ = writeln!(
            text,
            "storm at {:.0} s: {} cut, {} back, half after {:.1} s, the last after {:.1} s",
            storm.at_s,
            storm.cut,
            storm.back,
            storm.half_back_ms / 1000.0,
            storm.last_back_ms / 1000.0
        );
    }
    if let Some(server) = &results.server {
        let _ = writeln!(
            text,
            "server (pid {}{}): {:.2} cores on average, {:.1} us a frame, {:.0} MB at most, {} files open at most, {} at the end",
            server.pid,
            if server.ended > 0 { format!("; its process ended {} times", server.ended) } else { String::new() },
            server.cores_mean,
            server.us_per_frame,
            server.rss_max_bytes as f64 / 1e6,
            server.files_max,
            server.files_end
        );
    }
    if let Some(hostile) = &results.hostile {
        summarise_hostile(&mut text, hostile);
    }
    for refusal in results.refusals.iter().take(12) {
        let _ = writeln!(text, "  {:>7}  bet refused: {}", refusal.count, refusal.kind);
    }
    let all: u64 = results.errors.iter().map(|error| error.count).sum();
    let _ = writeln!(text, "errors: {all}");
    results.errors.iter().take(12).for_each(|error| text.push_str(&format!("  {:>7}  {}\n", error.count, error.kind)));
    for warning in &results.generator.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    for it in &results.thresholds {
        let sign = if it.passed { "ok  " } else { "FAIL" };
        let value = it.value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.1}"));
        let usual = if it.is_default { ", the usual one" } else { "" };
        let _ = writeln!(text, "{sign} {} = {value} (limit {}{usual})", it.name, it.limit);
    }
    let _ = writeln!(text, "verdict: {}", verdict_text(results));
    text
}

/// The verdict with its reasons.
pub fn verdict_text(results: &Results) -> String {
    let verdict = match results.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Aborted => "aborted",
        Verdict::Interrupted => "interrupted",
        Verdict::Crashed => "crashed",
        Verdict::Unfinished => "unfinished",
    };
    if results.reasons.is_empty() { verdict.to_owned() } else { format!("{verdict}: {}", results.reasons.join("; ")) }
}

fn summarise_hostile(text: &mut String, hostile: &HostileResult) {
    let _ = writeln!(text, "hostile clients: {}, {:.2} cores; counted apart", hostile.clients, hostile.cores_mean);
    for (name, kind) in &hostile.kinds {
        let rejections: Vec<String> = kind.rejections.iter().map(|(code, count)| format!("{count} x {code}")).collect();
        let errors: u64 = kind.errors.iter().map(|error| error.count).sum();
        let _ = writeln!(
            text,
            "  {name:<10} {} actions, {} answered, p50 {:.1} ms, p99 {:.1} ms; rejections: {}; other errors: {errors}",
            kind.actions,
            kind.answered,
            kind.latency.felt.p50,
            kind.latency.felt.p99,
            rejections.join(", ")
        );
    }
    for (name, slowdown) in &hostile.slowdown {
        let _ = writeln!(
            text,
            "  with them {} is slower by {:.1} % (p50) and {:.1} % (p99), the medians of {} pairs of windows",
            name.replace('_', " "),
            slowdown.p50_percent,
            slowdown.p99_percent,
            slowdown.p99_pairs.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Tally;
    use std::time::Duration;

    fn shown(is_terminal: bool, seconds: u64) -> String {
        let mut out = Vec::new();
        let mut panel = Panel::new(&mut out, is_terminal, "http://127.0.0.1:1".to_owned());
        let mut tally = Tally::default();
        tally.error("hub: closed".to_owned());
        for t in 0..seconds {
            let point = Point { t, connections: t * 10, ..Point::default() };
            panel.show(&Progress::Second {
                point: &point,
                so_far: &tally,
                length: Duration::from_secs(60),
                is_server_gone: false,
            });
        }
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn without_a_terminal_there_are_plain_lines() {
        let text = shown(false, 11);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(!text.contains('\x1b') && text.contains("100 connections"), "{text}");
    }

    #[test]
    fn in_a_terminal_the_panel_is_drawn_over_itself() {
        let text = shown(true, 2);
        let lines = text.split("\x1b[J").next().unwrap_or_default().lines().count();
        assert!(text.contains(&format!("\x1b[{lines}A")), "{text:?}");
        assert!(text.contains("1  hub: closed"), "{text}");
    }

    #[test]
    fn a_curve_is_as_high_as_its_largest_value() {
        assert_eq!(curve(&[0.0, 7.0, 14.0]), "▁▅█");
        assert_eq!(curve(&[0.0]), "▁");
    }
}
