//! The text of a failed test, for tests of failures.

use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;

/// The failure text of a test that must fail.
///
/// # Panics
/// If it does not fail.
pub(crate) async fn failure_of(test: impl Future<Output = ()>) -> String {
    match AssertUnwindSafe(test).catch_unwind().await {
        Ok(()) => panic!("it was expected to fail, and did not"),
        Err(panicked) => {
            let text = panicked.downcast_ref::<String>().cloned();
            text.or_else(|| panicked.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
        }
    }
}
