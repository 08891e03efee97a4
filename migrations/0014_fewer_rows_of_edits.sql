-- An edit counted what it stores twice: once as the longer or shorter document, once as the revision that it keeps. Now
-- the trigger that handles the old content counts both at once, which saves an edit two rows. Restores count the
-- revisions that they insert themselves.

DROP TRIGGER documents_detach_replaced;
DROP TRIGGER documents_keep_revision;
DROP TRIGGER usage_count_edited;
DROP TRIGGER usage_count_revision;

CREATE TRIGGER documents_detach_replaced AFTER UPDATE OF content_key ON documents
WHEN OLD.content_key <> NEW.content_key AND NOT (NEW.revision > OLD.revision
  AND OLD.keep_revisions = 1 AND NEW.keep_revisions = 1 AND OLD.instant_delete = 0 AND NEW.instant_delete = 0)
BEGIN
  INSERT INTO detached_contents (content_key, removable_at)
  VALUES (OLD.content_key, NEW.updated_at + 300000);
  UPDATE usage SET bytes = bytes + NEW.content_bytes - OLD.content_bytes
    WHERE account_id IN ('', OLD.creator_id) AND NEW.content_bytes <> OLD.content_bytes;
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
  UPDATE usage SET bytes = bytes + NEW.content_bytes WHERE account_id IN ('', OLD.creator_id);
  DELETE FROM revisions WHERE document_id = NEW.id AND number IN (
    SELECT number FROM (
      SELECT number, row_number() OVER newest AS position, sum(content_bytes) OVER newest AS bytes
        FROM revisions WHERE document_id = NEW.id
        WINDOW newest AS (ORDER BY number DESC ROWS UNBOUNDED PRECEDING))
      WHERE position > 50 OR bytes > 52428800);
END;
