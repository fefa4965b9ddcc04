-- name: newest_run
-- The number of the run that was started last.
SELECT max(run_id) FROM run;
