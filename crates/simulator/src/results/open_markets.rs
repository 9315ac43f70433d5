//! The offered markets of one match, until each is decided. Called after every change of a match, with its new book and
//! the sport's results. Must not report a market twice, or offer a decided market again.

use super::verdict::Verdict;
use super::{Cancellation, DecidedMarket, MarketDecision};
use crate::pricing::book::{Book, BookMarket, BookOdd};
use crate::pricing::catalogue::Catalogue;
use crate::pricing::render::{market_id, odd_id};
use std::collections::{BTreeMap, BTreeSet};

/// A market within its sport's table: kind and line.
type Place = (u16, u16);

/// Answers of a market, one bit each. No kind has more answers than there are bits: a test of the sports checks it.
type Answers = u128;

/// The markets of a match.
#[derive(Debug)]
pub struct OpenMarkets {
    catalogue: &'static Catalogue,
    block: u64,
    /// Markets that were offered and are not decided, with every answer that was ever offered.
    open: BTreeMap<Place, Answers>,
    /// Markets that are decided.
    closed: BTreeSet<Place>,
    /// Decided since they were last taken.
    decided: Vec<DecidedMarket>,
}

impl OpenMarkets {
    /// A match without offered markets; the ids of its markets and odds are in this block.
    pub fn new(catalogue: &'static Catalogue, block: u64) -> OpenMarkets {
        OpenMarkets { catalogue, block, open: BTreeMap::new(), closed: BTreeSet::new(), decided: Vec::new() }
    }

    /// Settles every open market that the match has decided by now.
    pub fn settle(&mut self, right: impl Fn(u16, u16) -> Option<usize>) {
        let (catalogue, block, closed, decided) = (self.catalogue, self.block, &mut self.closed, &mut self.decided);
        self.open.retain(|place, answers| {
            let result = right(place.0, place.1);
            if result.is_some() {
                closed.insert(*place);
                decided.extend(settled(catalogue, block, *place, *answers, result));
            }
            result.is_none()
        });
    }

    /// Keeps the undecided markets of a book. They count as open from now on.
    pub fn offer(&mut self, mut book: Book, right: impl Fn(u16, u16) -> Option<usize>) -> Book {
        let (open, closed) = (&mut self.open, &self.closed);
        book.retain(|market, odds| {
            let (place, answers) = (place(market), answers(odds));
            if let Some(known) = open.get_mut(&place) {
                *known |= answers;
                return true;
            }
            let is_new = !closed.contains(&place) && right(place.0, place.1).is_none();
            if is_new {
                open.insert(place, answers);
            }
            is_new
        });
        book
    }

    /// Settles all open markets at the end of the match. An undecided market is void.
    pub fn settle_all(&mut self, right: impl Fn(u16, u16) -> Option<usize>) {
        for (place, answers) in std::mem::take(&mut self.open) {
            self.closed.insert(place);
            self.decided.extend(settled(self.catalogue, self.block, place, answers, right(place.0, place.1)));
        }
    }

    /// Cancels all open markets, because the match has no result.
    pub fn cancel_all(&mut self, why: Cancellation) {
        for (place, _) in std::mem::take(&mut self.open) {
            self.closed.insert(place);
            let market = market_id(self.catalogue, self.block, place.0, place.1);
            let cancelled = market.map(|market| DecidedMarket { market, outcome: MarketDecision::Cancelled(why) });
            self.decided.extend(cancelled);
        }
    }

    /// The markets that were decided since the last call.
    pub fn take_decided(&mut self) -> Vec<DecidedMarket> {
        std::mem::take(&mut self.decided)
    }
}

fn place(market: &BookMarket) -> Place {
    (market.kind, market.line)
}

fn answers(odds: &[BookOdd]) -> Answers {
    odds.iter().fold(0, |all, odd| all | 1 << odd.answer)
}

