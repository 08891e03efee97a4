-- Cleanup notes orphaned content and deletes it days later, refuses to work with a database that doesn't fit the
-- content in KV, and records the outcome of its last run. A restore records how far it got. The previous release
-- doesn't use any of this.

CREATE TABLE orphaned_contents (
  content_key TEXT PRIMARY KEY,
  found_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX orphaned_contents_by_time ON orphaned_contents (found_at);

ALTER TABLE sweep_progress ADD COLUMN checked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sweep_progress ADD COLUMN orphaned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sweep_progress ADD COLUMN database_id TEXT;
ALTER TABLE sweep_progress ADD COLUMN trusted_at INTEGER;
ALTER TABLE sweep_progress ADD COLUMN finished_at INTEGER;
ALTER TABLE sweep_progress ADD COLUMN outcome TEXT
  CHECK (outcome IN ('complete', 'unfinished', 'refused', 'failed'));
ALTER TABLE sweep_progress ADD COLUMN message TEXT;
ALTER TABLE sweep_progress ADD COLUMN allowed_deletions INTEGER NOT NULL DEFAULT 0;

CREATE TABLE restore_progress (
  backup_id   TEXT PRIMARY KEY,
  parts       INTEGER NOT NULL,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;
