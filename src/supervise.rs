//! Runs a task of the server, and starts it again when it panics. Started by `serving.rs`. Must not know what the
//! task does.

use std::future::Future;
use std::time::Duration;
use tokio::time::Instant;

/// The first wait before a task that panicked starts again. It doubles with each panic.
const RESTART_AFTER: Duration = Duration::from_millis(100);
const RESTART_AFTER_MAX: Duration = Duration::from_secs(5);
/// The wait is reset after this uptime.
const RESET_AFTER: Duration = Duration::from_secs(30);

/// Runs the task that `make` makes, on this thread, until it ends by itself.
#[expect(clippy::disallowed_methods, reason = "awaited in the next line, where its panic is seen")]
pub(crate) async fn supervise<F>(name: &'static str, make: impl Fn() -> F)
where
    F: Future<Output = ()> + 'static,
{
    let mut wait = RESTART_AFTER;
    loop {
        let began = Instant::now();
        match actix::spawn(make()).await {
            Ok(()) => return,
            Err(error) if error.is_panic() => {
                metrics::counter!("kvota_actor_restarts_total", "actor" => name).increment(1);
                tracing::error!(task = name, "the task {name} panicked and is started again");
            }
            Err(_) => return,
        }
        if began.elapsed() >= RESET_AFTER {
            wait = RESTART_AFTER;
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(RESTART_AFTER_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[actix::test]
    async fn task_that_panics_is_started_again_until_it_ends_by_itself() {
        tokio::time::pause();
        let runs = Rc::new(Cell::new(0));
        let made = Rc::clone(&runs);
        supervise("test", move || {
            let made = Rc::clone(&made);
            async move {
                made.set(made.get() + 1);
                assert!(made.get() >= 3, "a test asked for it");
            }
        })
        .await;
        assert_eq!(runs.get(), 3);
    }
}
