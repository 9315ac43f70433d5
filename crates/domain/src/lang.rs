//! The four languages of the product. The short code names feed topics, translations and the `lang` parameter.

/// A language of the offer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lang {
    /// Croatian (hr-HR), the default.
    Hr,
    /// English (en-US).
    En,
    /// Bosnian in Latin script (bs-Latn-BA).
    Bs,
    /// Serbian in Cyrillic script (sr-Cyrl-RS).
    Sr,
}

impl Lang {
    /// Every language, in the order of their indexes.
    pub const ALL: [Lang; 4] = [Lang::Hr, Lang::En, Lang::Bs, Lang::Sr];

    /// The code used by feed topics and `?lang=` (CONTRACT 1).
    pub const fn code(self) -> &'static str {
        match self {
            Lang::Hr => "hr",
            Lang::En => "en",
            Lang::Bs => "bs",
            Lang::Sr => "sr",
        }
    }

    /// The full locale, for the page and for formatting.
    pub const fn locale(self) -> &'static str {
        match self {
            Lang::Hr => "hr-HR",
            Lang::En => "en-US",
            Lang::Bs => "bs-Latn-BA",
            Lang::Sr => "sr-Cyrl-RS",
        }
    }

    /// The language with this code; `None` for any other text.
    pub fn from_code(code: &str) -> Option<Lang> {
        Lang::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// A dense index, for arrays with one element per language.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One value for each language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PerLang<T>([T; 4]);

impl<T> PerLang<T> {
    /// Calls `value` for each language.
    pub fn new(value: impl FnMut(Lang) -> T) -> PerLang<T> {
        PerLang(Lang::ALL.map(value))
    }

    /// Languages and their values.
    pub fn iter(&self) -> impl Iterator<Item = (Lang, &T)> {
        Lang::ALL.into_iter().zip(&self.0)
    }
}

impl<T> std::ops::Index<Lang> for PerLang<T> {
    type Output = T;

    fn index(&self, lang: Lang) -> &T {
        &self.0[lang.index()]
    }
}

impl<T> std::ops::IndexMut<Lang> for PerLang<T> {
    fn index_mut(&mut self, lang: Lang) -> &mut T {
        &mut self.0[lang.index()]
    }
}
