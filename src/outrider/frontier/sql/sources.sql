-- name: ensure_source
-- The source of that name, with this policy from now on.
-- $1 name, $2 policy, $3 priority
INSERT INTO source AS s (name, policy, priority)
VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE
   SET policy = excluded.policy, priority = excluded.priority, updated_at = now()
RETURNING source_id, held;

-- name: source_by_id
-- $1 source_id
SELECT source_id, name, priority, policy, held, kind::text, mode::text, selectors, template
  FROM source
 WHERE source_id = $1;

-- name: sources
SELECT s.source_id, s.name, s.priority, s.policy, s.held, s.kind::text,
       coalesce((SELECT sum(c.value) FROM counter c WHERE c.source_id = s.source_id AND c.name = 'pending'), 0)::bigint AS pending
  FROM source s
 ORDER BY s.source_id;

-- name: mark_held
-- $1 source_id, $2 held
UPDATE source
   SET held = $2, updated_at = now()
 WHERE source_id = $1;

-- name: reserve_pages
-- Take up to $2 pages out of a source's page limit of $3; the answer is how many were granted.
-- $1 source_id
WITH before AS (
  SELECT reserved FROM source WHERE source_id = $1 FOR UPDATE
)
UPDATE source s
   SET reserved = least(s.reserved + $2::bigint, greatest($3::bigint, s.reserved))
  FROM before
 WHERE s.source_id = $1
RETURNING s.reserved - before.reserved AS granted;

-- name: return_pages
-- $1 source_id, $2 pages not used
UPDATE source
   SET reserved = greatest(0, reserved - $2::bigint)
 WHERE source_id = $1;

-- name: settle_pages
-- Nobody is working on this source: what was reserved and not fetched is free again.
-- $1 source_id
UPDATE source
   SET reserved = coalesce((SELECT sum(value) FROM counter WHERE source_id = $1 AND name = 'pages'), 0)
 WHERE source_id = $1;

-- name: claim_run
-- Say that a process runs the crawl of a source, or still does. Another process that said so lately comes first.
-- $1 source_id, $2 token, $3 machine, $4 pid, $5 seconds that a claim lasts
INSERT INTO crawl_process AS p (source_id, token, machine, pid)
VALUES ($1, $2, $3, $4)
ON CONFLICT (source_id) DO UPDATE
   SET token = excluded.token, machine = excluded.machine, pid = excluded.pid, renewed_at = now()
 WHERE p.token = excluded.token
    OR p.renewed_at < now() - $5::float8 * interval '1 second'
RETURNING source_id;

-- name: join_watch
-- Say that a process watches, or still does; any number of them may.
-- $1 token, $2 machine, $3 pid
INSERT INTO crawl_process (token, machine, pid)
VALUES ($1, $2, $3)
ON CONFLICT (token) DO UPDATE SET renewed_at = now();

-- name: processes_of
-- The processes that run the crawl of a source, or watch.
-- $1 source_id, or NULL for those that watch, $2 seconds that a claim lasts
SELECT token, machine, pid
  FROM crawl_process
 WHERE source_id IS NOT DISTINCT FROM $1
   AND renewed_at >= now() - $2::float8 * interval '1 second';

-- name: end_process
-- $1 token
DELETE FROM crawl_process
 WHERE token = $1;
