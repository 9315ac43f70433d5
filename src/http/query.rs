//! Reads parameters of a URL. Must not reject a URL because of parameters that the call does not use.

use actix_web::web::Query;
use std::borrow::Cow;

/// The first value of a parameter; `None` if it is absent. Also decodes percent-encoded names and values.
pub(super) fn parameter<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    if query.contains(['%', '+']) {
        let pairs = Query::<Vec<(String, String)>>::from_query(query).ok()?.into_inner();
        return pairs.into_iter().find_map(|(key, value)| (key == name).then_some(Cow::Owned(value)));
    }
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_is_matched_by_its_full_name() {
        for (query, value) in [
            ("limit=5", Some("5")),
            ("a=1&limit=5&limit=6", Some("5")),
            ("limit=", Some("")),
            ("limits=5", None),
            ("xlimit=5", None),
            ("limit", None),
            ("", None),
            ("limit=%35", Some("5")),
            ("l%69mit=5", Some("5")),
            ("%zz=%&limit=5", Some("5")),
            ("limit=a+b%20c", Some("a b c")),
            ("limit=%c5%a1&limit=6", Some("š")),
            ("a=%35&limits=5", None),
        ] {
            assert_eq!(parameter(query, "limit").as_deref(), value, "{query}");
        }
    }
}
