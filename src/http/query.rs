//! Parameters of an address, as they stand in it: ids, words and numbers, which need no decoding. What is written
//! otherwise than plainly is then no id, word or number.

use super::error::ApiError;

/// The first value of a parameter; nothing where it is not given.
pub(super) fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// The id in a parameter.
///
/// # Errors
/// [`ApiError::Parameter`] where it is not given, or no id.
pub(super) fn id<Id>(query: &str, name: &'static str, make: fn(u64) -> Option<Id>) -> Result<Id, ApiError> {
    let id = parameter(query, name).and_then(|text| text.parse().ok()).and_then(make);
    id.ok_or(ApiError::Parameter { name, allowed: "0, 1 … 9007199254740991" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_found_by_its_whole_name() {
        for (query, value) in [
            ("limit=5", Some("5")),
            ("a=1&limit=5&limit=6", Some("5")),
            ("limit=", Some("")),
            ("limits=5", None),
            ("xlimit=5", None),
            ("limit", None),
            ("", None),
        ] {
            assert_eq!(parameter(query, "limit"), value, "{query}");
        }
    }
}
