//! The convergence check of a sampled session: at intervals it fetches the offer and compares it with the session's
//! copy (`sample.rs`). Runs concurrently with the session's steps.

use super::http::Line;
use super::link::Link;
use super::personas::Persona;
use super::sample::Sample;
use super::session::get_with;
use super::worker::Worker;
use serde_json::Value;
use tokio::time::Instant;

/// Checks until the connection ends; waits without end if the session is not sampled.
pub(super) async fn check_periodically(who: (&Worker, Persona), link: &Link<'_>, mut line: Line, lang: &str) {
    let Some(sample) = &link.sample else { return std::future::pending().await };
    loop {
        tokio::time::sleep(who.0.settings.check_every).await;
        let run = link.run();
        let offer = format!("/api/v1/live/offer?view=rows&lang={lang}&run={run}");
        fetch(who, link, &mut line, &offer, Sample::compare).await;
        let watched = sample.borrow().watched();
        if let Some(id) = watched {
            let path = format!("/api/v1/live/match/{id}?lang={lang}&run={run}");
            let compare = |sample: &mut Sample, body: &Value, now: Instant, found: &mut _| {
                sample.compare_detail(id, body, now, found)
            };
            fetch(who, link, &mut line, &path, compare).await;
        }
        line.hang_up();
    }
}

async fn fetch(
    (worker, persona): (&Worker, Persona),
    link: &Link<'_>,
    line: &mut Line,
    path: &str,
    compare: impl FnOnce(&mut Sample, &Value, Instant, &mut super::results::Convergence) -> Vec<Value>,
) {
    let Some(sample) = &link.sample else { return };
    let Some(check) = sample.borrow_mut().hold_for_check() else { return };
    let fetched = get_with((worker, persona), line, "check", path, true).await.unwrap_or_else(|(what, fault)| {
        worker.tally(persona).error(format!("{what}: {fault}"));
        (None, false)
    });
    if !sample.borrow().is_current(check) {
        return;
    }
    let now = Instant::now();
    let mut found = worker.convergence.borrow_mut();
    let asked = match fetched {
        (Some(body), true) => compare(&mut sample.borrow_mut(), &body, now, &mut found),
        _ => sample.borrow_mut().release(now, &mut found),
    };
    drop(found);
    asked.into_iter().for_each(|of| link.resync(&of));
}
