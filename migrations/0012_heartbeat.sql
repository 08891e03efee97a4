-- The scheduled trigger writes the time every minute, so that a read knows how far the copy of the database that answers is
-- behind the primary. The previous release ignores the table.

CREATE TABLE heartbeat (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  beat_at  INTEGER NOT NULL
) STRICT;

-- The first one, so that reads needn't wait for the trigger.
INSERT INTO heartbeat (only_row, beat_at) VALUES (1, unixepoch() * 1000);
