-- What each account and the whole server store, for the quotas, and a switch that refuses documents without an
-- account. The triggers count what the previous release creates, too; it checks nothing.

CREATE TABLE usage (
  account_id TEXT PRIMARY KEY,
  documents  INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  day        INTEGER NOT NULL,
  created    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO usage SELECT '', count(*), coalesce(sum(content_bytes), 0), 0, 0 FROM documents;
INSERT INTO usage SELECT creator_id, count(*), sum(content_bytes), 0, 0 FROM documents
  WHERE creator_id IS NOT NULL GROUP BY creator_id;

-- 86400000 ms are a day.
CREATE TRIGGER usage_count_created AFTER INSERT ON documents
BEGIN
  INSERT INTO usage (account_id, documents, bytes, day, created)
    SELECT value, 1, NEW.content_bytes, NEW.created_at / 86400000, 1
    FROM json_each(json_array('', NEW.creator_id)) WHERE value IS NOT NULL
  ON CONFLICT (account_id) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes,
    created = CASE WHEN excluded.day > day THEN 1 ELSE created + (excluded.day = day) END,
    day = max(day, excluded.day);
END;

CREATE TRIGGER usage_count_deleted AFTER DELETE ON documents
BEGIN
  UPDATE usage SET documents = documents - 1, bytes = bytes - OLD.content_bytes
    WHERE account_id IN ('', OLD.creator_id);
END;

CREATE TRIGGER usage_count_edited AFTER UPDATE OF content_bytes ON documents
WHEN OLD.content_bytes <> NEW.content_bytes
BEGIN
  UPDATE usage SET bytes = bytes + NEW.content_bytes - OLD.content_bytes
    WHERE account_id IN ('', OLD.creator_id);
END;

CREATE TRIGGER usage_count_taken AFTER UPDATE OF creator_id ON documents
WHEN OLD.creator_id IS NOT NEW.creator_id
BEGIN
  UPDATE usage SET documents = documents - 1, bytes = bytes - NEW.content_bytes WHERE account_id = OLD.creator_id;
  INSERT INTO usage (account_id, documents, bytes, day, created)
    SELECT NEW.creator_id, 1, NEW.content_bytes, 0, 0 WHERE NEW.creator_id IS NOT NULL
  ON CONFLICT (account_id) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER users_forget_usage AFTER DELETE ON users
BEGIN
  DELETE FROM usage WHERE account_id = OLD.id;
END;

CREATE TABLE switches (
  name       TEXT PRIMARY KEY,
  value      TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE quota_checks (
  account_id        TEXT,
  day               INTEGER,
  account_documents INTEGER,
  account_bytes     INTEGER,
  account_creates   INTEGER,
  server_documents  INTEGER,
  server_bytes      INTEGER,
  server_creates    INTEGER
) STRICT;

CREATE TRIGGER quota_checks_refuse BEFORE INSERT ON quota_checks
BEGIN
  SELECT RAISE(ABORT, 'quota: anonymous documents') WHERE NEW.account_id IS NULL AND NEW.day IS NOT NULL
    AND EXISTS (SELECT 1 FROM switches WHERE name = 'anonymous_documents' AND value = 'refuse');
  SELECT CASE
      WHEN account_id = '' AND documents > NEW.server_documents THEN RAISE(ABORT, 'quota: server documents')
      WHEN account_id = '' AND bytes > NEW.server_bytes THEN RAISE(ABORT, 'quota: server bytes')
      WHEN account_id = '' AND day = NEW.day AND created > NEW.server_creates
        THEN RAISE(ABORT, 'quota: server creates')
      WHEN account_id <> '' AND documents > NEW.account_documents THEN RAISE(ABORT, 'quota: account documents')
      WHEN account_id <> '' AND bytes > NEW.account_bytes THEN RAISE(ABORT, 'quota: account bytes')
      WHEN account_id <> '' AND day = NEW.day AND created > NEW.account_creates
        THEN RAISE(ABORT, 'quota: account creates')
    END
    FROM usage WHERE account_id IN ('', NEW.account_id);
  SELECT RAISE(IGNORE);
END;
