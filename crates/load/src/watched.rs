//! The server's process during a run: what it uses each second, and whether it ends or another takes its place. Used by
//! `collect.rs`; reads only `process.rs`.

use super::collect::round;
use super::process::{self, Usage};
use super::results::{Point, ServerResult};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::Instant;

/// No slope of the memory is reported for shorter runs.
const SLOPE_SECONDS_MIN: usize = 60;

/// A look at a process.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: Instant,
    pid: u32,
    usage: Usage,
}

/// What a process used in the last second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct LastSecond {
    pub(super) cores: f64,
    pub(super) rss_bytes: u64,
    pub(super) files: Option<u64>,
}

/// The server's process.
#[derive(Debug)]
pub(super) struct Watched {
    address: SocketAddr,
    pid: Option<u32>,
    is_gone: bool,
    ended: u64,
    looks: Vec<Look>,
    used: Duration,
}

impl Watched {
    /// The process with this id, or the one on this machine that listens at the address.
    pub(super) fn new(pid: Option<u32>, address: SocketAddr) -> Watched {
        let pid = pid.or_else(|| listener(address));
        Watched { address, pid, is_gone: false, ended: 0, looks: Vec::new(), used: Duration::ZERO }
    }

    /// Reads its usage. If it has ended, looks for the process that took its place.
    pub(super) fn look(&mut self) {
        let Some(pid) = self.pid else { return };
        if let Some(usage) = process::usage(pid) {
            let before = self.looks.last().filter(|look| look.pid == pid).map(|look| look.usage.cpu);
            self.used += usage.cpu.saturating_sub(before.unwrap_or(usage.cpu));
            self.looks.push(Look { at: Instant::now(), pid, usage });
            return;
        }
        if !self.is_gone && self.was_found() {
            (self.is_gone, self.ended) = (true, self.ended + 1);
        }
        if let Some(next) = listener(self.address).filter(|next| *next != pid) {
            (self.pid, self.is_gone) = (Some(next), false);
            self.look();
        }
    }

    /// Whether a process was seen at all.
    pub(super) fn was_found(&self) -> bool {
        !self.looks.is_empty()
    }

    /// Whether it has ended and no other has taken its place.
    pub(super) fn is_gone(&self) -> bool {
        self.is_gone
    }

    /// The cores of this machine.
    pub(super) fn machine_cores(&self) -> u64 {
        process::machine().cores
    }

    /// Its usage between the last two looks.
    pub(super) fn last_second(&self) -> Option<LastSecond> {
        let [.., before, now] = self.looks[..] else { return None };
        if self.is_gone || before.pid != now.pid {
            return None;
        }
        let cpu = now.usage.cpu.saturating_sub(before.usage.cpu).as_secs_f64();
        let cores = cpu / now.at.duration_since(before.at).as_secs_f64();
        Some(LastSecond { cores, rss_bytes: now.usage.rss_bytes, files: now.usage.files })
    }

    /// The result, over these seconds with this number of frames.
    pub(super) fn result(&self, points: &[Point], frames: u64) -> Option<ServerResult> {
        let (first, last) = (self.looks.first()?, self.looks.last()?);
        let cores: Vec<f64> = points.iter().filter_map(|point| point.server_cores).collect();
        let usages = || self.looks.iter().map(|look| look.usage);
        Some(ServerResult {
            pid: last.pid,
            ended: self.ended,
            cores_mean: round(cores.iter().sum::<f64>() / cores.len().max(1) as f64),
            cores_max: cores.iter().copied().fold(0.0, f64::max),
            us_per_frame: round(self.used.as_secs_f64() * 1e6 / frames.max(1) as f64),
            rss_start_bytes: first.usage.rss_bytes,
            rss_max_bytes: usages().map(|usage| usage.rss_bytes).max().unwrap_or_default(),
            rss_slope_percent_per_10min: slope(points),
            files_max: usages().filter_map(|usage| usage.files).max().unwrap_or_default(),
            files_start: first.usage.files.unwrap_or_default(),
            files_end: last.usage.files.unwrap_or_default(),
        })
    }
}

/// The process on this machine that listens there, if it exists and may be read.
fn listener(address: SocketAddr) -> Option<u32> {
    process::listener(address).filter(|pid| *pid != std::process::id())
}

/// Growth of the memory in per cent per ten minutes: a linear fit to the second half of the run.
fn slope(points: &[Point]) -> f64 {
    let half: Vec<(f64, f64)> = points[points.len() / 2..]
        .iter()
        .filter_map(|point| Some((point.t as f64, point.server_rss_bytes? as f64)))
        .collect();
    if half.len() < SLOPE_SECONDS_MIN {
        return 0.0;
    }
    let count = half.len() as f64;
    let (mean_t, mean_rss) =
        (half.iter().map(|it| it.0).sum::<f64>() / count, half.iter().map(|it| it.1).sum::<f64>() / count);
    let above: f64 = half.iter().map(|(t, rss)| (t - mean_t) * (rss - mean_rss)).sum();
    let below: f64 = half.iter().map(|(t, _)| (t - mean_t).powi(2)).sum();
    round(above / below * 600.0 / mean_rss * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn memory_slope_is_per_cent_per_ten_minutes() {
        let point = |t: u64, rss: f64| Point { t, server_rss_bytes: Some(rss as u64), ..Point::default() };
        // Grows by ten per cent of its mean in ten minutes, after a jump in the first half.
        let points: Vec<Point> = (0..240)
            .map(|t| point(t, if t < 100 { 5e8 } else { 1e9 * (1.0 + 0.1 * (t as f64 - 180.0) / 600.0) }))
            .collect();
        assert!((9.9..10.1).contains(&slope(&points)), "{}", slope(&points));
        assert_eq!(slope(&points[..20]), 0.0);
    }

    #[test]
    fn process_that_ends_is_counted_once() {
        let mut child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().expect("a process");
        let mut watched = Watched::new(Some(child.id()), "127.0.0.1:1".parse().expect("an address"));
        watched.look();
        assert!(watched.was_found() && !watched.is_gone());
        child.kill().and_then(|()| child.wait()).expect("it ends");
        watched.look();
        watched.look();
        assert!(watched.is_gone());
        assert_eq!(watched.result(&[], 0).map(|server| server.ended), Some(1));
        assert_eq!(watched.last_second(), None);
    }
}
