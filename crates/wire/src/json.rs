//! JSON that keeps the text of numbers, so that money never passes through a float, and its canonical form (RFC 8785),
//! which decides whether two bodies are equal (CONTRACT 4, *Placing*). Called by `ticket.rs` and by the HTTP calls.
//!
//! Stricter than most parsers: duplicate names, numbers outside the range of a double and deep nesting are errors,
//! because they have no canonical form (I-JSON, RFC 7493).

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt::{self, Write};

/// How deep arrays and objects may nest; a ticket needs 3.
const DEPTH_MAX: usize = 16;

/// A parsed value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The text of a number, such as `10.50` or `1e3`.
    Number(String),
    /// A text with resolved escapes.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object with its members in the order written; names are unique.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses a whole body; `None` if it is not JSON as this file defines it.
    pub fn parse(bytes: &[u8]) -> Option<Json> {
        let raw: &RawValue = serde_json::from_slice(bytes).ok()?;
        read(raw, DEPTH_MAX)
    }

    /// The member of an object; `None` if it is missing or null (both mean absent), or if this is not an object.
    pub fn member(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        let (_, value) = members.iter().find(|(known, _)| known == name)?;
        (*value != Json::Null).then_some(value)
    }

    /// The canonical form: no blanks, sorted members, one form for each number and text.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(text) => out.push_str(&canonical_number(text)),
            Json::Text(text) => write_text(out, text),
            Json::List(values) => {
                out.push('[');
                for (place, value) in values.iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    value.write(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                let mut sorted: Vec<&(String, Json)> = members.iter().collect();
                // Sorted by UTF-16 units, which differs from the order of bytes (RFC 8785, 3.2.3).
                sorted.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
                out.push('{');
                for (place, (name, value)) in sorted.into_iter().enumerate() {
                    out.push_str(if place > 0 { "," } else { "" });
                    write_text(out, name);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// Members with unparsed values.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, &RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Each level scans its text once more, which `depth_left` bounds.
fn read(raw: &RawValue, depth_left: usize) -> Option<Json> {
    let text = raw.get();
    let depth = depth_left.checked_sub(1)?;
    match text.bytes().next()? {
        b'n' => Some(Json::Null),
        b't' => Some(Json::Bool(true)),
        b'f' => Some(Json::Bool(false)),
        b'"' => serde_json::from_str(text).ok().map(Json::Text),
        b'[' => {
            let values: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            values.into_iter().map(|value| read(value, depth)).collect::<Option<Vec<Json>>>().map(Json::List)
        }
        b'{' => {
            let Members(members) = serde_json::from_str(text).ok()?;
            let mut seen = HashSet::new();
            if !members.iter().all(|(name, _)| seen.insert(name.as_str())) {
                return None;
            }
            let read_member = |(name, value): (String, &RawValue)| Some((name, read(value, depth)?));
            members.into_iter().map(read_member).collect::<Option<Vec<_>>>().map(Json::Object)
        }
        _ => text.parse::<f64>().is_ok_and(f64::is_finite).then(|| Json::Number(text.to_owned())),
    }
}

/// The double nearest to the text, written as ECMAScript does (RFC 8785, 3.2.2.3).
fn canonical_number(text: &str) -> String {
    let double: f64 = text.parse().unwrap_or_default();
    if double == 0.0 {
        return "0".to_owned();
    }
    // The shortest digits of the number, and the power of ten of the first digit.
    let shortest = format!("{:e}", double.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let point = exponent + 1;
    let written = if count <= point && point <= 21 {
        format!("{digits}{}", zeros(point - count))
    } else if 0 < point && point <= 21 {
        let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or_default());
        format!("{whole}.{rest}")
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{first}{dot}{rest}e{sign}{}", exponent.abs())
    };
    if double < 0.0 { format!("-{written}") } else { written }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{9}' => out.push_str("\\t"),
            '\u{a}' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\u{d}' => out.push_str("\\r"),
            c if c < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_keep_their_text() {
        let json = Json::parse(br#" {"a": 10.50, "b": [1e3, -0, 007.5e-1]} "#);
        assert_eq!(json, None, "a number does not begin with a zero");
        let json = Json::parse(br#" {"a": 10.50, "b": [1e3, -0]} "#).unwrap();
        assert_eq!(json.member("a"), Some(&Json::Number("10.50".to_owned())));
        let numbers = vec![Json::Number("1e3".to_owned()), Json::Number("-0".to_owned())];
        assert_eq!(json.member("b"), Some(&Json::List(numbers)));
        assert_eq!(json.member("c"), None);
        assert_eq!(Json::parse(br#"{"a":null}"#).unwrap().member("a"), None);
    }

    #[test]
    fn json_without_canonical_form_is_rejected() {
        let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(Json::parse(&nested(DEPTH_MAX)).is_some());
        assert_eq!(Json::parse(&nested(DEPTH_MAX + 1)), None);
        assert_eq!(Json::parse(&nested(8_000)), None);
        for text in ["", "{", r#"{"a":1,"a":1}"#, r#"{"a":1,"\u0061":2}"#, "1e400", "NaN", "[1,]", "1 2", r#""\ud800""#]
        {
            assert_eq!(Json::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Json::parse(b"\"\xff\""), None);
    }

    #[test]
    fn equal_bodies_have_one_canonical_form() {
        for (text, canonical) in [
            (r#" { "b" : 1 , "a" : [ true , null ] } "#, r#"{"a":[true,null],"b":1}"#),
            ("10.50", "10.5"),
            ("10.00", "10"),
            ("1E3", "1000"),
            ("-0.0", "0"),
            ("-1.5", "-1.5"),
            ("0.50", "0.5"),
            ("0.25e0", "0.25"),
            ("1e22", "1e+22"),
            (r#""\b\t\n\f\r\u001f\u0020 false""#, r#""\b\t\n\f\r\u001f  false""#),
            ("[false]", "[false]"),
            // Examples of RFC 8785, 3.2.2.3 and appendix B.
            ("333333333.33333329", "333333333.3333333"),
            ("1E30", "1e+30"),
            ("4.50", "4.5"),
            ("2e-3", "0.002"),
            ("0.000000000000000000000000001", "1e-27"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("295147905179352830000", "295147905179352830000"),
            ("9007199254740993", "9007199254740992"),
            ("999999999999999700000000", "9.999999999999997e+23"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            (r#""\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/""#, r#""€$\u000f\nA'B\"\\\\\"/""#),
            (
                r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#,
                "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}",
            ),
        ] {
            let json = Json::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text} is JSON"));
            assert_eq!(json.canonical(), canonical);
        }
    }

    proptest! {
        #[test]
        fn canonical_form_is_idempotent(bits in any::<u64>(), text in ".*") {
            let double = f64::from_bits(bits);
            prop_assume!(double.is_finite());
            let json = Json::Object(vec![(text.clone(), Json::Number(double.to_string())), (format!("{text}2"), Json::Text(text))]);
            let canonical = json.canonical();
            let again = Json::parse(canonical.as_bytes()).unwrap();
            prop_assert_eq!(again.canonical(), canonical);
            let Some((_, Json::Number(number))) = (match again { Json::Object(members) => members.into_iter().find(|(_, value)| matches!(value, Json::Number(_))), _ => None }) else { panic!() };
            prop_assert_eq!(number.parse::<f64>().unwrap(), double);
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Some(json) = Json::parse(&bytes) {
                prop_assert!(Json::parse(json.canonical().as_bytes()).is_some());
            }
        }
    }
}
