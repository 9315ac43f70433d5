-- Accounts, ledger, bets and saved sessions. Money is whole cents, times are milliseconds since the epoch.

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    name TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    -- What the account's lines of the ledger sum to, kept beside them so that a bet need not add them up.
    balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0),
    created_at_ms INTEGER NOT NULL
) STRICT;

-- Who is logged in: under the hash of the session's id, never the id itself.
CREATE TABLE logins (
    session_hash BLOB PRIMARY KEY CHECK (length(session_hash) = 32),
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX logins_of_an_account ON logins (account_id);
CREATE INDEX logins_by_end ON logins (expires_at_ms);

-- One movement of money. Its two sides are in `entries`.
CREATE TABLE transfers (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('opening', 'stake')),
    at_ms INTEGER NOT NULL
) STRICT;

-- The lines of the ledger. A line refers to its own counterpart, so that neither can be kept without the other: whatever
-- is committed sums to zero. Deferred, because of two lines one comes first.
-- Accounts: positive a bettor's, 0 the house, -1 the bank (money from outside).
CREATE TABLE entries (
    transfer_id INTEGER NOT NULL REFERENCES transfers (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
    account_id INTEGER NOT NULL CHECK (account_id >= -1),
    counter_cents INTEGER GENERATED ALWAYS AS (-amount_cents) STORED,
    bettor_id INTEGER GENERATED ALWAYS AS (CASE WHEN account_id > 0 THEN account_id END) VIRTUAL REFERENCES accounts (id),
    PRIMARY KEY (transfer_id, amount_cents),
    FOREIGN KEY (transfer_id, counter_cents) REFERENCES entries (transfer_id, amount_cents)
        DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

CREATE TRIGGER transfers_are_not_changed BEFORE UPDATE ON transfers
BEGIN SELECT raise(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER transfers_are_not_deleted BEFORE DELETE ON transfers
BEGIN SELECT raise(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
BEGIN SELECT raise(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
BEGIN SELECT raise(ABORT, 'the ledger is only added to'); END;

-- What was answered under an idempotency key; kept for ever. 200 has a bet, 400 is a refusal after the delay.
CREATE TABLE answers (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    key BLOB NOT NULL CHECK (length(key) = 16),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    status INTEGER NOT NULL CHECK (status IN (200, 400)),
    body BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
) STRICT;

-- A bet has the number of the transfer that paid for it, and needs that transfer's debit, its key and its answer.
CREATE TABLE bets (
    id INTEGER PRIMARY KEY REFERENCES transfers (id),
    ticket_id TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    key BLOB NOT NULL,
    placed_at_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'won', 'lost', 'void')),
    bruto_cents INTEGER NOT NULL CHECK (bruto_cents > 0),
    stake_cents INTEGER NOT NULL CHECK (stake_cents BETWEEN 0 AND bruto_cents),
    total_odd TEXT NOT NULL,
    system_type INTEGER NOT NULL CHECK (system_type BETWEEN 0 AND 255),
    potential_win_cents INTEGER NOT NULL CHECK (potential_win_cents >= 0),
    win_tax_cents INTEGER NOT NULL CHECK (win_tax_cents >= 0),
    payout_cents INTEGER NOT NULL CHECK (payout_cents >= 0),
    consent TEXT NOT NULL CHECK (consent IN ('none', 'higher', 'any')),
    balance_after_cents INTEGER NOT NULL CHECK (balance_after_cents >= 0),
    debit_cents INTEGER GENERATED ALWAYS AS (-bruto_cents) VIRTUAL,
    UNIQUE (account_id, key),
    FOREIGN KEY (account_id, key) REFERENCES answers (account_id, key),
    FOREIGN KEY (id, debit_cents) REFERENCES entries (transfer_id, amount_cents)
) STRICT;
CREATE INDEX bets_of_an_account ON bets (account_id, id);
-- What an account has at stake.
CREATE INDEX open_bets_of_an_account ON bets (account_id, bruto_cents) WHERE state = 'open';

CREATE TABLE bet_pairs (
    bet_id INTEGER NOT NULL REFERENCES bets (id),
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
    PRIMARY KEY (bet_id, position)
) STRICT, WITHOUT ROWID;
-- One pair a match in a bet; what an account has staked on a match; all bets on a match.
CREATE UNIQUE INDEX bet_pairs_of_a_match ON bet_pairs (match_id, account_id, bet_id);

-- Tickets and favourites. The owner is 0x00 and the hash of an anonymous session's id, or 0x01 and an account's number.
CREATE TABLE saved_sessions (
    owner BLOB PRIMARY KEY,
    is_anonymous INTEGER NOT NULL CHECK (is_anonymous IN (0, 1)),
    version INTEGER NOT NULL CHECK (version > 0),
    bytes BLOB NOT NULL,
    saved_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX anonymous_sessions_by_age ON saved_sessions (saved_at_ms) WHERE is_anonymous = 1;
