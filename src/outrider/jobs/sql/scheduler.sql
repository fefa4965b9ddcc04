-- name: register_scheduler
-- Add a scheduler process.
-- $1 token, $2 machine, $3 pid
INSERT INTO scheduler (token, machine, pid) VALUES ($1, $2, $3);

-- name: renew_locks
-- Record that a scheduler is alive, and renew the locks of its runs (SCH-11). Returns how many.
-- $1 token
WITH alive AS (
  UPDATE scheduler SET beat_at = now() WHERE token = $1
),
renewed AS (
  UPDATE job SET lock_acquired_at = now() WHERE lock_token = $1 RETURNING job_id
)
SELECT count(*) FROM renewed;

-- name: dead_schedulers
-- Schedulers of one machine that never recorded a stop: they run, or their process has died.
-- $1 machine
SELECT token, pid FROM scheduler WHERE machine = $1 AND stopped_at IS NULL;

-- name: record_scheduler_stop
-- Record that a scheduler has stopped. Other schedulers take its runs over at once.
-- $1 token
UPDATE scheduler SET stopped_at = now() WHERE token = $1 AND stopped_at IS NULL;

-- name: count_lost_races
-- Count jobs that a scheduler read as due and another process took first.
-- $1 token, $2 how many
UPDATE scheduler SET lost_races = lost_races + $2 WHERE token = $1;

-- name: lock_take_over
-- One scheduler takes runs over at a time. A row that another one has just changed is checked again with the scheduler
-- of its old lock, so two of them could take the same run.
SELECT pg_advisory_xact_lock(7022, 0);

-- name: take_over_stale
-- Take over runs whose scheduler has stopped, or has not renewed its locks for too long (SCH-09, SCH-10).
-- $1 token of the new scheduler, $2 seconds after which a lock is stale, $3 at most this many
WITH stale AS (
  SELECT j.job_id
    FROM job j
    LEFT JOIN scheduler s ON s.token = j.lock_token
   WHERE j.lock_token IS NOT NULL
     AND j.lock_token <> $1
     AND (j.lock_acquired_at < now() - $2::float8 * interval '1 second' OR s.stopped_at IS NOT NULL OR s.token IS NULL)
   ORDER BY j.lock_acquired_at
   LIMIT $3
     FOR UPDATE OF j SKIP LOCKED
),
taken AS (
  UPDATE job j
     SET lock_token = $1, lock_acquired_at = now()
    FROM stale
   WHERE j.job_id = stale.job_id
  RETURNING j.job_id
),
counted AS (
  UPDATE scheduler SET stale_locks_cleared = stale_locks_cleared + (SELECT count(*) FROM taken) WHERE token = $1
)
SELECT job_id FROM taken;

-- name: watched_runs
-- The jobs that a scheduler holds, the counters of the open run of each, and what became of its source.
-- $1 token
SELECT j.job_id, r.run_id, r.cancel_at IS NOT NULL AS is_cancelled,
       extract(epoch FROM now() - r.started_at)::float8 AS running_s,
       (coalesce(c.added, 0) - coalesce(c.settled, 0))::bigint AS waiting,
       CASE WHEN s.removed_at IS NOT NULL THEN 'removed' WHEN NOT s.enabled THEN 'disabled' END AS source_was,
       j.public_id AS job_public_id, r.public_id AS execution_id, r.execution_number,
       coalesce(c.settled, 0)::bigint AS settled, coalesce(c.pages, 0)::bigint AS pages, coalesce(c.dead, 0)::bigint AS dead
  FROM job j
  JOIN source s ON s.source_id = j.source_id
  LEFT JOIN run r ON r.job_id = j.job_id AND r.status = 'running'
  LEFT JOIN LATERAL (
    SELECT sum(k.value) FILTER (WHERE k.name = 'added') AS added, sum(k.value) FILTER (WHERE k.name = 'settled') AS settled,
           sum(k.value) FILTER (WHERE k.name = 'pages') AS pages, sum(k.value) FILTER (WHERE k.name = 'dead') AS dead
      FROM run_counter k
     WHERE k.run_id = r.run_id
       AND k.name IN ('added', 'settled', 'pages', 'dead')
  ) c ON true
 WHERE j.lock_token = $1
 ORDER BY j.job_id;

-- name: forget_schedulers
-- Remove schedulers that have shown no sign of life for a week and hold no lock.
DELETE FROM scheduler s
 WHERE s.beat_at < now() - interval '7 days'
   AND NOT EXISTS (SELECT FROM job j WHERE j.lock_token = s.token);

-- name: write_scheduler_stats
-- Store the figures of a scheduler (SCH-14).
-- $1 token, $2 figures
UPDATE scheduler SET stats = $2, beat_at = now() WHERE token = $1;

-- name: stale_locks_cleared
-- How many runs a scheduler has taken over.
-- $1 token
SELECT stale_locks_cleared FROM scheduler WHERE token = $1;

-- name: list_schedulers
-- Schedulers that have not stopped, or stopped within the last day.
SELECT token, machine, pid, started_at, beat_at, stopped_at, stale_locks_cleared, stats,
       stopped_at IS NULL AND beat_at > now() - interval '2 minutes' AS is_alive,
       (SELECT count(*) FROM job j WHERE j.lock_token = s.token) AS runs
  FROM scheduler s
 WHERE stopped_at IS NULL OR stopped_at > now() - interval '1 day'
 ORDER BY started_at DESC;

-- name: adaptive_state
-- What is known about the changes of a source.
-- $1 source_id
SELECT last_hash, last_change_at, unchanged_count, current_interval FROM adaptive_state WHERE source_id = $1;

-- name: keep_adaptive_state
-- Store what a run found out about the changes of a source.
-- $1 source_id, $2 hash, $3 last change, $4 unchanged count, $5 interval
INSERT INTO adaptive_state AS a (source_id, last_hash, last_change_at, unchanged_count, current_interval)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (source_id) DO UPDATE
   SET last_hash        = excluded.last_hash,
       last_change_at   = excluded.last_change_at,
       unchanged_count  = excluded.unchanged_count,
       current_interval = excluded.current_interval;

-- name: record_all_scheduler_stops
-- Record that all schedulers have stopped, so that another one takes their runs over at once.
UPDATE scheduler SET stopped_at = now() WHERE stopped_at IS NULL;
