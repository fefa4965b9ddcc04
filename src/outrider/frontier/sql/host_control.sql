-- name: lock_host
-- Lock a host against changes of other operators. Workers add to its statistics meanwhile, with a short wait.
-- $1 host_id
SELECT FROM host_info WHERE host_id = $1 FOR UPDATE;

-- name: block_host
-- Block a host, even one that is new: no request is made to it any more. A worker that holds its lease finishes its
-- batch, and the release keeps the block.
-- $1 host_id, $2 name, $3 reason, $4 delay_ms of a host that is new to us
WITH named AS (
  INSERT INTO host_info AS i (host_id, host, block_reason)
  VALUES ($1, $2, $3)
  ON CONFLICT (host_id) DO UPDATE SET block_reason = excluded.block_reason
)
INSERT INTO host AS h (host_id, next_allowed_at, delay_ms)
VALUES ($1, 'infinity', $4)
ON CONFLICT (host_id) DO UPDATE
   SET next_allowed_at = 'infinity',
       due_at          = CASE WHEN h.lease_owner IS NOT NULL THEN h.due_at END;

-- name: free_host
-- Lift a block and, if $2, everything else that holds a host back: the open circuit and the penalty (BRK-14). The
-- queued URLs of the host become due.
-- $1 host_id
WITH next AS MATERIALIZED (
  SELECT x.prio, x.next_fetch_at
    FROM generate_series(10, 1, -1) AS p (prio)
    CROSS JOIN LATERAL (
      SELECT u.prio, u.next_fetch_at
        FROM url u
       WHERE u.host_id = $1
         AND u.prio = p.prio::smallint
         AND u.next_fetch_at IS NOT NULL
       ORDER BY u.next_fetch_at
       LIMIT 1
    ) x
   ORDER BY greatest(x.next_fetch_at, now()), x.prio DESC
   LIMIT 1
),
unblocked AS (
  UPDATE host_info
     SET block_reason = NULL
   WHERE host_id = $1
)
UPDATE host h
   SET next_allowed_at = now() + h.delay_ms * interval '1 millisecond',
       due_at          = CASE
                           WHEN h.lease_owner IS NOT NULL THEN h.due_at
                           ELSE (SELECT greatest(now() + h.delay_ms * interval '1 millisecond', n.next_fetch_at) FROM next n)
                         END,
       prio            = CASE
                           WHEN h.lease_owner IS NOT NULL THEN h.prio
                           ELSE coalesce((SELECT n.prio FROM next n), h.prio)
                         END,
       penalty_ms      = CASE WHEN $2::boolean THEN 0 ELSE h.penalty_ms END,
       calm            = CASE WHEN $2 THEN 0 ELSE h.calm END,
       rate_limited    = CASE WHEN $2 THEN 0 ELSE h.rate_limited END,
       failures        = CASE WHEN $2 THEN 0 ELSE h.failures END,
       breaker         = CASE WHEN $2 THEN {breaker_closed} ELSE h.breaker END,
       probes_ok       = CASE WHEN $2 THEN 0 ELSE h.probes_ok END,
       trips           = CASE WHEN $2 THEN 0 ELSE h.trips END,
       robots_failures = CASE WHEN $2 THEN 0 ELSE h.robots_failures END
 WHERE h.host_id = $1
   AND ($2 OR h.next_allowed_at = 'infinity')
RETURNING h.host_id;

-- name: set_delay
-- Set the delay an operator asks for, or NULL for the delay of robots.txt or the default; and the delay in force.
-- $1 host_id, $2 asked_delay_ms, $3 delay_ms
WITH asked AS (
  UPDATE host_info
     SET asked_delay_ms = $2
   WHERE host_id = $1
  RETURNING host_id
)
UPDATE host h
   SET delay_ms = $3
  FROM asked
 WHERE h.host_id = asked.host_id
RETURNING h.host_id;
