//! The texts of a match in a language other than the primary one. Must not hold numbers: an event of another language
//! cannot change an odd (docs/architecture.md, *Invariants*).

use super::Text;
use super::clock::Clock;
use super::ids::{IdMap, MarketId, OddId};
use super::market::{Market, Odd};
use super::matches::Match;
use std::borrow::Cow;
use std::sync::Arc;

/// The texts of one match in one language.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchTexts {
    head: HeadTexts,
    markets: IdMap<MarketId, MarketTexts>,
    odds: IdMap<OddId, OddTexts>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct HeadTexts {
    home: Option<Text>,
    away: Option<Text>,
    sport_name: Option<Text>,
    tournament: Option<Text>,
    tournament_description: Option<Text>,
    result: Option<Text>,
    perform_event_type: Option<Text>,
    time: Option<Text>,
}

#[derive(Clone, PartialEq, Debug)]
struct MarketTexts {
    name: Option<Text>,
    short: Option<Text>,
    special: Option<Text>,
    description: Option<Text>,
    tags: Arc<[Text]>,
}

#[derive(Clone, PartialEq, Debug)]
struct OddTexts {
    kind: Option<Text>,
    alias: Option<Text>,
    description: Option<Text>,
}

impl MatchTexts {
    /// The texts of an update; `time` is its clock if that is a text.
    pub fn of(live_match: &Match, time: Option<&Text>) -> MatchTexts {
        let markets = live_match.markets.iter().map(|market| (market.id, MarketTexts::of(market))).collect();
        let odds = live_match.markets.iter().flat_map(|market| &market.odds);
        let odds = odds.map(|odd| (odd.id, OddTexts::of(odd))).collect();
        MatchTexts { head: HeadTexts::of(live_match, time), markets, odds }
    }

    /// Whether the update's texts (match, row and all markets) equal the stored ones.
    pub fn equals_update(&self, live_match: &Match, time: Option<&Text>) -> bool {
        self.head == HeadTexts::of(live_match, time)
            && live_match.markets.iter().all(|market| {
                self.markets.get(&market.id).is_some_and(|held| held.are_of(market))
                    && market.odds.iter().all(|odd| self.odds.get(&odd.id).is_some_and(|held| held.are_of(odd)))
            })
    }

    /// Whether an update with other texts changes nothing: these contain all of them, and any that they have in addition
    /// are still needed by the match.
    pub fn need_nothing_of(&self, others: &MatchTexts, live_match: &Match) -> bool {
        self.head == others.head
            && others.markets.iter().all(|(id, words)| self.markets.get(id) == Some(words))
            && others.odds.iter().all(|(id, words)| self.odds.get(id) == Some(words))
            && (self.markets_and_odds() == others.markets_and_odds() || others.lack_some_of(self, live_match))
    }

    /// The number of markets and odds with texts.
    pub fn markets_and_odds(&self) -> usize {
        self.markets.len() + self.odds.len()
    }

    /// Whether [`MatchTexts::keep`] would add anything.
    pub fn lack_some_of(&self, held: &MatchTexts, live_match: &Match) -> bool {
        let lacks_market = |id| held.markets.contains_key(id) && !self.markets.contains_key(id);
        let lacks_odd = |id| held.odds.contains_key(id) && !self.odds.contains_key(id);
        let markets = &live_match.markets;
        markets.iter().any(|market| lacks_market(&market.id) || market.odds.iter().any(|odd| lacks_odd(&odd.id)))
    }

    /// Keeps stored texts that the update lacks but the match still needs. A language may be ahead and have removed a
    /// market already; its readers see that market until the primary language removes it.
    pub fn keep(&mut self, held: &MatchTexts, live_match: &Match) {
        for market in &live_match.markets {
            if let Some(words) = held.markets.get(&market.id) {
                self.markets.entry(market.id).or_insert_with(|| words.clone());
            }
            for odd in &market.odds {
                if let Some(words) = held.odds.get(&odd.id) {
                    self.odds.entry(odd.id).or_insert_with(|| words.clone());
                }
            }
        }
    }

    /// Whether the match reads the same with both texts. Ignores texts of markets that it does not have yet.
    pub fn reads_same(&self, other: &MatchTexts, live_match: &Match) -> bool {
        self.head == other.head
            && live_match.markets.iter().all(|market| {
                let (own, others) = (self.markets.get(&market.id), other.markets.get(&market.id));
                alike(own, others, |words| words.are_of(market))
                    && market
                        .odds
                        .iter()
                        .all(|odd| alike(self.odds.get(&odd.id), other.odds.get(&odd.id), |words| words.are_of(odd)))
            })
    }

