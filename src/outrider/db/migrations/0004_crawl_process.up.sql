-- Which processes run crawls, or watch. Rows with a time work through a connection pooler; locks of a session do not.

CREATE TABLE crawl_process (
  token      uuid        PRIMARY KEY,
  source_id  integer     UNIQUE REFERENCES source ON DELETE CASCADE,
  machine    text        NOT NULL,
  pid        integer     NOT NULL,
  renewed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE crawl_process IS 'A process that runs the crawl of a source, or watches; it renews its row every few seconds.';
COMMENT ON COLUMN crawl_process.source_id IS 'NULL: it watches all sources, and any number of processes may.';
