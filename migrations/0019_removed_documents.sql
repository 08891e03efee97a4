-- Documents that staff removed, which they can restore for a while. They aren't in `documents`, so no query can show them
-- by forgetting a condition.

CREATE TABLE removed_documents (
  id               TEXT PRIMARY KEY,
  kept_until       INTEGER NOT NULL,
  editors          TEXT NOT NULL,
  restored_as      TEXT,
  creator_id       TEXT REFERENCES users (id) ON DELETE CASCADE,
  token_hash       TEXT,
  content_key      TEXT NOT NULL,
  content_bytes    INTEGER NOT NULL,
  content_until    INTEGER NOT NULL,
  content_hash     TEXT,
  content_saved_by TEXT,
  content_saved_at INTEGER,
  revision         INTEGER NOT NULL,
  title            TEXT,
  title_key        TEXT,
  given_title      TEXT,
  language         TEXT NOT NULL,
  language_chosen  INTEGER NOT NULL,
  image_embed      INTEGER NOT NULL,
  instant_delete   INTEGER NOT NULL,
  encrypted        INTEGER NOT NULL,
  public           INTEGER NOT NULL,
  keep_revisions   INTEGER NOT NULL,
  has_editors      INTEGER NOT NULL,
  envelope_header  TEXT,
  claim_hash       TEXT,
  proof_hash       TEXT,
  gist_url         TEXT,
  duplicated_from  TEXT,
  saved_by         TEXT,
  views            INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_documents_by_account ON removed_documents (creator_id) WHERE creator_id IS NOT NULL;

CREATE INDEX removed_documents_by_time ON removed_documents (kept_until);

CREATE TRIGGER removed_documents_detach_deleted AFTER DELETE ON removed_documents
WHEN OLD.content_until > unixepoch() * 1000
  AND NOT EXISTS (SELECT 1 FROM documents WHERE id = OLD.id AND content_key = OLD.content_key)
BEGIN
  INSERT OR IGNORE INTO detached_contents (content_key, removable_at) VALUES (OLD.content_key, 0);
END;

CREATE TRIGGER documents_keep_removed_ids BEFORE INSERT ON documents
WHEN EXISTS (SELECT 1 FROM removed_documents WHERE id = NEW.id AND restored_as IS NOT NEW.version)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- A document that staff can still restore has no tombstone: it isn't gone for good, and its id stays taken.
DROP TRIGGER documents_leave_tombstone;

CREATE TRIGGER documents_leave_tombstone AFTER DELETE ON documents
WHEN OLD.expires_at > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM backups WHERE started_at >= OLD.created_at)
  AND NOT EXISTS (SELECT 1 FROM removed_documents WHERE id = OLD.id)
BEGIN
  INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
    VALUES (0, unixepoch() * 1000, 'document', OLD.id, unixepoch() * 1000)
  ON CONFLICT DO UPDATE SET ends_at = min(ends_at, excluded.ends_at);
END;

CREATE TRIGGER removed_documents_leave_tombstone AFTER DELETE ON removed_documents
WHEN OLD.expires_at > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM backups WHERE started_at >= OLD.created_at)
  AND NOT EXISTS (SELECT 1 FROM documents WHERE id = OLD.id)
BEGIN
  INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
    VALUES (0, unixepoch() * 1000, 'document', OLD.id, unixepoch() * 1000)
  ON CONFLICT DO UPDATE SET ends_at = min(ends_at, excluded.ends_at);
END;
