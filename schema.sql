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
  created_at     INTEGER NOT NULL,
  -- What the site's form offers for a new document, as JSON.
  defaults       TEXT,
  -- What becomes of the documents of an account that is being deleted. From then on it has neither keys
  -- nor sessions; its row goes when its documents are worked off.
  leaving        TEXT CHECK (leaving IN ('delete', 'keep'))
) STRICT, WITHOUT ROWID;

-- Names that look alike are one name: 0 and o, 1, l and i, _ and -, rn and m, vv and w.
CREATE UNIQUE INDEX IF NOT EXISTS users_by_look ON users (
  replace(replace(replace(replace(replace(replace(lower(username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
    'rn', 'm'), 'vv', 'w'));
CREATE INDEX IF NOT EXISTS users_leaving ON users (leaving) WHERE leaving IS NOT NULL;

-- An account's picture, fetched from where the account was linked to: at most 64 KiB.
CREATE TABLE IF NOT EXISTS pictures (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  media_type TEXT NOT NULL,
  bytes      BLOB NOT NULL,
  -- Stands in the picture's address, which is cached for ever.
  version    TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS api_keys (
  -- The SHA-256 of the key, base64url. The key itself is shown once and kept nowhere.
  key_hash   TEXT PRIMARY KEY,
  -- What a person names the key by to revoke it.
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- To the hour: that is how often it is written.
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS api_keys_by_user ON api_keys (user_id);

-- Who is signed in where. The cookie holds a token; this holds its SHA-256, base64url.
CREATE TABLE IF NOT EXISTS sessions (
  token_hash TEXT PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS sessions_by_user ON sessions (user_id);
CREATE INDEX IF NOT EXISTS sessions_by_expiration ON sessions (expires_at);

-- Accounts elsewhere that people sign in by, and publish gists with.
CREATE TABLE IF NOT EXISTS linked_accounts (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id  TEXT NOT NULL,
  account_id   TEXT NOT NULL,
  -- Encrypted with a key derived from AUTH_SECRET: a JWE (dir, A256GCM).
  access_token TEXT,
  -- What the token may do, separated by commas.
  scope        TEXT,
  -- What the account there is called, for its owner to know it by.
  login        TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT, WITHOUT ROWID;

-- One account there for one here: nobody's second one hides behind the first.
CREATE UNIQUE INDEX IF NOT EXISTS linked_accounts_by_user ON linked_accounts (user_id, provider_id);

-- Links in mails and sign-ins that are under way: each works once, for some minutes. The identifier
-- is a hash of what the link or the other side holds.
CREATE TABLE IF NOT EXISTS verifications (
  id         TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS verifications_by_identifier ON verifications (identifier);
CREATE INDEX IF NOT EXISTS verifications_by_expiration ON verifications (expires_at);

-- Mails that were asked for, so that nobody's mailbox can be flooded.
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
  -- The first line with something in it, of documents that are not encrypted; and what search compares.
  title           TEXT,
  title_key       TEXT,
  -- Whose edit was the last, at updated_at; null as long as there was none.
  saved_by        TEXT,
  CHECK ((claim_hash IS NULL) = (envelope_header IS NULL)),
  CHECK ((claim_hash IS NOT NULL) = (encrypted = 1 AND instant_delete = 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS documents_by_expiration ON documents (expires_at)
  WHERE expires_at < 253402300799999;
-- All that lists of an account's documents search, sort and filter by, side by side: going through a
-- hundred thousand entries of an index is quick where going through as many rows is not.
CREATE INDEX IF NOT EXISTS documents_by_account
  ON documents (creator_id, created_at, expires_at, content_bytes, title_key)
  WHERE creator_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS document_editors (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  -- The order in which the creator named them.
  position    INTEGER NOT NULL,
  user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS document_editors_by_user ON document_editors (user_id);

-- Documents that are, or are to be, gists. A row outlives its document until the gist is gone.
CREATE TABLE IF NOT EXISTS gists (
  document_id TEXT PRIMARY KEY,
  -- Whose gist it is. No reference: the gist of an account that is gone can not be reached any more.
  user_id     TEXT NOT NULL,
  gist_id     TEXT,
  -- Whether the gist was made public, which GitHub can not change.
  public      INTEGER NOT NULL CHECK (public IN (0, 1)),
  -- The document's version that the gist shows.
  published   TEXT,
  -- When there is something to do, at the latest when the document expires; null when there is not, or
  -- GitHub refused for good.
  due_at      INTEGER,
  -- Attempts since the last success. Once there was one, a gist may exist that nobody told us of.
  attempts    INTEGER NOT NULL DEFAULT 0,
  -- Nobody else works on it until then. It also names whose work it is.
  leased_until INTEGER NOT NULL DEFAULT 0,
  -- Why GitHub refused for good: a Refusal of src/gists/gist-api.ts.
  refusal     TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS gists_by_due ON gists (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS gists_by_user ON gists (user_id);

-- What people told the operator about documents.
CREATE TABLE IF NOT EXISTS reports (
  id          TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  reason      TEXT NOT NULL,
  words       TEXT,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS reports_by_document ON reports (document_id);
CREATE INDEX IF NOT EXISTS reports_by_time ON reports (created_at);

-- Documents that the operator removed, for the record and for their creators.
CREATE TABLE IF NOT EXISTS removals (
  document_id TEXT PRIMARY KEY,
  creator_id  TEXT,
  title       TEXT,
  removed_at  INTEGER NOT NULL,
  -- The username of whoever removed it, or "operator" for the command line.
  removed_by  TEXT NOT NULL,
  reason      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS removals_by_creator ON removals (creator_id, removed_at) WHERE creator_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS removals_by_time ON removals (removed_at);

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

-- A document that changes or goes leaves work for its gist.
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

-- Nobody can act at GitHub for an account that is gone: what was refused it is looked at once more, and
-- forgotten with its document.
CREATE TRIGGER IF NOT EXISTS users_gists_left AFTER DELETE ON users
WHEN EXISTS (SELECT 1 FROM gists WHERE user_id = OLD.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE user_id = OLD.id;
END;
