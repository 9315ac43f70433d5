//! Checks the invariants of the whole store: all postings balance, and every bet is paid for exactly once, under one
//! key. Database constraints enforce most of them. The audit checks them again, because a restored backup, a manual
//! change or a bug can bypass constraints. `kvota audit` prints the report. Must not write to the store.
//!
//! Both databases use the same SQL. Each query returns the name of every violation, as text.

use std::fmt;

/// The result of an audit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AuditReport {
    /// Accounts of bettors.
    pub accounts: u64,
    /// Bets.
    pub bets: u64,
    /// Stored answers of idempotency keys.
    pub answers: u64,
    /// Settlements, including reversed ones.
    pub settlements: u64,
    /// Postings of the ledger.
    pub postings: u64,
    /// The violations, as texts for an operator. Empty if there are none.
    pub findings: Vec<String>,
}

/// For people: one line for each count and each finding.
impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "accounts   {}", self.accounts)?;
        writeln!(f, "bets       {}", self.bets)?;
        writeln!(f, "answers    {}", self.answers)?;
        writeln!(f, "settled    {}", self.settlements)?;
        writeln!(f, "postings   {}", self.postings)?;
        for finding in &self.findings {
            writeln!(f, "WRONG      {finding}")?;
        }
        match self.findings.len() {
            0 => write!(f, "the ledger sums to zero, and every bet is paid for and paid out once"),
            count => write!(f, "findings   {count}"),
        }
    }
}

/// How many names a finding lists. A damaged ledger may have millions.
const NAMES_MAX: usize = 10;

/// The counts, in the order of the report.
pub(super) const COUNTS: [&str; 5] = [
    "SELECT COUNT(*) FROM accounts",
    "SELECT COUNT(*) FROM bets",
    "SELECT COUNT(*) FROM answers",
    "SELECT COUNT(*) FROM settlements",
    "SELECT COUNT(*) FROM postings",
];

/// The bets with payments that are together above their maximum payout (CONTRACT 8). The databases read JSON differently; `$max`
/// is the maximum payout at placing. A void bet returns its stake, whatever that is.
macro_rules! above_max_payout {
    ($max:literal) => {
        concat!(
            "SELECT b.ticket_id FROM bets b JOIN (SELECT bet_id, SUM(paid_cents) AS cents FROM cash_outs GROUP BY bet_id) c \
             ON c.bet_id = b.id LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing \
             WHERE b.rules IS NOT NULL AND b.state <> 'void' AND c.cents + COALESCE(s.paid_cents, 0) > ",
            $max
        )
    };
}
pub(super) use above_max_payout;

/// What [`above_max_payout`] finds.
pub(super) const ABOVE_MAX_PAYOUT: &str = "bets that paid more than their maximum payout";

