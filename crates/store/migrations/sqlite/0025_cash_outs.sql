-- Cash-outs and the rules that order them. An answer says what its key was used for, because a cash-out can be answered
-- with 200 without a payment, if a settlement came first.

ALTER TABLE answers ADD COLUMN purpose TEXT NOT NULL DEFAULT 'bet' CHECK (purpose IN ('bet', 'cash_out'));

CREATE TABLE cash_outs (
    bet_id INTEGER NOT NULL REFERENCES bets (id),
    number INTEGER NOT NULL CHECK (number > 0),
    at_ms INTEGER NOT NULL,
    share_hundredths INTEGER NOT NULL CHECK (share_hundredths BETWEEN 5 AND 95 OR share_hundredths = 100),
    value_cents INTEGER NOT NULL CHECK (value_cents >= 0),
    win_tax_cents INTEGER NOT NULL CHECK (win_tax_cents >= 0),
    paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0),
    bruto_cents INTEGER NOT NULL CHECK (bruto_cents >= 0),
    stake_cents INTEGER NOT NULL CHECK (stake_cents >= 0),
    PRIMARY KEY (bet_id, number)
) STRICT;

CREATE TABLE cash_out_rules (
    bet_id INTEGER PRIMARY KEY REFERENCES bets (id),
    at_least_cents INTEGER NOT NULL CHECK (at_least_cents > 0)
) STRICT;
