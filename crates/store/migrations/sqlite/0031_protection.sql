-- Limits and exclusions that bettors set for themselves, as JSON; NULL for accounts that never set one.
ALTER TABLE accounts ADD COLUMN protection TEXT;

-- All their changes. `details` is JSON.
CREATE TABLE protection_history (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    details TEXT NOT NULL
);
CREATE INDEX protection_history_of_an_account ON protection_history (account_id, id);
