//! Converts a text from Latin script to Serbian Cyrillic, by rules. Called by the name generators of the simulator, and
//! by code that needs the Serbian form of a Latin name. Must never contain a table of names, only of letters, prefixes
//! and stems.
//!
//! - A word is a run of Latin letters. Everything else, also Cyrillic, is not changed, so a second conversion changes
//!   nothing.
//! - Letters of Gaj's alphabet are converted one to one; lj, nj and dž are one letter (also `Lj`, `LJ` and the
//!   characters U+01C4 to U+01CC). They are two letters at a boundary within the word: after the prefixes nad-, od-,
//!   pod- and pred- before ž (*nadživeti*, but not *odžak*, *Odžaci*, *nadžak*, which have no prefix), in the stems of
//!   [`SPLIT_STEMS`] (*injekcija*), between a small letter and a capital, and at a zero width non-joiner (U+200C).
//! - Roman numerals are not changed: words of the capitals I, V and X that are a number up to 39, also of one letter
//!   (`II`, `1X2`). One letter with a full stop before a capital is an initial (`I. Horvat`), not a number (`I. liga`).
//! - Other words in capitals are abbreviations and are converted letter by letter: ФК, КК, ФЦ, ММА, У21.
//! - A word with a letter outside Gaj's alphabet is foreign and is converted roughly by sound: sh ш, ch ч, th т, ee и,
//!   oo у, a doubled consonant once, y before or after a vowel ј, ia ија. It is better to pass a foreign name in its
//!   Serbian spelling (`Džordž` for George).
//!
//! Apart from the characters named above, letters beyond U+017F do not count as Latin letters.

/// Says that the two letters beside it are two letters.
const NON_JOINER: char = '\u{200c}';

/// Prefixes that end in d: a ž after them begins the word proper.
const D_PREFIXES: [&str; 4] = ["nad", "od", "pod", "pred"];

/// Words that only look as if they had such a prefix: axe, chimney, the town of Odžaci, chimney sweep.
const NO_PREFIX: [&str; 4] = ["nadžak", "odžak", "odžac", "odžač"];

/// Stems with n and j side by side, anywhere in a word; the bar is the seam. No common word has such an l and j.
const SPLIT_STEMS: [&str; 12] = [
    "in|jekc",
    "in|jekt",
    "in|jicir",
    "in|jurij",
    "in|junk",
    "kon|jekt",
    "kon|jug",
    "kon|junk",
    "tan|jug",
    "van|jezič",
    "van|jugosl",
    "van|jadran",
];

/// The same, but only at the beginning: `kanjon` has the one letter.
const SPLIT_BEGINNINGS: [&str; 1] = ["an|jon"];

/// Letters that are heard together in a foreign word, longer ones first.
const CLUSTERS: [(&str, &str); 12] = [
    ("tsch", "ч"),
    ("sch", "ш"),
    ("sh", "ш"),
    ("ch", "ч"),
    ("th", "т"),
    ("ph", "ф"),
    ("ck", "к"),
    ("wh", "в"),
    ("qu", "кв"),
    ("oo", "у"),
    ("ee", "и"),
    ("ey", "еј"),
];

/// The text in Serbian Cyrillic. Accepts any text; parts that are not Latin are not changed.
pub fn cyrillic(latin: &str) -> String {
    let text = composed(latin);
    let mut out = String::with_capacity(latin.len() * 2);
    let mut at = 0;
    while at < text.len() {
        if !is_latin(text[at]) {
            out.push(text[at]);
            at += 1;
            continue;
        }
        let inside = |c: &&char| is_latin(**c) || **c == NON_JOINER;
        let run = text[at..].iter().take_while(inside).count();
        // A joiner after the last letter does not belong to the word. It may separate the letter from an accent that
        // follows.
        let letters = text[at..at + run].iter().rposition(|c| is_latin(*c)).map_or(run, |last| last + 1);
        let end = at + letters;
        let before = at.checked_sub(1).map(|index| text[index]);
        let word = Word::new(&text[at..end]);
        if word.is_numeral(before, &text[end..]) {
            out.extend(&word.letters);
        } else {
            word.write(&mut out);
        }
        at = end;
    }
    out
}

/// A run of Latin letters.
struct Word {
    letters: Vec<char>,
    /// The same in small letters.
    small: Vec<char>,
    /// Whether this letter and the next belong to different parts of the word.
    seams: Vec<bool>,
    /// All capitals, and more than one.
    shouted: bool,
    foreign: bool,
}

