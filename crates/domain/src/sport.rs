//! A sport of the offer without its matches, with the preferred columns of its rows (CONTRACT 0).

use super::Text;
use super::ids::SportId;
use super::lang::{Lang, PerLang};

/// A sport: its order in the list and the columns of its rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Sport {
    /// 1 soccer, 2 basketball …
    pub id: SportId,
    /// The name shown.
    pub name: Option<Text>,
    /// Sports are sorted by (`order`, `id`).
    pub order: i64,
    /// The preferred columns, including hidden ones.
    pub preferred: Vec<PreferredColumn>,
    /// The `order` of the column that is shown first.
    pub selected_preferred: Option<i64>,
}

/// One column of a sport's rows: its markets and its headings.
#[derive(Clone, PartialEq, Debug)]
pub struct PreferredColumn {
    /// The column's number and its order in the selector.
    pub order: i64,
    /// The name in the selector.
    pub name: Option<Text>,
    /// The headings, such as `1`, `X`, `2`. Each shows the odd whose type (or else alias) equals it.
    pub fields: Vec<Text>,
    /// Not offered in the selector; its market is still sent with the row.
    pub hidden: bool,
    /// The first entry whose status is empty or equals the match's status counts.
    pub markets: Vec<ColumnMarket>,
}

/// The market that a column shows for a status of the match.
#[derive(Clone, PartialEq, Debug)]
pub struct ColumnMarket {
    /// A market *type* (the contract calls the field `marketId`).
    pub market_kind: i64,
    /// The status; absent or empty for any.
    pub status: Option<Text>,
    /// How the sbv is shown: `` not at all, `{sbv}` unchanged, `{+sbv}` with its sign.
    pub format: Option<Text>,
}

/// The changes of a sport in a message: fields that are present replace the old ones, the preferred columns as a whole
/// (CONTRACT 1).
#[derive(Clone, PartialEq, Debug)]
pub struct SportPatch {
    /// The sport's id.
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

/// A sport in every language: the numbers of the primary language, and the texts of each.
#[derive(Clone, PartialEq, Debug)]
pub struct SportInfo {
    primary: Sport,
    words: PerLang<Option<SportTexts>>,
}

/// The texts of a sport in one language.
#[derive(Clone, PartialEq, Debug, Default)]
struct SportTexts {
    name: Option<Text>,
    columns: Vec<PreferredColumn>,
}

/// The effect of a patch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SportChange {
    /// Whether readers of this language see a difference.
    pub visible: bool,
    /// Whether the columns select other markets: then every row of the sport must be split again.
    pub columns: bool,
}

impl SportInfo {
    /// A sport with only an id.
    pub fn new(id: SportId) -> SportInfo {
        let primary = Sport { id, name: None, order: 0, preferred: Vec::new(), selected_preferred: None };
        SportInfo { primary, words: PerLang::new(|_| None) }
    }

    /// The sport in the primary language: its numbers count.
    pub fn primary(&self) -> &Sport {
        &self.primary
    }

    /// Applies a patch of the primary language.
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

    /// Applies a patch of another language: texts only, never a number.
    pub fn apply_texts(&mut self, lang: Lang, patch: &SportPatch) -> SportChange {
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

    /// The sport in a language; missing texts are taken from the primary language.
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
