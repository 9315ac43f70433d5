-- What the nodes of an installation must know of each other. Unlogged: it is of no use after a crash of the server.

-- Nodes that run: each renews its row every second.
CREATE UNLOGGED TABLE nodes (
    id BIGINT PRIMARY KEY,
    seen_at TIMESTAMPTZ NOT NULL
);

-- Orders between their call and their answer. One row for each, so that no row is written by several orders.
CREATE UNLOGGED TABLE running_orders (
    account_id BIGINT NOT NULL,
    key BYTEA NOT NULL,
    node_id BIGINT NOT NULL,
    until TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (account_id, key)
);

-- Attempts with a wrong password, one row for each limit that an attempt counts for.
CREATE UNLOGGED TABLE password_attempts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key BYTEA NOT NULL,
    at TIMESTAMPTZ NOT NULL
);
CREATE INDEX password_attempts_of_a_key ON password_attempts (key, at);
