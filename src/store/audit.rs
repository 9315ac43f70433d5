//! What must hold of all that is kept, whoever wrote it and however the process ended: money neither comes from nowhere
//! nor goes there, and every bet is paid for once, under one key. Constraints hold most of it; the audit asks again,
//! because a restored backup, a hand in the database or a bug of ours is not asked by them. `kvota audit` prints it.
//!
//! The questions are the same SQL for both databases, each giving a name for what it finds, as text.

use std::fmt;

/// What an audit saw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AuditReport {
    /// Accounts of bettors.
    pub accounts: u64,
    /// Bets.
    pub bets: u64,
    /// Answers kept under keys.
    pub answers: u64,
    /// Movements of money.
    pub transfers: u64,
    /// Lines of the ledger.
    pub entries: u64,
    /// What must not be, in plain words; empty where all is well.
    pub findings: Vec<String>,
}

/// For people, one line a count and a finding.
impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "accounts   {}", self.accounts)?;
        writeln!(f, "bets       {}", self.bets)?;
        writeln!(f, "answers    {}", self.answers)?;
        writeln!(f, "transfers  {}", self.transfers)?;
        writeln!(f, "entries    {}", self.entries)?;
        for finding in &self.findings {
            writeln!(f, "WRONG      {finding}")?;
        }
        match self.findings.len() {
            0 => write!(f, "the ledger sums to zero and every bet is paid for once"),
            count => write!(f, "findings   {count}"),
        }
    }
}

/// How many names of a finding are told; a damaged ledger may have millions.
const NAMES_MAX: usize = 10;

/// The counts, in the order of the report.
pub(super) const COUNTS: [&str; 5] = [
    "SELECT COUNT(*) FROM accounts",
    "SELECT COUNT(*) FROM bets",
    "SELECT COUNT(*) FROM answers",
    "SELECT COUNT(*) FROM transfers",
    "SELECT COUNT(*) FROM entries",
];

/// What must not be found: in words, and the question that names what is.
pub(super) const CHECKS: [(&str, &str); 11] = [
    (
        "the ledger does not sum to zero, but to (cents)",
        "SELECT CAST(SUM(amount_cents) AS TEXT) FROM entries HAVING SUM(amount_cents) <> 0",
    ),
    (
        "transfers whose lines do not sum to zero",
        "SELECT CAST(transfer_id AS TEXT) FROM entries GROUP BY transfer_id HAVING SUM(amount_cents) <> 0",
    ),
    (
        "transfers that have not two lines",
        "SELECT CAST(t.id AS TEXT) FROM transfers t LEFT JOIN entries e ON e.transfer_id = t.id \
         GROUP BY t.id HAVING COUNT(e.amount_cents) <> 2",
    ),
    (
        "lines of no transfer",
        "SELECT CAST(e.transfer_id AS TEXT) FROM entries e \
         WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = e.transfer_id)",
    ),
    (
        "lines of no account, in transfers",
        "SELECT CAST(e.transfer_id AS TEXT) FROM entries e WHERE e.account_id > 0 \
         AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = e.account_id)",
    ),
    (
        "accounts whose balance is negative or not the sum of their lines",
        "SELECT CAST(a.id AS TEXT) FROM accounts a LEFT JOIN \
         (SELECT account_id, SUM(amount_cents) AS cents FROM entries GROUP BY account_id) s ON s.account_id = a.id \
         WHERE a.balance_cents <> COALESCE(s.cents, 0) OR a.balance_cents < 0",
    ),
    (
        "bets without exactly one debit of their stake, from their account to the house",
        "SELECT b.ticket_id FROM bets b WHERE NOT EXISTS (SELECT 1 FROM transfers t \
         JOIN entries d ON d.transfer_id = t.id AND d.account_id = b.account_id AND d.amount_cents = -b.bruto_cents \
         JOIN entries c ON c.transfer_id = t.id AND c.account_id = 0 AND c.amount_cents = b.bruto_cents \
         WHERE t.id = b.id AND t.kind = 'stake')",
    ),
    (
        "debits of stakes without a bet, in transfers",
        "SELECT CAST(t.id AS TEXT) FROM transfers t WHERE t.kind = 'stake' \
         AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.id = t.id)",
    ),
    (
        "bets without exactly one key that was answered with 200",
        "SELECT b.ticket_id FROM bets b WHERE 1 <> (SELECT COUNT(*) FROM answers k \
         WHERE k.account_id = b.account_id AND k.key = b.key AND k.status = 200) \
         OR 1 <> (SELECT COUNT(*) FROM bets o WHERE o.account_id = b.account_id AND o.key = b.key)",
    ),
    (
        "keys answered with 200 without a bet, of accounts",
        "SELECT CAST(k.account_id AS TEXT) FROM answers k WHERE k.status = 200 \
         AND NOT EXISTS (SELECT 1 FROM bets b WHERE b.account_id = k.account_id AND b.key = k.key)",
    ),
    (
        "bets whose pairs are missing or not numbered from 0",
        "SELECT b.ticket_id FROM bets b LEFT JOIN bet_pairs p ON p.bet_id = b.id GROUP BY b.id, b.ticket_id \
         HAVING COUNT(p.bet_id) = 0 OR MAX(p.position) <> COUNT(p.bet_id) - 1",
    ),
];

/// A finding in words, or nothing where nothing was found.
pub(super) fn finding(what: &str, names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let told = names.iter().take(NAMES_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(NAMES_MAX);
    Some(if more == 0 { format!("{what}: {told}") } else { format!("{what}: {told} and {more} more") })
}

/// The report of what the questions gave; `counts` in the order of [`COUNTS`].
pub(super) fn report(counts: &[i64; COUNTS.len()], findings: Vec<String>) -> AuditReport {
    let [accounts, bets, answers, transfers, entries] = counts.map(i64::unsigned_abs);
    AuditReport { accounts, bets, answers, transfers, entries, findings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_tells_some_names_and_counts_the_rest() {
        let names: Vec<String> = (1..=12).map(|name| name.to_string()).collect();
        assert_eq!(finding("bets without a key", &[]), None);
        assert_eq!(finding("bets without a key", &names[..2]), Some("bets without a key: 1, 2".to_owned()));
        let told = finding("bets without a key", &names).unwrap();
        assert!(told.ends_with("9, 10 and 2 more"), "{told}");
    }

    #[test]
    fn a_report_ends_with_its_verdict() {
        let well = report(&[1, 2, 3, 4, 5], Vec::new()).to_string();
        assert!(well.ends_with("the ledger sums to zero and every bet is paid for once"), "{well}");
        let ill = report(&[1, 2, 3, 4, 5], vec!["bets without a key: 1".to_owned()]).to_string();
        assert!(ill.contains("WRONG      bets without a key: 1") && ill.ends_with("findings   1"), "{ill}");
    }
}
