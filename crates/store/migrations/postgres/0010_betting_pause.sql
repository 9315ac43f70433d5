-- An operator has paused betting on all nodes while there is a row.
CREATE TABLE betting_pause (
    is_the_one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_the_one),
    since_ms BIGINT NOT NULL
);
