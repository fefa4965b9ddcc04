-- name: current_fence
-- The number of the latest term of an election, which counts from 1.
-- $1 name
SELECT fence
  FROM leader
 WHERE name = $1;

-- name: begin_term
-- Begin the next term, unless another candidate did since the number was read. Waits for writes of the old leader.
-- $1 name, $2 number of the latest term, $3 who leads now
INSERT INTO leader AS l (name, fence, holder, gained_at)
SELECT $1, $2::bigint + 1, $3, clock_timestamp()
 WHERE $2 = 0 OR EXISTS (SELECT FROM leader WHERE name = $1)
ON CONFLICT (name) DO UPDATE
   SET fence     = excluded.fence,
       holder    = excluded.holder,
       gained_at = excluded.gained_at
 WHERE l.fence = $2
RETURNING l.fence;

-- name: hold_term
-- Keep the next term from beginning until the transaction ends. Returns no row if it has begun already.
-- A leader that stands still in its transaction is cut off, so that the next one need not wait for it.
-- $1 name, $2 number of the term, $3 milliseconds that the transaction may stand still
SELECT set_config('idle_in_transaction_session_timeout', $3, true)
  FROM leader
 WHERE name = $1
   AND fence = $2
   FOR SHARE;

-- name: outdate_terms
-- Make the number of each term greater than every number that was given out, also after a backup that is restored. A
-- term lasts longer than a second, so the seconds since 1970 are greater.
UPDATE leader SET fence = greatest(fence + 1, extract(epoch FROM now())::bigint);

-- name: election_names
-- The elections that ever had a leader.
SELECT name FROM leader ORDER BY name;

-- name: add_elections
-- Add elections that have no row.
-- $1 name[]
INSERT INTO leader (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING;
