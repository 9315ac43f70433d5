-- Cash-outs and the rules that order them. An answer says what its key was used for, because a cash-out can be answered
-- with 200 without a payment, if a settlement came first.

ALTER TABLE answers ADD COLUMN purpose TEXT NOT NULL DEFAULT 'bet';
ALTER TABLE answers ADD CONSTRAINT answers_purpose_check CHECK (purpose IN ('bet', 'cash_out')) NOT VALID;

CREATE TABLE cash_outs (
    bet_id BIGINT NOT NULL REFERENCES bets (id),
    number BIGINT NOT NULL CHECK (number > 0),
    at_ms BIGINT NOT NULL,
    share_hundredths BIGINT NOT NULL CHECK (share_hundredths BETWEEN 5 AND 95 OR share_hundredths = 100),
    value_cents BIGINT NOT NULL CHECK (value_cents >= 0),
    win_tax_cents BIGINT NOT NULL CHECK (win_tax_cents >= 0),
    paid_cents BIGINT NOT NULL CHECK (paid_cents >= 0),
    bruto_cents BIGINT NOT NULL CHECK (bruto_cents >= 0),
    stake_cents BIGINT NOT NULL CHECK (stake_cents >= 0),
    PRIMARY KEY (bet_id, number)
);

CREATE TABLE cash_out_rules (
    bet_id BIGINT PRIMARY KEY REFERENCES bets (id),
    at_least_cents BIGINT NOT NULL CHECK (at_least_cents > 0)
);

CREATE TRIGGER cash_outs_are_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON cash_outs
    FOR EACH STATEMENT EXECUTE FUNCTION the_ledger_is_only_added_to();
