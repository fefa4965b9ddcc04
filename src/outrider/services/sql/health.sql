-- name: process_facts
-- Workers with and without a recent heartbeat, and schedulers with one.
-- $1 seconds that a heartbeat may be old, $2 seconds after which a silent worker is forgotten
SELECT (SELECT count(*)
          FROM worker
         WHERE stopped_at IS NULL
           AND beat_at > now() - $1::float8 * interval '1 second') AS live_workers,
       (SELECT count(*)
          FROM worker
         WHERE stopped_at IS NULL
           AND beat_at <= now() - $1::float8 * interval '1 second'
           AND beat_at > now() - $2::float8 * interval '1 second') AS silent_workers,
       (SELECT count(*)
          FROM scheduler
         WHERE stopped_at IS NULL
           AND beat_at > now() - interval '2 minutes') AS schedulers;
