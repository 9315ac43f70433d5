//! The variants of the whole offer: language, representation, view and compression. The server builds a separate body
//! for each. Used by hostile clients; pure.

const LANGS: [&str; 4] = ["hr", "en", "bs", "sr"];
const ACCEPTS: [&str; 2] = ["application/json", "application/msgpack"];
const VIEWS: [&str; 2] = ["", "&view=rows"];
const ENCODINGS: [&str; 3] = ["identity", "gzip", "br"];

/// The number of variants.
pub const VARIANTS: u64 = (LANGS.len() * ACCEPTS.len() * VIEWS.len() * ENCODINGS.len()) as u64;

/// The path and the headers of a variant; numbers repeat after [`VARIANTS`].
pub fn variant(number: u64) -> (String, String) {
    let mut left = usize::try_from(number % VARIANTS).unwrap_or_default();
    let mut one_of = |count: usize| {
        let index = left % count;
        left /= count;
        index
    };
    let (lang, accept) = (LANGS[one_of(LANGS.len())], ACCEPTS[one_of(ACCEPTS.len())]);
    let (view, encoding) = (VIEWS[one_of(VIEWS.len())], ENCODINGS[one_of(ENCODINGS.len())]);
    let path = format!("/api/v1/live/offer?lang={lang}{view}");
    (path, format!("Accept: {accept}\r\nAccept-Encoding: {encoding}\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_48_distinct_variants() {
        let all: BTreeSet<(String, String)> = (0..VARIANTS).map(variant).collect();
        assert_eq!((VARIANTS, all.len()), (48, 48));
        assert_eq!(variant(0), variant(48));
    }
}
