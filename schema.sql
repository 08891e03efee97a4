-- The whole schema in one place, for people to read. No deployment runs this file: `npm run types` writes it from the
-- migrations in migrations/, which create the database, and leaves its order and its comments as they are.
--
-- Times are milliseconds since 1970 (UTC). "Never" is 253402300799999, the last millisecond of the year
-- 9999, so comparisons need no special case for it.

CREATE TABLE users (
  id             TEXT PRIMARY KEY,
  username       TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email          TEXT NOT NULL UNIQUE COLLATE NOCASE,
  confirmed      INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
  -- Bit field: member 1, member-plus 2, beta-tester 4, admin 8, contributor 16, star-gazer 32.
  flags          INTEGER NOT NULL DEFAULT 1,
  -- URL of a picture. Without one, the site generates a picture.
  icon           TEXT,
  -- Number of documents ever created, including deleted ones. A trigger maintains it.
  documents_made INTEGER NOT NULL DEFAULT 0,
  suspended_at   INTEGER,
  created_at     INTEGER NOT NULL,
  -- The account's defaults for new documents, as JSON.
  defaults       TEXT,
  -- Set while the account is being deleted. Says what happens to its documents. The account then has no keys
  -- and no sessions, and its row is deleted once all its documents have been processed.
  leaving        TEXT CHECK (leaving IN ('delete', 'keep')),
  -- Whether the account has a profile page, which shows its public documents.
  has_profile    INTEGER NOT NULL DEFAULT 1 CHECK (has_profile IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Usernames that look alike count as the same: 0 and o; 1, l and i; _ and -; rn and m; vv and w.
CREATE UNIQUE INDEX users_by_look ON users (
  replace(replace(replace(replace(replace(replace(lower(username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
    'rn', 'm'), 'vv', 'w'));

CREATE INDEX users_leaving ON users (leaving) WHERE leaving IS NOT NULL;

-- Names that accounts gave up lately, or had when they were deleted. For 90 days nobody else can take them, or a name that
-- looks like them.
CREATE TABLE former_usernames (
  -- The name as users_by_look compares it.
  look           TEXT PRIMARY KEY,
  -- The account, which may be gone.
  user_id        TEXT NOT NULL,
  reserved_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX former_usernames_by_user ON former_usernames (user_id, reserved_until);

CREATE INDEX former_usernames_by_time ON former_usernames (reserved_until);

-- Profile pictures, at most 64 KiB, copied from connected GitHub accounts.
CREATE TABLE pictures (
  user_id    TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  media_type TEXT NOT NULL,
  bytes      BLOB NOT NULL,
  -- Part of the picture's URL, because browsers cache that URL forever.
  version    TEXT NOT NULL
) STRICT;

CREATE TABLE api_keys (
  -- SHA-256 of the key, base64url. The key itself is shown once and never stored.
  key_hash   TEXT PRIMARY KEY,
  -- Identifies the key in lists and when it is revoked.
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Updated at most once an hour.
  last_used_at INTEGER,
  -- From then on the key is invalid. NULL: never.
  expires_at INTEGER,
  -- What the key may do, see src/accounts/key-format.ts.
  scope TEXT NOT NULL DEFAULT 'everything' CHECK (scope IN ('read', 'write', 'everything'))
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_by_user ON api_keys (user_id);

-- Signed-in browsers. The cookie holds a token; this table holds its SHA-256, base64url.
CREATE TABLE sessions (
  token_hash TEXT PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE INDEX sessions_by_expiration ON sessions (expires_at);

-- Connected GitHub accounts, for signing in and for publishing gists.
CREATE TABLE linked_accounts (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id  TEXT NOT NULL,
  account_id   TEXT NOT NULL,
  -- Encrypted with a key derived from AUTH_SECRET: a JWE (dir, A256GCM).
  access_token TEXT,
  -- Scopes granted to the token, comma-separated.
  scope        TEXT,
  -- Username on GitHub, so that users can tell their accounts apart.
  login        TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT, WITHOUT ROWID;

-- A user can connect only one account per provider. With two, it would be unclear which one to use.
CREATE UNIQUE INDEX linked_accounts_by_user ON linked_accounts (user_id, provider_id);

-- Pending email links and sign-ins. Each works once, for a few minutes. The identifier is a hash of the token
-- in the link, or of the state that GitHub sends back.
CREATE TABLE verifications (
  id         TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX verifications_by_identifier ON verifications (identifier);

CREATE INDEX verifications_by_expiration ON verifications (expires_at);

-- Requested emails, counted so that nobody can flood a mailbox.
CREATE TABLE mails_sent (
  -- What the email counts for: the mailbox that it was sent to, "network" with a keyed hash of the network that
  -- requested it, "browser" with the id of a browser that has signed in before, or "account" with an id.
  email   TEXT NOT NULL COLLATE NOCASE,
  id      TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (email, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX mails_sent_by_time ON mails_sent (sent_at);

CREATE TABLE documents (
  id              TEXT PRIMARY KEY,
  creator_id      TEXT REFERENCES users (id) ON DELETE SET NULL,
  -- KV key of the content. Every version gets a new key; keys are never reused.
  content_key     TEXT NOT NULL,
  -- Size of the content in bytes of UTF-8; for encrypted documents, of the content before encryption.
  content_bytes   INTEGER NOT NULL,
  -- When KV expires the content: the document's expiry at the time of the write, plus a margin.
  content_until   INTEGER NOT NULL,
  language        TEXT NOT NULL,
  image_embed     INTEGER NOT NULL CHECK (image_embed IN (0, 1)),
  instant_delete  INTEGER NOT NULL CHECK (instant_delete IN (0, 1)),
  encrypted       INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
  public          INTEGER NOT NULL CHECK (public IN (0, 1)),
  -- Whether document_editors has rows for this document. Most documents have none, so most reads can skip
  -- that table.
  has_editors     INTEGER NOT NULL DEFAULT 0 CHECK (has_editors IN (0, 1)),
  -- The JWE's protected header and the SHA-256 (base64url) of the claim token, so that a claim can be
  -- checked without the content. Set only for documents that are both encrypted and burn after reading.
  envelope_header TEXT,
  claim_hash      TEXT,
  gist_url        TEXT,
  views           INTEGER NOT NULL DEFAULT 0,
  -- Random, new with every edit. Every edit checks it, and ETag and If-Match use it.
  version         TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  -- Set only within the transaction that burns the document or deletes it for its creator, so that the
  -- trigger can copy it.
  burn_mark       TEXT,
  -- The given title or else the first line with visible text, and the form of it that search compares. NULL
  -- for encrypted documents.
  title           TEXT,
  title_key       TEXT,
  -- Id of the user who last edited the document, at updated_at. NULL until the first edit.
  saved_by        TEXT,
  -- SHA-256 of the document token, base64url. The holder of the token acts as the creator. Only anonymous
  -- documents have one.
  token_hash      TEXT CHECK (token_hash IS NULL OR creator_id IS NULL),
  -- The title that the creator or an editor gave it. NULL for encrypted documents.
  given_title     TEXT,
  -- Whether somebody chose the language. If nobody did, pages detect it.
  language_chosen INTEGER NOT NULL DEFAULT 0 CHECK (language_chosen IN (0, 1)),
  -- SHA-256 (base64url) of the claim token of an encrypted document, by which editors prove the password. NULL if
  -- the JWE came without one.
  proof_hash      TEXT,
  -- SHA-256 of the content, base64url, so that removed content can be found and refused. NULL for encrypted
  -- documents, and for documents that were last edited before this column existed.
  content_hash    TEXT,
  -- Who created it without an account: an IPv4 address, or the /64 of an IPv6 address, as 32 hexadecimal digits.
  -- NULL for documents of accounts, and after 30 days.
  creator_address TEXT,
  -- Whether edits keep the previous content as a revision. Burn-after-reading documents keep none in any case.
  keep_revisions  INTEGER NOT NULL DEFAULT 1 CHECK (keep_revisions IN (0, 1)),
  -- The number of the content: 1 at first, and one more with every edit of the content. Never goes back.
  revision        INTEGER NOT NULL DEFAULT 1,
  -- Who saved the content, and when. content_saved_at is NULL until the first edit; the content is then from the
  -- creator and from updated_at.
  content_saved_by TEXT,
  content_saved_at INTEGER,
  -- The id of the document that it's a duplicate of. That document may be gone, or have never existed. NULL for
  -- encrypted and burn-after-reading documents.
  duplicated_from TEXT,
  -- Whether a public document's creator is suspended or being deleted, so that lists don't have to pass it. A trigger
  -- maintains it. Lists also check the creator itself: backups from before this column don't have it.
  hidden          INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)),
  -- The name that stays, as in `/@ada/weekly-report`. Its creator has at most one document of a name.
  name TEXT,
  -- Whether nobody named the language, so that each new text's is found anew.
  language_detected INTEGER NOT NULL DEFAULT 0 CHECK(language_detected IN(0,1)),
  CHECK ((claim_hash IS NULL) = (envelope_header IS NULL)),
  CHECK ((claim_hash IS NOT NULL) = (encrypted = 1 AND instant_delete = 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX documents_by_expiration ON documents (expires_at)
  WHERE expires_at < 253402300799999;

-- The indexes of lists contain only what lists are ordered by, so that edits don't write them. The id comes right after
-- the time, because it breaks ties.
CREATE INDEX documents_by_account ON documents (creator_id, created_at, id) WHERE creator_id IS NOT NULL;

-- The explore page, public lists, feeds, profiles and the sitemap. Only documents that lists may show are in these
-- indexes.
CREATE INDEX documents_public ON documents (hidden, created_at, id)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

CREATE INDEX documents_public_by_language ON documents (hidden, language, created_at, id)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

CREATE INDEX documents_public_by_creator ON documents (creator_id, created_at, id)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

-- For forgetting addresses and for finding the documents of an address. Documents without one aren't in it.
CREATE INDEX documents_by_address ON documents (created_at, creator_address)
  WHERE creator_address IS NOT NULL;

-- Previous content of documents. Triggers fill it. Only the creator and the editors may read it.
CREATE TABLE revisions (
  document_id     TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  -- What documents.revision was while this was the content.
  number          INTEGER NOT NULL,
  -- The KV key that the document had. A key is in one row at most, of this table or of documents.
  content_key     TEXT NOT NULL,
  content_bytes   INTEGER NOT NULL,
  content_until   INTEGER NOT NULL,
  language        TEXT NOT NULL,
  language_chosen INTEGER NOT NULL CHECK (language_chosen IN (0, 1)),
  -- Of a JWE: the hash that proves its password.
  proof_hash      TEXT,
  -- Who saved this content, and when. The id of an account, which may be gone; NULL without an account.
  author_id       TEXT,
  created_at      INTEGER NOT NULL,
  -- Whether the document now expires later than this content does in KV. Cleanup then copies it to a new key.
  outlived        INTEGER NOT NULL DEFAULT 0 CHECK (outlived IN (0, 1)),
  language_detected INTEGER NOT NULL DEFAULT 0 CHECK(language_detected IN(0,1)),
  PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX revisions_outlived ON revisions (content_until) WHERE outlived = 1;

CREATE TABLE document_editors (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  -- The order in which the creator listed the editors.
  position    INTEGER NOT NULL,
  user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- When the document was created, by which the list of shared documents is ordered. A trigger copies it.
  created_at  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX document_editors_by_user ON document_editors (user_id, created_at, document_id);

-- Documents that have a gist or should have one. A row outlives its document until the gist is deleted.
CREATE TABLE gists (
  document_id TEXT PRIMARY KEY,
  -- The user whose gist it is. Not a foreign key, because the row must outlive the account, although nobody
  -- can change the gist after that.
  user_id     TEXT NOT NULL,
  gist_id     TEXT,
  -- Whether the gist was created as public. GitHub can't change this later.
  public      INTEGER NOT NULL CHECK (public IN (0, 1)),
  -- The version of the document that the gist shows.
  published   TEXT,
  -- When the gist needs work next, at the latest when the document expires. NULL when there is nothing
  -- to do, or after GitHub refused permanently.
  due_at      INTEGER,
  -- Attempts since the last success. After an attempt, a gist may exist whose id never reached us.
  attempts    INTEGER NOT NULL DEFAULT 0,
  -- Until this time, only one run works on the gist. The value also identifies that run.
  leased_until INTEGER NOT NULL DEFAULT 0,
  -- Why GitHub refused permanently: a Refusal of src/gists/gist-api.ts.
  refusal     TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX gists_by_due ON gists (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX gists_by_user ON gists (user_id);

-- Users' reports about documents, for the operator.
CREATE TABLE reports (
  id          TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  reason      TEXT NOT NULL,
  words       TEXT,
  created_at  INTEGER NOT NULL,
  -- How many reports the row stands for. Once a document has 100 rows, further reports are only counted.
  times       INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

CREATE INDEX reports_by_document ON reports (document_id, created_at, id);

CREATE INDEX reports_by_time ON reports (created_at);

-- Notifications to the operator about reported documents.
CREATE TABLE report_notices (
  document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  -- When to send the next one, or to try again. NULL if there is nothing to send.
  due_at      INTEGER,
  sent_at     INTEGER,
  -- Attempts since the last success.
  attempts    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX report_notices_by_due ON report_notices (due_at) WHERE due_at IS NOT NULL;

-- What nobody may share, and who may not share: address ranges, hashes of content, and domains of links.
CREATE TABLE blocks (
  kind          TEXT NOT NULL CHECK (kind IN ('address', 'content', 'domain')),
  -- A range such as 192.0.2.0/24, the SHA-256 of the content (base64url), or a domain, which includes its subdomains.
  value         TEXT NOT NULL,
  -- The ends of a range, as 32 hexadecimal digits each. IPv4 addresses are mapped to IPv6 (RFC 4291 §2.5.5.2).
  first_address TEXT,
  last_address  TEXT,
  reason        TEXT NOT NULL,
  created_by    TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  PRIMARY KEY (kind, value),
  CHECK ((kind = 'address') = (first_address IS NOT NULL AND last_address IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_by_address ON blocks (first_address, last_address) WHERE first_address IS NOT NULL;

CREATE INDEX blocks_by_time ON blocks (created_at, kind, value);

-- Always empty. A create or an edit inserts what it's about to store, in the same transaction. The trigger below makes
-- the transaction fail if any of it is blocked, and otherwise ignores the row.
CREATE TABLE block_checks (
  address      TEXT,
  content_hash TEXT,
  -- JSON: the domains of links in the content, and the domains that they belong to.
  domains      TEXT
) STRICT;

-- Sign-ins, changes of keys, and actions of admins and on the command line. Entries can't be changed, and can't be
-- deleted for 180 days.
CREATE TABLE audit_log (
  id      TEXT PRIMARY KEY,
  at      INTEGER NOT NULL,
  -- A username, or "cli:" and the name of the computer's user.
  actor   TEXT NOT NULL,
  action  TEXT NOT NULL,
  -- What the action was applied to, such as a username or the id of a document.
  subject TEXT,
  detail  TEXT,
  -- The first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
  address TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_log_by_time ON audit_log (at, id);

-- A record of each document that an admin or the operator removed, so that its creator can see why.
CREATE TABLE removals (
  document_id TEXT PRIMARY KEY,
  creator_id  TEXT,
  title       TEXT,
  removed_at  INTEGER NOT NULL,
  -- Username of the admin who removed it, or "operator" for the command line.
  removed_by  TEXT NOT NULL,
  reason      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX removals_by_creator ON removals (creator_id, removed_at) WHERE creator_id IS NOT NULL;

CREATE INDEX removals_by_time ON removals (removed_at);

-- For the job that forgets the titles of documents removed long ago.
CREATE INDEX removals_with_title ON removals (removed_at) WHERE title IS NOT NULL;

-- Creates with the header Idempotency-Key, kept for a day, so that a repeat finds the document of the first request.
CREATE TABLE idempotency_keys (
  -- A hash of the key and of who sent it: an account or a network. The key itself is never stored.
  key_hash        TEXT PRIMARY KEY,
  -- A hash of what the request asked for, under a key derived from the idempotency key: it may contain a password.
  request_hash    TEXT NOT NULL,
  -- Not a foreign key: while the row exists, a repeat learns that the document is gone.
  document_id     TEXT NOT NULL,
  -- The content that the request stored. If the document has other content now, it was edited.
  content_key     TEXT NOT NULL,
  -- The document token, encrypted under a key derived from the idempotency key. NULL for documents of accounts.
  encrypted_token TEXT,
  expires_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_expiration ON idempotency_keys (expires_at);

-- Pending deletions: content that no document refers to, but that KV may still hold.
CREATE TABLE detached_contents (
  content_key  TEXT PRIMARY KEY,
  -- When cleanup may delete it; 0 means at once.
  removable_at INTEGER NOT NULL,
  -- Identifies the burn or deletion that caused this row, so that one whose response was lost can still be
  -- confirmed.
  burn_mark    TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX detached_contents_by_time ON detached_contents (removable_at);

-- What cleanup remembers between runs.
CREATE TABLE sweep_progress (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  -- The cleanup cursor: where the search for orphaned content continues. NULL: at the start.
  cursor   TEXT,
  -- Keys compared since the start of the search, and how many of them were orphaned.
  checked INTEGER NOT NULL DEFAULT 0,
  orphaned INTEGER NOT NULL DEFAULT 0,
  -- Random. KV holds a copy, which tells whether this is the database that belongs to the content in KV.
  database_id TEXT,
  -- The last run that found the database in order. KV holds an earlier value, never a later one, unless the
  -- database was restored to an earlier time.
  trusted_at INTEGER,
  -- The end of the last run, its outcome, and what the operator should know about it.
  finished_at INTEGER,
  outcome TEXT
    CHECK (outcome IN ('complete', 'unfinished', 'refused', 'failed')),
  message TEXT,
  -- How much orphaned content the operator has allowed to be deleted although it's suspiciously much.
  allowed_deletions INTEGER NOT NULL DEFAULT 0,
  -- The end of the last whole search for orphaned content. The next one begins a day later.
  searched_at INTEGER
) STRICT;

-- The scheduled trigger writes the time every minute, so that a read knows how far the copy of the database that answers
-- is behind the primary. The migration inserts the row.
CREATE TABLE heartbeat (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  beat_at  INTEGER NOT NULL
) STRICT;

-- Orphaned content, from when cleanup first found it until it is deleted days later.
CREATE TABLE orphaned_contents (
  content_key TEXT PRIMARY KEY,
  found_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX orphaned_contents_by_time ON orphaned_contents (found_at);

-- Content that KV has lost although a document or a revision refers to it, as far as cleanup has noticed: at most 50.
CREATE TABLE missing_contents (
  content_key TEXT PRIMARY KEY,
  document_id TEXT NOT NULL,
  found_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Backups that were restored into this database, so that an interrupted restore can continue.
CREATE TABLE restore_progress (
  backup_id   TEXT PRIMARY KEY,
  -- How many parts of the backup have been restored.
  parts       INTEGER NOT NULL,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TRIGGER documents_count_made AFTER INSERT ON documents
WHEN NEW.creator_id IS NOT NULL
BEGIN
  UPDATE users SET documents_made = documents_made + 1 WHERE id = NEW.creator_id;
END;

-- KV expires content by itself after content_until, so only content that KV still holds needs deleting. A
-- burn deletes its content itself, at once, and then this row. If the burn was interrupted, cleanup does that
-- after five minutes. Until then, the row tells a burn that runs again that it has already succeeded.
CREATE TRIGGER documents_detach_deleted AFTER DELETE ON documents
WHEN OLD.content_until > unixepoch() * 1000
BEGIN
  INSERT INTO detached_contents (content_key, removable_at, burn_mark)
  VALUES (OLD.content_key, iif(OLD.burn_mark IS NULL, 0, unixepoch() * 1000 + 300000), OLD.burn_mark);
END;

-- Readers that already fetched the old row get five minutes to fetch its content.
CREATE TRIGGER documents_detach_replaced AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key AND NOT (NEW.revision > OLD.revision
  AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1 AND OLD.instant_delete = 0 AND NEW.instant_delete = 0)
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, NEW.updated_at + 300000);
END;

-- An edit that gives the content a new number keeps the old content as a revision: the newest 50, and at most 50 MiB
-- (52428800 bytes). Moving the same content to another key doesn't change the number. 300000 ms are five minutes.
CREATE TRIGGER documents_keep_revision AFTER UPDATE OF content_key ON documents
WHEN NEW.revision > OLD.revision AND OLD.content_key <> NEW.content_key
  AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1 AND OLD.instant_delete = 0 AND NEW.instant_delete = 0
BEGIN
  INSERT INTO revisions (document_id, number, content_key, content_bytes, content_until, language, language_chosen,
      language_detected, proof_hash, author_id, created_at, outlived)
    VALUES (OLD.id, OLD.revision, OLD.content_key, OLD.content_bytes, OLD.content_until, OLD.language,
      OLD.language_chosen, OLD.language_detected, OLD.proof_hash,
      iif(OLD.content_saved_at IS NULL, coalesce(OLD.saved_by, OLD.creator_id), OLD.content_saved_by),
      coalesce(OLD.content_saved_at, OLD.updated_at),
      OLD.content_until < min(NEW.expires_at + 300000, 253402300799999));
  DELETE FROM revisions WHERE document_id = NEW.id AND number IN (
    SELECT number FROM (
      SELECT number, row_number() OVER newest AS position, sum(content_bytes) OVER newest AS bytes
        FROM revisions WHERE document_id = NEW.id
        WINDOW newest AS (ORDER BY number DESC ROWS UNBOUNDED PRECEDING))
      WHERE position > 50 OR bytes > 52428800);
END;

-- Turning revisions off or burning on deletes them.
CREATE TRIGGER documents_forget_revisions AFTER UPDATE OF keep_revisions, instant_delete ON documents
WHEN NEW.keep_revisions = 0 OR NEW.instant_delete = 1
BEGIN
  DELETE FROM revisions WHERE document_id = NEW.id;
END;

-- Content that KV would delete before the document's new expiry has to be copied. Each copy is a write of who extends
-- the document.
CREATE TRIGGER documents_outlive_revisions AFTER UPDATE OF expires_at ON documents
WHEN NEW.expires_at > OLD.expires_at AND EXISTS (SELECT 1 FROM revisions WHERE document_id = NEW.id AND outlived = 0
  AND content_until < min(NEW.expires_at + 300000, 253402300799999))
BEGIN
  INSERT INTO usage (account_id, documents, bytes, day, created)
    SELECT id, 0, 0, 0, 0 FROM users WHERE id = NEW.saved_by
    ON CONFLICT (account_id) DO NOTHING;
  UPDATE usage SET
      created = CASE WHEN today > day THEN writes ELSE created + writes * (today = day) END,
      day = max(today, day)
    FROM (
      SELECT count(*) AS writes, NEW.updated_at / 86400000 AS today FROM revisions
        WHERE document_id = NEW.id AND outlived = 0
          AND content_until < min(NEW.expires_at + 300000, 253402300799999))
    WHERE account_id IN ('', coalesce(NEW.saved_by, ''));
  UPDATE revisions SET outlived = 1 WHERE document_id = NEW.id AND outlived = 0
    AND content_until < min(NEW.expires_at + 300000, 253402300799999);
END;

-- Before the document itself goes, so that the triggers of the revisions still find its creator.
CREATE TRIGGER documents_delete_revisions BEFORE DELETE ON documents
BEGIN
  DELETE FROM revisions WHERE document_id = OLD.id;
END;

-- Nobody is promised to read a revision any longer, so cleanup may delete its content at once.
CREATE TRIGGER revisions_detach_deleted AFTER DELETE ON revisions
WHEN OLD.content_until > unixepoch() * 1000
BEGIN
  INSERT INTO detached_contents (content_key, removable_at) VALUES (OLD.content_key, 0);
END;

CREATE TRIGGER revisions_detach_copied AFTER UPDATE OF content_key ON revisions
WHEN OLD.content_key <> NEW.content_key
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, unixepoch() * 1000 + 300000);
END;

-- Editing or deleting a document makes its gist due.
CREATE TRIGGER documents_gist_changed AFTER UPDATE OF version ON documents
WHEN EXISTS (SELECT 1 FROM gists WHERE document_id = NEW.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE document_id = NEW.id;
END;

CREATE TRIGGER documents_gist_deleted AFTER DELETE ON documents
WHEN EXISTS (SELECT 1 FROM gists WHERE document_id = OLD.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE document_id = OLD.id;
END;

-- After an account is deleted, Regent can't act on GitHub for it any more. Making its gists due once more
-- lets the gists job delete the rows whose documents are gone.
CREATE TRIGGER users_gists_left AFTER DELETE ON users
WHEN EXISTS (SELECT 1 FROM gists WHERE user_id = OLD.id)
BEGIN
  UPDATE gists SET due_at = unixepoch() * 1000, refusal = NULL WHERE user_id = OLD.id;
END;

CREATE TRIGGER block_checks_refuse BEFORE INSERT ON block_checks
BEGIN
  SELECT RAISE(ABORT, 'blocked address') WHERE EXISTS (
    SELECT 1 FROM blocks WHERE first_address <= NEW.address AND last_address >= NEW.address);
  SELECT RAISE(ABORT, 'blocked content') WHERE EXISTS (
    SELECT 1 FROM blocks WHERE kind = 'content' AND value = NEW.content_hash);
  SELECT RAISE(ABORT, 'blocked domain') WHERE EXISTS (
    SELECT 1 FROM json_each(NEW.domains) AS domain
      WHERE EXISTS (SELECT 1 FROM blocks WHERE kind = 'domain' AND value = domain.value));
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER audit_log_keep_entries BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'audit log entries can not be changed');
END;

-- 15552000000 ms are 180 days.
CREATE TRIGGER audit_log_keep_until_expiry BEFORE DELETE ON audit_log
WHEN OLD.at > unixepoch() * 1000 - 15552000000
BEGIN
  SELECT RAISE(ABORT, 'audit log entries are kept for 180 days');
END;

-- Renaming an account reserves its former name, the ten latest of an account. 7776000000 ms are 90 days.
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

-- Deleting an account reserves its name, too. 7776000000 ms are 90 days.
CREATE TRIGGER users_reserve_deleted_username AFTER DELETE ON users
BEGIN
  INSERT INTO former_usernames (look, user_id, reserved_until)
  VALUES (
    replace(replace(replace(replace(replace(replace(lower(OLD.username), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
      'rn', 'm'), 'vv', 'w'),
    OLD.id, unixepoch() * 1000 + 7776000000)
  ON CONFLICT (look) DO UPDATE SET user_id = excluded.user_id, reserved_until = excluded.reserved_until;
END;

-- Nobody else can take a reserved name. The message is that of a name that is taken.
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

-- What each account and the whole server store, for the quotas. Triggers maintain it.
CREATE TABLE usage (
  -- Empty for the whole server.
  account_id TEXT PRIMARY KEY,
  documents  INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  -- The day of the latest write of content, in days since 1970 (UTC), and the number of writes on it: creates, edits, and
  -- content that is stored again for a later expiry.
  day        INTEGER NOT NULL,
  created    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the operator has switched while the server runs, such as anonymous_documents to "refuse". `worker` is the name of
-- the Worker that the database belongs to: npm run deploy writes it, and refuses the database to any other Worker.
CREATE TABLE switches (
  name       TEXT PRIMARY KEY,
  value      TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Always empty. Inserting a row makes the transaction fail if it exceeds a quota: each is an upper bound, or NULL for
-- none. `day` is NULL if no write of content is checked; the columns that end in "creates" bound the writes of that day.
CREATE TABLE quota_checks (
  account_id        TEXT,
  day               INTEGER,
  account_documents INTEGER,
  account_bytes     INTEGER,
  account_creates   INTEGER,
  server_documents  INTEGER,
  server_bytes      INTEGER,
  server_creates    INTEGER,
  -- Edits of documents without an account stay possible while creates without one are switched off.
  is_edit INTEGER NOT NULL DEFAULT 0 CHECK(is_edit IN(0,1))
) STRICT;

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

-- Nobody can see the revisions of a document that loses its creator, so they go.
CREATE TRIGGER usage_count_taken AFTER UPDATE OF creator_id ON documents
WHEN OLD.creator_id IS NOT NEW.creator_id
BEGIN
  UPDATE usage SET documents = documents - 1, bytes = bytes - NEW.content_bytes
      - (SELECT coalesce(sum(content_bytes), 0) FROM revisions WHERE document_id = NEW.id)
    WHERE account_id = OLD.creator_id;
  INSERT INTO usage (account_id, documents, bytes, day, created)
    SELECT NEW.creator_id, 1, NEW.content_bytes
        + (SELECT coalesce(sum(content_bytes), 0) FROM revisions WHERE document_id = NEW.id), 0, 0
      WHERE NEW.creator_id IS NOT NULL
  ON CONFLICT (account_id) DO UPDATE SET documents = documents + 1, bytes = bytes + excluded.bytes;
  DELETE FROM revisions WHERE document_id = NEW.id AND NEW.creator_id IS NULL;
END;

CREATE TRIGGER usage_count_deleted_revision AFTER DELETE ON revisions
BEGIN
  UPDATE usage SET bytes = bytes - OLD.content_bytes
    WHERE account_id IN ('', (SELECT creator_id FROM documents WHERE id = OLD.document_id));
END;

CREATE TRIGGER users_forget_usage AFTER DELETE ON users
BEGIN
  DELETE FROM usage WHERE account_id = OLD.id;
END;

CREATE TRIGGER quota_checks_refuse BEFORE INSERT ON quota_checks
BEGIN
  SELECT RAISE(ABORT, 'quota: anonymous documents') WHERE NEW.account_id IS NULL AND NEW.day IS NOT NULL
    AND NEW.is_edit = 0
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

-- Documents that staff removed and can restore for a while. They aren't in documents, so no query can show them by
-- forgetting a condition. Their columns are those of documents.
CREATE TABLE removed_documents (
  id               TEXT PRIMARY KEY,
  -- Until then, it can be restored: REMOVAL_DAYS after the removal, and no later than it would have expired.
  kept_until       INTEGER NOT NULL,
  -- JSON: the ids of its editors, in their order.
  editors          TEXT NOT NULL,
  -- The version under which it comes back. Set only within the transaction that restores it.
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
  expires_at       INTEGER NOT NULL,
  -- The name that stays, as in `/@ada/weekly-report`. Its creator has at most one document of a name.
  name TEXT,
  -- Whether nobody named the language, so that each new text's is found anew.
  language_detected INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_documents_by_account ON removed_documents (creator_id) WHERE creator_id IS NOT NULL;

CREATE INDEX removed_documents_by_time ON removed_documents (kept_until);

-- Unless it has just been restored, its content goes with it.
CREATE TRIGGER removed_documents_detach_deleted AFTER DELETE ON removed_documents
WHEN OLD.content_until > unixepoch() * 1000
  AND NOT EXISTS (SELECT 1 FROM documents WHERE id = OLD.id AND content_key = OLD.content_key)
BEGIN
  INSERT OR IGNORE INTO detached_contents (content_key, removable_at) VALUES (OLD.content_key, 0);
END;

-- The id stays taken, so that nobody else gets it and no backup brings the document back.
CREATE TRIGGER documents_keep_removed_ids BEFORE INSERT ON documents
WHEN EXISTS (SELECT 1 FROM removed_documents WHERE id = NEW.id AND restored_as IS NOT NEW.version)
BEGIN
  SELECT RAISE(IGNORE);
END;

CREATE TRIGGER document_editors_copy_time AFTER INSERT ON document_editors
BEGIN
  UPDATE document_editors SET created_at = (SELECT created_at FROM documents WHERE id = NEW.document_id)
    WHERE document_id = NEW.document_id AND position = NEW.position;
END;

CREATE TRIGGER users_hide_documents AFTER UPDATE OF suspended_at, leaving ON users
WHEN (OLD.suspended_at IS NULL AND OLD.leaving IS NULL) <> (NEW.suspended_at IS NULL AND NEW.leaving IS NULL)
BEGIN
  UPDATE documents SET hidden = (NEW.suspended_at IS NOT NULL OR NEW.leaving IS NOT NULL)
    WHERE creator_id = NEW.id AND (public = 1 OR hidden = 1);
END;

-- After its earlier expiry, the document's row goes without a tombstone, and a backup has the later expiry.
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

-- Backups that were made of this database or restored into it, for as long as they are kept (BACKUP_DAYS). What was
-- created later than the newest isn't in any, so its deletion leaves no tombstone.
CREATE TABLE backups (
  -- By the clock of the machine that made it, as in the file.
  started_at INTEGER NOT NULL,
  -- Random, as in the file.
  id         TEXT NOT NULL,
  PRIMARY KEY (started_at, id)
) STRICT, WITHOUT ROWID;

-- Documents and accounts that were deleted, burned or removed although a backup may hold them, and documents whose expiry
-- was moved forward. Merging a backup leaves them out. Documents that expire leave none.
CREATE TABLE tombstones (
  -- Whether the id is a hash, as src/documents/tombstones.ts computes it. Triggers write ids, because SQLite can't hash,
  -- and the next scheduled job replaces them.
  hashed      INTEGER NOT NULL CHECK (hashed IN (0, 1)),
  recorded_at INTEGER NOT NULL,
  kind        TEXT NOT NULL CHECK (kind IN ('account', 'document')),
  id          TEXT NOT NULL,
  -- When it was deleted, or the earlier expiry.
  ends_at     INTEGER NOT NULL,
  PRIMARY KEY (hashed, recorded_at, kind, id)
) STRICT, WITHOUT ROWID;

-- A row that cleanup deletes has expired, and is expired in a backup, too. A document that staff can still restore isn't
-- gone for good.
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

-- The bytes count for the document's creator: those of a revision that is kept stay. The write counts for who saved it,
-- and one more if cleanup will have to copy the revision. 86400000 ms are a day.
CREATE TRIGGER usage_count_written AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key
BEGIN
  INSERT INTO usage (account_id, documents, bytes, day, created)
    SELECT id, 0, 0, 0, 0 FROM users WHERE id = NEW.saved_by AND id IS NOT OLD.creator_id
    ON CONFLICT (account_id) DO NOTHING;
  UPDATE usage SET
      bytes = bytes + iif(account_id IN ('', OLD.creator_id), added_bytes, 0),
      created = CASE WHEN account_id NOT IN ('', coalesce(NEW.saved_by, '')) THEN created
        WHEN today > day THEN writes ELSE created + writes * (today = day) END,
      day = iif(account_id IN ('', coalesce(NEW.saved_by, '')), max(today, day), day)
    FROM (
      SELECT NEW.content_bytes - iif(keeps, 0, OLD.content_bytes) AS added_bytes, NEW.updated_at / 86400000 AS today,
          1 + (keeps AND OLD.content_until < min(NEW.expires_at + 300000, 253402300799999)) AS writes
        FROM (SELECT NEW.revision > OLD.revision AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1
          AND OLD.instant_delete = 0 AND NEW.instant_delete = 0 AS keeps))
    WHERE account_id IN ('', coalesce(OLD.creator_id, ''), coalesce(NEW.saved_by, ''));
END;

-- Invitations to create an account, where not everyone may: see SIGN_UP. They stay for 30 days after their expiry, so that
-- a link says what is wrong with it.
CREATE TABLE invitations (
  -- SHA-256 of the token in the link, base64url.
  token_hash TEXT PRIMARY KEY,
  -- Identifies the invitation in lists and when it is revoked.
  id         TEXT NOT NULL UNIQUE,
  -- NULL for one that the operator's commands made.
  creator_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  -- A name, or the address.
  recipient  TEXT NOT NULL,
  -- The only address that can use it; NULL: every address.
  email      TEXT COLLATE NOCASE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  used_at    INTEGER,
  -- The account that it created, as long as there is one.
  used_by    TEXT REFERENCES users (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX invitations_by_creator ON invitations (creator_id, created_at);

CREATE INDEX invitations_by_user ON invitations (used_by) WHERE used_by IS NOT NULL;

CREATE INDEX invitations_by_expiration ON invitations (expires_at);

CREATE UNIQUE INDEX documents_by_name ON documents (creator_id, name) WHERE name IS NOT NULL;
