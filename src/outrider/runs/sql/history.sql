-- name: runs_of_job
-- A page of the runs of a job, newest first.
-- $1 job_id, $2 limit, $3 offset
SELECT * FROM run WHERE job_id = $1 ORDER BY execution_number DESC LIMIT $2 OFFSET $3;

-- name: count_runs_of_job
-- How many runs of a job are kept.
-- $1 job_id
SELECT count(*) FROM run WHERE job_id = $1;

-- name: run_of_job
-- One run of a job by its execution number, or the newest.
-- $1 job_id, $2 execution number or NULL
SELECT *
  FROM run
 WHERE job_id = $1
   AND ($2::int IS NULL OR execution_number = $2)
 ORDER BY execution_number DESC
 LIMIT 1;
