-- name: job_of_source
-- The managed job of a source. The row stays locked until the transaction ends.
-- $1 public id of the source
SELECT j.*, now() AS now
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE s.public_id = $1
   AND j.auto_managed
   FOR UPDATE OF j;

-- name: jobs_of_removed_source
-- All jobs of a source by its public id, those of operators too. The rows stay locked until the transaction ends.
-- $1 public id of the source
SELECT j.*
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE s.public_id = $1
 ORDER BY j.job_id
   FOR UPDATE OF j;

-- name: removed_sources_with_jobs
-- Public ids of removed sources that still have jobs without a run.
SELECT DISTINCT s.public_id
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE s.removed_at IS NOT NULL
   AND j.lock_token IS NULL;

-- name: locked_job
-- One job. The row stays locked until the transaction ends.
-- $1 job_id
SELECT j.*, now() AS now FROM job j WHERE j.job_id = $1 FOR UPDATE;

-- name: jobs_by_number
-- Jobs by their numbers.
-- $1 numbers
SELECT j.* FROM job j WHERE j.job_id = ANY ($1::int[]);

-- name: time_of_database
-- The time by which schedules are decided.
SELECT now();

-- name: job_by_public_id
-- One job by its public id.
-- $1 public id
SELECT j.* FROM job j WHERE j.public_id = $1;

-- name: jobs_of_source
-- All jobs of a source, the managed one first.
-- $1 source_id
SELECT j.* FROM job j WHERE j.source_id = $1 ORDER BY NOT j.auto_managed, j.job_id;

-- name: create_job
-- Create a job.
-- $1 source_id, $2 whether it follows its source, $3 status, $4 interval_count, $5 interval_type, $6 priority,
-- $7 next_run_at, $8 slot_at, $9 placed_at, $10 adaptive, $11 max_retries, $12 retry_backoff_seconds
INSERT INTO job (source_id, auto_managed, status, schedule_enabled, interval_count, interval_type, priority, next_run_at,
                 slot_at, placed_at, adaptive_scheduling, max_retries, retry_backoff_seconds)
VALUES ($1, $2, $3::text::job_status, $4::int IS NOT NULL, $4, $5, $6, $7, $8, $9, $10, $11, $12)
RETURNING *;

-- name: save_job
-- Write the fields of a job that actions change. The caller holds the lock of the row. Returns the state before, too.
-- $1 job_id, $2 status, $3 interval_count, $4 interval_type, $5 priority, $6 next_run_at, $7 paused_at, $8 paused_by,
-- $9 started_at, $10 completed_at, $11 runs, $12 failure_count, $13 last_failure_at, $14 backoff_until,
-- $15 error_message, $16 cancelled_at, $17 lock_token, $18 lock_acquired_at, $19 max_retries,
-- $20 retry_backoff_seconds, $21 current_retry_count, $22 slot_at, $23 placed_at, $24 adaptive_scheduling,
-- $25 metadata
UPDATE job
   SET status                = $2::text::job_status,
       schedule_enabled      = $3::int IS NOT NULL,
       interval_count        = $3,
       interval_type         = $4,
       priority              = $5,
       next_run_at           = $6,
       paused_at             = $7,
       paused_by             = $8,
       started_at            = $9,
       completed_at          = $10,
       runs                  = $11,
       failure_count         = $12,
       last_failure_at       = $13,
       backoff_until         = $14,
       error_message         = $15,
       cancelled_at          = $16,
       lock_token            = $17,
       lock_acquired_at      = $18,
       max_retries           = $19,
       retry_backoff_seconds = $20,
       current_retry_count   = $21,
       slot_at               = $22,
       placed_at             = $23,
       adaptive_scheduling   = $24,
       metadata              = $25
  FROM (SELECT job_id AS number, status AS previous_status FROM job WHERE job_id = $1) before
 WHERE job_id = before.number
RETURNING job.*, before.previous_status;

-- name: remove_job
-- Delete a job.
-- $1 job_id
DELETE FROM job
 WHERE job_id = $1;

