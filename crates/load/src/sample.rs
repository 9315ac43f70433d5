//! A sampled session's copy of the offer, built only from frames and compared with a fresh GET, row by row at the GET's
//! revision (CONTRACT 3.1). A connection must lose nothing, so a gap in the revisions is a failure even if a resync
//! repairs it. Fed by `link.rs`, checked by `check.rs`.

use super::replica::{Replica, Row, market_array, row_of_object};
use super::results::Convergence;
use super::view::View;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::Instant;

/// How long frames may take to reach the revision of a GET.
const LATE: Duration = Duration::from_secs(10);
/// Tolerance for clocks: the GET and the feed both round to whole seconds.
const CLOCK_MS: i64 = 2_000;
/// Examples of failures that are kept.
const EXAMPLES: usize = 10;

/// The copy of one connection.
#[derive(Debug, Default)]
pub struct Sample {
    replica: Replica,
    is_loaded: bool,
    /// Frames that wait for the answer of a GET.
    waiting: Option<Vec<Value>>,
    /// The number of the comparison that they wait for; `None` if they wait for the whole offer.
    check: Option<u64>,
    checks_begun: u64,
    /// Rows of a GET that frames must reach.
    expected: BTreeMap<u64, (Row, Instant)>,
    /// Changed matches that the copy does not hold: they left before the GET, or were lost. The next message about them
    /// shows which.
    changed_unknown: BTreeSet<u64>,
    /// The current view of the session, as last requested. Other matches are dropped and not compared.
    view: View,
    /// Why rows of the view may be missing: the view was changed, and their state is not here yet.
    filling: Option<PendingRows>,
    /// The feed is down: when it is back, the session fetches the offer again.
    is_feed_down: bool,
    /// The sport of every match seen, to recognise late frames of matches that are no longer shown.
    sport_of: BTreeMap<u64, u64>,
}

/// The event after which no rows may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PendingRows {
    /// The acknowledgement of a `resync null` that is not sent yet.
    Unasked,
    /// The acknowledgement of this command.
    Ack(u64),
    /// The whole offer, fetched by HTTP.
    Load,
}

impl Sample {
    /// The copy of a connection that starts with this view.
    pub fn new(view: View) -> Sample {
        Sample { view, ..Sample::default() }
    }

    /// Processes a msgpack frame; returns the arguments of necessary resyncs.
    pub fn take(&mut self, frame: &[u8], now: Instant, found: &mut Convergence) -> Vec<Value> {
        let Ok(frame) = rmp_serde::from_slice::<Value>(frame) else { return Vec::new() };
        match &mut self.waiting {
            Some(waiting) => {
                waiting.push(frame);
                Vec::new()
            }
            None => self.apply(&frame, now, found),
        }
    }

    /// Called when a GET starts: frames wait from now on, so that the copy is never newer than the answer.
    pub fn hold(&mut self) {
        self.waiting.get_or_insert_default();
        self.check = None;
    }

    /// As [`Sample::hold`], for a comparison; returns its number. `None` during another GET, and before the offer is
    /// loaded.
    pub fn hold_for_check(&mut self) -> Option<u64> {
        if !self.is_loaded || self.waiting.is_some() {
            return None;
        }
        self.hold();
        self.checks_begun += 1;
        self.check = Some(self.checks_begun);
        self.check
    }

    /// Whether the comparison is still valid: the session has neither navigated nor loaded a new offer meanwhile.
    pub fn is_current(&self, check: u64) -> bool {
        self.check == Some(check)
    }

    /// Starts with the whole offer, then applies the frames that arrived meanwhile. False if the offer is that of another
    /// node and therefore no base for frames: then the caller must send `resync null`, and its number
    /// goes to [`Sample::set_pending_command`].
    pub fn load(&mut self, offer: &Value, now: Instant, found: &mut Convergence) -> bool {
        self.replica = Replica::default();
        self.expected.clear();
        self.changed_unknown.clear();
        self.replica.load_offer(offer);
        let sport_of = |(id, row): (&u64, &Row)| Some((*id, row.fields.get("sportId")?.as_u64()?));
        self.sport_of = self.replica.rows.iter().filter_map(sport_of).collect();
        self.is_loaded = true;
        let has_base = has_base(offer);
        self.filling = (!has_base).then_some(PendingRows::Unasked);
        if !has_base {
            self.replica.rows.clear();
        }
        self.show_rows_of_the_view();
        // Checksums from before the answer do not apply to it. Nor do late changes of matches that had left by then.
        let is_sum = |message: &Value| matches!(message[0].as_u64(), Some(11 | 12 | 14));
        for frame in self.waiting.take().unwrap_or_default() {
            let messages = frame.as_array().into_iter().flatten().filter(|message| !is_sum(message)).cloned();
            self.apply(&Value::Array(messages.collect()), now, &mut Convergence::default());
        }
        self.replica.gaps.clear();
        found.sessions += 1;
        has_base
    }

