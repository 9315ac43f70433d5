//! A sport of the offer without its matches, and the preferred columns its rows show (CONTRACT 0).

use super::Text;
use super::ids::SportId;
use super::lang::{Lang, PerLang};

/// A sport: its place in the list and the columns of its rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Sport {
    /// 1 soccer, 2 basketball …
    pub id: SportId,
    /// The name shown.
    pub name: Option<Text>,
    /// Sports are shown by (`order`, `id`).
    pub order: i64,
    /// The preferred columns, hidden ones too.
    pub preferred: Vec<PreferredColumn>,
    /// The `order` of the column shown at first.
    pub selected_preferred: Option<i64>,
}

/// One column of a sport's rows: which market it shows and under which headings.
#[derive(Clone, PartialEq, Debug)]
pub struct PreferredColumn {
    /// The column's number and its place in the selector.
    pub order: i64,
    /// The name in the selector.
    pub name: Option<Text>,
    /// The headings, such as `1`, `X`, `2`: each shows the odd whose type, or else whose alias, equals it.
    pub fields: Vec<Text>,
    /// Not offered in the selector; its market still travels with the row.
    pub hidden: bool,
    /// The first entry whose status is empty or the match's is the one that counts.
    pub markets: Vec<ColumnMarket>,
}

/// Which market a column shows while a match has a status.
#[derive(Clone, PartialEq, Debug)]
pub struct ColumnMarket {
    /// A market *type* (the contract calls the field `marketId`).
    pub market_kind: i64,
    /// For this status only; absent or empty: for any.
    pub status: Option<Text>,
    /// How the sbv is shown: `` not at all, `{sbv}` as it stands, `{+sbv}` with its sign.
    pub format: Option<Text>,
}

/// What a message says of a sport: what is not absent replaces, the preferred columns as a whole (CONTRACT 1).
#[derive(Clone, PartialEq, Debug)]
pub struct SportPatch {
    /// Which sport.
    pub id: SportId,
    /// See [`Sport::name`].
    pub name: Option<Text>,
    /// See [`Sport::order`].
    pub order: Option<i64>,
    /// See [`Sport::preferred`].
    pub preferred: Option<Vec<PreferredColumn>>,
    /// See [`Sport::selected_preferred`].
    pub selected_preferred: Option<i64>,
}

impl SportPatch {
    /// A patch that changes nothing.
    pub fn empty(id: SportId) -> SportPatch {
        SportPatch { id, name: None, order: None, preferred: None, selected_preferred: None }
    }
}

/// A sport in every language: the numbers are the primary language's, the words each language's own.
#[derive(Clone, PartialEq, Debug)]
pub struct SportInfo {
    primary: Sport,
    words: PerLang<Option<SportWords>>,
}

/// The words of a sport in one language.
#[derive(Clone, PartialEq, Debug, Default)]
struct SportWords {
    name: Option<Text>,
    columns: Vec<PreferredColumn>,
}

/// What a patch did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SportChange {
    /// Anything a reader of this language sees is different.
    pub visible: bool,
    /// The columns pick other markets: every row of the sport must be split anew.
    pub columns: bool,
}

impl SportInfo {
    /// A sport of which nothing but the id is known.
    pub fn new(id: SportId) -> SportInfo {
        let primary = Sport { id, name: None, order: 0, preferred: Vec::new(), selected_preferred: None };
        SportInfo { primary, words: PerLang::new(|_| None) }
    }

    /// The primary language's view: the numbers that count.
    pub fn primary(&self) -> &Sport {
        &self.primary
    }

    /// Applies what the primary language says.
    pub fn apply_primary(&mut self, patch: &SportPatch) -> SportChange {
        let before = self.primary.clone();
        let sport = &mut self.primary;
        if let Some(name) = &patch.name {
            sport.name = Some(name.clone());
        }
        if let Some(order) = patch.order {
            sport.order = order;
        }
        if let Some(preferred) = &patch.preferred {
            sport.preferred.clone_from(preferred);
        }
        if let Some(selected) = patch.selected_preferred {
            sport.selected_preferred = Some(selected);
        }
        SportChange { visible: *sport != before, columns: sport.preferred != before.preferred }
    }

    /// Applies what another language says: words only, never a number.
    pub fn apply_words(&mut self, lang: Lang, patch: &SportPatch) -> SportChange {
        let words = self.words[lang].get_or_insert_default();
        let before = words.clone();
        if let Some(name) = &patch.name {
            words.name = Some(name.clone());
        }
        if let Some(preferred) = &patch.preferred {
            words.columns.clone_from(preferred);
        }
        SportChange { visible: *words != before, columns: false }
    }

    /// The sport in a language; words it lacks are the primary language's.
    pub fn in_lang(&self, lang: Lang) -> Sport {
        let mut sport = self.primary.clone();
        let Some(words) = &self.words[lang] else {
            return sport;
        };
        if words.name.is_some() {
            sport.name.clone_from(&words.name);
        }
        for column in &mut sport.preferred {
            let Some(own) = words.columns.iter().find(|own| own.order == column.order) else {
                continue;
            };
            if own.name.is_some() {
                column.name.clone_from(&own.name);
            }
            if own.fields.len() == column.fields.len() {
                column.fields.clone_from(&own.fields);
            }
        }
        sport
    }
}
