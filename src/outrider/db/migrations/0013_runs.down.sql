-- Without runs: entries stay queued, and belong to no run.
DROP VIEW job_executions;
DROP TABLE run_counter;
DROP TABLE run;
DROP TYPE run_status;
DROP FUNCTION stays_for_run;
ALTER TYPE flush_completion DROP ATTRIBUTE run_id;
ALTER TYPE flush_link DROP ATTRIBUTE run_id;
ALTER TABLE url DROP COLUMN run_id;
