-- name: add_throttles
-- Make sure that there is a row for each subject.
-- $1 subjects
INSERT INTO login_throttle (subject, failures, last_failed_at, blocked_until)
SELECT subject, 0, '-infinity', '-infinity'
  FROM unnest($1::text[]) AS subject
 ORDER BY subject
ON CONFLICT (subject) DO NOTHING;

-- name: lock_throttles
-- The rows of the subjects, locked in one order, and the time.
-- $1 subjects
SELECT subject, failures,
       greatest(last_failed_at, '1970-01-01 00:00+00') AS last_failed_at,
       greatest(blocked_until, '1970-01-01 00:00+00') AS blocked_until,
       clock_timestamp() AS now
  FROM login_throttle
 WHERE subject = ANY ($1::text[])
 ORDER BY subject
   FOR UPDATE;

-- name: count_failure
-- Record an attempt as failed.
-- $1 subject, $2 failures, $3 time of the attempt, $4 end of the wait
UPDATE login_throttle
   SET failures = $2,
       last_failed_at = $3,
       blocked_until = $4
 WHERE subject = $1;

-- name: forget_failures
-- After a success: the name starts anew, the address gets its attempt back.
-- $1 subject of the name, $2 subject of the address or NULL
UPDATE login_throttle
   SET failures = CASE WHEN subject = $1 THEN 0 ELSE greatest(0, failures - 1) END,
       blocked_until = last_failed_at
 WHERE subject IN ($1, $2);

-- name: prune_throttles
-- Remove some rows without a recent failure, and count them.
-- $1 how old the last failure must be, $2 most rows
WITH gone AS (
  DELETE FROM login_throttle
   WHERE subject IN (
           SELECT subject FROM login_throttle
            WHERE last_failed_at < now() - $1::interval
              AND blocked_until < now()
            LIMIT $2
              FOR UPDATE SKIP LOCKED
         )
  RETURNING 1
)
SELECT count(*) FROM gone;