    /// Changes the view. Matches outside it are dropped at once; newly shown rows may be missing until the answer to a
    /// `resync null`, whose number goes to [`Sample::set_pending_command`]. Frames that wait for a comparison belong to
    /// the old view: they are applied now, and the comparison is cancelled. Returns the arguments of necessary resyncs.
    pub fn show(&mut self, view: View, now: Instant, found: &mut Convergence) -> Vec<Value> {
        let mut asked = Vec::new();
        if self.check.is_some() {
            found.passed_over += 1;
            asked = self.release(now, found);
        }
        if view.sport != self.view.sport {
            self.filling = Some(PendingRows::Unasked);
        }
        self.view = view;
        self.show_rows_of_the_view();
        asked
    }

    /// Sets the number of the command that requests the missing rows.
    pub fn set_pending_command(&mut self, n: u64) {
        self.filling = self.filling.map(|_| PendingRows::Ack(n));
    }

    fn show_rows_of_the_view(&mut self) {
        let (view, sport_of) = (self.view, &self.sport_of);
        let is_shown = |id: &u64| sport_of.get(id).is_none_or(|sport| view.shows(*id, *sport));
        self.replica.rows.retain(|id, _| is_shown(id));
        self.replica.details.retain(|id, _| view.open == Some(*id));
        self.expected.retain(|id, _| is_shown(id));
    }

    /// Whether the match belongs to a sport that is not shown.
    fn is_hidden(&self, id: u64) -> bool {
        self.sport_of.get(&id).is_some_and(|sport| !self.view.shows(id, *sport))
    }

    /// A match with a held detail.
    pub fn watched(&self) -> Option<u64> {
        self.replica.details.keys().next().copied()
    }

    /// The GET failed: applies the waiting frames.
    pub fn release(&mut self, now: Instant, found: &mut Convergence) -> Vec<Value> {
        self.check = None;
        let waiting = self.waiting.take().unwrap_or_default();
        waiting.iter().flat_map(|frame| self.apply(frame, now, found)).collect()
    }

    /// Compares the rows with those of a fresh GET, then applies the waiting frames.
    pub fn compare(&mut self, offer: &Value, now: Instant, found: &mut Convergence) -> Vec<Value> {
        if !has_base(offer) {
            found.passed_over += 1;
            return self.release(now, found);
        }
        found.checks += 1;
        self.overdue(now, found);
        let date_ms = offer["date"].as_i64().unwrap_or_default();
        let matches = offer["sports"].as_array().into_iter().flatten();
        for live_match in matches.flat_map(|sport| sport["matches"].as_array().into_iter().flatten()) {
            let (id, fresh) = row_of_object(live_match, date_ms);
            let is_shown = live_match["sportId"].as_u64().is_some_and(|sport| self.view.shows(id, sport));
            if !is_shown {
                continue;
            }
            // The match may leave before the state of the view is built; then it is never sent.
            if self.filling.is_some() && !self.replica.rows.contains_key(&id) {
                found.passed_over += 1;
                continue;
            }
            self.expected.insert(id, (fresh, now + LATE));
            self.compare_row(id, found);
        }
        self.release(now, found)
    }

    /// Compares the detail of a match with a fresh GET if both have the same revision, then applies the waiting frames.
    pub fn compare_detail(&mut self, id: u64, body: &Value, now: Instant, found: &mut Convergence) -> Vec<Value> {
        let revision = |name: &str| body[name].as_u64();
        match (self.replica.rows.get(&id), self.replica.details.get(&id)) {
            (Some(row), Some(detail))
                if Some(row.revision) == revision("revision")
                    && Some(detail.revision) == revision("detailRevision") =>
            {
                let markets = row.markets.iter().chain(&detail.markets);
                let mut by_id: BTreeMap<u64, &Value> =
                    markets.map(|market| (market[0].as_u64().unwrap_or_default(), market)).collect();
                let held: Vec<&Value> =
                    detail.layout.iter().filter_map(|id| by_id.remove(&id.as_u64().unwrap_or_default())).collect();
                let expected: Vec<Value> = body["markets"].as_array().into_iter().flatten().map(market_array).collect();
                found.compared += 1;
                found.details_compared += 1;
                if held != expected.iter().collect::<Vec<_>>() {
                    found.mismatches += 1;
                    example(found, || format!("match {id}: its detail differs at revision {}", detail.revision));
                }
            }
            _ => found.passed_over += 1,
        }
        self.release(now, found)
    }

