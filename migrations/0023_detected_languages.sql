-- Whether the language was detected, so that a new text gets a new one. Of documents from before, nobody knows: they keep theirs.

ALTER TABLE documents ADD COLUMN language_detected INTEGER NOT NULL DEFAULT 0 CHECK (language_detected IN (0, 1));
ALTER TABLE removed_documents ADD COLUMN language_detected INTEGER NOT NULL DEFAULT 0;
