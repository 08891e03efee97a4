-- The schema of version 0.2.0. See schema.sql for what each table and column is for.
--
-- Databases from before migrations existed already have most of this: IF NOT EXISTS skips what they have,
-- and 0002 changes what differs. That covers every database since accounts were introduced (6f0127f).

CREATE TABLE IF NOT EXISTS users (
  id             TEXT PRIMARY KEY,
  username       TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email          TEXT NOT NULL UNIQUE COLLATE NOCASE,
  confirmed      INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
  flags          INTEGER NOT NULL DEFAULT 1,
  icon           TEXT,
  documents_made INTEGER NOT NULL DEFAULT 0,
  suspended_at   INTEGER,
  created_at     INTEGER NOT NULL,
  defaults       TEXT,
  leaving        TEXT CHECK (leaving IN ('delete', 'keep'))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS users_by_look ON users (
  replace(replace(replace(replace(replace(replace(lower(username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
    'rn', 'm'), 'vv', 'w'));
CREATE INDEX IF NOT EXISTS users_leaving ON users (leaving) WHERE leaving IS NOT NULL;
CREATE TABLE IF NOT EXISTS pictures (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  media_type TEXT NOT NULL,
  bytes      BLOB NOT NULL,
  version    TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS api_keys (
  key_hash   TEXT PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS api_keys_by_user ON api_keys (user_id);
CREATE TABLE IF NOT EXISTS sessions (
  token_hash TEXT PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS sessions_by_user ON sessions (user_id);
CREATE INDEX IF NOT EXISTS sessions_by_expiration ON sessions (expires_at);
CREATE TABLE IF NOT EXISTS linked_accounts (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id  TEXT NOT NULL,
  account_id   TEXT NOT NULL,
  access_token TEXT,
  scope        TEXT,
  login        TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS linked_accounts_by_user ON linked_accounts (user_id, provider_id);
CREATE TABLE IF NOT EXISTS verifications (
  id         TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS verifications_by_identifier ON verifications (identifier);
CREATE INDEX IF NOT EXISTS verifications_by_expiration ON verifications (expires_at);
CREATE TABLE IF NOT EXISTS mails_sent (
  email   TEXT NOT NULL COLLATE NOCASE,
  id      TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (email, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS mails_sent_by_time ON mails_sent (sent_at);

CREATE TABLE IF NOT EXISTS documents (
  id              TEXT PRIMARY KEY,
  creator_id      TEXT REFERENCES users (id) ON DELETE SET NULL,
  content_key     TEXT NOT NULL,
  content_bytes   INTEGER NOT NULL,
  content_until   INTEGER NOT NULL,
  language        TEXT NOT NULL,
  image_embed     INTEGER NOT NULL CHECK (image_embed IN (0, 1)),
  instant_delete  INTEGER NOT NULL CHECK (instant_delete IN (0, 1)),
  encrypted       INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
  public          INTEGER NOT NULL CHECK (public IN (0, 1)),
  has_editors     INTEGER NOT NULL DEFAULT 0 CHECK (has_editors IN (0, 1)),
  envelope_header TEXT,
  claim_hash      TEXT,
  gist_url        TEXT,
  views           INTEGER NOT NULL DEFAULT 0,
  version         TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  burn_mark       TEXT,
  title           TEXT,
  title_key       TEXT,
  saved_by        TEXT,
  CHECK ((claim_hash IS NULL) = (envelope_header IS NULL)),
  CHECK ((claim_hash IS NOT NULL) = (encrypted = 1 AND instant_delete = 1))
) STRICT, WITHOUT ROWID;

-- Stops here with "no such column" if the database is older than that, and leaves it unchanged.
SELECT has_editors, saved_by FROM documents LIMIT 0;

CREATE INDEX IF NOT EXISTS documents_by_expiration ON documents (expires_at)
  WHERE expires_at < 253402300799999;
CREATE INDEX IF NOT EXISTS documents_by_account
  ON documents (creator_id, created_at, expires_at, content_bytes, title_key)
  WHERE creator_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS document_editors (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS document_editors_by_user ON document_editors (user_id);
CREATE TABLE IF NOT EXISTS gists (
  document_id TEXT PRIMARY KEY,
  user_id     TEXT NOT NULL,
  gist_id     TEXT,
  public      INTEGER NOT NULL CHECK (public IN (0, 1)),
  published   TEXT,
  due_at      INTEGER,
  attempts    INTEGER NOT NULL DEFAULT 0,
  leased_until INTEGER NOT NULL DEFAULT 0,
  refusal     TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS gists_by_due ON gists (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS gists_by_user ON gists (user_id);
CREATE TABLE IF NOT EXISTS reports (
  id          TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  reason      TEXT NOT NULL,
  words       TEXT,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS reports_by_document ON reports (document_id);
CREATE INDEX IF NOT EXISTS reports_by_time ON reports (created_at);
CREATE TABLE IF NOT EXISTS removals (
  document_id TEXT PRIMARY KEY,
  creator_id  TEXT,
  title       TEXT,
  removed_at  INTEGER NOT NULL,
  removed_by  TEXT NOT NULL,
  reason      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS removals_by_creator ON removals (creator_id, removed_at) WHERE creator_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS removals_by_time ON removals (removed_at);
CREATE TABLE IF NOT EXISTS detached_contents (
  content_key  TEXT PRIMARY KEY,
  removable_at INTEGER NOT NULL,
  burn_mark    TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS detached_contents_by_time ON detached_contents (removable_at);
CREATE TABLE IF NOT EXISTS sweep_progress (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  cursor   TEXT
) STRICT;

CREATE TRIGGER IF NOT EXISTS documents_count_made AFTER INSERT ON documents
WHEN NEW.creator_id IS NOT NULL
BEGIN
  UPDATE users SET documents_made = documents_made + 1 WHERE id = NEW.creator_id;
END;
CREATE TRIGGER IF NOT EXISTS documents_detach_deleted AFTER DELETE ON documents
WHEN OLD.content_until > unixepoch() * 1000
BEGIN
  INSERT INTO detached_contents (content_key, removable_at, burn_mark)
  VALUES (OLD.content_key, iif(OLD.burn_mark IS NULL, 0, unixepoch() * 1000 + 300000), OLD.burn_mark);
END;
CREATE TRIGGER IF NOT EXISTS documents_detach_replaced AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, NEW.updated_at + 300000);
END;
CREATE TRIGGER IF NOT EXISTS documents_gist_changed AFTER UPDATE OF version ON documents
WHEN EXISTS (SELECT 1 FROM gists WHERE document_id = NEW.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE document_id = NEW.id;
END;

CREATE TRIGGER IF NOT EXISTS documents_gist_deleted AFTER DELETE ON documents
WHEN EXISTS (SELECT 1 FROM gists WHERE document_id = OLD.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE document_id = OLD.id;
END;
CREATE TRIGGER IF NOT EXISTS users_gists_left AFTER DELETE ON users
WHEN EXISTS (SELECT 1 FROM gists WHERE user_id = OLD.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE user_id = OLD.id;
END;
