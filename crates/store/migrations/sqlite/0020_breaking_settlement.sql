-- Settlement: one table of postings instead of transfers with two lines each, results, settlements, and accounts for open
-- stakes, tax and receivables. What was booked before is copied as it was; the stakes of open bets are posted again from the
-- house to the open stakes.

PRAGMA defer_foreign_keys = ON;

ALTER TABLE accounts ADD COLUMN receivable_cents INTEGER NOT NULL DEFAULT 0 CHECK (receivable_cents >= 0);

-- A movement of money from one account of the ledger to another, so that everything sums to zero by construction.
-- 'bettor' and 'receivable' are those of `bettor_id`; the other accounts exist once.
CREATE TABLE postings (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('opening', 'deposit', 'withdrawal', 'stake', 'payout', 'refund', 'cash_out',
        'correction', 'receivable', 'reposting')),
    from_account TEXT NOT NULL CHECK (from_account IN ('bettor', 'open_stakes', 'house', 'tax', 'receivable', 'bank')),
    to_account TEXT NOT NULL CHECK (to_account IN ('bettor', 'open_stakes', 'house', 'tax', 'receivable', 'bank')),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    bettor_id INTEGER NOT NULL REFERENCES accounts (id),
    -- The bet and the number of its settlement; the posting of a stake has the bet's own number instead.
    bet_id INTEGER,
    settlement INTEGER,
    -- The posting that this one takes back.
    reverses_id INTEGER UNIQUE REFERENCES postings (id),
    -- What the bettor has after it, where it concerns the bettor's own account.
    balance_after_cents INTEGER CHECK (balance_after_cents >= 0),
    CHECK (from_account <> to_account),
    CHECK ((balance_after_cents IS NOT NULL) = (from_account = 'bettor' OR to_account = 'bettor'))
) STRICT;

INSERT INTO postings (id, at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents)
SELECT t.id, t.at_ms, t.kind,
    CASE t.kind WHEN 'opening' THEN 'bank' ELSE 'bettor' END,
    CASE t.kind WHEN 'opening' THEN 'bettor' ELSE 'house' END,
    abs(e.amount_cents), e.account_id,
    SUM(e.amount_cents) OVER (PARTITION BY e.account_id ORDER BY e.transfer_id)
FROM transfers t JOIN entries e ON e.transfer_id = t.id AND e.account_id > 0;

CREATE TABLE new_bets (
    id INTEGER PRIMARY KEY REFERENCES postings (id),
    ticket_id TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    key BLOB NOT NULL,
    placed_at_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'won', 'lost', 'void', 'cashed_out')),
    bruto_cents INTEGER NOT NULL CHECK (bruto_cents > 0),
    stake_cents INTEGER NOT NULL CHECK (stake_cents BETWEEN 0 AND bruto_cents),
    total_odd TEXT NOT NULL,
    system_type INTEGER NOT NULL CHECK (system_type BETWEEN 0 AND 255),
    potential_win_cents INTEGER NOT NULL CHECK (potential_win_cents >= 0),
    win_tax_cents INTEGER NOT NULL CHECK (win_tax_cents >= 0),
    payout_cents INTEGER NOT NULL CHECK (payout_cents >= 0),
    consent TEXT NOT NULL CHECK (consent IN ('none', 'higher', 'any')),
    balance_after_cents INTEGER NOT NULL CHECK (balance_after_cents >= 0),
    -- By which rules, offer and feed it was accepted; unknown for bets placed before these were kept.
    rules TEXT,
    offer_version INTEGER,
    feed_epoch INTEGER,
    feed_seq INTEGER,
    -- What is left of bruto and stake after cash-outs: what results count for.
    rest_bruto_cents INTEGER NOT NULL CHECK (rest_bruto_cents BETWEEN 0 AND bruto_cents),
    rest_stake_cents INTEGER NOT NULL CHECK (rest_stake_cents BETWEEN 0 AND stake_cents),
    -- How many settlements were made, and the one that stands.
    settlements INTEGER NOT NULL DEFAULT 0 CHECK (settlements >= 0),
    standing INTEGER CHECK (standing BETWEEN 1 AND settlements),
    UNIQUE (account_id, key),
    FOREIGN KEY (account_id, key) REFERENCES answers (account_id, key),
    CHECK ((standing IS NOT NULL) = (state IN ('won', 'lost', 'void')))
) STRICT;

INSERT INTO new_bets (id, ticket_id, account_id, key, placed_at_ms, state, bruto_cents, stake_cents, total_odd, system_type,
    potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, rest_bruto_cents, rest_stake_cents)
SELECT id, ticket_id, account_id, key, placed_at_ms, state, bruto_cents, stake_cents, total_odd, system_type,
    potential_win_cents, win_tax_cents, payout_cents, consent, balance_after_cents, bruto_cents, stake_cents FROM bets;

