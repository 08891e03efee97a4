-- A duplicate refers to the document that it was made from, which may be gone. The previous release ignores the column.

ALTER TABLE documents ADD COLUMN duplicated_from TEXT;
