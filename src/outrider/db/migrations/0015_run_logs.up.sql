-- Logs of runs: lines that workers append, numbered without gaps for readers that follow them.

CREATE TABLE run_log_state (
  run_id      integer     PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  last_number integer     NOT NULL CHECK (last_number >= 0),
  dropped     bigint      NOT NULL DEFAULT 0,
  throttled   bigint      NOT NULL DEFAULT 0,
  past_limit  bigint      NOT NULL DEFAULT 0,
  milestone   integer     NOT NULL DEFAULT 0,
  progress_at timestamptz NOT NULL DEFAULT now(),
  ended_at    timestamptz,
  archived_at timestamptz
);
COMMENT ON TABLE run_log_state IS 'Where the log of a run stands. Every append locks this row until its commit, so that numbers become visible in their order.';
COMMENT ON COLUMN run_log_state.last_number IS 'The number of the newest line. Lines past the limit get a number and are not kept.';
COMMENT ON COLUMN run_log_state.milestone IS 'How many pages the last milestone line named.';
COMMENT ON COLUMN run_log_state.ended_at IS 'When the summary was written: no line comes after it.';
COMMENT ON COLUMN run_log_state.archived_at IS 'When the lines were removed, because the archive holds them.';
CREATE INDEX run_log_not_archived ON run_log_state (run_id) WHERE archived_at IS NULL;

CREATE TABLE run_log_writer (
  run_id integer NOT NULL REFERENCES run_log_state ON DELETE CASCADE,
  writer uuid    NOT NULL,
  batch  integer NOT NULL,
  PRIMARY KEY (run_id, writer)
);
COMMENT ON TABLE run_log_writer IS 'The newest batch that each writer appended: a batch that is sent again writes nothing.';

CREATE TABLE run_log (
  run_id   integer     NOT NULL REFERENCES run_log_state ON DELETE CASCADE,
  number   integer     NOT NULL,
  at       timestamptz NOT NULL,
  level    text        NOT NULL CHECK (level IN ('debug', 'info', 'warn', 'error')),
  category text        NOT NULL CHECK (category IN ('lifecycle', 'fetch', 'extract', 'error', 'rate_limit', 'queue', 'metrics')),
  message  text        NOT NULL CHECK (length(message) <= 2000),
  fields   jsonb       NOT NULL CHECK (jsonb_typeof(fields) = 'object'),
  PRIMARY KEY (run_id, number)
);
COMMENT ON TABLE run_log IS 'The lines of the logs of runs, until they are archived.';
COMMENT ON COLUMN run_log.number IS 'The place of the line in the log of its run: it becomes visible after every smaller number.';
