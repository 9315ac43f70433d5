-- An external id belongs to one account. `key` is the id without blanks, hyphens and case. Accounts of before that share one
-- stay; the oldest has it.
CREATE TABLE external_ids (
    key TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO external_ids (key, account_id)
    SELECT lower(replace(replace(external_id, ' ', ''), '-', '')), min(id) FROM accounts
    WHERE external_id IS NOT NULL GROUP BY 1;
