-- name: open_run_of_job
-- Start a run of a job. Returns no row if the job has an open run.
-- $1 source_id, $2 job_id, $3 execution number, $4 what started it, $5 retry attempt
INSERT INTO run (source_id, job_id, execution_number, started_by, retry_attempt)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (job_id) WHERE status = 'running' AND job_id IS NOT NULL DO NOTHING
RETURNING *;

-- name: open_run_of_command
-- Start the run of a crawl. Returns no row if the crawl has an open run.
-- $1 source_id, $2 what started it
INSERT INTO run (source_id, execution_number, started_by)
SELECT $1, coalesce(max(r.execution_number), 0) + 1, $2
  FROM run r
 WHERE r.source_id = $1
   AND r.job_id IS NULL
ON CONFLICT (source_id) WHERE status = 'running' AND job_id IS NULL DO NOTHING
RETURNING *;

-- name: open_run_of_source
-- The open run of a crawl command.
-- $1 source_id
SELECT * FROM run WHERE source_id = $1 AND job_id IS NULL AND status = 'running';

-- name: adopt_run
-- Let an open run of a crawl go on for another starter.
-- $1 run_id, $2 what started it
UPDATE run SET started_by = $2 WHERE run_id = $1 RETURNING *;

-- name: open_crawls
-- The open runs of crawls, which have no job, with what is needed to end them: how many entries still wait.
SELECT r.run_id, r.source_id, r.started_by, r.cancel_at IS NOT NULL AS is_cancelled,
       coalesce(c.added, 0) - coalesce(c.settled, 0) AS waiting
  FROM run r
  LEFT JOIN LATERAL (
    SELECT sum(k.value) FILTER (WHERE k.name = 'added') AS added, sum(k.value) FILTER (WHERE k.name = 'settled') AS settled
      FROM run_counter k
     WHERE k.run_id = r.run_id
       AND k.name IN ('added', 'settled')
  ) c ON true
 WHERE r.status = 'running'
   AND r.job_id IS NULL
 ORDER BY r.run_id;

-- name: open_of_job
-- The open run of a job. The row stays locked until the transaction ends: nothing cancels the run while it is ended.
-- $1 job_id
SELECT * FROM run WHERE job_id = $1 AND status = 'running' FOR UPDATE;

-- name: run_by_id
-- One run.
-- $1 run_id
SELECT * FROM run WHERE run_id = $1;

-- name: open_runs
-- Every open run, for workers.
SELECT run_id, source_id, cancel_at IS NOT NULL AS is_cancelled FROM run WHERE status = 'running';

-- name: ask_to_cancel
-- Ask for the end of a run. Returns no row if the run has ended or was asked before.
-- $1 run_id, $2 why, $3 what cancels it
UPDATE run
   SET cancel_at = now(), cancel_reason = $2, cancelled_by = $3
 WHERE run_id = $1
   AND status = 'running'
   AND cancel_at IS NULL
RETURNING *;

-- name: end_run
-- End a run. Returns no row if it has ended already.
-- $1 run_id, $2 status, $3 why it failed or was cancelled, $4 pages, $5 indexed pages, $6 crawl metrics,
-- $7 stack trace or NULL
UPDATE run
   SET status        = $2::text::run_status,
       completed_at  = now(),
       error_message = $3,
       stack_trace   = $7,
       items_crawled = $4,
       items_indexed = $5,
       metadata      = metadata || jsonb_build_object('crawl_metrics', $6::jsonb)
 WHERE run_id = $1
   AND status = 'running'
RETURNING *;

-- name: public_id_of_job
-- The public id of a job.
-- $1 job_id
SELECT public_id FROM job WHERE job_id = $1;

-- name: cancelled_for_s
-- Seconds since the end of a run was asked for; NULL if it was not.
-- $1 run_id
SELECT extract(epoch FROM now() - cancel_at)::float8 FROM run WHERE run_id = $1;

-- name: set_log
-- Record where the archive has the log of a run.
-- $1 run_id, $2 key, $3 bytes, $4 lines
UPDATE run
   SET log_object_key = $2, log_size_bytes = $3, log_line_count = $4
 WHERE run_id = $1;

-- name: with_old_logs
-- Runs that ended long ago and whose log is still in the archive.
-- $1 days, $2 at most this many
SELECT run_id, log_object_key
  FROM run
 WHERE log_object_key IS NOT NULL
   AND completed_at < now() - $1::integer * interval '1 day'
 ORDER BY run_id
 LIMIT $2;

-- name: forget_log
-- Record that the archive has the log of a run no more.
-- $1 run_id
UPDATE run SET log_object_key = NULL WHERE run_id = $1;

-- name: remove_runs_of_job
-- Remove the runs of a job.
-- $1 job_id
DELETE FROM run WHERE job_id = $1 RETURNING run_id;

-- name: prune_runs
-- Remove a batch of runs: those that are not among the newest of their job, or of their crawl, and
-- those that ended too long ago (JOB-17). The newest run of each job and open runs stay.
-- $1 how many of the newest stay, $2 seconds for which a run stays, $3 at most this many
WITH placed AS (
  SELECT run_id, status, completed_at,
         row_number() OVER (PARTITION BY job_id, CASE WHEN job_id IS NULL THEN source_id END
                            ORDER BY execution_number DESC) AS place
    FROM run
)
DELETE FROM run r
 USING (SELECT run_id
          FROM placed
         WHERE status <> 'running'
           AND place > 1
           AND (place > $1 OR completed_at < now() - $2::float8 * interval '1 second')
         LIMIT $3) AS old
 WHERE r.run_id = old.run_id
RETURNING r.run_id, r.log_object_key;
