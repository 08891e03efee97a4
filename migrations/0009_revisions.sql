-- Each edit of content keeps the previous content as a revision. Existing documents are at revision 1. An edit by the
-- previous release doesn't change `revision`, so it keeps none, and its old content is deleted as before.

ALTER TABLE documents ADD COLUMN keep_revisions INTEGER NOT NULL DEFAULT 1 CHECK (keep_revisions IN (0, 1));
ALTER TABLE documents ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE documents ADD COLUMN content_saved_by TEXT;
ALTER TABLE documents ADD COLUMN content_saved_at INTEGER;

CREATE TABLE revisions (
  document_id     TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  number          INTEGER NOT NULL,
  content_key     TEXT NOT NULL,
  content_bytes   INTEGER NOT NULL,
  content_until   INTEGER NOT NULL,
  language        TEXT NOT NULL,
  language_chosen INTEGER NOT NULL CHECK (language_chosen IN (0, 1)),
  proof_hash      TEXT,
  author_id       TEXT,
  created_at      INTEGER NOT NULL,
  outlived        INTEGER NOT NULL DEFAULT 0 CHECK (outlived IN (0, 1)),
  PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX revisions_outlived ON revisions (content_until) WHERE outlived = 1;

-- 52428800 bytes are 50 MiB, 300000 ms are five minutes.
CREATE TRIGGER documents_keep_revision AFTER UPDATE OF content_key ON documents
WHEN NEW.revision > OLD.revision AND OLD.content_key <> NEW.content_key
  AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1 AND OLD.instant_delete = 0 AND NEW.instant_delete = 0
BEGIN
  INSERT INTO revisions (document_id, number, content_key, content_bytes, content_until, language, language_chosen,
      proof_hash, author_id, created_at, outlived)
    VALUES (OLD.id, OLD.revision, OLD.content_key, OLD.content_bytes, OLD.content_until, OLD.language,
      OLD.language_chosen, OLD.proof_hash,
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

DROP TRIGGER documents_detach_replaced;
CREATE TRIGGER documents_detach_replaced AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key AND NOT (NEW.revision > OLD.revision
  AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1 AND OLD.instant_delete = 0 AND NEW.instant_delete = 0)
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, NEW.updated_at + 300000);
END;

CREATE TRIGGER documents_forget_revisions AFTER UPDATE OF keep_revisions, instant_delete ON documents
WHEN NEW.keep_revisions = 0 OR NEW.instant_delete = 1
BEGIN
  DELETE FROM revisions WHERE document_id = NEW.id;
END;

CREATE TRIGGER documents_outlive_revisions AFTER UPDATE OF expires_at ON documents
WHEN NEW.expires_at > OLD.expires_at
BEGIN
  UPDATE revisions SET outlived = 1 WHERE document_id = NEW.id AND outlived = 0
    AND content_until < min(NEW.expires_at + 300000, 253402300799999);
END;

CREATE TRIGGER documents_delete_revisions BEFORE DELETE ON documents
BEGIN
  DELETE FROM revisions WHERE document_id = OLD.id;
END;

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

CREATE TRIGGER usage_count_revision AFTER INSERT ON revisions
BEGIN
  UPDATE usage SET bytes = bytes + NEW.content_bytes
    WHERE account_id IN ('', (SELECT creator_id FROM documents WHERE id = NEW.document_id));
END;

CREATE TRIGGER usage_count_deleted_revision AFTER DELETE ON revisions
BEGIN
  UPDATE usage SET bytes = bytes - OLD.content_bytes
    WHERE account_id IN ('', (SELECT creator_id FROM documents WHERE id = OLD.document_id));
END;

-- Nobody can see the revisions of a document without a creator, so they go.
DROP TRIGGER usage_count_taken;
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
