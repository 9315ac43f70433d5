//! Texts that come again and again, such as the names of outcomes, are shared instead of made again with each message. A
//! small table for each thread: of two texts with one place the later one stays. Must never return another text.

use kvota_domain::Text;
use std::cell::RefCell;

/// Places of the table: a power of two.
const PLACES: usize = 1_024;
/// Longer texts are not worth a place, in bytes.
const BYTES_MAX: usize = 64;

thread_local! {
    static TABLE: RefCell<Vec<Option<Text>>> = RefCell::new(vec![None; PLACES]);
}

/// The text, shared if it came lately.
pub(crate) fn shared(text: &str) -> Text {
    if text.len() > BYTES_MAX {
        return Text::from(text);
    }
    let hash = text.bytes().fold(2_166_136_261_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
    TABLE.with_borrow_mut(|table| {
        let place = hash as usize & PLACES.saturating_sub(1);
        let Some(held) = table.get_mut(place) else { return Text::from(text) };
        match held {
            Some(held) if **held == *text => Text::clone(held),
            _ => Text::clone(held.insert(Text::from(text))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_shared_and_never_another_one() {
        assert!(Text::ptr_eq(&shared("1714"), &shared("1714")));
        let long = "x".repeat(BYTES_MAX + 1);
        let texts: Vec<String> =
            (0..5_000).map(|number| format!("total={number}.5")).chain([long, String::new()]).collect();
        for text in texts.iter().chain(&texts) {
            assert_eq!(&*shared(text), text);
        }
    }
}
