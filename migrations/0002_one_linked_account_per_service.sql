-- Databases from before migrations existed may lack linked_accounts.login, and may hold two accounts of one
-- user at the same service. This rebuilds the table with the column and a unique index. Of several accounts
-- it keeps the one that gists were published with: the newest that may write gists, or else the newest.
--
-- Every statement can run again: a run that stops half-way loses nothing. For that reason the table is first
-- created if it's missing, which only happens if an earlier run stopped before the table was renamed.

CREATE TABLE IF NOT EXISTS linked_accounts (
  id TEXT PRIMARY KEY, user_id TEXT, provider_id TEXT, account_id TEXT, access_token TEXT, scope TEXT,
  login TEXT, created_at INTEGER
);

CREATE TABLE IF NOT EXISTS linked_accounts_rebuilt (
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider_id  TEXT NOT NULL,
  account_id   TEXT NOT NULL,
  access_token TEXT,
  scope        TEXT,
  login        TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT, WITHOUT ROWID;

-- Where the old table has no column "login", the name in the inner SELECT means new.login, which is NULL.
INSERT OR IGNORE INTO linked_accounts_rebuilt
  (id, user_id, provider_id, account_id, access_token, scope, login, created_at)
SELECT id, user_id, provider_id, account_id, access_token, scope,
  (SELECT login FROM linked_accounts AS old WHERE old.id = new.id),
  created_at
FROM (
  SELECT id, user_id, provider_id, account_id, access_token, scope, NULL AS login, created_at,
    row_number() OVER (
      PARTITION BY user_id, provider_id
      ORDER BY access_token IS NOT NULL AND instr(',' || scope || ',', ',gist,') > 0 DESC, created_at DESC, id
    ) AS place
  FROM linked_accounts
) AS new
WHERE place = 1;

DROP TABLE linked_accounts;
ALTER TABLE linked_accounts_rebuilt RENAME TO linked_accounts;
CREATE UNIQUE INDEX IF NOT EXISTS linked_accounts_by_user ON linked_accounts (user_id, provider_id);
