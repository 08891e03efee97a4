-- The whole database. Every statement may run again on a database that has it already.
-- Times are milliseconds since 1970 (UTC). "Never" is 253402300799999, the last millisecond of the
-- year 9999, so that every comparison with a time just works.

CREATE TABLE IF NOT EXISTS users (
  id             TEXT PRIMARY KEY,
  username       TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email          TEXT NOT NULL UNIQUE COLLATE NOCASE,
  confirmed      INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
  -- Bit field: member 1, member-plus 2, beta-tester 4, admin 8, contributor 16, star-gazer 32.
  flags          INTEGER NOT NULL DEFAULT 1,
  -- Address of a picture; without one the site draws its own.
  icon           TEXT,
  -- Documents ever created, deleted ones included. Kept by a trigger.
  documents_made INTEGER NOT NULL DEFAULT 0,
  suspended_at   INTEGER,
  created_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS api_keys (
  -- The SHA-256 of the key, base64url. The key itself is shown once and kept nowhere.
  key_hash   TEXT PRIMARY KEY,
  -- What a person names the key by to revoke it.
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS api_keys_by_user ON api_keys (user_id);

CREATE TABLE IF NOT EXISTS documents (
  id              TEXT PRIMARY KEY,
  creator_id      TEXT REFERENCES users (id) ON DELETE SET NULL,
  -- Where KV holds the stored text. A new key for every version; never reused.
  content_key     TEXT NOT NULL,
  -- Bytes of UTF-8 of the text itself; of an encrypted document, of the text inside the envelope.
  content_bytes   INTEGER NOT NULL,
  -- Until when KV keeps the content: the expiration and a margin at the time of the put.
  content_until   INTEGER NOT NULL,
  language        TEXT NOT NULL,
  image_embed     INTEGER NOT NULL CHECK (image_embed IN (0, 1)),
  instant_delete  INTEGER NOT NULL CHECK (instant_delete IN (0, 1)),
  encrypted       INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
  public          INTEGER NOT NULL CHECK (public IN (0, 1)),
  -- Whether document_editors need be looked at: most documents have none, and every read would pay.
  has_editors     INTEGER NOT NULL DEFAULT 0 CHECK (has_editors IN (0, 1)),
  -- The protected header of the envelope and the base64url SHA-256 of the claim token, so that a
  -- claim is proven without content. Both are set exactly for encrypted documents with instant_delete.
  envelope_header TEXT,
  claim_hash      TEXT,
  gist_url        TEXT,
  views           INTEGER NOT NULL DEFAULT 0,
  -- Random, new with every edit: the condition of every change, and what ETag and If-Match name.
  version         TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  -- Set only inside the transaction that burns the row, for the trigger to pass on.
  burn_mark       TEXT,
  CHECK ((claim_hash IS NULL) = (envelope_header IS NULL)),
  CHECK ((claim_hash IS NOT NULL) = (encrypted = 1 AND instant_delete = 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS documents_by_expiration ON documents (expires_at)
  WHERE expires_at < 253402300799999;
CREATE INDEX IF NOT EXISTS documents_by_creator ON documents (creator_id, created_at)
  WHERE creator_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS document_editors (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  -- The order in which the creator named them.
  position    INTEGER NOT NULL,
  user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS document_editors_by_user ON document_editors (user_id);

-- Content that no document points to any more and that KV may still hold.
CREATE TABLE IF NOT EXISTS detached_contents (
  content_key  TEXT PRIMARY KEY,
  -- From when cleanup may remove it; 0 is at once.
  removable_at INTEGER NOT NULL,
  -- Which burn detached it: how a burn whose answer was lost learns that it took place.
  burn_mark    TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS detached_contents_by_time ON detached_contents (removable_at);

-- Where the sweep for content without a row goes on.
CREATE TABLE IF NOT EXISTS sweep_progress (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  cursor   TEXT
) STRICT;

CREATE TRIGGER IF NOT EXISTS documents_count_made AFTER INSERT ON documents
WHEN NEW.creator_id IS NOT NULL
BEGIN
  UPDATE users SET documents_made = documents_made + 1 WHERE id = NEW.creator_id;
END;

-- KV drops content by itself once content_until has passed; only what it still holds is work.
-- Whoever burns a document removes its content at once. Only if they were cut off does cleanup, after
-- five minutes: until then the row is their proof, should they have to ask again.
CREATE TRIGGER IF NOT EXISTS documents_detach_deleted AFTER DELETE ON documents
WHEN OLD.content_until > unixepoch() * 1000
BEGIN
  INSERT INTO detached_contents (content_key, removable_at, burn_mark)
  VALUES (OLD.content_key, iif(OLD.burn_mark IS NULL, 0, unixepoch() * 1000 + 300000), OLD.burn_mark);
END;

-- Five minutes' grace for readers who have the old row in hand.
CREATE TRIGGER IF NOT EXISTS documents_detach_replaced AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, NEW.updated_at + 300000);
END;
