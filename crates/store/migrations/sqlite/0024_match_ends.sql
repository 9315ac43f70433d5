-- When matches with undecided bets left the offer, to find bets that wait too long for their results.
CREATE TABLE match_ends (
    match_id INTEGER PRIMARY KEY,
    ended_at_ms INTEGER NOT NULL
) STRICT;
