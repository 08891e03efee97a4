-- Creates with the header Idempotency-Key, kept for a day, so that a repeat finds the document of the first request.
-- The previous release ignores this table: with it, a repeat makes another document.

CREATE TABLE idempotency_keys (
  key_hash        TEXT PRIMARY KEY,
  request_hash    TEXT NOT NULL,
  document_id     TEXT NOT NULL,
  content_key     TEXT NOT NULL,
  encrypted_token TEXT,
  expires_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_expiration ON idempotency_keys (expires_at);