/// The result of a market; `None` if it has no valid id, as in the offer.
fn settled(
    catalogue: &Catalogue,
    block: u64,
    (kind, line): Place,
    answers: Answers,
    right: Option<usize>,
) -> Option<DecidedMarket> {
    let market = market_id(catalogue, block, kind, line)?;
    let spec = &catalogue.specs[usize::from(kind)];
    let offered = (0..spec.answers.places()).filter(|answer| answers >> answer & 1 == 1);
    let odds = offered
        .map(|answer| Some((odd_id(catalogue, block, kind, line, answer)?, Verdict::of(spec, right, answer))))
        .collect::<Option<Vec<_>>>()?;
    Some(DecidedMarket { market, outcome: MarketDecision::Settled(odds) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::kind::{Answers as Table, KindSpec, Line};
    use std::sync::LazyLock;

    const TABLE: [KindSpec; 2] =
        [KindSpec::of(1, Table::OneXTwo, Line::None, 1), KindSpec::of(2, Table::UnderOver, Line::Half(0), 9)];
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&TABLE));

    /// The winner, and two lines of a total.
    fn book() -> Book {
        let mut book = Book::new(&TABLE);
        book.single(0, &[0.4, 0.3, 0.3]);
        book.line(1, 1, &[0.5, 0.5]);
        book.line(1, 2, &[0.6, 0.4]);
        book
    }

    /// The results of a running match with this number of goals.
    fn goals(number: u16) -> impl Fn(u16, u16) -> Option<usize> {
        move |kind, line| (kind == 1 && number > line).then_some(1)
    }

    fn places(book: &Book) -> Vec<Place> {
        book.markets().map(|(market, _)| place(market)).collect()
    }

    fn verdicts(decided: &DecidedMarket) -> Vec<Verdict> {
        match &decided.outcome {
            MarketDecision::Settled(odds) => odds.iter().map(|(_, verdict)| *verdict).collect(),
            MarketDecision::Cancelled(_) => Vec::new(),
        }
    }

    #[test]
    fn a_market_is_reported_once_when_it_is_decided_and_is_not_offered_again() {
        let mut markets = OpenMarkets::new(&CATALOGUE, 3);
        assert_eq!(places(&markets.offer(book(), goals(0))), [(0, 0), (1, 1), (1, 2)]);
        markets.settle(goals(1));
        assert_eq!(markets.take_decided(), []);
        markets.settle(goals(2));
        let decided = markets.take_decided();
        assert_eq!(decided.len(), 1);
        assert_eq!(Some(decided[0].market), market_id(&CATALOGUE, 3, 1, 1));
        assert_eq!(verdicts(&decided[0]), [Verdict::Lost, Verdict::Won]);
        assert_eq!(places(&markets.offer(book(), goals(2))), [(0, 0), (1, 2)]);
        markets.settle(goals(2));
        assert_eq!(markets.take_decided(), []);
    }

    #[test]
    fn a_market_that_is_already_decided_is_never_offered() {
        let mut markets = OpenMarkets::new(&CATALOGUE, 3);
        assert_eq!(places(&markets.offer(book(), goals(3))), [(0, 0)]);
        markets.settle_all(goals(3));
        assert_eq!(markets.take_decided().len(), 1);
    }

    #[test]
    fn the_end_settles_the_rest_and_what_was_not_decided_is_void() {
        let mut markets = OpenMarkets::new(&CATALOGUE, 3);
        markets.offer(book(), goals(0));
        markets.settle_all(goals(2));
        let decided = markets.take_decided();
        let verdicts: Vec<Vec<Verdict>> = decided.iter().map(verdicts).collect();
        assert_eq!(verdicts, [vec![Verdict::Void; 3], vec![Verdict::Lost, Verdict::Won], vec![Verdict::Void; 2]]);
    }

    #[test]
    fn every_answer_that_was_ever_offered_gets_a_verdict() {
        let mut markets = OpenMarkets::new(&CATALOGUE, 3);
        for answers in [[0, 1], [1, 2]] {
            let mut book = Book::new(&TABLE);
            book.push_some(0, 0, answers.into_iter().map(|answer| (answer, 0.5)));
            markets.offer(book, goals(0));
        }
        markets.settle_all(|_, _| Some(2));
        assert_eq!(verdicts(&markets.take_decided()[0]), [Verdict::Lost, Verdict::Lost, Verdict::Won]);
    }

    #[test]
    fn a_cancellation_leaves_decided_markets_alone() {
        let mut markets = OpenMarkets::new(&CATALOGUE, 3);
        markets.offer(book(), goals(0));
        markets.settle(goals(2));
        markets.cancel_all(Cancellation::Abandoned);
        let decided = markets.take_decided();
        let is_cancelled = |held: &DecidedMarket| held.outcome == MarketDecision::Cancelled(Cancellation::Abandoned);
        assert_eq!(decided.iter().map(is_cancelled).collect::<Vec<bool>>(), [false, true, true]);
        assert_eq!(places(&markets.offer(book(), goals(2))), []);
    }
}