    /// Counts expected rows that did not arrive in time.
    pub fn overdue(&mut self, now: Instant, found: &mut Convergence) {
        let late: Vec<u64> = self.expected.iter().filter(|(_, (_, by))| *by < now).map(|(id, _)| *id).collect();
        for id in late {
            let wanted = self.expected.remove(&id).map(|(row, _)| row.revision).unwrap_or_default();
            let held = self.replica.rows.get(&id).map(|row| row.revision);
            found.late += 1;
            example(found, || format!("match {id}: the GET had revision {wanted}, the frames led to {held:?}"));
        }
    }

    fn apply(&mut self, frame: &Value, now: Instant, found: &mut Convergence) -> Vec<Value> {
        let mut asked = Vec::new();
        for message in frame.as_array().into_iter().flatten() {
            let id = match message[0].as_u64() {
                Some(1) => {
                    if self.filling.is_some_and(|until| message[1].as_u64().map(PendingRows::Ack) == Some(until)) {
                        self.filling = None;
                    }
                    continue;
                }
                Some(0) => {
                    self.is_feed_down = message[3] == 0;
                    None
                }
                Some(2) => {
                    let was_down = std::mem::replace(&mut self.is_feed_down, message[1] == 0);
                    if was_down && !self.is_feed_down {
                        self.filling = Some(PendingRows::Load);
                    }
                    None
                }
                Some(3) => {
                    let id = message[1][0].as_u64();
                    if let (Some(id), Some(sport)) = (id, message[1][10].as_u64()) {
                        self.sport_of.insert(id, sport);
                    }
                    if id.is_some_and(|id| self.is_hidden(id)) {
                        continue;
                    }
                    if let Some(id) = id.filter(|id| self.changed_unknown.remove(id)) {
                        found.gaps += 1;
                        example(found, || format!("match {id}: it was changed before it was told"));
                    }
                    id
                }
                // The pending answer contains the whole match, or the match is no longer shown.
                Some(4) if message[1].as_u64().is_some_and(|id| self.is_unknown(id) && !self.is_missed(id)) => {
                    continue;
                }
                Some(4) if message[1].as_u64().is_some_and(|id| self.is_unknown(id)) => {
                    asked.extend(message[1].as_u64().filter(|id| self.changed_unknown.insert(*id)).map(Value::from));
                    continue;
                }
                // Its detail has not arrived yet: earlier changes do not apply.
                Some(5 | 12) if message[1].as_u64().is_none_or(|id| !self.replica.details.contains_key(&id)) => {
                    continue;
                }
                // The match was closed before its detail arrived. If it is opened again, the detail is sent again.
                Some(10) if message[1].as_u64() != self.view.open => continue,
                Some(4..=6) => message[1].as_u64(),
                Some(7 | 8 | 11) if !self.is_loaded => continue,
                // The checksum covers all rows of a sport.
                Some(11)
                    if self.filling.is_some() || !message[1].as_u64().is_some_and(|id| self.view.shows_sport(id)) =>
                {
                    continue;
                }
                // The session itself fetches the offer again.
                Some(14) => {
                    self.filling = Some(PendingRows::Load);
                    continue;
                }
                _ => None,
            };
            self.replica.apply(message);
            if let Some(id) = id {
                self.changed_unknown.remove(&id);
                self.compare_row(id, found);
            }
        }
        if self.replica.feed == 0 {
            self.expected.clear();
            self.changed_unknown.clear();
        }
        self.overdue(now, found);
        asked.extend(self.lost(found));
        asked
    }

    /// Whether a match that is missing in the copy should be there.
    fn is_missed(&self, id: u64) -> bool {
        self.filling.is_none() && !self.is_hidden(id)
    }

    fn is_unknown(&self, id: u64) -> bool {
        self.is_loaded && !self.replica.rows.contains_key(&id)
    }

