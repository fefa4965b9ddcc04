-- name: acquire_lock
-- Take a lock that is new, free, expired or already ours. Returns its fence, or no row if another process has it.
-- $1 name, $2 token, $3 seconds to live
INSERT INTO coordination_lock AS l (name, token, expires_at)
VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 second')
ON CONFLICT (name) DO UPDATE
   SET token      = excluded.token,
       expires_at = clock_timestamp() + $3::float8 * interval '1 second',
       fence      = l.fence + 1
 WHERE l.token IS NULL
    OR l.token = excluded.token
    OR l.expires_at <= clock_timestamp()
RETURNING l.fence;

-- name: extend_lock
-- Let a lock live on. Returns no row if it expired or has another token.
-- $1 name, $2 token, $3 seconds to live from now
UPDATE coordination_lock
   SET expires_at = clock_timestamp() + $3::float8 * interval '1 second'
 WHERE name = $1
   AND token = $2
   AND expires_at > clock_timestamp()
RETURNING true;

-- name: release_lock
-- Free a lock. Returns no row if it has another token.
-- $1 name, $2 token
UPDATE coordination_lock
   SET token      = NULL,
       expires_at = clock_timestamp()
 WHERE name = $1
   AND token = $2
RETURNING true;

-- name: free_all_locks
-- Free every lock, with a number that is greater than every number that was given out. A lock is not taken more than
-- once a second.
UPDATE coordination_lock
   SET token = NULL, expires_at = clock_timestamp(), fence = greatest(fence + 1, extract(epoch FROM now())::bigint);

-- name: lock_names
-- The locks that were ever taken.
SELECT name FROM coordination_lock ORDER BY name;

-- name: add_locks
-- Add locks that have no row, free.
-- $1 name[]
INSERT INTO coordination_lock (name, expires_at)
SELECT unnest($1::text[]), clock_timestamp()
    ON CONFLICT (name) DO NOTHING;
