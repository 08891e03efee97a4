-- Names that accounts give to their documents: /@username/name.

ALTER TABLE documents ADD COLUMN name TEXT;

CREATE UNIQUE INDEX documents_by_name ON documents (creator_id, name) WHERE name IS NOT NULL;

ALTER TABLE removed_documents ADD COLUMN name TEXT;