CREATE TABLE new_bet_pairs (
    bet_id INTEGER NOT NULL REFERENCES new_bets (id),
    position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 29),
    account_id INTEGER NOT NULL,
    match_id INTEGER NOT NULL,
    market_id INTEGER NOT NULL,
    odd_id INTEGER NOT NULL,
    sport_id INTEGER NOT NULL,
    market_type INTEGER NOT NULL,
    market_subtype INTEGER,
    sbv TEXT,
    odd_type TEXT,
    odds_submitted INTEGER NOT NULL CHECK (odds_submitted > 0),
    odds_taken INTEGER NOT NULL CHECK (odds_taken > 0),
    is_fix INTEGER NOT NULL CHECK (is_fix IN (0, 1)),
    home TEXT NOT NULL,
    away TEXT NOT NULL,
    market TEXT NOT NULL,
    odd TEXT NOT NULL,
    tournament TEXT NOT NULL,
    result TEXT NOT NULL DEFAULT 'open'
        CHECK (result IN ('open', 'won', 'lost', 'void', 'half_won', 'half_lost', 'dead_heat')),
    settled_at_ms INTEGER CHECK ((settled_at_ms IS NOT NULL) = (result <> 'open')),
    PRIMARY KEY (bet_id, position)
) STRICT, WITHOUT ROWID;

INSERT INTO new_bet_pairs (bet_id, position, account_id, match_id, market_id, odd_id, sport_id, market_type, market_subtype,
    sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament)
SELECT bet_id, position, account_id, match_id, market_id, odd_id, sport_id, market_type, market_subtype,
    sbv, odd_type, odds_submitted, odds_taken, is_fix, home, away, market, odd, tournament FROM bet_pairs;

DROP TABLE bet_pairs;
DROP TABLE bets;
DROP TABLE entries;
DROP TABLE transfers;
ALTER TABLE new_bets RENAME TO bets;
ALTER TABLE new_bet_pairs RENAME TO bet_pairs;

CREATE INDEX bets_of_an_account ON bets (account_id, id);
CREATE INDEX open_bets_of_an_account ON bets (account_id, rest_bruto_cents) WHERE state = 'open';
CREATE UNIQUE INDEX bet_pairs_of_a_match ON bet_pairs (match_id, account_id, bet_id);
CREATE INDEX bet_pairs_of_a_market ON bet_pairs (match_id, market_id, bet_id);
CREATE INDEX postings_of_a_bettor ON postings (bettor_id, id) WHERE balance_after_cents IS NOT NULL;
CREATE INDEX postings_of_a_bet ON postings (bet_id, settlement) WHERE bet_id IS NOT NULL;

INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, bet_id)
SELECT placed_at_ms, 'reposting', 'house', 'open_stakes', bruto_cents, account_id, id FROM bets WHERE state = 'open' ORDER BY id;

CREATE TRIGGER postings_are_not_changed BEFORE UPDATE ON postings
BEGIN SELECT raise(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER postings_are_not_deleted BEFORE DELETE ON postings
BEGIN SELECT raise(ABORT, 'the ledger is only added to'); END;

CREATE TRIGGER bets_stay_as_placed BEFORE UPDATE OF id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents,
    system_type, rules ON bets
BEGIN SELECT raise(ABORT, 'a bet stays as it was placed'); END;

-- What a bet pays. Numbers are never used again; which one stands is in `bets`.
CREATE TABLE settlements (
    bet_id INTEGER NOT NULL REFERENCES bets (id),
    number INTEGER NOT NULL CHECK (number > 0),
    at_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('won', 'lost', 'void')),
    gross_cents INTEGER NOT NULL CHECK (gross_cents >= 0),
    win_tax_cents INTEGER NOT NULL CHECK (win_tax_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0),
    reason TEXT,
    PRIMARY KEY (bet_id, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER settlements_are_not_changed BEFORE UPDATE ON settlements
BEGIN SELECT raise(ABORT, 'a settlement is only added'); END;
CREATE TRIGGER settlements_are_not_deleted BEFORE DELETE ON settlements
BEGIN SELECT raise(ABORT, 'a settlement is only added'); END;

-- The present result of each market, as JSON: `odds` is [[oddId, result, voidFactor, deadHeat]...] in ten-thousandths,
-- `void_windows` is [[from, until]...].
CREATE TABLE market_results (
    match_id INTEGER NOT NULL,
    market_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    state INTEGER NOT NULL,
    odds TEXT NOT NULL,
    void_windows TEXT NOT NULL,
    reason TEXT,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (match_id, market_id)
) STRICT, WITHOUT ROWID;

-- Markets whose bets wait to be graded again, and the last bet that was.
CREATE TABLE settlement_work (
    match_id INTEGER NOT NULL,
    market_id INTEGER NOT NULL,
    after_bet_id INTEGER NOT NULL DEFAULT 0,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (match_id, market_id)
) STRICT, WITHOUT ROWID;
