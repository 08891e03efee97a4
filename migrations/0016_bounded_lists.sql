-- Lists read about as many rows as they show, for any number of documents. The indexes of documents keep their names,
-- because the previous release names them. They contain only what lists are ordered by, so an edit writes none of them.

-- Whether the creator is suspended or being deleted: public lists don't have to pass these documents. Lists also check
-- the creator itself, because backups from before this column don't have it.
ALTER TABLE documents ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1));

UPDATE documents SET hidden = 1
  WHERE creator_id IN (SELECT id FROM users WHERE suspended_at IS NOT NULL OR leaving IS NOT NULL);

CREATE TRIGGER users_hide_documents AFTER UPDATE OF suspended_at, leaving ON users
WHEN (OLD.suspended_at IS NULL AND OLD.leaving IS NULL) <> (NEW.suspended_at IS NULL AND NEW.leaving IS NULL)
BEGIN
  UPDATE documents SET hidden = (NEW.suspended_at IS NOT NULL OR NEW.leaving IS NOT NULL)
    WHERE creator_id = NEW.id AND (public = 1 OR hidden = 1);
END;

DROP INDEX documents_by_account;
DROP INDEX documents_public;
DROP INDEX documents_public_by_language;
DROP INDEX documents_public_by_creator;

-- The id comes right after the time, because it breaks ties.
CREATE INDEX documents_by_account ON documents (creator_id, created_at, id) WHERE creator_id IS NOT NULL;

CREATE INDEX documents_public ON documents (hidden, created_at, id)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

CREATE INDEX documents_public_by_language ON documents (hidden, language, created_at, id)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

CREATE INDEX documents_public_by_creator ON documents (creator_id, created_at, id)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

-- When the document was created, for the list of documents that are shared with somebody.
ALTER TABLE document_editors ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;

UPDATE document_editors SET created_at = (SELECT created_at FROM documents WHERE id = document_id);

CREATE TRIGGER document_editors_copy_time AFTER INSERT ON document_editors
BEGIN
  UPDATE document_editors SET created_at = (SELECT created_at FROM documents WHERE id = NEW.document_id)
    WHERE document_id = NEW.document_id AND position = NEW.position;
END;

DROP INDEX document_editors_by_user;

CREATE INDEX document_editors_by_user ON document_editors (user_id, created_at, document_id);

-- Whether a report is the newest one of its document is one look into the index.
DROP INDEX reports_by_document;

CREATE INDEX reports_by_document ON reports (document_id, created_at, id);
