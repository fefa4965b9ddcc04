-- name: job_of_source
-- The managed job of a source. Locks the row until the transaction ends.
-- $1 public id of the source
SELECT j.*
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE s.public_id = $1
   AND j.auto_managed
   FOR UPDATE OF j;

-- name: create_job
-- $1 source_id, $2 status, $3 interval_count, $4 interval_type, $5 priority, $6 seconds to the first run
INSERT INTO job (source_id, auto_managed, status, schedule_enabled, interval_count, interval_type, priority, next_run_at)
VALUES ($1, true, $2::text::job_status, true, $3, $4, $5, now() + $6::float8 * interval '1 second');

-- name: reschedule_job
-- Change interval and priority. A shorter interval applies at once, but not to the back-off after a failure.
-- $1 job_id, $2 interval_count, $3 interval_type, $4 priority, $5 seconds of the interval
UPDATE job
   SET interval_count = $2,
       interval_type  = $3,
       priority       = $4,
       next_run_at    = CASE
                          WHEN status = 'scheduled' AND coalesce(backoff_until <= now(), true)
                          THEN least(next_run_at, now() + $5::float8 * interval '1 second')
                          ELSE next_run_at
                        END
 WHERE job_id = $1;

-- name: pause_job
-- No row if the state of the job has changed.
-- $1 job_id, $2 status, $3 status as it was, $4 paused_by
UPDATE job
   SET status      = $2::text::job_status,
       paused_at   = now(),
       paused_by   = $4,
       next_run_at = NULL
 WHERE job_id = $1
   AND status = $3::text::job_status
RETURNING *;

-- name: leave_to_source
-- $1 job_id
UPDATE job
   SET paused_by = 'source'
 WHERE job_id = $1
   AND status = 'paused';

-- name: resume_job
-- No row if the state of the job has changed.
-- $1 job_id, $2 status, $3 status as it was, $4 interval_count, $5 interval_type, $6 priority, $7 seconds to the next run
UPDATE job
   SET status         = $2::text::job_status,
       paused_at      = NULL,
       paused_by      = NULL,
       interval_count = $4,
       interval_type  = $5,
       priority       = $6,
       next_run_at    = now() + $7::float8 * interval '1 second'
 WHERE job_id = $1
   AND status = $3::text::job_status
RETURNING *;

-- name: remove_job
-- $1 job_id
DELETE FROM job
 WHERE job_id = $1;

-- name: due_jobs
-- Due jobs, the most urgent first. Jobs of disabled or held sources are left out, even if they are not yet paused.
-- $1 at most
SELECT j.job_id
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE j.status = 'scheduled'
   AND j.next_run_at <= now()
   AND j.interval_count IS NOT NULL
   AND s.enabled
   AND NOT s.held
 ORDER BY j.priority DESC, j.next_run_at
 LIMIT $1;

-- name: take_due_job
-- Claim a due job. No row if another worker has claimed or run it.
-- $1 job_id, $2 status, $3 status as it was
UPDATE job
   SET status     = $2::text::job_status,
       started_at = now(),
       runs       = runs + 1
 WHERE job_id = (
         SELECT job_id
           FROM job
          WHERE job_id = $1
            AND status = $3::text::job_status
            AND next_run_at <= now()
            FOR UPDATE SKIP LOCKED
       )
RETURNING *, now() AS now, (SELECT s.public_id FROM source s WHERE s.source_id = job.source_id) AS source_public_id;

-- name: run_succeeded
-- $1 job_id, $2 status, $3 next_run_at
UPDATE job
   SET status        = $2::text::job_status,
       completed_at  = now(),
       next_run_at   = $3,
       failure_count = 0,
       backoff_until = NULL,
       error_message = NULL
 WHERE job_id = $1
   AND status = 'running';

-- name: run_failed
-- $1 job_id, $2 status, $3 next_run_at, $4 why
UPDATE job
   SET status          = $2::text::job_status,
       completed_at    = now(),
       next_run_at     = $3,
       backoff_until   = $3,
       failure_count   = failure_count + 1,
       last_failure_at = now(),
       error_message   = $4
 WHERE job_id = $1
   AND status = 'running';

-- name: list_jobs
-- $1 status or NULL, $2 text in the source's name or address, $3 only of this source_id or NULL, $4 at most, $5 after so many
SELECT j.*, s.name AS source_name, s.url AS source_url, count(*) OVER () AS total
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE ($1::text IS NULL OR j.status::text = $1)
   AND ($2 = '' OR position(lower($2) IN lower(s.name || ' ' || s.url)) > 0)
   AND ($3::int IS NULL OR j.source_id = $3)
 ORDER BY j.next_run_at NULLS LAST, lower(s.name), j.job_id
 LIMIT $4
OFFSET $5;