-- name: due_jobs
-- Jobs that are due: those to be run at once first, then by priority and time (SCH-04). Jobs of disabled sources are
-- left out, even if they are not paused yet.
-- $1 at most this many, $2 only those to be run at once
SELECT j.job_id
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE j.status IN ('pending', 'scheduled')
   AND (NOT $2::boolean OR j.status = 'pending')
   AND j.lock_token IS NULL
   AND j.next_run_at <= now()
   AND s.enabled
   AND s.removed_at IS NULL
   AND NOT is_held(s.source_id)
 ORDER BY j.status = 'pending' DESC, j.priority DESC, j.next_run_at, j.job_id
 LIMIT $1;

-- name: lock_due_job
-- Lock a due job if no scheduler has it (SCH-05). Returns no row otherwise: another scheduler was faster.
-- $1 job_id, $2 token of the scheduler
UPDATE job
   SET lock_token = $2, lock_acquired_at = now()
 WHERE job_id = (SELECT j.job_id
                   FROM job j
                  WHERE j.job_id = $1
                    AND j.lock_token IS NULL
                    AND j.status IN ('pending', 'scheduled')
                    AND j.next_run_at <= now()
                    FOR UPDATE SKIP LOCKED)
   AND lock_token IS NULL
RETURNING *, now() AS now;

-- name: lock_scheduled_jobs
-- Lock every job that has a next run, in the order of their numbers, until the transaction ends.
SELECT j.job_id
  FROM job j
 WHERE j.status IN ('pending', 'scheduled', 'running')
 ORDER BY j.job_id
   FOR UPDATE;

-- name: slot_entries
-- Every job that has a next run, for the slot map. A job that is to be run at once counts as running.
SELECT j.job_id, j.interval_count, j.interval_type, coalesce(j.slot_at, j.next_run_at) AS next_run_at, j.placed_at,
       j.lock_token IS NOT NULL OR j.status = 'pending' AS is_running, CASE WHEN j.adaptive_scheduling THEN a.current_interval END AS adaptive
  FROM job j
  LEFT JOIN adaptive_state a ON a.source_id = j.source_id
 WHERE j.status IN ('pending', 'scheduled', 'running')
   AND coalesce(j.slot_at, j.next_run_at) IS NOT NULL;

-- name: slot_rhythms
-- The same jobs, counted by the slots that they use: `Rhythm` describes the columns. OFFSET 0 computes each column once
-- without keeping rows, which takes half the time of a materialized part.
-- $1 start of the current slot in epoch seconds, $2 seconds of a slot, $3 seconds of a day
SELECT p.every_s,
       CASE WHEN p.every_s = 0 OR p.every_s > $3::bigint THEN greatest(p.ahead_s, 0) / $2::bigint
            WHEN p.every_s % $2::bigint = 0 THEN p.first_s - p.first_s % $2::bigint
            ELSE p.first_s
       END AS first,
       count(*) AS jobs
  FROM (SELECT t.every_s, t.ahead_s,
               (t.ahead_s % nullif(t.every_s, 0) + t.every_s) % nullif(t.every_s, 0) AS first_s
          FROM (SELECT CASE WHEN j.interval_count IS NULL THEN 0
                            ELSE greatest($2::bigint,
                                          j.interval_count::bigint
                                            * CASE j.interval_type WHEN 'minutes' THEN 60 WHEN 'hours' THEN 3600 ELSE 86400 END,
                                          CASE WHEN j.adaptive_scheduling
                                               THEN floor(date_part('epoch', a.current_interval))::bigint END)
                       END AS every_s,
                       floor(date_part('epoch', coalesce(j.slot_at, j.next_run_at)))::bigint - $1::bigint AS ahead_s
                  FROM job j
                  LEFT JOIN adaptive_state a ON a.source_id = j.source_id
                 WHERE j.status IN ('pending', 'scheduled', 'running')
                   AND coalesce(j.slot_at, j.next_run_at) IS NOT NULL
                OFFSET 0) AS t
        OFFSET 0) AS p
 GROUP BY 1, 2;