    /// The detected losses, as arguments of resyncs.
    fn lost(&mut self, found: &mut Convergence) -> Vec<Value> {
        let mut gaps = std::mem::take(&mut self.replica.gaps);
        let is_lost = std::mem::take(&mut self.replica.is_lost);
        if !self.is_loaded {
            return Vec::new();
        }
        gaps.sort_unstable();
        gaps.dedup();
        // A late frame of an earlier view may have brought an old row, and the changes between were not watched.
        if self.filling.is_none() {
            found.gaps += gaps.len() as u64;
            for id in &gaps {
                example(found, || format!("match {id}: a change follows another revision than the one held"));
            }
        }
        found.gaps += u64::from(is_lost);
        if is_lost {
            example(found, || "the sums over a sport differ from what the frames led to".to_owned());
        }
        // More than 50 commands a second count as abuse.
        gaps.truncate(20);
        gaps.into_iter().map(|id| json!(id)).chain(is_lost.then_some(Value::Null)).collect()
    }

    /// Compares a row with the expected one, when it has reached that revision.
    fn compare_row(&mut self, id: u64, found: &mut Convergence) {
        let Some((expected, _)) = self.expected.get(&id) else { return };
        match self.replica.rows.get(&id) {
            Some(held) if held.revision < expected.revision => return,
            // The match arrives with a later frame.
            None if self.waiting.is_some() => return,
            Some(held) if held.revision == expected.revision => {
                found.compared += 1;
                if let Some(what) = difference(held, expected) {
                    found.mismatches += 1;
                    let revision = held.revision;
                    example(found, || format!("match {id}: {what} at revision {revision}"));
                }
            }
            _ => found.passed_over += 1,
        }
        self.expected.remove(&id);
    }
}

/// Whether changes can be applied to an offer: not to one of another node, and not to an answer without an offer (204). A
/// node that has just started may have no offer yet, although the node of the connection has one.
fn has_base(offer: &Value) -> bool {
    let Some(sports) = offer["sports"].as_array() else { return false };
    let mut matches = sports.iter().flat_map(|sport| sport["matches"].as_array().into_iter().flatten());
    matches.next().is_none_or(|first| first["revision"] != 0)
}

fn example(found: &mut Convergence, text: impl FnOnce() -> String) {
    if found.examples.len() < EXAMPLES {
        found.examples.push(text());
    }
}

