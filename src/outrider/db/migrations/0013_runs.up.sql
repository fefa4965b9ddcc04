-- Runs: crawls that a job, an operator or a command started, with their counters and their entries.

ALTER TABLE url ADD COLUMN run_id integer;
COMMENT ON COLUMN url.run_id IS 'The run that asked for this entry; negative once the entry is settled for that run; NULL: no run.';
ALTER TYPE flush_link ADD ATTRIBUTE run_id integer;
ALTER TYPE flush_completion ADD ATTRIBUTE run_id integer;

CREATE FUNCTION stays_for_run(run_id integer, claimed integer, kind smallint, again_at timestamptz, reason text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(run_id, 0) > 0 AND run_id IS DISTINCT FROM claimed AND kind = 0 AND (again_at IS NULL OR reason IS NULL);
COMMENT ON FUNCTION stays_for_run IS 'Whether a page that was visited must be visited again: it became an entry of a run after its claim, and the visit took no link for that run.';

CREATE TYPE run_status AS ENUM ('running', 'completed', 'failed', 'cancelled');

CREATE TABLE run (
  run_id           integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id        uuid        NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  source_id        integer     NOT NULL REFERENCES source ON DELETE CASCADE,
  job_id           integer     REFERENCES job ON DELETE CASCADE,
  execution_number integer     NOT NULL CHECK (execution_number > 0),
  status           run_status  NOT NULL DEFAULT 'running',
  started_by       text        NOT NULL CHECK (started_by IN ('schedule', 'operator', 'command')),
  retry_attempt    integer     NOT NULL DEFAULT 0 CHECK (retry_attempt >= 0),
  started_at       timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  cancel_at        timestamptz,
  cancel_reason    text,
  cancelled_by     text        CHECK (cancelled_by IN ('operator', 'timeout')),
  items_crawled    bigint      NOT NULL DEFAULT 0,
  items_indexed    bigint      NOT NULL DEFAULT 0,
  error_message    text,
  stack_trace      text,
  cpu_time_ms      bigint,
  memory_peak_mb   integer,
  metadata         jsonb       NOT NULL DEFAULT '{}',
  log_object_key   text,
  log_size_bytes   bigint,
  log_line_count   integer,
  CONSTRAINT run_has_ended_or_runs CHECK ((status = 'running') = (completed_at IS NULL)),
  CONSTRAINT run_cancel_has_reason CHECK ((cancel_at IS NULL) = (cancel_reason IS NULL) AND (cancel_at IS NULL) = (cancelled_by IS NULL))
);
COMMENT ON TABLE run IS 'One execution of a job, or one crawl that a command started. It runs while an entry of it is queued.';
COMMENT ON COLUMN run.job_id IS 'NULL: a command started it, and the source is that crawl.';
COMMENT ON COLUMN run.cancel_at IS 'When its end was asked for: no request begins for it any more.';
CREATE UNIQUE INDEX run_number_of_job ON run (job_id, execution_number) WHERE job_id IS NOT NULL;
CREATE UNIQUE INDEX run_number_of_command ON run (source_id, execution_number) WHERE job_id IS NULL;
CREATE UNIQUE INDEX run_open_of_job ON run (job_id) WHERE status = 'running' AND job_id IS NOT NULL;
CREATE UNIQUE INDEX run_open_of_command ON run (source_id) WHERE status = 'running' AND job_id IS NULL;
CREATE INDEX run_open ON run (run_id) WHERE status = 'running';
CREATE INDEX run_of_source ON run (source_id, run_id);

CREATE TABLE run_counter (
  run_id integer  NOT NULL,
  slot   smallint NOT NULL,
  name   text     NOT NULL,
  value  bigint   NOT NULL,
  PRIMARY KEY (run_id, slot, name)
) WITH (fillfactor = 50);
COMMENT ON TABLE run_counter IS 'What happened for a run, counted by the flush that wrote it. The sum over the slots is exact at every commit.';

CREATE VIEW job_executions AS
SELECT r.public_id AS id,
       j.public_id AS job_id,
       r.execution_number,
       r.status::text AS status,
       r.started_at,
       r.completed_at,
       (extract(epoch FROM r.completed_at - r.started_at) * 1000)::bigint AS duration_ms,
       r.items_crawled,
       r.items_indexed,
       r.error_message,
       r.stack_trace,
       r.cpu_time_ms,
       r.memory_peak_mb,
       r.retry_attempt,
       r.metadata,
       r.log_object_key,
       r.log_size_bytes,
       r.log_line_count
  FROM run r
  LEFT JOIN job j ON j.job_id = r.job_id;
COMMENT ON VIEW job_executions IS 'Runs by the names that other programs know. Runs of commands have no job.';
