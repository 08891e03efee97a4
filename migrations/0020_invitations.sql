-- Invitations to create an account, where not everyone may: see SIGN_UP.

CREATE TABLE invitations (
  token_hash TEXT PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  creator_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  recipient  TEXT NOT NULL,
  email      TEXT COLLATE NOCASE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  used_at    INTEGER,
  used_by    TEXT REFERENCES users (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX invitations_by_creator ON invitations (creator_id, created_at);

CREATE INDEX invitations_by_user ON invitations (used_by) WHERE used_by IS NOT NULL;

CREATE INDEX invitations_by_expiration ON invitations (expires_at);
