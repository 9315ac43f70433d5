-- What signs the cookies of sessions where nobody has configured it: one key for all servers of this database, made by the
-- first. It opens no session, for the ids it signs are kept nowhere.
CREATE TABLE cookie_key (
    is_the_one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_the_one),
    key BYTEA NOT NULL CHECK (length(key) >= 32)
);
