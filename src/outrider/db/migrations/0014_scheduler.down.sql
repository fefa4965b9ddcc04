-- Without schedulers: workers run due jobs by themselves.
DROP TABLE adaptive_state;
DROP TABLE scheduler;
UPDATE job
   SET status = 'scheduled', next_run_at = coalesce(next_run_at, slot_at, now()), lock_token = NULL, lock_acquired_at = NULL
 WHERE status = 'running' AND interval_count IS NOT NULL;
DROP INDEX job_locked;
DROP INDEX job_due;
CREATE INDEX job_due ON job (next_run_at) WHERE status = 'scheduled';
COMMENT ON COLUMN job.lock_token IS NULL;
ALTER TABLE job DROP COLUMN slot_at, DROP COLUMN placed_at;
