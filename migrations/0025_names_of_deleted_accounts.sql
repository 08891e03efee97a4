-- The names of a deleted account, present and former, stay reserved for 90 days: links and editors may still name it. So
-- former_usernames no longer refers to users.

DROP TRIGGER users_reserve_former_username;
DROP TRIGGER users_insert_former_username;
DROP TRIGGER users_update_former_username;

CREATE TABLE names_to_keep (
  look           TEXT PRIMARY KEY,
  user_id        TEXT NOT NULL,
  reserved_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO names_to_keep SELECT look, user_id, reserved_until FROM former_usernames;
DROP TABLE former_usernames;
ALTER TABLE names_to_keep RENAME TO former_usernames;

CREATE INDEX former_usernames_by_user ON former_usernames (user_id, reserved_until);
CREATE INDEX former_usernames_by_time ON former_usernames (reserved_until);

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

CREATE TRIGGER users_reserve_deleted_username AFTER DELETE ON users
BEGIN
  INSERT INTO former_usernames (look, user_id, reserved_until)
  VALUES (
    replace(replace(replace(replace(replace(replace(lower(OLD.username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
      'rn', 'm'), 'vv', 'w'),
    OLD.id, unixepoch() * 1000 + 7776000000)
  ON CONFLICT (look) DO UPDATE SET user_id = excluded.user_id, reserved_until = excluded.reserved_until;
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
