-- An operator has paused betting on all nodes while there is a row.
CREATE TABLE betting_pause (
    is_the_one INTEGER PRIMARY KEY CHECK (is_the_one = 1),
    since_ms INTEGER NOT NULL
) STRICT;
