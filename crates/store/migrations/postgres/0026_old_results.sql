-- Results of markets without a bet are deleted after some time.
CREATE INDEX IF NOT EXISTS market_results_by_time ON market_results (at_ms);
