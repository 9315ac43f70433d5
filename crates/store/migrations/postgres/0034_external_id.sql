-- The player's name in the register of excluded players; NULL if it is the name of the account.
ALTER TABLE accounts ADD COLUMN external_id TEXT;
