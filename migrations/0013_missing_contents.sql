-- Cleanup records here which documents and revisions have lost their content, for health checks. The previous release
-- ignores the table.

CREATE TABLE missing_contents (
  content_key TEXT PRIMARY KEY,
  document_id TEXT NOT NULL,
  found_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
