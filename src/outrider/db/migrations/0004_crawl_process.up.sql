-- Which process runs a crawl. A row with a time works through a connection pooler, a lock of a session does not.

CREATE TABLE crawl_process (
  source_id  integer     PRIMARY KEY REFERENCES source ON DELETE CASCADE,
  token      uuid        NOT NULL,
  machine    text        NOT NULL,
  pid        integer     NOT NULL,
  renewed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE crawl_process IS 'The process that runs the crawl of a source; it renews its row every few seconds.';
