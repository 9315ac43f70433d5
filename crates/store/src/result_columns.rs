//! The JSON columns of a stored result. All stored versions must stay readable.

use super::StoreError;
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::settlement::{DeadHeat, MarketResult, MarketState, RawOddResult, VoidFactor, VoidWindow};
use serde_json::{Value, json};

/// The columns `odds` and `void_windows` of a result.
pub(super) fn result_as_json(result: &MarketResult) -> (String, String) {
    let odds = result.odds.iter().map(|odd| {
        let void = odd.void_factor.map(VoidFactor::ten_thousandths);
        let dead_heat = odd.dead_heat.map(DeadHeat::ten_thousandths);
        json!([odd.odd.get(), odd.result, void, dead_heat])
    });
    let windows = result.void_windows.iter().map(|window| json!([window.from_ms, window.until_ms]));
    (Value::Array(odds.collect()).to_string(), Value::Array(windows.collect()).to_string())
}

/// An odd in the column `odds`: its id, its result, its void factor and its dead heat.
type KeptOdd = (u64, Option<i64>, Option<u64>, Option<u64>);

/// Decodes a stored result.
///
/// # Errors
/// This program did not write the columns.
pub(super) fn result_of(
    market: MarketId,
    version: i64,
    state: i64,
    odds: &str,
    windows: &str,
    reason: Option<String>,
) -> Result<MarketResult, StoreError> {
    let corrupt = || StoreError::corrupt(format!("the result of market {market} cannot be read"));
    let odds: Vec<KeptOdd> = serde_json::from_str(odds).map_err(|_| corrupt())?;
    let odds = odds.into_iter().map(|(odd, result, void, dead_heat)| {
        Some(RawOddResult {
            odd: OddId::new(odd)?,
            result,
            void_factor: void.and_then(VoidFactor::from_ten_thousandths),
            dead_heat: dead_heat.and_then(DeadHeat::from_ten_thousandths),
        })
    });
    let windows: Vec<(Option<i64>, Option<i64>)> = serde_json::from_str(windows).map_err(|_| corrupt())?;
    let void_windows = windows.into_iter().map(|(from_ms, until_ms)| VoidWindow { from_ms, until_ms }).collect();
    Ok(MarketResult {
        market,
        version,
        state: MarketState::from_code(state),
        odds: odds.collect::<Option<_>>().ok_or_else(corrupt)?,
        void_windows,
        reason: reason.map(Into::into),
    })
}
