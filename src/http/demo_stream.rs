//! GET /demo/live.m3u8: demo video for recorded matches. A built-in loop is served as a live HLS stream, so that no
//! provider is needed. The playlist is a window that moves over the loop with the server's clock, so a player meets
//! what a real stream has: dates, a delay, discontinuities. The segments are in `data/demo-stream`
//! (`scripts/make-demo-stream.sh`).

use super::AppState;
use super::error::ApiError;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpResponse, web};
use std::fmt::Write;
use std::sync::LazyLock;

/// The address of the playlist.
pub(crate) const PATH: &str = "/demo/live.m3u8";

/// The file with the loop's own playlist.
const LOOP: &str = "loop.m3u8";
/// Segments in the window: enough for a player to start and to keep its buffer filled.
const WINDOW: i64 = 5;

/// A segment of the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Segment {
    file: String,
    length_ms: i64,
}

/// The loop: its `EXT-X-MAP` line, if any, and its segments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Loop {
    head: Option<String>,
    segments: Vec<Segment>,
}

#[derive(rust_embed::Embed)]
#[folder = "data/demo-stream"]
struct Files;

static BUILT_IN: LazyLock<Loop> = LazyLock::new(|| {
    let file = Files::get(LOOP).map(|file| file.data);
    file.map(|bytes| Loop::read(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
});

/// 200; 404 if the demo video is disabled.
pub(crate) async fn playlist(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let playlist = BUILT_IN.playlist((state.now_ms)()).filter(|_| state.has_demo_stream);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/vnd.apple.mpegurl"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(playlist.ok_or(ApiError::NotFound)?))
}

/// A segment of the loop: 200 or 404. Cached for four hours only, because another version may cut the loop differently.
pub(crate) async fn piece(name: web::Path<String>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let is_piece = state.has_demo_stream && (name.ends_with(".m4s") || name.ends_with(".mp4"));
    let file = Files::get(&name).filter(|_| is_piece).ok_or(ApiError::NotFound)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "video/mp4"))
        .insert_header((CACHE_CONTROL, "public, max-age=14400"))
        .body(file.data.into_owned()))
}

impl Loop {
    fn read(text: &str) -> Loop {
        let mut found = Loop::default();
        let mut length_ms = None;
        for line in text.lines().map(str::trim) {
            if let Some(length) = line.strip_prefix("#EXTINF:") {
                let seconds = length.split(',').next().unwrap_or_default();
                length_ms = seconds.parse::<f64>().ok().map(|seconds| (seconds * 1000.0).round() as i64);
            } else if line.starts_with("#EXT-X-MAP:") {
                found.head = Some(line.to_owned());
            } else if !line.is_empty() && !line.starts_with('#') {
                let length_ms = length_ms.take().filter(|length_ms| *length_ms > 0);
                found.segments.extend(length_ms.map(|length_ms| Segment { file: line.to_owned(), length_ms }));
            }
        }
        found
    }

    /// The window at `now_ms`. The loop repeats without a gap since 1970.
    fn playlist(&self, now_ms: i64) -> Option<String> {
        let number = i64::try_from(self.segments.len()).ok().filter(|number| *number > 0)?;
        let round_ms: i64 = self.segments.iter().map(|segment| segment.length_ms).sum();
        let (round, mut left_ms) = (now_ms.div_euclid(round_ms), now_ms.rem_euclid(round_ms));
        // The first segment that has not ended.
        let running = self.segments.iter().position(|segment| {
            let is_running = left_ms < segment.length_ms;
            left_ms -= if is_running { 0 } else { segment.length_ms };
            is_running
        });
        let end = round * number + i64::try_from(running?).ok()?;
        let first = end - WINDOW;
        let longest_ms = self.segments.iter().map(|segment| segment.length_ms).max()?;
        let mut out = String::from("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n");
        // Each round of the loop begins with a discontinuity. This counts those before the first segment, without its
        // own.
        let seams = (first - 1).div_euclid(number) + 1;
        // Writing into a string cannot fail.
        let _ = writeln!(out, "#EXT-X-TARGETDURATION:{}", (longest_ms + 999) / 1000);
        let _ = writeln!(out, "#EXT-X-MEDIA-SEQUENCE:{first}\n#EXT-X-DISCONTINUITY-SEQUENCE:{seams}");
        let mut at_ms = now_ms - left_ms - self.length_ms(first, end);
        for place in first..end {
            let (index, segment) = self.segment(place)?;
            if index == 0 {
                out.push_str("#EXT-X-DISCONTINUITY\n");
            }
            if let (true, Some(head)) = (index == 0 || place == first, &self.head) {
                out.push_str(head);
                out.push('\n');
            }
            let _ = writeln!(out, "#EXT-X-PROGRAM-DATE-TIME:{}", date_time(at_ms));
            let (seconds, thousandths) = (segment.length_ms / 1000, segment.length_ms % 1000);
            let _ = writeln!(out, "#EXTINF:{seconds}.{thousandths:03},\n{}", segment.file);
            at_ms += segment.length_ms;
        }
        Some(out)
    }

