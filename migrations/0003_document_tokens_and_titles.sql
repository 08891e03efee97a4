-- Anonymous documents get a token, documents can be given a title, and documents tell whether somebody chose
-- their language. Existing documents have neither token nor given title, and count as nobody's choice of
-- language. The previous release leaves these columns alone.

ALTER TABLE documents ADD COLUMN token_hash TEXT CHECK (token_hash IS NULL OR creator_id IS NULL);
ALTER TABLE documents ADD COLUMN given_title TEXT;
ALTER TABLE documents ADD COLUMN language_chosen INTEGER NOT NULL DEFAULT 0 CHECK (language_chosen IN (0, 1));
