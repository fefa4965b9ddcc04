-- name: recurring_jobs
-- The interval of every recurring job, and the longer one that adaptive scheduling has found, if any.
SELECT j.job_id, (j.interval_count || ' ' || j.interval_type)::interval AS "interval", a.current_interval AS adaptive
  FROM job j
  LEFT JOIN adaptive_state a ON a.source_id = j.source_id
 WHERE j.interval_count IS NOT NULL
 ORDER BY j.job_id;

-- name: runs_of_jobs
-- All runs of recurring jobs, in the order in which they began.
SELECT r.job_id, r.status::text AS status, r.retry_attempt > 0 AS is_retry, r.started_at, r.completed_at AS ended_at
  FROM run r
  JOIN job j ON j.job_id = r.job_id
 WHERE j.interval_count IS NOT NULL
 ORDER BY r.run_id;
