-- Marks an undecided pair of which the market got another line under the same id. It is settled by hand, or void.
ALTER TABLE bet_pairs ADD COLUMN line_moved BOOLEAN NOT NULL DEFAULT FALSE;
