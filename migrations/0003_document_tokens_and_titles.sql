-- Anonymous documents get a token, documents can have a given title, and each document records whether somebody
-- chose its language. Existing documents have no token and no given title, and count as if nobody had chosen
-- their language. The previous release ignores these columns.

ALTER TABLE documents ADD COLUMN token_hash TEXT CHECK (token_hash IS NULL OR creator_id IS NULL);
ALTER TABLE documents ADD COLUMN given_title TEXT;
ALTER TABLE documents ADD COLUMN language_chosen INTEGER NOT NULL DEFAULT 0 CHECK (language_chosen IN (0, 1));