-- name: list_jobs
-- A page of jobs that match the filters. Jobs of crawl commands do not exist: a command starts runs without a job.
-- All matching jobs are counted and sorted by their keys alone; the other columns are read for the page only.
-- $1 states[] or NULL, $2 text in the source's name or address, $3 only of this source_id or NULL, $4 label or NULL,
-- $5 sort, $6 descending, $7 limit, $8 offset, $9 LIKE pattern for the source's name or NULL
WITH page AS MATERIALIZED (
  SELECT j.job_id, count(*) OVER () AS total
    FROM job j
    JOIN source s ON s.source_id = j.source_id
   WHERE ($1::text[] IS NULL OR j.status::text = ANY ($1))
     AND ($2 = '' OR position(lower($2) IN lower(s.name || ' ' || s.url)) > 0)
     AND ($3::int IS NULL OR j.source_id = $3)
     AND ($4::text IS NULL OR $4 = ANY (s.labels))
     AND ($9::text IS NULL OR s.name ILIKE $9)
   ORDER BY CASE WHEN NOT $6 THEN CASE $5
              WHEN 'created_at' THEN j.created_at WHEN 'updated_at' THEN j.updated_at
              WHEN 'next_run_at' THEN j.next_run_at WHEN 'last_run_at' THEN j.started_at END END ASC NULLS LAST,
            CASE WHEN $6 THEN CASE $5
              WHEN 'created_at' THEN j.created_at WHEN 'updated_at' THEN j.updated_at
              WHEN 'next_run_at' THEN j.next_run_at WHEN 'last_run_at' THEN j.started_at END END DESC NULLS LAST,
            CASE WHEN NOT $6 THEN CASE $5
              WHEN 'status' THEN j.status::text WHEN 'type' THEN j.type WHEN 'source_name' THEN lower(s.name) END END ASC,
            CASE WHEN $6 THEN CASE $5
              WHEN 'status' THEN j.status::text WHEN 'type' THEN j.type WHEN 'source_name' THEN lower(s.name) END END DESC,
            lower(s.name), j.job_id
   LIMIT $7
  OFFSET $8
)
SELECT j.*, s.name AS source_name, s.url AS source_url, s.public_id AS source_public_id, s.labels,
       s.enabled AS source_enabled,
       a.last_hash, a.last_change_at, a.unchanged_count, a.current_interval, p.total
  FROM (SELECT job_id, total, row_number() OVER () AS place FROM page) p
  JOIN job j ON j.job_id = p.job_id
  JOIN source s ON s.source_id = j.source_id
  LEFT JOIN adaptive_state a ON a.source_id = j.source_id
 ORDER BY p.place;

-- name: plan_for_these_filters
-- Plan each list for its own filters: a plan for all combinations reads and sorts more than most of them need.
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: job_line
-- One job with its source, without a lock.
-- $1 job_id
SELECT j.*, s.name AS source_name, s.url AS source_url, s.public_id AS source_public_id, s.labels,
       s.enabled AS source_enabled,
       a.last_hash, a.last_change_at, a.unchanged_count, a.current_interval
  FROM job j
  JOIN source s ON s.source_id = j.source_id
  LEFT JOIN adaptive_state a ON a.source_id = j.source_id
 WHERE j.job_id = $1;

-- name: job_overview
-- How many jobs enabled sources have, how many of them run or have failed, and the one that runs next.
WITH known AS (
  SELECT j.status, j.next_run_at, s.name
    FROM job j
    JOIN source s ON s.source_id = j.source_id
   WHERE s.enabled
     AND s.removed_at IS NULL
)
SELECT count(*)::int AS jobs,
       count(*) FILTER (WHERE status = 'running')::int AS running,
       count(*) FILTER (WHERE status = 'failed')::int AS failed,
       (SELECT name FROM known WHERE status IN ('pending', 'scheduled') ORDER BY next_run_at, name LIMIT 1) AS next_source,
       (SELECT min(next_run_at) FROM known WHERE status IN ('pending', 'scheduled')) AS next_run_at
  FROM known;

-- name: jobs_of_sources
-- The jobs of some sources, with the names of the sources.
-- $1 source_id[], $2 at most this many
SELECT j.job_id AS number, j.public_id, s.name AS source, j.status::text AS status
  FROM job j
  JOIN source s ON s.source_id = j.source_id
 WHERE j.source_id = ANY ($1::int[])
 ORDER BY lower(s.name), j.job_id
 LIMIT $2;
