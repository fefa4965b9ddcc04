-- name: close_lost_tasks
-- Close tasks whose process has died.
-- $1 seconds without a sign of life, $2 error
UPDATE maintenance_task
   SET state = 'failed', ended_at = now(), error = $2
 WHERE state = 'running'
   AND beat_at < now() - $1::float8 * interval '1 second';

-- name: begin_task
-- Record that a task begins. Returns no row if the same task runs already.
-- $1 task, $2 who asked for it
INSERT INTO maintenance_task (task, requested_by)
VALUES ($1, $2)
ON CONFLICT (task) WHERE state = 'running' DO NOTHING
RETURNING *;

-- name: renew_task
-- Record a sign of life and the progress of a task.
-- $1 task_id, $2 progress
UPDATE maintenance_task
   SET beat_at = now(), result = $2
 WHERE task_id = $1
   AND state = 'running';

-- name: end_task
-- Record how a task ended.
-- $1 task_id, $2 result, $3 error or NULL
UPDATE maintenance_task
   SET state    = CASE WHEN $3::text IS NULL THEN 'completed' ELSE 'failed' END,
       ended_at = now(),
       result   = $2,
       error    = $3
 WHERE task_id = $1
   AND state = 'running';

-- name: task_history
-- The times that tasks were asked for, newest first.
-- $1 at most this many
SELECT * FROM maintenance_task ORDER BY started_at DESC, task_id LIMIT $1;

-- name: newest_of_each_task
-- The newest record of each task.
SELECT DISTINCT ON (task) * FROM maintenance_task ORDER BY task, started_at DESC;

-- name: task_by_id
-- One record.
-- $1 task_id
SELECT * FROM maintenance_task WHERE task_id = $1;

-- name: forget_tasks
-- Remove records that are older than this.
-- $1 days
DELETE FROM maintenance_task
 WHERE state <> 'running'
   AND started_at < now() - $1::int * interval '1 day';

-- name: no_statement_timeout
-- Let the statements of this connection take as long as they need.
SET statement_timeout = 0;

-- name: vacuum_database
-- Free space and renew the statistics of all tables. Runs outside of a transaction.
VACUUM (ANALYZE);

-- name: leader_tasks
-- The last and the next run of each task of the leader.
SELECT * FROM leader_task ORDER BY name;

-- name: record_leader_task
-- Record that a task of the leader has run, and when it is due again.
-- $1 name, $2 seconds between two runs, $3 when the run began, $4 error or NULL
INSERT INTO leader_task AS t (name, every_s, last_started_at, last_error, next_run_at)
VALUES ($1, $2, least($3::timestamptz, now()), $4, now() + $2::float8 * interval '1 second')
ON CONFLICT (name) DO UPDATE
   SET every_s         = excluded.every_s,
       last_started_at = excluded.last_started_at,
       last_ended_at   = excluded.last_ended_at,
       last_error      = excluded.last_error,
       next_run_at     = excluded.next_run_at,
       runs            = t.runs + 1;

-- name: close_restored_tasks
-- Close the tasks that ran when a backup was written. The backup itself succeeded, the others have no process.
-- $1 result of the backup, $2 error of the others
UPDATE maintenance_task
   SET state    = CASE WHEN task = 'backup' THEN 'completed' ELSE 'failed' END,
       ended_at = now(),
       result   = CASE WHEN task = 'backup' THEN $1 ELSE result END,
       error    = CASE WHEN task = 'backup' THEN NULL ELSE $2::text END
 WHERE state = 'running';

-- name: record_task
-- Record a task that ended at once.
-- $1 task, $2 who asked for it, $3 result, $4 error or NULL
INSERT INTO maintenance_task (task, requested_by, state, ended_at, result, error)
VALUES ($1, $2, CASE WHEN $4::text IS NULL THEN 'completed' ELSE 'failed' END, now(), $3, $4);
