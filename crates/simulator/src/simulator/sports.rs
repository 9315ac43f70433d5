//! The table of the sports. To add one, add a module beside this file and a line here.

use super::rally::{badminton, beach_volleyball, squash, table_tennis, volleyball};
use super::sport::{Ask, Play, Profile, Sport};
use super::tennis::TENNIS;
use crate::pricing::catalogue::{Catalogue, texts};
use crate::pricing::columns::sport_patch;
use crate::results::verdict::Verdict;
use kvota_domain::Text;
use kvota_domain::ids::SportId;
use kvota_domain::lang::PerLang;
use kvota_domain::sport::SportPatch;
use std::sync::LazyLock;

/// A sport, with the data that is computed from it once.
#[derive(Debug)]
pub struct Entry {
    /// The sport.
    pub sport: &'static dyn Sport,
    /// The constant data of the sport.
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
const SPORTS: &[&dyn Sport] = &[
    &TENNIS,
    &table_tennis::TABLE_TENNIS,
    &volleyball::VOLLEYBALL,
    &badminton::BADMINTON,
    &beach_volleyball::BEACH_VOLLEYBALL,
    &squash::SQUASH,
    &super::soccer::Soccer,
    &super::goals::hockey::HOCKEY,
    &super::goals::handball::HANDBALL,
    &super::goals::futsal::FUTSAL,
    &super::basketball::Basketball,
    &super::baseball::Baseball,
    &super::rugby::Rugby,
    &super::american_football::AmericanFootball,
    &super::snooker::SNOOKER,
    &super::darts::DARTS,
    &super::mma::MMA,
    &super::cricket::CRICKET,
];

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
    /// The verdict of an answer at this point of a match.
    pub(super) fn verdict(&self, play: &dyn Play, ask: Ask) -> Verdict {
        Verdict::of(&self.profile.kinds[usize::from(ask.kind)], play.right(ask.kind, ask.line), ask.answer)
    }

    /// Works a sport out.
    pub(super) fn new(sport: &'static dyn Sport) -> Option<Entry> {
        let profile = sport.profile();
        let id = SportId::new(profile.id)?;
        let (title, tables) = ((&profile.name, profile.order), (profile.kinds, profile.columns));
        Some(Entry {
            sport,
            profile,
            id,
            catalogue: Catalogue::new(profile.kinds),
            name: texts(&profile.name),
            patch: PerLang::new(|lang| sport_patch(id, title, tables, lang)),
        })
    }
}
