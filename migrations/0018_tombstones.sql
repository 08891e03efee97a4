-- Merging a backup into a service that goes on running must not bring back what people have deleted since. So deletions
-- leave a tombstone, but only of what a backup may hold: the command that makes a backup records it here. The previous
-- release deletes documents and accounts as before, and the triggers leave its tombstones, too.

CREATE TABLE backups (
  started_at INTEGER NOT NULL,
  id         TEXT NOT NULL,
  PRIMARY KEY (started_at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
  hashed      INTEGER NOT NULL CHECK (hashed IN (0, 1)),
  recorded_at INTEGER NOT NULL,
  kind        TEXT NOT NULL CHECK (kind IN ('account', 'document')),
  id          TEXT NOT NULL,
  ends_at     INTEGER NOT NULL,
  PRIMARY KEY (hashed, recorded_at, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER documents_leave_tombstone AFTER DELETE ON documents
WHEN OLD.expires_at > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM backups WHERE started_at >= OLD.created_at)
BEGIN
  INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
    VALUES (0, unixepoch() * 1000, 'document', OLD.id, unixepoch() * 1000)
  ON CONFLICT DO UPDATE SET ends_at = min(ends_at, excluded.ends_at);
END;

CREATE TRIGGER documents_note_earlier_expiry AFTER UPDATE OF expires_at ON documents
WHEN NEW.expires_at < OLD.expires_at AND EXISTS (SELECT 1 FROM backups WHERE started_at >= OLD.created_at)
BEGIN
  INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
    VALUES (0, unixepoch() * 1000, 'document', NEW.id, NEW.expires_at)
  ON CONFLICT DO UPDATE SET ends_at = min(ends_at, excluded.ends_at);
END;

CREATE TRIGGER users_leave_tombstone AFTER DELETE ON users
WHEN EXISTS (SELECT 1 FROM backups)
BEGIN
  INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
    VALUES (0, unixepoch() * 1000, 'account', OLD.id, unixepoch() * 1000)
  ON CONFLICT DO UPDATE SET ends_at = min(ends_at, excluded.ends_at);
END;
