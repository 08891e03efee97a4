-- The explore page, public lists, feeds and profiles. The previous release ignores the column and the indexes.

-- Whether the account has a profile page, which shows its public documents.
ALTER TABLE users ADD COLUMN has_profile INTEGER NOT NULL DEFAULT 1 CHECK (has_profile IN (0, 1));

-- Only documents that lists may show are in these indexes. The id
-- comes right after the time, because it breaks ties. The flags are in them although they're always the same: without
-- them, SQLite would read the row of each entry.
CREATE INDEX documents_public
  ON documents (created_at, id, expires_at, creator_id, title_key, updated_at, public, encrypted, instant_delete)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

CREATE INDEX documents_public_by_language
  ON documents (language, created_at, id, expires_at, creator_id, title_key, public, encrypted, instant_delete)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;

CREATE INDEX documents_public_by_creator
  ON documents (creator_id, created_at, id, expires_at, language, title_key, public, encrypted, instant_delete)
  WHERE public = 1 AND encrypted = 0 AND instant_delete = 0 AND creator_id IS NOT NULL;
