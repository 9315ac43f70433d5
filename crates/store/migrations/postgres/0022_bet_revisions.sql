-- Revisions, so that of several reports about a bet or a balance the newest counts; and what each pair counts as, and why.

ALTER TABLE accounts ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
ALTER TABLE bets ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
-- The share of a dead heat, in ten-thousandths.
ALTER TABLE bet_pairs ADD COLUMN dead_heat BIGINT;
ALTER TABLE bet_pairs ADD CONSTRAINT bet_pairs_dead_heat_check CHECK (dead_heat BETWEEN 1 AND 10000) NOT VALID;
ALTER TABLE bet_pairs ADD COLUMN reason TEXT;
