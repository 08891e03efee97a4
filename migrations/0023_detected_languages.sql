-- Whether the language was detected, so that a new text gets a new one. Of documents from before, nobody knows: they keep theirs.

ALTER TABLE documents ADD COLUMN language_detected INTEGER NOT NULL DEFAULT 0 CHECK (language_detected IN (0, 1));
ALTER TABLE removed_documents ADD COLUMN language_detected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE revisions ADD COLUMN language_detected INTEGER NOT NULL DEFAULT 0 CHECK (language_detected IN (0, 1));

DROP TRIGGER documents_keep_revision;

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