/// The difference between two rows of the same revision.
fn difference(held: &Row, expected: &Row) -> Option<String> {
    if held.fields != expected.fields {
        let names = held.fields.keys().chain(expected.fields.keys());
        let name = names.into_iter().find(|name| held.fields.get(*name) != expected.fields.get(*name))?;
        let [here, there] = [held, expected].map(|row| row.fields.get(name).cloned().unwrap_or_default());
        return Some(format!("{name} is {here} by the frames and {there} by the GET"));
    }
    if held.markets != expected.markets {
        return Some("its markets differ".to_owned());
    }
    let is_same_clock = match (held.clock.as_i64(), expected.clock.as_i64()) {
        (Some(held), Some(expected)) => held.abs_diff(expected) <= CLOCK_MS.unsigned_abs(),
        _ => held.clock == expected.clock,
    };
    (!is_same_clock).then(|| format!("its clock is {} by the frames and {} by the GET", held.clock, expected.clock))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: View = View { sport: None, open: Some(7) };

    fn offer(revision: u64, price: f64) -> Value {
        json!({"date": 5, "sports": [{"id": 1, "name": "Soccer", "matches": [{
            "id": 7, "sportId": 1, "status": "first_half", "time": 60, "revision": revision, "detailRevision": 1,
            "markets": [{"id": 70, "type": 1, "odds": [{"id": 700, "type": "1", "value": price, "changed": 0}]}],
        }]}]})
    }

    fn frame(messages: Value) -> Vec<u8> {
        rmp_serde::to_vec(&messages).expect("msgpack")
    }

    /// A copy at revision 3 with the price 1.5, and its findings.
    fn loaded() -> (Sample, Convergence, Instant) {
        let (mut sample, mut found, now) = (Sample::default(), Convergence::default(), Instant::now());
        sample.hold();
        sample.load(&offer(3, 1.5), now, &mut found);
        sample.take(&frame(json!([[2, 2]])), now, &mut found);
        (sample, found, now)
    }

    #[tokio::test]
    async fn offer_of_another_node_is_no_base() {
        let (mut sample, mut found, now) = (Sample::default(), Convergence::default(), Instant::now());
        sample.hold();
        assert!(!sample.load(&offer(0, 1.5), now, &mut found));
        sample.set_pending_command(4);
        let change = frame(json!([[2, 2], [4, 7, 3, 0, 1750]]));
        assert_eq!(sample.take(&change, now, &mut found), [Value::Null; 0], "the pending answer contains it");
        sample.hold();
        sample.compare(&offer(0, 1.5), now, &mut found);
        assert_eq!((found.checks, found.gaps, found.mismatches), (0, 0, 0));
    }

    #[tokio::test]
    async fn matching_frames_are_no_failure() {
        let (mut sample, mut found, now) = loaded();
        sample.hold();
        assert_eq!(sample.take(&frame(json!([[13, 5], [4, 7, 3, 0, 1750]])), now, &mut found), [Value::Null; 0]);
        let mut fresh = offer(4, 1.75);
        fresh["sports"][0]["matches"][0]["markets"][0]["odds"][0]["changed"] = json!(1);
        sample.compare(&fresh, now, &mut found);
        assert_eq!((found.compared, found.failures()), (1, 0), "{found:?}");
    }

    #[tokio::test]
    async fn different_price_is_detected() {
        let (mut sample, mut found, now) = loaded();
        sample.hold();
        sample.compare(&offer(3, 1.6), now, &mut found);
        assert_eq!((found.compared, found.mismatches), (1, 1), "{found:?}");
    }

    #[tokio::test]
    async fn missing_frame_is_detected() {
        let (mut sample, mut found, now) = loaded();
        let asked = sample.take(&frame(json!([[13, 5], [4, 7, 4, 0, 1750]])), now, &mut found);
        assert_eq!((asked, found.gaps), (vec![json!(7)], 1), "{found:?}");
    }

    #[tokio::test]
    async fn late_change_of_a_removed_match_is_no_failure() {
        let (mut sample, mut found, now) = loaded();
        let late = frame(json!([[13, 5], [4, 99, 8, 0, 1750]]));
        assert_eq!(sample.take(&late, now, &mut found), [json!(99)], "it is asked for");
        assert_eq!(sample.take(&late, now, &mut found), [Value::Null; 0], "once");
        sample.take(&frame(json!([[13, 5], [6, 99]])), now, &mut found);
        assert_eq!(found.failures(), 0, "{found:?}");
    }

    #[tokio::test]
    async fn changes_before_the_offer_is_fetched_again_are_no_failure() {
        let (mut sample, mut found, now) = loaded();
        sample.take(&frame(json!([[2, 0]])), now, &mut found);
        let asked = sample.take(&frame(json!([[2, 2], [13, 5], [4, 99, 8, 0, 1750]])), now, &mut found);
        assert_eq!(asked, [Value::Null; 0], "the offer contains it");
        assert_eq!(found.failures(), 0, "{found:?}");
    }

    #[tokio::test]
    async fn match_that_was_never_sent_is_detected() {
        let (mut sample, mut found, now) = loaded();
        sample.take(&frame(json!([[13, 5], [4, 99, 8, 0, 1750]])), now, &mut found);
        let mut row = vec![Value::Null; 29];
        (row[0], row[6], row[28]) = (json!(99), json!([]), json!(9));
        sample.take(&frame(json!([[13, 5], [3, row, 5]])), now, &mut found);
        assert_eq!(found.gaps, 1, "{found:?}");
    }

    #[tokio::test]
    async fn overdue_frame_is_detected() {
        let (mut sample, mut found, now) = loaded();
        sample.hold();
        sample.compare(&offer(4, 1.75), now, &mut found);
        assert_eq!(found.failures(), 0, "it may still come");
        sample.overdue(now + LATE * 2, &mut found);
        assert_eq!(found.late, 1, "{found:?}");
    }

    #[tokio::test]
    async fn detail_that_arrives_after_closing_is_ignored() {
        let (mut sample, mut found, now) = loaded();
        let detail = |revision: u64| frame(json!([[10, 7, revision, [70], [], null, null]]));
        sample.show(OPEN, now, &mut found);
        sample.show(View::default(), now, &mut found);
        sample.take(&detail(1), now, &mut found);
        assert_eq!(sample.watched(), None);
        // After reopening, a change arrives before the detail that it follows.
        sample.show(OPEN, now, &mut found);
        sample.take(&frame(json!([[13, 5], [5, 7, 3]])), now, &mut found);
        sample.take(&detail(4), now, &mut found);
        assert_eq!((sample.watched(), found.failures()), (Some(7), 0), "{found:?}");
        sample.take(&frame(json!([[13, 5], [5, 7, 6]])), now, &mut found);
        assert_eq!(found.gaps, 1, "one that was lost is found: {found:?}");
    }

    #[tokio::test]
    async fn held_frames_belong_to_the_previous_view() {
        let (mut sample, mut found, now) = loaded();
        let detail = |revision: u64| frame(json!([[10, 7, revision, [70], [], null, null]]));
        sample.show(OPEN, now, &mut found);
        let check = sample.hold_for_check().expect("a check");
        sample.take(&detail(1), now, &mut found);
        // Closed and reopened before the answer of the check: changes in between were not sent.
        sample.show(View::default(), now, &mut found);
        sample.show(OPEN, now, &mut found);
        assert!(!sample.is_current(check));
        sample.take(&frame(json!([[13, 5], [5, 7, 3]])), now, &mut found);
        sample.take(&detail(4), now, &mut found);
        assert_eq!((sample.watched(), found.failures()), (Some(7), 0), "{found:?}");
    }

    /// An offer with a match of another sport.
    fn two_sports() -> Value {
        let mut offer = offer(3, 1.5);
        let mut tennis = offer["sports"][0].clone();
        (tennis["id"], tennis["matches"][0]["id"], tennis["matches"][0]["sportId"]) = (json!(2), json!(8), json!(2));
        offer["sports"].as_array_mut().expect("sports").push(tennis);
        offer
    }

    #[tokio::test]
    async fn only_the_current_view_is_compared() {
        let (mut sample, mut found, now) = (Sample::default(), Convergence::default(), Instant::now());
        sample.hold();
        sample.load(&two_sports(), now, &mut found);
        sample.take(&frame(json!([[2, 2]])), now, &mut found);
        sample.show(View { sport: Some(2), open: None }, now, &mut found);
        sample.set_pending_command(5);
        // A late change of a sport that is no longer shown, then the answer and its acknowledgement.
        let late = frame(json!([[13, 5], [4, 7, 9, 0, 1750]]));
        assert_eq!(sample.take(&late, now, &mut found), [Value::Null; 0]);
        sample.take(&frame(json!([[1, 5, null]])), now, &mut found);
        sample.take(&frame(json!([[13, 5], [4, 8, 3, 0, 1750]])), now, &mut found);
        assert_eq!(found.failures(), 0, "{found:?}");
        sample.hold_for_check().expect("a check");
        sample.compare(&two_sports(), now, &mut found);
        assert_eq!((found.compared, found.passed_over, found.failures()), (0, 1, 0), "{found:?}");

        // Shown again: a change arrives before the requested row.
        sample.show(View::default(), now, &mut found);
        sample.set_pending_command(6);
        sample.take(&frame(json!([[13, 5], [4, 7, 9, 0, 1750]])), now, &mut found);
        let mut row = vec![Value::Null; 29];
        (row[0], row[6], row[10], row[28]) = (json!(7), json!([]), json!(1), json!(10));
        sample.take(&frame(json!([[3, row, 5]])), now, &mut found);
        sample.take(&frame(json!([[1, 6, null]])), now, &mut found);
        assert_eq!(found.failures(), 0, "{found:?}");
        sample.take(&frame(json!([[13, 5], [4, 7, 12, 0, 1750]])), now, &mut found);
        assert_eq!(found.gaps, 1, "one that is lost afterwards is found: {found:?}");
    }

    #[tokio::test]
    async fn late_row_of_an_earlier_view_is_no_failure() {
        let (mut sample, mut found, now) = loaded();
        sample.show(View { sport: Some(2), open: None }, now, &mut found);
        sample.set_pending_command(5);
        sample.show(View::default(), now, &mut found);
        sample.set_pending_command(6);
        let row = |revision: u64| {
            let mut row = vec![Value::Null; 29];
            (row[0], row[6], row[10], row[28]) = (json!(7), json!([]), json!(1), json!(revision));
            frame(json!([[3, row, 5]]))
        };
        sample.take(&row(4), now, &mut found);
        // Revision 5 was not watched.
        let asked = sample.take(&frame(json!([[13, 5], [4, 7, 5, 0, 1750]])), now, &mut found);
        assert_eq!((asked, found.failures()), (vec![json!(7)], 0), "{found:?}");
    }
}
