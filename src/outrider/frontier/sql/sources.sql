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
-- Held by the connection: whoever runs a source and dies lets go of it by dying.
-- $1 source_id
SELECT pg_try_advisory_lock(7001, $1::int);

-- name: join_watch
-- Held by the connection, and by as many of them as watch at the same time.
-- $1 the number of the watch, which is no source's
SELECT pg_advisory_lock_shared(7001, $1::int);

-- name: is_running
-- $1 source_id
SELECT EXISTS (
  SELECT
    FROM pg_locks
   WHERE locktype = 'advisory'
     AND classid = 7001
     AND objid = $1::int::oid
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
);