/// The checks: a description of the violation, and the query that returns the names of violations (CONTRACT 7,
/// *Ledger*). Each posting moves an amount from one account to another, so that all balances sum to zero.
pub(super) const CHECKS: [(&str, &str); 20] = [
    (
        "accounts whose balance is negative or not the sum of their postings",
        "SELECT CAST(a.id AS TEXT) FROM accounts a LEFT JOIN (SELECT bettor_id, \
         SUM(CASE 'bettor' WHEN to_account THEN amount_cents WHEN from_account THEN -amount_cents ELSE 0 END) AS cents \
         FROM postings GROUP BY bettor_id) s ON s.bettor_id = a.id \
         WHERE a.balance_cents <> COALESCE(s.cents, 0) OR a.balance_cents < 0",
    ),
    (
        "accounts whose receivable is negative or not the sum of its postings",
        "SELECT CAST(a.id AS TEXT) FROM accounts a LEFT JOIN (SELECT bettor_id, \
         SUM(CASE 'receivable' WHEN from_account THEN amount_cents WHEN to_account THEN -amount_cents ELSE 0 END) AS cents \
         FROM postings GROUP BY bettor_id) s ON s.bettor_id = a.id \
         WHERE a.receivable_cents <> COALESCE(s.cents, 0) OR a.receivable_cents < 0",
    ),
    (
        "accounts that owe something while they have money",
        "SELECT CAST(id AS TEXT) FROM accounts WHERE receivable_cents > 0 AND balance_cents > 0",
    ),
    (
        "postings of no account",
        "SELECT CAST(p.id AS TEXT) FROM postings p WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = p.bettor_id)",
    ),
    (
        "postings whose balance is not that of the posting before and their own amount",
        "SELECT CAST(id AS TEXT) FROM (SELECT id, balance_after_cents, \
         CASE to_account WHEN 'bettor' THEN amount_cents ELSE -amount_cents END AS change, \
         LAG(balance_after_cents, 1, 0) OVER (PARTITION BY bettor_id ORDER BY id) AS before \
         FROM postings WHERE balance_after_cents IS NOT NULL) s WHERE balance_after_cents <> before + change",
    ),
    (
        "the open stakes are not the stakes of the open bets, but differ by (cents)",
        "SELECT CAST(d.cents AS TEXT) FROM (SELECT (SELECT COALESCE(SUM(CASE 'open_stakes' WHEN to_account \
         THEN amount_cents WHEN from_account THEN -amount_cents ELSE 0 END), 0) FROM postings) \
         - (SELECT COALESCE(SUM(rest_bruto_cents), 0) FROM bets WHERE state = 'open') AS cents) d WHERE d.cents <> 0",
    ),
    (
        "bets without a posting of their stake",
        "SELECT b.ticket_id FROM bets b WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.id = b.id \
         AND p.kind = 'stake' AND p.bettor_id = b.account_id AND p.amount_cents = b.bruto_cents \
         AND p.from_account = 'bettor' AND p.to_account IN ('open_stakes', 'house'))",
    ),
    (
        "postings of stakes without a bet",
        "SELECT CAST(p.id AS TEXT) FROM postings p WHERE p.kind = 'stake' \
         AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.id = p.id)",
    ),
    (
        "bets whose settlements are not numbered from 1 to their number",
        "SELECT b.ticket_id FROM bets b LEFT JOIN settlements s ON s.bet_id = b.id \
         GROUP BY b.id, b.ticket_id, b.settlements HAVING COUNT(s.number) <> b.settlements \
         OR COALESCE(MAX(s.number), 0) <> b.settlements",
    ),
    (
        "bets whose state is not that of the settlement that stands",
        "SELECT b.ticket_id FROM bets b LEFT JOIN settlements s ON s.bet_id = b.id AND s.number = b.standing \
         WHERE (b.standing IS NULL AND b.state NOT IN ('open', 'cashed_out')) \
         OR (b.standing IS NOT NULL AND (s.state IS NULL OR s.state <> b.state))",
    ),
    (
        "settlements that did not pay their amount exactly once, of bets",
        "SELECT b.ticket_id FROM settlements s JOIN bets b ON b.id = s.bet_id LEFT JOIN postings p \
         ON p.bet_id = s.bet_id AND p.settlement = s.number AND p.kind IN ('payout', 'refund') AND p.to_account = 'bettor' \
         GROUP BY b.ticket_id, s.bet_id, s.number, s.paid_cents \
         HAVING COALESCE(SUM(p.amount_cents), 0) <> s.paid_cents",
    ),
    (
        "settlements that stand and were taken back, or do not stand and were not, of bets",
        "SELECT DISTINCT b.ticket_id FROM postings p JOIN bets b ON b.id = p.bet_id \
         WHERE p.kind IN ('payout', 'refund') AND (b.standing IS NOT NULL AND p.settlement = b.standing) \
         = EXISTS (SELECT 1 FROM postings r WHERE r.reverses_id = p.id)",
    ),
    (
        "corrections that do not mirror what they take back",
        "SELECT CAST(c.id AS TEXT) FROM postings c LEFT JOIN postings p ON p.id = c.reverses_id \
         WHERE c.kind = 'correction' AND (p.id IS NULL OR p.amount_cents <> c.amount_cents \
         OR p.from_account <> c.to_account OR p.to_account <> c.from_account OR p.bettor_id <> c.bettor_id)",
    ),
    (
        "bets without exactly one key that was answered with 200",
        "SELECT b.ticket_id FROM bets b WHERE 1 <> (SELECT COUNT(*) FROM answers k \
         WHERE k.account_id = b.account_id AND k.key = b.key AND k.status = 200 AND k.purpose = 'bet') \
         OR 1 <> (SELECT COUNT(*) FROM bets o WHERE o.account_id = b.account_id AND o.key = b.key)",
    ),
    (
        "keys answered with 200 without a bet, of accounts",
        "SELECT CAST(k.account_id AS TEXT) FROM answers k WHERE k.status = 200 AND k.purpose = 'bet' \
         AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.account_id = k.account_id AND b.key = k.key)",
    ),
    (
        "bets whose rest is not the stake without its cash-outs, or whose state is not that of the rest",
        "SELECT b.ticket_id FROM bets b LEFT JOIN (SELECT bet_id, SUM(bruto_cents) AS bruto, SUM(stake_cents) AS stake, \
         MAX(share_hundredths) AS share FROM cash_outs GROUP BY bet_id) c ON c.bet_id = b.id \
         WHERE b.rest_bruto_cents <> b.bruto_cents - COALESCE(c.bruto, 0) \
         OR b.rest_stake_cents <> b.stake_cents - COALESCE(c.stake, 0) \
         OR (b.state = 'cashed_out') <> (COALESCE(c.share, 0) = 100)",
    ),
    (
        "cash-outs that were not paid exactly once, of bets",
        "SELECT b.ticket_id FROM bets b JOIN (SELECT bet_id, SUM(paid_cents) AS paid, SUM(bruto_cents) AS bruto \
         FROM cash_outs GROUP BY bet_id) c ON c.bet_id = b.id \
         LEFT JOIN (SELECT bet_id, SUM(CASE to_account WHEN 'bettor' THEN amount_cents ELSE 0 END) AS paid, \
         SUM(CASE from_account WHEN 'open_stakes' THEN amount_cents ELSE 0 END) AS bruto \
         FROM postings WHERE kind = 'cash_out' GROUP BY bet_id) p ON p.bet_id = c.bet_id \
         WHERE c.paid <> COALESCE(p.paid, 0) OR c.bruto <> COALESCE(p.bruto, 0)",
    ),
    (
        "postings of cash-outs without a cash-out",
        "SELECT CAST(p.id AS TEXT) FROM postings p WHERE p.kind = 'cash_out' \
         AND NOT EXISTS (SELECT 1 FROM cash_outs c WHERE c.bet_id = p.bet_id)",
    ),
    (
        "accounts whose deposits and withdrawals are not those that were answered",
        "SELECT CAST(a.id AS TEXT) FROM accounts a LEFT JOIN (SELECT bettor_id, COUNT(*) AS made FROM postings \
         WHERE kind IN ('deposit', 'withdrawal') GROUP BY bettor_id) p ON p.bettor_id = a.id \
         LEFT JOIN (SELECT account_id, COUNT(*) AS answered FROM cashier_answers GROUP BY account_id) k \
         ON k.account_id = a.id WHERE COALESCE(p.made, 0) <> COALESCE(k.answered, 0)",
    ),
    (
        "bets whose pairs are missing or not numbered from 0",
        "SELECT b.ticket_id FROM bets b LEFT JOIN bet_pairs p ON p.bet_id = b.id GROUP BY b.id, b.ticket_id \
         HAVING COUNT(p.bet_id) = 0 OR MAX(p.position) <> COUNT(p.bet_id) - 1",
    ),
];

