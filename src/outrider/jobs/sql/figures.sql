-- name: jobs_by_status
-- How many jobs are in each state that has some.
SELECT j.status::text AS status, count(*)::int AS jobs
  FROM job j
 GROUP BY j.status;

-- name: job_figures
-- Jobs by state, how many runs are kept, and the runs of the last day in numbers.
SELECT (SELECT jsonb_object_agg(s.status::text, s.jobs)
          FROM (SELECT j.status, count(*) AS jobs FROM job j GROUP BY j.status) AS s) AS jobs,
       (SELECT count(*) FROM run) AS total_executions,
       count(*) FILTER (WHERE r.status = 'completed') AS completed,
       count(*) FILTER (WHERE r.status = 'failed') AS failed,
       count(*) FILTER (WHERE r.status = 'running') AS running,
       avg(date_part('epoch', r.completed_at - r.started_at)) FILTER (WHERE r.status = 'completed') AS average_s,
       now() AS now
  FROM run r
 WHERE r.started_at > now() - interval '1 day';

-- name: record_rebalance
-- Record a rebalance.
-- $1 jobs moved, $2 jobs that had to stay
INSERT INTO job_rebalance (moved, skipped) VALUES ($1, $2);
