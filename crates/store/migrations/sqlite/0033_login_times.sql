-- When the limits of its bettor concern a login, in ms since the epoch: its end by the limit of a session, the next reality
-- check, and the last one that was answered. NULL for never.
ALTER TABLE logins ADD COLUMN ends_at_ms INTEGER;
ALTER TABLE logins ADD COLUMN check_due_at_ms INTEGER;
ALTER TABLE logins ADD COLUMN checked_at_ms INTEGER;
