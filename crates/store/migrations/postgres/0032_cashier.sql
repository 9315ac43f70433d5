-- The answers to deposits and withdrawals by their idempotency keys; never deleted.
CREATE TABLE cashier_answers (
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    key BYTEA NOT NULL CHECK (length(key) = 16),
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    status BIGINT NOT NULL CHECK (status = 200),
    body BYTEA NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
);
