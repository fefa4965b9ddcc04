-- name: release
-- Release hosts after their results are committed, and set when each may be asked again.
-- A release changes nothing if the lease was lost meanwhile (another fencing number). It needs its own transaction: in
-- the transaction of the ingest, two workers that hold each other's hosts would deadlock.
-- $1 host_id[], $2 lease_seq[], $3 seconds until the next request is allowed[], $4 delay_ms[], $5 penalty_ms[],
-- $6 calm[], $7 rate_limited[], $8 failures[], $9 breaker[], $10 probes_ok[], $11 trips[], $12 robots_failures[],
-- $13 probation[], $14 whether the host stays reserved for the worker[]
WITH given AS MATERIALIZED (
  SELECT g.*, now() + g.wait_s * interval '1 second' AS allowed_at, n.prio, n.next_fetch_at
    FROM unnest($1::bigint[], $2::bigint[], $3::float8[], $4::int[], $5::int[], $6::smallint[], $7::smallint[],
                $8::smallint[], $9::smallint[], $10::smallint[], $11::smallint[], $12::smallint[], $13::smallint[],
                $14::boolean[])
         AS g (host_id, lease_seq, wait_s, delay_ms, penalty_ms, calm, rate_limited, failures, breaker, probes_ok,
               trips, robots_failures, probation, comes_back)
    LEFT JOIN LATERAL (
      -- The URL that is due first, not the most important one: a recrawl due next week must not delay the host.
      SELECT x.prio, x.next_fetch_at
        FROM generate_series(10, 1, -1) AS p (prio)
        CROSS JOIN LATERAL (
          SELECT u.prio, u.next_fetch_at
            FROM url u
           WHERE u.host_id = g.host_id
             AND u.prio = p.prio::smallint
             AND u.next_fetch_at IS NOT NULL
           ORDER BY u.next_fetch_at
           LIMIT 1
        ) x
       ORDER BY greatest(x.next_fetch_at, now() + g.wait_s * interval '1 second'), x.prio DESC
       LIMIT 1
    ) n ON true
   ORDER BY g.host_id
)
UPDATE host h
   SET lease_owner     = NULL,
       kept_for        = CASE WHEN given.comes_back THEN h.lease_owner END,
       wake            = false,
       accused         = NULL,
       blame           = 0,
       prio            = coalesce(given.prio, 5),
       next_allowed_at = CASE WHEN h.next_allowed_at = 'infinity' THEN 'infinity' ELSE given.allowed_at END,
       due_at          = CASE
                           WHEN h.next_allowed_at = 'infinity' THEN NULL
                           -- This statement may not see the URL that set `wake` yet: claim the host again soon.
                           WHEN h.wake THEN given.allowed_at
                           WHEN given.prio IS NOT NULL THEN greatest(given.allowed_at, given.next_fetch_at)
                         END,
       delay_ms        = given.delay_ms,
       penalty_ms      = given.penalty_ms,
       calm            = given.calm,
       rate_limited    = given.rate_limited,
       failures        = given.failures,
       breaker         = given.breaker,
       probes_ok       = given.probes_ok,
       trips           = given.trips,
       robots_failures = given.robots_failures,
       probation       = given.probation,
       relapsed        = h.relapsed AND given.probation > 0
  FROM given
 WHERE h.host_id = given.host_id
   AND h.lease_seq = given.lease_seq
   -- Means leased. Written so that the planner does not scan all leased hosts.
   AND coalesce(h.lease_owner, -1) >= 0
RETURNING h.host_id, h.kept_for IS NOT NULL AS is_kept, extract(epoch FROM h.due_at - now())::float8 AS due_in_s;

-- name: renew
-- Extend leases. A host that is missing from the result was lost: the worker must stop working on it.
-- $1 worker, $2 lease in seconds, $3 host_id[], $4 lease_seq[]
UPDATE host h
   SET due_at = now() + $2::float8 * interval '1 second'
  FROM unnest($3::bigint[], $4::bigint[]) AS g (host_id, lease_seq)
 WHERE h.host_id = g.host_id
   AND h.lease_seq = g.lease_seq
   AND h.lease_owner = $1
RETURNING h.host_id;

-- name: mark_in_progress
-- Mark the URL that is about to be fetched, so that the claim after a crash knows which URL caused the crash.
-- $1 host_id, $2 lease_seq, $3 url_hash, or NULL after the fetch
UPDATE host
   SET accused = $3,
       blame   = CASE WHEN accused = $3 THEN blame ELSE 0 END
 WHERE host_id = $1
   AND lease_seq = $2
   AND lease_owner IS NOT NULL
