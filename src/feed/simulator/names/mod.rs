//! Names.

use crate::domain::Text;
use crate::domain::lang::PerLang;

/// What takes part in a sport.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Entrants {
    /// Clubs of a league.
    #[default]
    Clubs,
    /// Clubs named by city and nickname.
    NationalClubs,
    /// A man.
    Men,
    /// A woman.
    Women,
    /// Anybody.
    Mixed,
    /// Two surnames.
    Pairs,
}

/// A tournament.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Its name.
    pub name: PerLang<Text>,
    /// Its country or surface.
    pub description: PerLang<Text>,
}

/// A name in every language.
pub fn entrant(_: Entrants, seed: u64) -> PerLang<Text> {
    PerLang::new(|_| Text::from(format!("{seed:x}")))
}

/// A tournament of a sport.
pub fn tournament(sport: u64, seed: u64) -> Tournament {
    let text = PerLang::new(|_| Text::from(format!("{sport} {seed:x}")));
    Tournament { name: text.clone(), description: text }
}
