-- Schedulers that share the jobs, the rhythm of each job, and what is known about the changes of a source.

ALTER TABLE job ADD COLUMN slot_at timestamptz, ADD COLUMN placed_at timestamptz;
COMMENT ON COLUMN job.slot_at IS 'A time of the rhythm of the job; a retry or a forced run does not move it.';
COMMENT ON COLUMN job.placed_at IS 'When a slot was last chosen for the job.';
COMMENT ON COLUMN job.lock_token IS 'The scheduler that watches the open run of the job.';
UPDATE job SET slot_at = next_run_at WHERE interval_count IS NOT NULL AND next_run_at IS NOT NULL;
-- The version before ran a job within one transaction: a job that is stored as running was left by a crash.
UPDATE job
   SET status = 'scheduled', next_run_at = coalesce(next_run_at, now()), lock_token = NULL, lock_acquired_at = NULL
 WHERE status = 'running' AND interval_count IS NOT NULL;

DROP INDEX job_due;
CREATE INDEX job_due ON job (next_run_at) WHERE status IN ('pending', 'scheduled') AND lock_token IS NULL;
CREATE INDEX job_locked ON job (lock_token) WHERE lock_token IS NOT NULL;

CREATE TABLE scheduler (
  token               uuid        PRIMARY KEY,
  machine             text        NOT NULL,
  pid                 integer     NOT NULL,
  started_at          timestamptz NOT NULL DEFAULT now(),
  beat_at             timestamptz NOT NULL DEFAULT now(),
  stopped_at          timestamptz,
  stale_locks_cleared bigint      NOT NULL DEFAULT 0,
  stats               jsonb       NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE scheduler IS 'Processes that start jobs and watch runs; `job.lock_token` names one of them.';

CREATE TABLE adaptive_state (
  source_id        integer     PRIMARY KEY REFERENCES source ON DELETE CASCADE,
  last_hash        text        NOT NULL,
  last_change_at   timestamptz NOT NULL,
  unchanged_count  integer     NOT NULL CHECK (unchanged_count >= 0),
  current_interval interval    NOT NULL
);
COMMENT ON TABLE adaptive_state IS 'What runs found out about the changes of a source: the interval doubles while nothing changes.';
