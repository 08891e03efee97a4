-- Gives API keys an optional expiry and a scope: existing keys never expire and may do everything. Stores a hash for
-- each encrypted document, with which editors prove that they know its password. Keeps former usernames reserved. The
-- previous release ignores the new columns, and its changes of usernames fire the triggers, too.

ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'everything'
  CHECK (scope IN ('read', 'write', 'everything'));

ALTER TABLE documents ADD COLUMN proof_hash TEXT;

CREATE TABLE former_usernames (
  look           TEXT PRIMARY KEY,
  user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reserved_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX former_usernames_by_user ON former_usernames (user_id, reserved_until);
CREATE INDEX former_usernames_by_time ON former_usernames (reserved_until);

-- 7776000000 ms are 90 days.
CREATE TRIGGER users_reserve_former_username AFTER UPDATE OF username ON users
WHEN OLD.username <> NEW.username
BEGIN
  INSERT INTO former_usernames (look, user_id, reserved_until)
  VALUES (
    replace(replace(replace(replace(replace(replace(lower(OLD.username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
      'rn', 'm'), 'vv', 'w'),
    OLD.id, unixepoch() * 1000 + 7776000000)
  ON CONFLICT (look) DO UPDATE SET user_id = excluded.user_id, reserved_until = excluded.reserved_until;
  DELETE FROM former_usernames
  WHERE user_id = NEW.id AND (
    look = replace(replace(replace(replace(replace(replace(lower(NEW.username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
      'rn', 'm'), 'vv', 'w')
    OR look NOT IN (
      SELECT look FROM former_usernames WHERE user_id = NEW.id ORDER BY reserved_until DESC LIMIT 10));
END;

CREATE TRIGGER users_insert_former_username BEFORE INSERT ON users
WHEN EXISTS (
  SELECT 1 FROM former_usernames
  WHERE look = replace(replace(replace(replace(replace(replace(lower(NEW.username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
      'rn', 'm'), 'vv', 'w')
    AND user_id <> NEW.id AND reserved_until > unixepoch() * 1000)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: users.username (reserved)');
END;

CREATE TRIGGER users_update_former_username BEFORE UPDATE OF username ON users
WHEN EXISTS (
  SELECT 1 FROM former_usernames
  WHERE look = replace(replace(replace(replace(replace(replace(lower(NEW.username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
      'rn', 'm'), 'vv', 'w')
    AND user_id <> NEW.id AND reserved_until > unixepoch() * 1000)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: users.username (reserved)');
END;

-- For the job that forgets the titles of removed documents.
CREATE INDEX removals_with_title ON removals (removed_at) WHERE title IS NOT NULL;