    fn segment(&self, place: i64) -> Option<(i64, &Segment)> {
        let number = i64::try_from(self.segments.len()).ok()?;
        let index = place.checked_rem_euclid(number)?;
        Some((index, self.segments.get(usize::try_from(index).ok()?)?))
    }

    fn length_ms(&self, from: i64, until: i64) -> i64 {
        (from..until).filter_map(|place| self.segment(place)).map(|(_, segment)| segment.length_ms).sum()
    }
}

/// A time in UTC as RFC 3339 text, with milliseconds.
fn date_time(ms: i64) -> String {
    let (day, in_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (year, month, date) = civil(day);
    let (hours, minutes) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (seconds, thousandths) = (in_day / 1000 % 60, in_day % 1000);
    format!("{year:04}-{month:02}-{date:02}T{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}Z")
}

/// Year, month and day of the month from days since 1970. Internally the year begins in March, so that the leap day is
/// its last day.
fn civil(day: i64) -> (i64, i64, i64) {
    let since = day + 719_468;
    let (era, of_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let date = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#EXTM3U\n#EXT-X-MAP:URI=\"head.mp4\"\n#EXTINF:4.000000,\na.m4s\n#EXTINF:4.0,\nb.m4s\n#EXTINF:2.5,\nc.m4s\n#EXT-X-ENDLIST\n";

    #[test]
    fn loop_is_parsed_from_its_playlist() {
        let read = Loop::read(TEXT);
        assert_eq!(read.head.as_deref(), Some("#EXT-X-MAP:URI=\"head.mp4\""));
        let lengths: Vec<_> = read.segments.iter().map(|it| (it.file.as_str(), it.length_ms)).collect();
        assert_eq!(lengths, [("a.m4s", 4_000), ("b.m4s", 4_000), ("c.m4s", 2_500)]);
        assert_eq!(Loop::read("#EXTM3U\nx.m4s\n").playlist(0), None, "a segment without a length is none");
    }

    #[test]
    fn window_lists_finished_segments_with_dates_and_discontinuities() {
        // Round 100 begins at 1,050 s; 9 s later the third segment is running.
        let playlist = Loop::read(TEXT).playlist(1_059_000).unwrap();
        let lines: Vec<&str> = playlist.lines().skip(3).collect();
        assert_eq!(
            lines,
            [
                "#EXT-X-TARGETDURATION:4",
                "#EXT-X-MEDIA-SEQUENCE:297",
                "#EXT-X-DISCONTINUITY-SEQUENCE:99",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-MAP:URI=\"head.mp4\"",
                "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:17:19.500Z",
                "#EXTINF:4.000,",
                "a.m4s",
                "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:17:23.500Z",
                "#EXTINF:4.000,",
                "b.m4s",
                "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:17:27.500Z",
                "#EXTINF:2.500,",
                "c.m4s",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-MAP:URI=\"head.mp4\"",
                "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:17:30.000Z",
                "#EXTINF:4.000,",
                "a.m4s",
                "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:17:34.000Z",
                "#EXTINF:4.000,",
                "b.m4s",
            ]
        );
    }

    #[test]
    fn consecutive_windows_agree_on_each_segment() {
        let read = Loop::read(TEXT);
        let mut seen = std::collections::BTreeMap::new();
        for now_ms in (1_000_000..1_060_000).step_by(500) {
            let playlist = read.playlist(now_ms).unwrap();
            let number = |name: &str| -> i64 {
                playlist.lines().find_map(|line| line.strip_prefix(name)).unwrap().parse().unwrap()
            };
            let (mut place, mut seams) = (number("#EXT-X-MEDIA-SEQUENCE:"), number("#EXT-X-DISCONTINUITY-SEQUENCE:"));
            let mut date = "";
            for line in playlist.lines() {
                seams += i64::from(line == "#EXT-X-DISCONTINUITY");
                date = line.strip_prefix("#EXT-X-PROGRAM-DATE-TIME:").unwrap_or(date);
                if !line.starts_with('#') {
                    let segment = (line.to_owned(), seams, date.to_owned());
                    assert_eq!(seen.entry(place).or_insert_with(|| segment.clone()), &segment, "segment {place}");
                    place += 1;
                }
            }
        }
    }

    #[test]
    fn dates_are_formatted_as_rfc_3339() {
        for (ms, date) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_735_689_600_000, "2025-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(date_time(ms), date);
        }
    }
}
