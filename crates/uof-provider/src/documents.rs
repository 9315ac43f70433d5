//! The documents of the REST interface.

use crate::markets::{Description, descriptions};
use crate::messages::LIVE_ODDS;
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;
use quick_xml::escape::escape;
use std::fmt::Write;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// The producers with their paths and windows.
pub(crate) fn producers(api_url: &str) -> String {
    format!(
        "{HEAD}<producers response_code=\"OK\"><producer id=\"{LIVE_ODDS}\" name=\"LO\" description=\"Live odds\" \
         api_url=\"{}/liveodds/\" active=\"true\" scope=\"live\" stateful_recovery_window_in_minutes=\"600\"/></producers>",
        escape(api_url)
    )
}

/// The descriptions of all markets.
pub(crate) fn markets(lang: Lang) -> String {
    let mut text = format!("{HEAD}<market_descriptions response_code=\"OK\">");
    for market in descriptions(lang) {
        push_market(&mut text, &market);
    }
    text + "</market_descriptions>"
}

fn push_market(text: &mut String, market: &Description) {
    let (id, name, groups) = (market.id, escape(&*market.name), escape(market.groups.as_str()));
    let _ = write!(text, "<market id=\"{id}\" name=\"{name}\" groups=\"{groups}\"><outcomes>");
    for (outcome, name, _) in &market.outcomes {
        let (outcome, name) = (escape(outcome.as_str()), escape(name.as_str()));
        let _ = write!(text, "<outcome id=\"{outcome}\" name=\"{name}\"/>");
    }
    text.push_str("</outcomes>");
    if let Some(key) = market.specifier {
        let _ = write!(text, "<specifiers><specifier name=\"{key}\" type=\"string\"/></specifiers>");
    }
    let _ = write!(text, "<mappings><mapping product_id=\"1\" product_ids=\"1\" sport_id=\"all\" market_id=\"{id}\">");
    for (outcome, _, label) in &market.outcomes {
        let (outcome, label) = (escape(outcome.as_str()), escape(label.as_str()));
        let _ = write!(
            text,
            "<mapping_outcome outcome_id=\"{outcome}\" product_outcome_id=\"{outcome}\" \
             product_outcome_name=\"{label}\"/>"
        );
    }
    text.push_str("</mapping></mappings></market>");
}

/// There are no variants.
pub(crate) fn variants() -> String {
    format!("{HEAD}<variant_descriptions response_code=\"OK\"/>")
}

/// The owner of the token.
pub(crate) fn whoami() -> String {
    format!("{HEAD}<bookmaker_details response_code=\"OK\" bookmaker_id=\"1\" virtual_host=\"/\"/>")
}

/// The fixture of a match.
pub(crate) fn fixture(live_match: &Match) -> String {
    let text = |text: &Option<kvota_domain::Text>| escape(text.as_deref().unwrap_or_default()).into_owned();
    let (id, sport) = (live_match.id, live_match.sport_id);
    let (home, away) = (text(&live_match.home), text(&live_match.away));
    let (tournament, category) = (text(&live_match.tournament), text(&live_match.tournament_description));
    let sport_name = text(&live_match.sport_name);
    let group = number_of(&tournament);
    format!(
        "{HEAD}<fixtures_fixture><fixture id=\"sr:match:{id}\" status=\"live\"><tournament id=\"sr:tournament:{group}\" \
         name=\"{tournament}\"><sport id=\"sr:sport:{sport}\" name=\"{sport_name}\"/><category id=\"sr:category:{}\" \
         name=\"{category}\"/></tournament><competitors><competitor id=\"sr:competitor:{}\" name=\"{home}\" \
         qualifier=\"home\"/><competitor id=\"sr:competitor:{}\" name=\"{away}\" qualifier=\"away\"/></competitors>\
         </fixture></fixtures_fixture>",
        number_of(&category),
        number_of(&home),
        number_of(&away)
    )
}

/// The answer to an order.
pub(crate) fn accepted() -> String {
    format!("{HEAD}<response response_code=\"ACCEPTED\"><action>Request accepted</action></response>")
}

/// A number for a name, the same at any time.
fn number_of(name: &str) -> u32 {
    name.bytes().fold(2_166_136_261, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}