    /// The match with its own texts in this language.
    pub fn head<'a>(&self, live_match: &'a Match) -> Cow<'a, Match> {
        let mut own = strip(live_match);
        let head = &self.head;
        let pick = |words: &Option<Text>, primary: &Option<Text>| words.clone().or_else(|| primary.clone());
        own.home = pick(&head.home, &live_match.home);
        own.away = pick(&head.away, &live_match.away);
        own.sport_name = pick(&head.sport_name, &live_match.sport_name);
        own.tournament = pick(&head.tournament, &live_match.tournament);
        own.tournament_description = pick(&head.tournament_description, &live_match.tournament_description);
        own.result = pick(&head.result, &live_match.result);
        own.perform_event_type = pick(&head.perform_event_type, &live_match.perform_event_type);
        if let (Some(Clock::Text(_)), Some(text)) = (&live_match.clock, &head.time) {
            own.clock = Some(Clock::Text(text.clone()));
        }
        Cow::Owned(own)
    }

    /// A market with its texts in this language; missing ones are taken from the primary language.
    pub fn market<'a>(&self, market: &'a Market) -> Cow<'a, Market> {
        let Some(words) = self.markets.get(&market.id) else {
            return Cow::Borrowed(market);
        };
        Cow::Owned(Market {
            name: words.name.clone(),
            short: words.short.clone(),
            special: words.special.clone(),
            description: words.description.clone(),
            tags: words.tags.clone(),
            odds: market.odds.iter().map(|odd| self.odd(odd)).collect(),
            ..market.clone()
        })
    }

    /// The side named first, in this language.
    pub fn home(&self) -> Option<&Text> {
        self.head.home.as_ref()
    }

    /// The side named second, in this language.
    pub fn away(&self) -> Option<&Text> {
        self.head.away.as_ref()
    }

    /// The name of a market in this language.
    pub fn market_name(&self, id: MarketId) -> Option<&Text> {
        self.markets.get(&id)?.name.as_ref()
    }

    /// The type of an odd in this language.
    pub fn odd_kind(&self, id: OddId) -> Option<&Text> {
        self.odds.get(&id)?.kind.as_ref()
    }

    /// The description of an odd in this language.
    pub fn odd_description(&self, id: OddId) -> Option<&Text> {
        self.odds.get(&id)?.description.as_ref()
    }

    fn odd(&self, odd: &Odd) -> Odd {
        let mut own = odd.clone();
        if let Some(words) = self.odds.get(&odd.id) {
            own.kind.clone_from(&words.kind);
            own.alias.clone_from(&words.alias);
            own.description.clone_from(&words.description);
        }
        own
    }
}

/// Missing texts read as the primary language's.
fn alike<W: PartialEq>(own: Option<&W>, others: Option<&W>, are_primary: impl Fn(&W) -> bool) -> bool {
    match (own, others) {
        (Some(words), None) | (None, Some(words)) => are_primary(words),
        (own, others) => own == others,
    }
}

/// The match without its markets and texts: cheap to clone.
fn strip(live_match: &Match) -> Match {
    Match {
        status: live_match.status.clone(),
        betting: live_match.betting,
        order: live_match.order,
        score: live_match.score,
        scores: live_match.scores.clone(),
        clock: live_match.clock.clone(),
        perform_event_id: live_match.perform_event_id,
        red_cards: live_match.red_cards,
        yellow_cards: live_match.yellow_cards,
        corners: live_match.corners,
        clock_stopped: live_match.clock_stopped,
        suspended: live_match.suspended,
        player_serving: live_match.player_serving,
        tiebreak: live_match.tiebreak,
        game: live_match.game.clone(),
        ball: live_match.ball,
        history: live_match.history.clone(),
        ..Match::empty(live_match.id, live_match.sport_id)
    }
}

impl HeadTexts {
    fn of(live_match: &Match, time: Option<&Text>) -> HeadTexts {
        HeadTexts {
            home: live_match.home.clone(),
            away: live_match.away.clone(),
            sport_name: live_match.sport_name.clone(),
            tournament: live_match.tournament.clone(),
            tournament_description: live_match.tournament_description.clone(),
            result: live_match.result.clone(),
            perform_event_type: live_match.perform_event_type.clone(),
            time: time.cloned(),
        }
    }
}

impl MarketTexts {
    fn of(market: &Market) -> MarketTexts {
        MarketTexts {
            name: market.name.clone(),
            short: market.short.clone(),
            special: market.special.clone(),
            description: market.description.clone(),
            tags: market.tags.clone(),
        }
    }

    fn are_of(&self, market: &Market) -> bool {
        self.name == market.name
            && self.short == market.short
            && self.special == market.special
            && self.description == market.description
            && self.tags == market.tags
    }
}

impl OddTexts {
    fn of(odd: &Odd) -> OddTexts {
        OddTexts { kind: odd.kind.clone(), alias: odd.alias.clone(), description: odd.description.clone() }
    }

    fn are_of(&self, odd: &Odd) -> bool {
        self.kind == odd.kind && self.alias == odd.alias && self.description == odd.description
    }
}
