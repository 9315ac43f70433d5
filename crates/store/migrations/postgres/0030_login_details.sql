-- What an account's list of sessions shows; NULL for logins that an older version has stored.
ALTER TABLE logins ADD COLUMN created_at_ms BIGINT;
ALTER TABLE logins ADD COLUMN agent TEXT;