RETURNING blame;

-- name: recover_worker
-- Make the hosts of a dead worker due before their leases end, once its last request must be over.
-- A worker sends a heartbeat every second, so its last heartbeat bounds its last request. A worker cannot send one
-- while the database is down, hence the start time of the server.
-- lease_owner stays set, so that the claim sees a lost lease, waits the host's delay and fetches one URL at a time.
-- $1 worker, $2 seconds a request may take
UPDATE host h
   SET due_at = least(h.due_at, greatest(now(), greatest(w.beat_at, pg_postmaster_start_time())
                                                + ($2::float8 + 1.5) * interval '1 second'))
  FROM worker w
 WHERE h.lease_owner = $1
   AND w.worker_id = $1
RETURNING h.host_id;

-- name: sweep_lost_hosts
-- Wake hosts that have queued URLs and no due time. This is a safety net: normally it finds none.
-- $1 at most this many
WITH lost AS (
  SELECT h.host_id, n.prio
    FROM host h
    CROSS JOIN LATERAL (
      SELECT u.prio
        FROM url u
       WHERE u.host_id = h.host_id
         AND u.prio BETWEEN 1 AND 10
         AND u.next_fetch_at IS NOT NULL
       ORDER BY u.prio DESC
       LIMIT 1
    ) n
   WHERE h.due_at IS NULL
     AND h.lease_owner IS NULL
     AND h.next_allowed_at < 'infinity'
   ORDER BY h.host_id
   LIMIT $1
     FOR UPDATE OF h SKIP LOCKED
)
UPDATE host h
   SET due_at = greatest(h.next_allowed_at, now()),
       prio   = lost.prio
  FROM lost
 WHERE h.host_id = lost.host_id
RETURNING h.host_id;

-- name: lease_host
-- Lease one host now, if no lease holds it and its delay is over. The host may be new.
-- A lease that ended counts as free if its owner is a command (worker 0) or a stopped worker: a command must not wait
-- for the next claim of a crawl. A host with a URL in progress is left to the claim, which handles crashes.
-- $1 worker, $2 lease in seconds, $3 host_id
WITH before AS MATERIALIZED (
  SELECT h.lease_owner IS NOT NULL AS was_leased
    FROM host h
   WHERE h.host_id = $3
     FOR UPDATE
)
INSERT INTO host AS h (host_id, due_at, lease_owner, lease_seq)
SELECT $3, now() + $2::float8 * interval '1 second', $1, 1
  FROM (SELECT count(*) FROM before) AS read_first
ON CONFLICT (host_id) DO UPDATE
   SET due_at      = excluded.due_at,
       lease_owner = excluded.lease_owner,
       kept_for    = NULL,
       lease_seq   = h.lease_seq + 1,
       wake        = false,
       relapsed    = h.relapsed OR (h.lease_owner > 0 AND h.probation > 0),
       probation   = CASE WHEN h.lease_owner > 0 THEN 10 ELSE h.probation END
 WHERE h.next_allowed_at <= now()
   AND (h.lease_owner IS NULL
        OR (h.due_at <= now()
            AND h.accused IS NULL
            AND NOT EXISTS (SELECT FROM worker w WHERE w.worker_id = h.lease_owner AND w.stopped_at IS NULL)))
RETURNING host_id, lease_seq, delay_ms, penalty_ms, calm, rate_limited, failures, breaker, probes_ok, trips,
          robots_failures, probation, relapsed, blame, accused, coalesce((SELECT was_leased FROM before), false) AS was_lost;

-- name: why_not_free
-- Why a host cannot be leased: another lease, or a time before which it may not be asked.
-- $1 host_id
SELECT h.lease_owner,
       h.next_allowed_at = 'infinity' AS is_blocked,
       CASE WHEN h.next_allowed_at < 'infinity'
            THEN extract(epoch FROM h.next_allowed_at - now())::float8 END AS rests_s,
       w.machine,
       w.pid
  FROM host h
  LEFT JOIN worker w ON w.worker_id = h.lease_owner
 WHERE h.host_id = $1;

-- name: name_host
-- Record the name of a host.
-- $1 host_id, $2 host
INSERT INTO host_info (host_id, host)
VALUES ($1, $2)
ON CONFLICT (host_id) DO NOTHING;

-- name: keep_partitions
-- Create the history partitions of this month and the next, if they are missing.
SELECT keep_fetch_log_partitions();
