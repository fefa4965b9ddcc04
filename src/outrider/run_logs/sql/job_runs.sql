-- name: newest_run_of_job
-- The newest run of a job.
-- $1 job_id
SELECT max(run_id) FROM run WHERE job_id = $1;

-- name: is_run_of_job
-- Whether a run belongs to a job.
-- $1 job_id, $2 run_id
SELECT EXISTS (SELECT FROM run WHERE job_id = $1 AND run_id = $2);

-- name: next_runs_of_jobs
-- For each pair of a job and a run, in their order: the first run of the job after that one, or NULL.
-- $1 job_id[], $2 run_id[]
SELECT (SELECT min(r.run_id) FROM run r WHERE r.job_id = w.job_id AND r.run_id > w.run_id) AS next_run_id
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS w (job_id, run_id, place)
 ORDER BY w.place;
