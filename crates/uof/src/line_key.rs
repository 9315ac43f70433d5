//! The identity of a line: market and specifiers in one order, because the feed does not promise any (contract 10).

use crate::shared_text::shared;
use kvota_domain::Text;
use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

/// Specifiers of a line; more are not read.
const SPECIFIERS_MAX: usize = 32;
/// Bytes of all specifiers of a line.
const BYTES_MAX: usize = 1_024;

/// Specifiers sorted by key: `set=2|total=9.5`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Specifiers(Text);

impl Default for Specifiers {
    /// No specifiers.
    fn default() -> Specifiers {
        static NONE: LazyLock<Text> = LazyLock::new(|| Text::from(""));
        Specifiers(Text::clone(&NONE))
    }
}

impl Specifiers {
    /// Reads `k=v|k=v` in any order; `None` if a part has no key, a key comes twice, or there are too many.
    pub fn parse(text: &str) -> Option<Specifiers> {
        if text.is_empty() {
            return Some(Specifiers::default());
        }
        if text.len() > BYTES_MAX || text.matches('|').count() >= SPECIFIERS_MAX {
            return None;
        }
        // Most lines have one.
        if !text.contains('|') {
            return text.find('=').filter(|at| *at > 0).map(|_| Specifiers(shared(text)));
        }
        let pairs: Option<Vec<(&str, &str)>> =
            text.split('|').map(|part| part.split_once('=').filter(|(key, _)| !key.is_empty())).collect();
        let mut pairs = pairs?;
        pairs.sort_unstable();
        let is_twice = pairs.iter().zip(pairs.iter().skip(1)).any(|(one, next)| one.0 == next.0);
        let parts: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        (!is_twice).then(|| Specifiers(parts.join("|").into()))
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Keys and values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.split('|').filter_map(|part| part.split_once('='))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The special bet value: the values joined with `/`; `None` without specifiers (contract 10).
    pub fn sbv(&self) -> Option<String> {
        let values: Vec<&str> = self.iter().map(|(_, value)| value).collect();
        (!values.is_empty()).then(|| values.join("/"))
    }
}

/// A line of an event.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineKey {
    /// The market id, which is our market type.
    pub market: i64,
    /// Its specifiers.
    pub specifiers: Specifiers,
}

impl LineKey {
    /// The order in which lines are shown: by market, then by the numbers in the specifiers, so that 2.5 comes before
    /// 10.5.
    pub fn compare_lines(&self, other: &LineKey) -> Ordering {
        let (mut ours, mut others) = (self.specifiers.iter(), other.specifiers.iter());
        let by_values = || loop {
            match (ours.next(), others.next()) {
                (None, None) => return self.cmp(other),
                (one, next) => {
                    let order = one.map(|(_, value)| Rank::of(value)).cmp(&next.map(|(_, value)| Rank::of(value)));
                    if order.is_ne() {
                        return order;
                    }
                }
            }
        };
        self.market.cmp(&other.market).then_with(by_values)
    }
}

/// The place of a value among others: numbers by their size, then texts.
#[derive(Clone, Copy, Debug)]
enum Rank<'a> {
    Number(f64),
    Text(&'a str),
}

impl Rank<'_> {
    fn of(value: &str) -> Rank<'_> {
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        number.map_or(Rank::Text(value), Rank::Number)
    }
}

impl Ord for Rank<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Rank::Number(one), Rank::Number(other)) => one.total_cmp(other),
            (Rank::Text(one), Rank::Text(other)) => one.cmp(other),
            (Rank::Number(_), Rank::Text(_)) => Ordering::Less,
            (Rank::Text(_), Rank::Number(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Rank<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank<'_> {}

impl fmt::Display for LineKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.specifiers.as_str() {
            "" => write!(formatter, "{}", self.market),
            specifiers => write!(formatter, "{}?{specifiers}", self.market),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn specifiers_have_one_order() {
        let one = Specifiers::parse("total=9.5|setnr=1").unwrap();
        assert_eq!(one, Specifiers::parse("setnr=1|total=9.5").unwrap());
        assert_eq!((one.as_str(), one.get("total"), one.get("x")), ("setnr=1|total=9.5", Some("9.5"), None));
        assert_eq!(one.sbv().as_deref(), Some("1/9.5"));
        assert_eq!(Specifiers::parse("").unwrap().sbv(), None);
        let variant = Specifiers::parse("variant=sr:exact_goals:6+").unwrap();
        assert_eq!(variant.sbv().as_deref(), Some("sr:exact_goals:6+"));
        let hcp = Specifiers::parse("hcp=0:1|from=a=b").unwrap();
        assert_eq!(hcp.as_str(), "from=a=b|hcp=0:1");
        assert_eq!(LineKey { market: 204, specifiers: one }.to_string(), "204?setnr=1|total=9.5");
    }

    #[test]
    fn lines_are_shown_in_the_order_of_their_numbers() {
        let line = |market, text: &str| LineKey { market, specifiers: Specifiers::parse(text).unwrap() };
        let sorted = [
            line(1, ""),
            line(18, "total=0.5"),
            line(18, "total=2.5"),
            line(18, "total=10.5"),
            line(204, "setnr=1|total=9.5"),
            line(204, "setnr=2|total=8.5"),
            line(300, "hcp=0:1"),
            line(300, "hcp=1:0"),
        ];
        let mut turned: Vec<LineKey> = sorted.iter().rev().cloned().collect();
        turned.sort_by(LineKey::compare_lines);
        assert_eq!(turned, sorted);
    }

    #[test]
    fn bad_specifiers_are_not_read() {
        let many = vec!["a=1"; SPECIFIERS_MAX + 1].join("|");
        let long = format!("a={}", "1".repeat(BYTES_MAX));
        for bad in ["a", "=1", "a=1|", "a=1|a=2", many.as_str(), long.as_str()] {
            assert_eq!(Specifiers::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        /// Sorting may panic unless the order is total.
        #[test]
        fn the_order_of_lines_is_total(texts in proptest::collection::vec("(a=[0-9a:.]{1,2})?(\\|b=[0-9a]{1,2})?", 3)) {
            let line = |text: &String| LineKey {
                market: 1,
                specifiers: Specifiers::parse(text.trim_start_matches('|')).unwrap(),
            };
            let [a, b, c] = [line(&texts[0]), line(&texts[1]), line(&texts[2])];
            prop_assert_eq!(a.compare_lines(&b), b.compare_lines(&a).reverse());
            prop_assert_eq!(a.compare_lines(&b).is_eq(), a == b);
            if a.compare_lines(&b).is_le() && b.compare_lines(&c).is_le() {
                prop_assert!(a.compare_lines(&c).is_le());
            }
        }

        #[test]
        fn the_order_of_the_feed_does_not_matter(keys in proptest::collection::btree_map("[a-z]{1,5}", "[0-9.:+-]{0,5}", 1..6), seed: u64) {
            let mut parts: Vec<String> = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
            let sorted = Specifiers::parse(&parts.join("|")).unwrap();
            let len = parts.len();
            parts.rotate_left(seed as usize % len);
            prop_assert_eq!(&Specifiers::parse(&parts.join("|")).unwrap(), &sorted);
            prop_assert_eq!(&Specifiers::parse(sorted.as_str()).unwrap(), &sorted);
        }
    }
}
