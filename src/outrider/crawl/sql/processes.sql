-- name: claim_run
-- Record or renew that a process runs the crawl of a source. A recent claim of another process wins.
-- $1 source_id, $2 token, $3 machine, $4 pid, $5 seconds that a claim lasts
INSERT INTO crawl_process AS p (source_id, token, machine, pid)
VALUES ($1, $2, $3, $4)
ON CONFLICT (source_id) DO UPDATE
   SET token = excluded.token, machine = excluded.machine, pid = excluded.pid, renewed_at = now()
 WHERE p.token = excluded.token
    OR p.renewed_at < now() - $5::float8 * interval '1 second'
RETURNING source_id;

-- name: join_watch
-- Record or renew that a process watches; any number of processes may.
-- $1 token, $2 machine, $3 pid
INSERT INTO crawl_process (token, machine, pid)
VALUES ($1, $2, $3)
ON CONFLICT (token) DO UPDATE SET renewed_at = now();

-- name: processes_of
-- The processes that crawl a source, or that watch.
-- $1 source_id, or NULL for those that watch, $2 seconds that a claim lasts
SELECT token, machine, pid
  FROM crawl_process
 WHERE source_id IS NOT DISTINCT FROM $1
   AND renewed_at >= now() - $2::float8 * interval '1 second';

-- name: end_process
-- Delete the claim of a process that ends.
-- $1 token
DELETE FROM crawl_process
 WHERE token = $1;

-- name: crawl_processes
-- The processes that crawl a source.
-- $1 seconds that a claim lasts
SELECT source_id, machine, pid
  FROM crawl_process
 WHERE source_id IS NOT NULL
   AND renewed_at >= now() - $1::float8 * interval '1 second';
