//! Builds the bodies of `GET live/offer` and `GET live/match/{id}` from pieces that are encoded once per match, so a
//! new version of the offer encodes only the changed matches. Called by the read model; must not hold state.

use super::Encoding;
use super::array::write_array_header;
use super::entities::Positional;
use super::matches::{Localised, TimeAt, View};
use bytes::Bytes;
use kvota_domain::aggregate::MatchState;
use kvota_domain::clock::Clock;
use kvota_domain::lang::Lang;
use kvota_domain::sport::{ColumnMarket, PreferredColumn, Sport};
use serde::Serialize;

/// An encoded match without its `time`, which depends on the date of the body.
#[derive(Clone, Debug)]
pub struct MatchPiece {
    before_time: Bytes,
    after_time: Bytes,
    clock: Option<Clock>,
    encoding: Encoding,
}

impl MatchPiece {
    /// Encodes a match.
    pub fn new(state: &MatchState, lang: Lang, encoding: Encoding, view: View) -> MatchPiece {
        let localised = Localised::new(state, lang);
        let mut out = Vec::with_capacity(512);
        let clock = localised.clock().cloned();
        match encoding {
            Encoding::Msgpack => {
                let time = localised.write_array(&mut out, encoding, view, 0);
                let after_time = Bytes::copy_from_slice(&out[time.end..]);
                out.truncate(time.start);
                MatchPiece { before_time: out.into(), after_time, clock, encoding }
            }
            Encoding::Json => {
                localised.write_open_object(&mut out, view);
                out.extend_from_slice(br#","time":"#);
                MatchPiece { before_time: out.into(), after_time: Bytes::from_static(b"}"), clock, encoding }
            }
        }
    }

    /// Its size in bytes without the time, to reserve space.
    fn size(&self) -> usize {
        self.before_time.len() + self.after_time.len()
    }

    fn write(&self, out: &mut Vec<u8>, date_ms: i64) {
        out.extend_from_slice(&self.before_time);
        self.encoding.write(out, &TimeAt(self.clock.as_ref(), date_ms));
        out.extend_from_slice(&self.after_time);
    }
}

/// A sport in the body's language, and its matches in order.
pub type SportPieces<'a> = (Sport, Vec<&'a MatchPiece>);

/// The whole offer: section 1's Feed with the version after the date, or an object with section 0's names.
pub fn offer_body(sports: &[SportPieces<'_>], version: u64, date_ms: i64, encoding: Encoding) -> Vec<u8> {
    let number: usize = sports.iter().map(|(_, matches)| matches.len()).sum();
    let bytes: usize = sports.iter().flat_map(|(_, matches)| matches).map(|piece| piece.size() + 12).sum();
    let mut out = Vec::with_capacity(bytes + 512 * sports.len() + 128);
    match encoding {
        Encoding::Msgpack => {
            write_array_header(&mut out, 4);
            write_array_header(&mut out, sports.len());
            for (sport, matches) in sports {
                write_array_header(&mut out, 6);
                encoding.write(&mut out, &sport.id.get());
                encoding.write(&mut out, &sport.name);
                encoding.write(&mut out, &sport.order);
                write_array_header(&mut out, matches.len());
                matches.iter().for_each(|piece| piece.write(&mut out, date_ms));
                encoding.write(&mut out, &Positional(sport.preferred.as_slice()));
                encoding.write(&mut out, &sport.selected_preferred);
            }
            encoding.write(&mut out, &number);
            encoding.write(&mut out, &date_ms);
            encoding.write(&mut out, &version);
        }
        Encoding::Json => {
            out.extend_from_slice(br#"{"sports":["#);
            for (index, (sport, matches)) in sports.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_sport_object(&mut out, sport, matches, date_ms);
            }
            out.push(b']');
            write_tail(&mut out, &[("numberOfMatches", number as i64), ("date", date_ms), ("version", version as i64)]);
        }
    }
    out
}

/// One match with its clock as of the answer. An object has a member `date`; an array is `[match, date]`.
pub fn match_body(piece: &MatchPiece, date_ms: i64) -> Vec<u8> {
    let mut out = Vec::with_capacity(piece.size() + 48);
    match piece.encoding {
        Encoding::Msgpack => {
            write_array_header(&mut out, 2);
            piece.write(&mut out, date_ms);
            piece.encoding.write(&mut out, &date_ms);
        }
        Encoding::Json => {
            piece.write(&mut out, date_ms);
            out.pop();
            write_tail(&mut out, &[("date", date_ms)]);
        }
    }
    out
}

/// Ends a JSON object with integer members.
fn write_tail(out: &mut Vec<u8>, entries: &[(&str, i64)]) {
    for (name, number) in entries {
        out.push(b',');
        Encoding::Json.write(out, name);
        out.push(b':');
        Encoding::Json.write(out, number);
    }
    out.push(b'}');
}

fn write_sport_object(out: &mut Vec<u8>, sport: &Sport, matches: &[&MatchPiece], date_ms: i64) {
    Encoding::Json.write(out, &SportObject::from(sport));
    out.pop();
    out.extend_from_slice(br#","matches":["#);
    for (index, piece) in matches.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        piece.write(out, date_ms);
    }
    out.extend_from_slice(b"]}");
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SportObject<'a> {
    id: u64,
    name: Option<&'a str>,
    order: i64,
    preferred: Vec<ColumnObject<'a>>,
    selected_preferred: Option<i64>,
}

#[derive(Serialize)]
struct ColumnObject<'a> {
    order: i64,
    name: Option<&'a str>,
    fields: &'a [kvota_domain::Text],
    hidden: bool,
    markets: Vec<ColumnMarketObject<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ColumnMarketObject<'a> {
    market_id: i64,
    status: Option<&'a str>,
    format: Option<&'a str>,
}

impl<'a> From<&'a Sport> for SportObject<'a> {
    fn from(sport: &'a Sport) -> SportObject<'a> {
        SportObject {
            id: sport.id.get(),
            name: sport.name.as_deref(),
            order: sport.order,
            preferred: sport.preferred.iter().map(ColumnObject::from).collect(),
            selected_preferred: sport.selected_preferred,
        }
    }
}

impl<'a> From<&'a PreferredColumn> for ColumnObject<'a> {
    fn from(column: &'a PreferredColumn) -> ColumnObject<'a> {
        ColumnObject {
            order: column.order,
            name: column.name.as_deref(),
            fields: &column.fields,
            hidden: column.hidden,
            markets: column.markets.iter().map(ColumnMarketObject::from).collect(),
        }
    }
}

impl<'a> From<&'a ColumnMarket> for ColumnMarketObject<'a> {
    fn from(entry: &'a ColumnMarket) -> ColumnMarketObject<'a> {
        ColumnMarketObject {
            market_id: entry.market_kind,
            status: entry.status.as_deref(),
            format: entry.format.as_deref(),
        }
    }
}