impl Word {
    fn new(run: &[char]) -> Word {
        let mut letters: Vec<char> = Vec::with_capacity(run.len());
        let mut seams: Vec<bool> = Vec::with_capacity(run.len());
        for &c in run {
            if c != NON_JOINER {
                letters.push(c);
                seams.push(false);
            } else if let Some(seam) = seams.last_mut() {
                *seam = true;
            }
        }
        for (index, pair) in letters.windows(2).enumerate() {
            seams[index] |= !is_capital(pair[0]) && is_capital(pair[1]);
        }
        let small: Vec<char> = letters.iter().map(|c| lower(*c)).collect();
        for seam in split(&small) {
            seams[seam] = true;
        }
        let shouted = letters.len() > 1 && letters.iter().copied().all(is_capital);
        let foreign = !shouted && small.iter().any(|c| !is_gaj(*c));
        Word { letters, small, seams, shouted, foreign }
    }

    fn is_numeral(&self, before: Option<char>, after: &[char]) -> bool {
        let touches = before.into_iter().chain(after.first().copied()).any(char::is_alphabetic);
        let initial = self.letters.len() == 1
            && after.first() == Some(&'.')
            && after[1..].iter().find(|c| !c.is_whitespace()).is_some_and(|c| is_capital(*c));
        !touches && !initial && is_roman(&self.letters)
    }

    fn write(&self, out: &mut String) {
        let mut at = 0;
        while at < self.small.len() {
            let (taken, sound) = self.sound(at);
            self.push(out, sound, is_capital(self.letters[at]));
            at += taken;
        }
    }

    /// How many letters are read from here, and as what.
    fn sound(&self, at: usize) -> (usize, &'static str) {
        let c = self.small[at];
        let next = self.small.get(at + 1).copied().filter(|_| !self.seams[at]);
        match (c, next) {
            ('l', Some('j')) => return (2, "љ"),
            ('n', Some('j')) => return (2, "њ"),
            ('d', Some('ž')) => return (2, "џ"),
            _ => (),
        }
        if !self.foreign {
            return (1, letter(c).unwrap_or_default());
        }
        let cluster = CLUSTERS.into_iter().find(|(cluster, _)| self.has(at, cluster));
        if let Some((cluster, sound)) = cluster {
            return (cluster.len(), sound);
        }
        let previous = at.checked_sub(1).map(|index| self.small[index]);
        match (c, next) {
            (_, Some(same)) if same == c && !is_vowel(c) => (2, letter(c).unwrap_or_default()),
            ('y', next) if previous.into_iter().chain(next).any(is_vowel) => (1, "ј"),
            ('i' | 'í', Some('a' | 'e' | 'u' | 'á' | 'é' | 'ë')) => (1, "иј"),
            _ => (1, letter(c).unwrap_or_default()),
        }
    }

    fn has(&self, at: usize, cluster: &str) -> bool {
        cluster.chars().enumerate().all(|(offset, c)| self.small.get(at + offset) == Some(&c))
    }

    fn push(&self, out: &mut String, sound: &str, capital: bool) {
        if !capital {
            out.push_str(sound);
            return;
        }
        let mut signs = sound.chars();
        out.extend(signs.next().into_iter().flat_map(char::to_uppercase));
        if self.shouted {
            out.extend(signs.flat_map(char::to_uppercase));
        } else {
            out.extend(signs);
        }
    }
}

/// The positions of the letters after which the word has a boundary.
fn split(small: &[char]) -> Vec<usize> {
    let word: String = small.iter().collect();
    let letters_before = |bytes: usize| word[..bytes].chars().count();
    let mut seams = Vec::new();
    for prefix in D_PREFIXES {
        let proper = word.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('ž'));
        if proper && !NO_PREFIX.iter().any(|other| word.starts_with(other)) {
            seams.push(prefix.len() - 1);
        }
    }
    for stem in SPLIT_STEMS.iter().chain(&SPLIT_BEGINNINGS) {
        let Some((head, tail)) = stem.split_once('|') else { continue };
        let anywhere = SPLIT_STEMS.contains(stem);
        let places = word.match_indices(&[head, tail].concat()).map(|(place, _)| place).collect::<Vec<_>>();
        let places = places.into_iter().filter(|place| anywhere || *place == 0);
        seams.extend(places.map(|place| letters_before(place) + head.len() - 1));
    }
    seams
}

