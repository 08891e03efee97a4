-- The quota of a day counts writes of content, and no longer creates alone: edits, restores, and content that has to be
-- stored again because its document now expires later. A write counts for who makes it. The columns keep their names,
-- because the previous release checks its creates with them. Its edits are counted, too; it doesn't check them.

ALTER TABLE quota_checks ADD COLUMN is_edit INTEGER NOT NULL DEFAULT 0 CHECK (is_edit IN (0, 1));

DROP TRIGGER quota_checks_refuse;
DROP TRIGGER documents_detach_replaced;
DROP TRIGGER documents_keep_revision;
DROP TRIGGER documents_outlive_revisions;

CREATE TRIGGER documents_detach_replaced AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key AND NOT (NEW.revision > OLD.revision
  AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1 AND OLD.instant_delete = 0 AND NEW.instant_delete = 0)
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, NEW.updated_at + 300000);
END;

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
