-- Moderation: the hash of a document's content and the address of its creator, reports that are counted, block
-- lists, notifications and the audit log. The previous release doesn't use any of this.

ALTER TABLE documents ADD COLUMN content_hash TEXT;
ALTER TABLE documents ADD COLUMN creator_address TEXT;

-- Only documents with a stored address are in it: those that somebody created without an account lately.
CREATE INDEX documents_by_address ON documents (created_at, creator_address)
  WHERE creator_address IS NOT NULL;

ALTER TABLE reports ADD COLUMN times INTEGER NOT NULL DEFAULT 1;

CREATE TABLE report_notices (
  document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  due_at      INTEGER,
  sent_at     INTEGER,
  attempts    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX report_notices_by_due ON report_notices (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE blocks (
  kind          TEXT NOT NULL CHECK (kind IN ('address', 'content', 'domain')),
  value         TEXT NOT NULL,
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

CREATE TABLE block_checks (
  address      TEXT,
  content_hash TEXT,
  domains      TEXT
) STRICT;

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

CREATE TABLE audit_log (
  id      TEXT PRIMARY KEY,
  at      INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  action  TEXT NOT NULL,
  subject TEXT,
  detail  TEXT,
  address TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_log_by_time ON audit_log (at, id);

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
