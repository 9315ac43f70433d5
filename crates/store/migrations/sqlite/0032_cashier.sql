-- The answers to deposits and withdrawals by their idempotency keys; never deleted.
CREATE TABLE cashier_answers (
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    key BLOB NOT NULL CHECK (length(key) = 16),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    status INTEGER NOT NULL CHECK (status = 200),
    body BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (account_id, key)
);