fn is_roman(letters: &[char]) -> bool {
    let text: String = letters.iter().collect();
    let tens = text.chars().take_while(|c| *c == 'X').count();
    let ones = &text[tens..];
    let known = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    (tens, ones) != (0, "") && tens <= 3 && known.contains(&ones)
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Capitals, and the signs of two letters of which the first is one.
fn is_capital(c: char) -> bool {
    lower(c) != c
}

fn is_vowel(c: char) -> bool {
    letter(c).is_some_and(|sound| sound.starts_with(['а', 'е', 'и', 'о', 'у'])) && c != 'y'
}

fn is_latin(c: char) -> bool {
    letter(lower(c)).is_some()
}

fn is_gaj(small: char) -> bool {
    matches!(small, 'a'..='p' | 'r'..='v' | 'z' | 'č' | 'ć' | 'đ' | 'š' | 'ž' | 'ǆ' | 'ǉ' | 'ǌ')
}

/// The Cyrillic form of a small letter; `None` if it is not a Latin letter.
fn letter(small: char) -> Option<&'static str> {
    Some(match small {
        'a' | 'à' | 'á' | 'â' | 'ã' | 'ā' | 'ă' | 'ą' => "а",
        'b' => "б",
        'c' | 'ţ' => "ц",
        'č' | 'ĉ' | 'ċ' => "ч",
        'ć' | 'ķ' => "ћ",
        'd' | 'ð' | 'ď' => "д",
        'đ' | 'ģ' => "ђ",
        'e' | 'è' | 'é' | 'ê' | 'ë' | 'ä' | 'æ' | 'ö' | 'ø' | 'ő' | 'œ' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => {
            "е"
        }
        'f' => "ф",
        'g' | 'ĝ' | 'ğ' | 'ġ' => "г",
        'h' | 'ĥ' | 'ħ' => "х",
        'i' | 'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ü' | 'ű' | 'y' | 'ý' | 'ÿ' | 'ŷ' => {
            "и"
        }
        'j' | 'ĵ' => "ј",
        'k' | 'q' | 'ĸ' => "к",
        'l' | 'ĺ' | 'ŀ' | 'ł' => "л",
        'ļ' | 'ľ' | 'ǉ' => "љ",
        'm' => "м",
        'n' | 'ŉ' => "н",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ǌ' => "њ",
        'o' | 'ò' | 'ó' | 'ô' | 'õ' | 'å' | 'ō' | 'ŏ' => "о",
        'p' => "п",
        'r' | 'ŕ' | 'ŗ' => "р",
        's' | 'ç' | 'ß' | 'ſ' => "с",
        'š' | 'ś' | 'ŝ' | 'ş' => "ш",
        't' | 'þ' | 'ť' | 'ŧ' => "т",
        'u' | 'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ų' => "у",
        'v' | 'w' | 'ŵ' => "в",
        'x' => "кс",
        'z' => "з",
        'ž' | 'ź' | 'ż' => "ж",
        'ǆ' => "џ",
        'ř' => "рж",
        'ŋ' => "нг",
        'ĳ' => "еј",
        _ => return None,
    })
}

/// Combines accents with their Latin letter. Drops an accent if Gaj's alphabet has no such letter.
fn composed(text: &str) -> Vec<char> {
    let mut out: Vec<char> = Vec::with_capacity(text.len());
    for c in text.chars() {
        let last = out.last().copied().filter(|last| is_latin(*last));
        let joined = match (last, c) {
            (Some('c'), '\u{30c}') => 'č',
            (Some('C'), '\u{30c}') => 'Č',
            (Some('s'), '\u{30c}') => 'š',
            (Some('S'), '\u{30c}') => 'Š',
            (Some('z'), '\u{30c}') => 'ž',
            (Some('Z'), '\u{30c}') => 'Ž',
            (Some('c'), '\u{301}') => 'ć',
            (Some('C'), '\u{301}') => 'Ć',
            (Some(_), '\u{300}'..='\u{36f}') => continue,
            _ => {
                out.push(c);
                continue;
            }
        };
        out.pop();
        out.push(joined);
    }
    out
}

#[cfg(test)]
#[path = "cyrillic_tests.rs"]
mod tests;
