-- Revisions, so that of several reports about a bet or a balance the newest counts; and what each pair counts as, and why.

ALTER TABLE accounts ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bets ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
-- The share of a dead heat, in ten-thousandths.
ALTER TABLE bet_pairs ADD COLUMN dead_heat INTEGER CHECK (dead_heat BETWEEN 1 AND 10000);
ALTER TABLE bet_pairs ADD COLUMN reason TEXT;
