//! Reads an id from the parameters of a URL.

use super::error::ApiError;
use super::query::parameter;

/// The id in a parameter.
///
/// # Errors
/// [`ApiError::Parameter`] if it is absent or not an id.
pub(super) fn id<Id>(query: &str, name: &'static str, make: fn(u64) -> Option<Id>) -> Result<Id, ApiError> {
    let id = parameter(query, name).and_then(|text| text.parse().ok()).and_then(make);
    id.ok_or(ApiError::Parameter { name, allowed: "0, 1 … 9007199254740991" })
}
