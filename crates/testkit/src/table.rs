//! Feed tables: the content of a feed message as readable lines, for tests. An invalid table is a mistake of the test
//! and panics with its line.
//!
//! ```text
//! MATCH 17 soccer 1:0 live 34:10
//!   result 1.85 3.2 4
//!   total 2.5 1.9 1.9
//!   market 29 Da=1.7 Ne=2.1
//! MATCH 18 tennis 0:0 suspended
//! DELETE 16 soccer
//! ```
//!
//! `MATCH` sets the state of a match, new or known: `live`, `suspended`, `stopped` (no bets at all), or any other word,
//! which is its status. The markets of match 17 have the ids 170, 171 …, the odds of market 170 the ids 17000, 17001 …,
//! as with the builders.

use crate::builders::{MarketBuilder, MatchBuilder, live_match, market, result, soccer, tennis, total};
use kvota_domain::feed::{Change, MatchUpdate, SportUpdate};
use kvota_domain::sport::SportPatch;

/// The entries of a table by sport, in the order in which the sports appear.
#[track_caller]
pub fn feed_table(table: &str) -> Vec<SportUpdate> {
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in (1..).zip(table.lines()) {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        if let Err(why) = read(&words, &mut rows) {
            panic!("line {number} of the feed table, `{}`: {why}", line.trim());
        }
    }
    let mut sports: Vec<SportUpdate> = Vec::new();
    for row in rows {
        let update = row.update();
        match sports.iter_mut().find(|sport| sport.sport.id == row.sport.id) {
            Some(sport) => sport.matches.push(update),
            None => sports.push(SportUpdate { sport: row.sport, matches: vec![update] }),
        }
    }
    sports
}

/// The matches of a table, without their sports.
#[track_caller]
pub fn matches_of(table: &str) -> Vec<MatchBuilder> {
    let builder = |update: MatchUpdate| {
        let id = update.id().get();
        live_match(id).with(|live_match| *live_match = update.live_match)
    };
    feed_table(table).into_iter().flat_map(|sport| sport.matches).map(builder).collect()
}

struct Row {
    sport: SportPatch,
    live_match: MatchBuilder,
    id: u64,
    markets: u64,
    change: Change,
}

impl Row {
    fn update(&self) -> MatchUpdate {
        match self.change {
            Change::Delete => self.live_match.clone().delete(),
            Change::Insert | Change::Update => self.live_match.clone().update(),
        }
    }
}

fn read(words: &[&str], rows: &mut Vec<Row>) -> Result<(), String> {
    match words {
        [] => Ok(()),
        ["MATCH", id, sport, rest @ ..] => {
            let (id, sport) = (number(id)?, sport_of(sport)?);
            let mut row = live_match(id).sport(sport.id.get());
            for word in rest {
                row = detail(row, word)?;
            }
            rows.push(Row { sport, live_match: row, id, markets: 0, change: Change::Update });
            Ok(())
        }
        ["DELETE", id, sport] => {
            let (id, sport) = (number(id)?, sport_of(sport)?);
            let live_match = live_match(id).sport(sport.id.get());
            rows.push(Row { sport, live_match, id, markets: 0, change: Change::Delete });
            Ok(())
        }
        _ => {
            let row = rows.last_mut().filter(|row| row.change != Change::Delete).ok_or("a market needs its match")?;
            let market = market_of(row.id * 10 + row.markets, words)?;
            row.markets += 1;
            row.live_match = row.live_match.clone().market(market);
            Ok(())
        }
    }
}

fn detail(row: MatchBuilder, word: &str) -> Result<MatchBuilder, String> {
    if let Some((left, right)) = word.split_once(':') {
        let (left, right) = (number(left)? as i64, number(right)? as i64);
        // The word after the state is the clock; 34:10 is not a possible score in soccer or tennis.
        let is_clock = word.len() >= 5;
        return Ok(if is_clock { row.time(left * 60 + right) } else { row.score(left, right) });
    }
    Ok(match word {
        "live" => row,
        "suspended" => row.suspended(),
        "stopped" => row.betting_stopped(),
        status if status.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') => {
            row.status(status)
        }
        _ => return Err(format!("`{word}` is no score, clock or state")),
    })
}

fn market_of(id: u64, words: &[&str]) -> Result<MarketBuilder, String> {
    match words {
        ["result", home, draw, away] => Ok(result(id, [priced(home)?, priced(draw)?, priced(away)?])),
        ["total", line, under, over] => Ok(total(id, line, [priced(under)?, priced(over)?]).balanced()),
        ["market", kind, odds @ ..] if !odds.is_empty() => {
            let kind = number(kind)? as i64;
            odds.iter().try_fold(market(id, kind), |market, odd| {
                let (name, value) = odd.split_once('=').ok_or("an odd is written name=price")?;
                Ok(market.odd(name, priced(value)?))
            })
        }
        [other, ..] => Err(format!("`{other}` is neither MATCH, DELETE, result, total nor market")),
        [] => Err("nothing".to_owned()),
    }
}

fn sport_of(word: &str) -> Result<SportPatch, String> {
    match word {
        "soccer" => Ok(soccer()),
        "tennis" => Ok(tennis()),
        _ => Err(format!("`{word}` is no sport; there are soccer and tennis")),
    }
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is no number"))
}

fn priced(word: &str) -> Result<&str, String> {
    let plain = word.chars().all(|c| c.is_ascii_digit() || c == '.') && word.parse::<f64>().is_ok();
    if plain { Ok(word) } else { Err(format!("`{word}` is no price")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::feed::Time;

    #[test]
    fn table_lines_become_match_updates() {
        let sports = feed_table(
            "MATCH 17 soccer 1:0 live 34:10
               result 1.85 3.2 4
               market 29 Da=1.7 Ne=2.1
             MATCH 18 tennis 0:0 suspended   # nobody serves
             MATCH 19 soccer half_time stopped
             DELETE 16 soccer",
        );
        let shape: Vec<(u64, usize)> = sports.iter().map(|sport| (sport.sport.id.get(), sport.matches.len())).collect();
        assert_eq!(shape, [(1, 3), (5, 1)]);
        let first = &sports[0].matches[0];
        assert_eq!((first.live_match.score, &first.time), (Some([1, 0]), &Time::Seconds(34 * 60 + 10)));
        assert_eq!(first.live_match.markets[1].odds[1].id.get(), 17_101);
        assert_eq!(sports[1].matches[0].live_match.suspended, Some(true));
        let second = &sports[0].matches[1].live_match;
        assert_eq!((second.status.as_deref(), second.betting), (Some("half_time"), false));
        assert_eq!(sports[0].matches[2].change, Change::Delete);
    }

    #[test]
    fn mistake_is_reported_with_its_line() {
        for (table, says) in [
            ("MATCH 17 curling", "line 1 of the feed table, `MATCH 17 curling`: `curling` is no sport"),
            ("\n result 1 2 3", "line 2 of the feed table, `result 1 2 3`: a market needs its match"),
            ("MATCH 17 soccer\nresult 1,5 2 3", "`1,5` is no price"),
            ("MATCH 17 soccer Live", "`Live` is no score, clock or state"),
        ] {
            let panicked = std::panic::catch_unwind(|| feed_table(table)).unwrap_err();
            let text = panicked.downcast_ref::<String>().unwrap();
            assert!(text.contains(says), "{text}");
        }
    }
}
