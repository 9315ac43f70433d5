//! The routing key of a message: `hi.-.live.odds_change.1.sr:match.1234.-`. It filters, and it says what an
//! unreadable message is about. Must be liberal: keys with fewer and with more parts exist.

use crate::question::Part;
use crate::urn::Urn;
use kvota_domain::ids::SportId;

/// The sport of a message.
pub fn sport(key: &str) -> Option<SportId> {
    part(key, 4).and_then(|number| number.parse().ok()).and_then(SportId::new)
}

/// Whether a message is for all, or for this node. A key without a node, or with more parts, is for all.
pub fn is_for(key: &str, node_id: u32) -> bool {
    part(key, 7).and_then(|node| node.parse::<u32>().ok()).is_none_or(|node| node == node_id)
}

/// The event of a message, and whether it is about its odds or its results.
pub fn event(key: &str) -> Option<(Urn, Part)> {
    let about = match part(key, 3)? {
        "odds_change" | "bet_stop" => Part::Odds,
        "bet_settlement" | "rollback_bet_settlement" | "bet_cancel" | "rollback_bet_cancel" => Part::Results,
        _ => return None,
    };
    Some((Urn::parse(&format!("{}:{}", part(key, 5)?, part(key, 6)?))?, about))
}

fn part(key: &str, at: usize) -> Option<&str> {
    key.split('.').nth(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recoveries_of_other_nodes_are_left_out() {
        for (key, is_taken) in [
            ("hi.-.live.odds_change.1.sr:match.1234.-", true),
            ("hi.-.live.odds_change.1.sr:match.1234.5", true),
            ("hi.-.live.odds_change.1.sr:match.1234.6", false),
            ("-.-.-.snapshot_complete.-.-.-.5", true),
            ("-.-.-.snapshot_complete.-.-.-.6", false),
            ("-.-.-.alive.-.-.-.-", true),
            ("hi.-.live.odds_change.1.sr:match.1234", true),
            ("hi.-.live.odds_change.1.sr:match.1234.-.3", true),
        ] {
            assert_eq!(is_for(key, 5), is_taken, "{key}");
        }
    }

    #[test]
    fn a_key_says_what_the_message_is_about() {
        let urn = |text: &str| Urn::parse(text).unwrap();
        for (key, about) in [
            ("hi.-.live.odds_change.1.sr:match.12.-", Some((urn("sr:match:12"), Part::Odds))),
            ("hi.-.live.bet_stop.1.sr:match.12", Some((urn("sr:match:12"), Part::Odds))),
            ("lo.-.live.bet_settlement.1.vf:match.12.-", Some((urn("vf:match:12"), Part::Results))),
            ("lo.-.live.rollback_bet_cancel.1.sr:match.12.-", Some((urn("sr:match:12"), Part::Results))),
            ("hi.pre.live.fixture_change.1.sr:match.12.-", None),
            ("-.-.-.alive.-.-.-.-", None),
            ("hi.-.live.odds_change.1.sr:match.x.-", None),
            ("hi.-.live.odds_change.1", None),
            ("", None),
        ] {
            assert_eq!(event(key), about, "{key}");
        }
        assert_eq!(sport("hi.-.live.odds_change.5.sr:match.12.-"), SportId::new(5));
        assert_eq!(sport("-.-.-.alive.-.-.-.-"), None);
    }
}
