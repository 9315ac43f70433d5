//! Runs a task of the server, and starts it again when it panics. Used by `services.rs`. Must not know what the
//! task does.

use futures_util::FutureExt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::time::Instant;

/// The first wait before a task that panicked starts again. It doubles with each panic.
const RESTART_AFTER: Duration = Duration::from_millis(100);
const RESTART_AFTER_MAX: Duration = Duration::from_secs(5);
/// The wait is reset after this uptime.
const RESET_AFTER: Duration = Duration::from_secs(30);

/// Runs the task that `make` makes, until it ends by itself or this future is dropped.
pub(crate) async fn supervise<F>(name: &'static str, make: impl Fn() -> F)
where
    F: Future<Output = ()>,
{
    let mut wait = RESTART_AFTER;
    loop {
        let began = Instant::now();
        // What the task leaves behind is dropped with it, so nothing half done is seen afterwards.
        if AssertUnwindSafe(make()).catch_unwind().await.is_ok() {
            return;
        }
        crate::panics::died(name, "", None, "it is started again");
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
    use metrics_exporter_prometheus::PrometheusBuilder;
    use std::cell::Cell;
    use std::rc::Rc;
    use tokio::runtime::Builder;

    #[test]
    fn task_that_panics_is_counted_and_started_again_until_it_ends_by_itself() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let runs = Rc::new(Cell::new(0));
        metrics::with_local_recorder(&recorder, || {
            let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
            let made = Rc::clone(&runs);
            runtime.block_on(supervise("test", move || {
                let made = Rc::clone(&made);
                async move {
                    made.set(made.get() + 1);
                    assert!(made.get() >= 3, "a test asked for it");
                }
            }));
        });
        assert_eq!(runs.get(), 3);
        let counted = recorder.handle().render();
        assert!(counted.contains("kvota_actor_restarts_total{actor=\"test\"} 2"), "{counted}");
    }
}
