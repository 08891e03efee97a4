-- The search for orphaned content begins once a day, not in each run: it reads a row for each content and each of its revisions.

ALTER TABLE sweep_progress ADD COLUMN searched_at INTEGER;
