-- Locks with a lifetime, and who leads.

CREATE TABLE coordination_lock (
  name       text        PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 200),
  token      text        CHECK (length(token) BETWEEN 1 AND 64),
  expires_at timestamptz NOT NULL,
  fence      bigint      NOT NULL DEFAULT 1
);
COMMENT ON TABLE coordination_lock IS 'Locks that expire by the time of the database. A released lock keeps its row, so that its fence never shrinks.';
COMMENT ON COLUMN coordination_lock.token IS 'A random word that only the holder knows. NULL: the lock is free.';
COMMENT ON COLUMN coordination_lock.fence IS 'Grows with each acquisition.';

CREATE TABLE leader (
  name      text        PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 200),
  fence     bigint      NOT NULL DEFAULT 0,
  holder    text        NOT NULL DEFAULT '' CHECK (length(holder) <= 200),
  gained_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE leader IS 'The latest leader of each election. Only a gain of leadership changes a row; renewals do not.';
COMMENT ON COLUMN leader.fence IS 'The number of the term. A write of a leader with a smaller number is refused.';
