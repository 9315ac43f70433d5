-- The skeleton of each account's name (UTS 39), so that no new name looks like one that exists. Where names of older
-- accounts look alike, the oldest account has the row and the others have none; they keep their names.
CREATE TABLE account_names (
    skeleton TEXT PRIMARY KEY,
    account_id BIGINT NOT NULL UNIQUE REFERENCES accounts (id)
);
