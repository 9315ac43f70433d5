//! The table of the sports. A new one is a module beside this file and a line here.

use super::sport::{Column, Profile, Sport};
use crate::domain::Text;
use crate::domain::ids::SportId;
use crate::domain::lang::{Lang, PerLang};
use crate::domain::sport::{ColumnMarket, PreferredColumn, SportPatch};
use crate::feed::pricing::catalogue::{Catalogue, texts};
use crate::feed::pricing::kind::Quad;
use std::sync::LazyLock;

/// A sport with what is worked out from it once.
#[derive(Debug)]
pub struct Entry {
    /// The sport.
    pub sport: &'static dyn Sport,
    /// What it is.
    pub profile: &'static Profile,
    /// Its number.
    pub id: SportId,
    /// Its kinds of markets.
    pub catalogue: Catalogue,
    /// Its name.
    pub name: PerLang<Text>,
    /// The sport of the offer.
    pub patch: PerLang<SportPatch>,
}

/// The sports, in the order of the list.
const SPORTS: &[&dyn Sport] =
    &[&super::snooker::SNOOKER, &super::cricket::CRICKET, &super::darts::DARTS, &super::mma::MMA];

static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| SPORTS.iter().filter_map(|sport| Entry::new(*sport)).collect());

/// All sports.
pub fn table() -> &'static [Entry] {
    &TABLE
}

/// The sport of a key or a number.
pub fn find(name: &str) -> Option<&'static Entry> {
    table().iter().find(|entry| entry.profile.key == name || entry.profile.id.to_string() == name)
}

/// Keys and numbers of all sports, for messages: `tennis (5), …`.
pub fn listed() -> String {
    let names = table().iter().map(|entry| format!("{} ({})", entry.profile.key, entry.profile.id));
    names.collect::<Vec<String>>().join(", ")
}

impl Entry {
    fn new(sport: &'static dyn Sport) -> Option<Entry> {
        let profile = sport.profile();
        Some(Entry {
            sport,
            profile,
            id: SportId::new(profile.id)?,
            catalogue: Catalogue::new(profile.kinds),
            name: texts(&profile.name),
            patch: PerLang::new(|lang| patch(profile, lang)),
        })
    }
}

fn patch(profile: &Profile, lang: Lang) -> SportPatch {
    let word = |quad: &Quad| Text::from(quad[lang.index()]);
    let column = |(order, column): (usize, &Column)| PreferredColumn {
        order: order as i64 + 1,
        name: Some(word(&column.name)),
        fields: column.fields.iter().map(word).collect(),
        hidden: column.hidden,
        markets: column.markets.iter().map(|market| column_market(profile, column, *market)).collect(),
    };
    SportPatch {
        name: Some(word(&profile.name)),
        order: Some(profile.order),
        preferred: Some(profile.columns.iter().enumerate().map(column).collect()),
        selected_preferred: Some(1),
        ..SportPatch::empty(SportId::new(profile.id).unwrap_or(crate::domain::ids::SOCCER))
    }
}

fn column_market(profile: &Profile, column: &Column, (kind, status): (u16, &str)) -> ColumnMarket {
    ColumnMarket {
        market_kind: profile.kinds[usize::from(kind)].number,
        status: (!status.is_empty()).then(|| Text::from(status)),
        format: Some(Text::from(column.format)),
    }
}
