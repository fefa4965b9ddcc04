-- name: list_runs
-- Runs with the names of their sources, newest first.
-- $1 states or NULL, $2 source_id or NULL, $3 what started them or NULL, $4 public id of the job or NULL,
-- $5 at most this many, $6 after so many, $7 only runs before this number or NULL
SELECT r.*, s.name AS source_name, s.policy, j.public_id AS job_public_id
  FROM run r
  JOIN source s ON s.source_id = r.source_id
  LEFT JOIN job j ON j.job_id = r.job_id
 WHERE ($1::text[] IS NULL OR r.status = ANY ($1::run_status[]))
   AND ($2::int IS NULL OR r.source_id = $2)
   AND ($3::text IS NULL OR r.started_by = $3)
   AND ($4::uuid IS NULL OR j.public_id = $4)
   AND ($7::int IS NULL OR r.run_id < $7)
 ORDER BY r.run_id DESC
 LIMIT $5
OFFSET $6;

-- name: count_runs
-- How many runs match the filters of `list_runs`, counted up to a bound.
-- $1 states or NULL, $2 source_id or NULL, $3 what started them or NULL, $4 public id of the job or NULL,
-- $5 count at most this many, NULL: all
SELECT count(*)
  FROM (SELECT
          FROM run r
          LEFT JOIN job j ON j.job_id = r.job_id
         WHERE ($1::text[] IS NULL OR r.status = ANY ($1::run_status[]))
           AND ($2::int IS NULL OR r.source_id = $2)
           AND ($3::text IS NULL OR r.started_by = $3)
           AND ($4::uuid IS NULL OR j.public_id = $4)
         LIMIT $5) AS matching;

-- name: listed_run
-- One run with the name of its source.
-- $1 run_id
SELECT r.*, s.name AS source_name, s.policy, j.public_id AS job_public_id
  FROM run r
  JOIN source s ON s.source_id = r.source_id
  LEFT JOIN job j ON j.job_id = r.job_id
 WHERE r.run_id = $1;

-- name: run_of_public_id
-- The number of a run.
-- $1 public id
SELECT run_id FROM run WHERE public_id = $1;

-- name: newest_run
-- The number of the newest run.
SELECT max(run_id) FROM run;

-- name: run_stats
-- Counts of the runs of a source, and the average duration of those that completed or failed.
-- $1 source_id
SELECT count(*)::int AS total,
       count(*) FILTER (WHERE status = 'completed')::int AS successful,
       count(*) FILTER (WHERE status = 'failed')::int AS failed,
       count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
       avg(extract(epoch FROM completed_at - started_at)) FILTER (WHERE status IN ('completed', 'failed'))::float8
         AS average_duration_s,
       max(started_at) AS last_execution_at
  FROM run
 WHERE source_id = $1;

-- name: latest_results
-- How the newest runs of jobs ended that completed or failed.
-- $1 seconds since their start at most, $2 at most this many runs
SELECT count(*) FILTER (WHERE r.status = 'completed') AS completed,
       count(*) FILTER (WHERE r.status = 'failed') AS failed
  FROM (SELECT status
          FROM run
         WHERE started_at > now() - $1::float8 * interval '1 second'
           AND status IN ('completed', 'failed')
           AND job_id IS NOT NULL
         ORDER BY started_at DESC
         LIMIT $2) AS r;
