-- Bets that could not be settled, and the rules of bets that were placed before rules were kept.

-- A bet that cannot be graded is set aside, so that the bets behind it are settled. It is tried again later.
CREATE TABLE settlement_set_aside (
    bet_id BIGINT PRIMARY KEY REFERENCES bets (id),
    match_id BIGINT NOT NULL,
    market_id BIGINT NOT NULL,
    cause TEXT NOT NULL,
    at_ms BIGINT NOT NULL
);

CREATE INDEX IF NOT EXISTS bets_without_rules ON bets (id) WHERE rules IS NULL;

-- Bets without rules get the rules of the configuration once; after that they stay.
DROP TRIGGER bets_stay_as_placed ON bets;
CREATE TRIGGER bets_stay_as_placed BEFORE UPDATE OF id, ticket_id, account_id, key, placed_at_ms, bruto_cents, stake_cents,
    system_type ON bets FOR EACH STATEMENT EXECUTE FUNCTION a_bet_stays_as_it_was_placed();
CREATE TRIGGER the_rules_of_a_bet_stay BEFORE UPDATE OF rules ON bets FOR EACH ROW WHEN (OLD.rules IS NOT NULL)
    EXECUTE FUNCTION a_bet_stays_as_it_was_placed();
