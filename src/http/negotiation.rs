//! Content negotiation: what a client accepts by `Accept` and `Accept-Encoding` with their weights (RFC 9110, 12.4 and
//! 12.5), and whether it already has the requested version (13.1). Pure functions of header values.

use kvota_read_model::Coding;
use kvota_wire::Encoding;

/// In thousandths, 0 to 1000.
type Weight = u16;
/// How specific a media range is: 0 any type, 1 any of the family, 2 an exact type.
type Specificity = u8;

/// The encoding that the client prefers. On equal weights msgpack if only it is named (`application/msgpack, */*`),
/// else JSON. Also JSON if the client accepts neither, because an unwanted answer is more useful than none.
pub(super) fn encoding(accept: Option<&str>) -> Encoding {
    let Some(accept) = accept else {
        return Encoding::Json;
    };
    let msgpack = weight_of_type(accept, &["application/msgpack", "application/x-msgpack"]);
    let json = weight_of_type(accept, &["application/json"]);
    let weight = |range: Option<(Specificity, Weight)>| range.map_or(0, |(_, weight)| weight);
    let named_better = msgpack > json && weight(msgpack) > 0;
    if weight(msgpack) > weight(json) || weight(msgpack) == weight(json) && named_better {
        Encoding::Msgpack
    } else {
        Encoding::Json
    }
}

/// Whether a browser asks for a page: `text/html` is named explicitly.
pub(super) fn wants_page(accept: Option<&str>) -> bool {
    accept.is_some_and(|accept| elements(accept).any(|(name, weight)| name == "text/html" && weight > 0))
}

/// The best coding that the client accepts: by its weights, then brotli before gzip before none.
pub(super) fn coding(accept_encoding: Option<&str>) -> Coding {
    let Some(accept) = accept_encoding else {
        return Coding::Identity;
    };
    let named = |wanted: &[&str]| {
        let mut found = elements(accept).filter(|(name, _)| wanted.contains(&name.as_str()));
        found.next().map(|(_, weight)| weight)
    };
    let any = named(&["*"]);
    let brotli = named(&["br"]).or(any).unwrap_or(0);
    let gzip = named(&["gzip", "x-gzip"]).or(any).unwrap_or(0);
    // If it is not named, it is acceptable, but only as the last choice.
    let identity = named(&["identity"]).unwrap_or(1);
    if brotli > 0 && brotli >= gzip && brotli >= identity {
        Coding::Brotli
    } else if gzip > 0 && gzip >= identity {
        Coding::Gzip
    } else {
        Coding::Identity
    }
}

/// Whether `If-None-Match` names the tag, by weak comparison (RFC 9110, 8.8.3.2).
pub(super) fn has_already(if_none_match: Option<&str>, etag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let own = opaque(etag);
    if_none_match.is_some_and(|list| list.trim() == "*" || list.split(',').any(|tag| opaque(tag.trim()) == own))
}

/// The most specific range that covers any of the names decides.
fn weight_of_type(accept: &str, names: &[&str]) -> Option<(Specificity, Weight)> {
    let specificity = |range: &str| match range {
        "*/*" => Some(0),
        "application/*" => Some(1),
        other => names.contains(&other).then_some(2),
    };
    elements(accept).filter_map(|(range, weight)| Some((specificity(&range)?, weight))).max()
}

/// The elements of a list with their weights. Parameters other than `q` are ignored.
fn elements(list: &str) -> impl Iterator<Item = (String, Weight)> {
    list.split(',').filter_map(|element| {
        let mut parts = element.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        let quality = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| value.trim())
        });
        let weight = quality.map_or(Some(1000), thousandths)?;
        (!name.is_empty()).then_some((name, weight))
    })
}