/// The text of a finding; `None` if there are no violations.
pub(super) fn finding(what: &str, names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let text = names.iter().take(NAMES_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(NAMES_MAX);
    Some(if more == 0 { format!("{what}: {text}") } else { format!("{what}: {text} and {more} more") })
}

/// The report of an audit, with `counts` in the order of [`COUNTS`].
pub(super) fn report(counts: &[i64; COUNTS.len()], findings: Vec<String>) -> AuditReport {
    let [accounts, bets, answers, settlements, postings] = counts.map(i64::unsigned_abs);
    AuditReport { accounts, bets, answers, settlements, postings, findings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_tells_some_names_and_counts_the_rest() {
        let names: Vec<String> = (1..=12).map(|name| name.to_string()).collect();
        assert_eq!(finding("bets without a key", &[]), None);
        assert_eq!(finding("bets without a key", &names[..2]), Some("bets without a key: 1, 2".to_owned()));
        let text = finding("bets without a key", &names).unwrap();
        assert!(text.ends_with("9, 10 and 2 more"), "{text}");
    }

    #[test]
    fn a_report_ends_with_its_verdict() {
        let well = report(&[1, 2, 3, 4, 5], Vec::new()).to_string();
        assert!(well.ends_with("the ledger sums to zero, and every bet is paid for and paid out once"), "{well}");
        let ill = report(&[1, 2, 3, 4, 5], vec!["bets without a key: 1".to_owned()]).to_string();
        assert!(ill.contains("WRONG      bets without a key: 1") && ill.ends_with("findings   1"), "{ill}");
    }
}
