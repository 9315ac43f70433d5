-- Finds the open bets and the undecided pairs. Every node looks for them all the time, and the other rows only become
-- more.
CREATE INDEX IF NOT EXISTS open_bets ON bets (id) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS open_pairs ON bet_pairs (match_id, market_id, bet_id) WHERE result = 'open';