/// `0.25` as 250; `None` for an invalid weight.
fn thousandths(quality: &str) -> Option<Weight> {
    let (whole, decimals) = quality.split_once('.').unwrap_or((quality, ""));
    let digits = decimals.len() <= 3 && decimals.bytes().all(|b| b.is_ascii_digit());
    let whole: Weight = match whole {
        "0" => 0,
        "1" => 1000,
        _ => return None,
    };
    let part: Weight = format!("{decimals:0<3}").parse().ok()?;
    (digits && whole + part <= 1000).then_some(whole + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_follows_the_accept_weights() {
        for (accept, expected) in [
            (None, Encoding::Json),
            (Some(""), Encoding::Json),
            (Some("*/*"), Encoding::Json),
            (Some("application/*"), Encoding::Json),
            (Some("application/json"), Encoding::Json),
            (Some("application/json, text/html"), Encoding::Json),
            (Some("application/msgpack"), Encoding::Msgpack),
            (Some("application/x-msgpack"), Encoding::Msgpack),
            (Some("Application/MsgPack"), Encoding::Msgpack),
            (Some("application/msgpack, */*"), Encoding::Msgpack),
            (Some("*/*, application/msgpack"), Encoding::Msgpack),
            (Some("application/msgpack, application/json, */*"), Encoding::Json),
            (Some("application/json, */*"), Encoding::Json),
            (Some("application/msgpack;q=0, */*;q=0"), Encoding::Json),
            (Some("application/msgpack, */*;q=0.1"), Encoding::Msgpack),
            (Some("application/msgpack;q=0.9, application/json"), Encoding::Json),
            (Some("application/msgpack, application/json;q=0.9"), Encoding::Msgpack),
            (Some("application/msgpack;q=0"), Encoding::Json),
            (Some("application/msgpack;v=1; q=0.5"), Encoding::Msgpack),
            (Some("image/png"), Encoding::Json),
            (Some("application/msgpack;q=7"), Encoding::Json),
        ] {
            assert_eq!(encoding(accept), expected, "{accept:?}");
        }
    }

    #[test]
    fn coding_follows_the_accept_encoding_weights() {
        for (accept, expected) in [
            (None, Coding::Identity),
            (Some(""), Coding::Identity),
            (Some("gzip"), Coding::Gzip),
            (Some("br"), Coding::Brotli),
            (Some("gzip, deflate, br, zstd"), Coding::Brotli),
            (Some("gzip;q=1.0, br;q=0.5"), Coding::Gzip),
            (Some("br;q=0, gzip"), Coding::Gzip),
            (Some("br;q=0, gzip;q=0"), Coding::Identity),
            (Some("*"), Coding::Brotli),
            (Some("*;q=0"), Coding::Identity),
            (Some("br;q=0, *"), Coding::Gzip),
            (Some("identity, gzip;q=0.5"), Coding::Identity),
            (Some("deflate"), Coding::Identity),
            (Some("gzip;q=0.001"), Coding::Gzip),
            (Some("GZIP"), Coding::Gzip),
            (Some("gzip;q=abc"), Coding::Identity),
            (Some(",,;q=1,gzip"), Coding::Gzip),
        ] {
            assert_eq!(coding(accept), expected, "{accept:?}");
        }
    }

    #[test]
    fn if_none_match_uses_weak_comparison() {
        for (header, has) in [
            (None, false),
            (Some("\"a\""), true),
            (Some("W/\"a\""), true),
            (Some("\"b\", \"a\""), true),
            (Some("\"b\",W/\"a\""), true),
            (Some("*"), true),
            (Some("\"b\""), false),
            (Some("a"), false),
            (Some(""), false),
        ] {
            assert_eq!(has_already(header, "\"a\""), has, "{header:?}");
        }
    }

    #[test]
    fn only_an_explicit_text_html_wants_a_page() {
        for (accept, page) in [
            (None, false),
            (Some("*/*"), false),
            (Some("application/json, text/html;q=0"), false),
            (Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), true),
        ] {
            assert_eq!(wants_page(accept), page, "{accept:?}");
        }
    }
}
