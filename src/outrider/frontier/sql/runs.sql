-- name: add_run_counts
-- Add to the counters of runs. Counters of the shortest and the longest time keep the extreme instead of a sum.
-- $1 slot, $2 run_id[], $3 name[], $4 delta[]
INSERT INTO run_counter AS c (run_id, slot, name, value)
SELECT k.run_id, $1::smallint, k.name, k.delta
  FROM unnest($2::int[], $3::text[], $4::bigint[]) AS k (run_id, name, delta)
 ORDER BY k.run_id, k.name
ON CONFLICT (run_id, slot, name) DO UPDATE
   SET value = CASE c.name
                 WHEN 'response_ms_min' THEN least(c.value, excluded.value)
                 WHEN 'response_ms_max' THEN greatest(c.value, excluded.value)
                 ELSE c.value + excluded.value
               END;

-- name: run_counts
-- The counters of runs, summed over the slots in one snapshot.
-- $1 run_id[]
SELECT run_id, name,
       CASE name WHEN 'response_ms_min' THEN min(value) WHEN 'response_ms_max' THEN max(value) ELSE sum(value)::bigint END AS value
  FROM run_counter
 WHERE run_id = ANY ($1::int[])
 GROUP BY run_id, name
 ORDER BY run_id, name;

-- name: join_run
-- Make queued URLs without an open run due now, as entries of a run. A URL that waits after a failure keeps its time.
-- Returns the hosts to wake.
-- $1 host_id[], $2 url_hash[], $3 run_id, $4 counter slot
WITH joined AS (
  UPDATE url u
     SET run_id        = $3::int,
         next_fetch_at = CASE WHEN u.attempts = 0 THEN least(u.next_fetch_at, now()) ELSE u.next_fetch_at END
    FROM unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
   WHERE u.host_id = w.host_id
     AND u.url_hash = w.url_hash
     AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
     AND coalesce(u.run_id, -1) < 0
  RETURNING u.host_id, u.prio, u.next_fetch_at <= now() AS is_due
),
added AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT $3::int, $4::smallint, 'added', count(*)
    FROM joined
  HAVING count(*) > 0
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT host_id, coalesce(max(prio) FILTER (WHERE is_due), 0) AS prio, count(*) AS urls FROM joined GROUP BY host_id;

-- name: join_run_of_source
-- Make the queued URLs of a source that have no open run entries of a run: what an earlier version or a killed process
-- left. Their times stay.
-- $1 source_id, $2 run_id, $3 counter slot
WITH joined AS (
  UPDATE url u
     SET run_id = $2::int
   WHERE u.source_id = $1
     AND u.next_fetch_at IS NOT NULL
     AND coalesce(u.run_id, -1) < 0
  RETURNING u.url_hash
)
INSERT INTO run_counter AS c (run_id, slot, name, value)
SELECT $2::int, $3::smallint, 'added', count(*)
  FROM joined
HAVING count(*) > 0
ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value;

-- name: join_run_on_host
-- Make the due pages of a source on a host that have no open run entries of a run: what was found before it began.
-- $1 host_id, $2 source_id, $3 run_id, $4 at most this many, $5 counter slot
WITH waiting AS MATERIALIZED (
  SELECT u.host_id, u.url_hash
    FROM url u
   WHERE u.host_id = $1
     AND u.next_fetch_at <= now()
     AND u.prio > 0
     AND u.source_id = $2
     AND u.kind = {kind_page}
     AND u.shared = 0
     AND coalesce(u.run_id, -1) < 0
   ORDER BY u.url_hash
   LIMIT $4
     FOR UPDATE OF u
),
joined AS (
  UPDATE url u
     SET run_id = $3::int
    FROM waiting
   WHERE u.host_id = waiting.host_id
     AND u.url_hash = waiting.url_hash
  RETURNING u.url_hash
)
INSERT INTO run_counter AS c (run_id, slot, name, value)
SELECT $3::int, $5::smallint, 'added', count(*)
  FROM joined
HAVING count(*) > 0
ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value;

-- name: leave_run
-- Let the queued entries of a source's run stay queued without a run, because the run ends at its page limit or by an
-- error. Some are pages that another source had queued before and shares.
-- $1 source_id, $2 run_id, $3 counter slot
WITH queued AS MATERIALIZED (
  SELECT u.host_id, u.url_hash
    FROM url u
   WHERE u.source_id = $1
     AND u.next_fetch_at IS NOT NULL
     AND u.run_id = $2
   UNION
  SELECT u.host_id, u.url_hash
    FROM url_source w
    JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
   WHERE w.source_id = $1
     AND u.next_fetch_at IS NOT NULL
     AND u.run_id = $2
),
left_over AS (
  UPDATE url u
     SET run_id = -u.run_id
    FROM queued q
   WHERE u.host_id = q.host_id
     AND u.url_hash = q.url_hash
     AND u.next_fetch_at IS NOT NULL
     AND u.run_id = $2
  RETURNING u.url_hash
)
INSERT INTO run_counter AS c (run_id, slot, name, value)
SELECT $2::int, $3::smallint, n.name, count(*)
  FROM left_over
  CROSS JOIN (VALUES ('left_over'), ('settled')) AS n (name)
 GROUP BY n.name
 ORDER BY n.name
ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value;

-- name: leave_runs
-- Let the hidden entries of a source leave their runs, because the source is removed and no worker visits them.
-- $1 source_id, $2 counter slot
WITH left_over AS (
  UPDATE url u
     SET run_id = -u.run_id
   WHERE u.next_fetch_at IS NOT NULL
     AND u.prio < 0
     AND u.run_id > 0
     AND (u.source_id = $1
          OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                        WHERE w.host_id = u.host_id AND w.url_hash = u.url_hash AND w.source_id = $1)))
  RETURNING -u.run_id AS run_id
)
INSERT INTO run_counter AS c (run_id, slot, name, value)
SELECT l.run_id, $2::smallint, n.name, count(*)
  FROM left_over l
  CROSS JOIN (VALUES ('left_over'), ('settled')) AS n (name)
 GROUP BY l.run_id, n.name
 ORDER BY l.run_id, n.name
ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value;

-- name: leave_runs_on_blocked_hosts
-- Let queued entries of blocked hosts leave their runs: no worker visits them until an operator lifts the block.
-- Entries that a flush is changing wait for the next pass.
-- $1 at most this many, $2 counter slot
WITH queued AS MATERIALIZED (
  SELECT u.host_id, u.url_hash
    FROM host h
    JOIN url u ON u.host_id = h.host_id
   WHERE h.next_allowed_at = 'infinity'
     AND u.next_fetch_at IS NOT NULL
     AND u.run_id > 0
   LIMIT $1
     FOR UPDATE OF u SKIP LOCKED
),
left_over AS (
  UPDATE url u
     SET run_id = -u.run_id
    FROM queued q
   WHERE u.host_id = q.host_id
     AND u.url_hash = q.url_hash
  RETURNING -u.run_id AS run_id
),
counted AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT l.run_id, $2::smallint, n.name, count(*)
    FROM left_over l
    CROSS JOIN (VALUES ('left_over'), ('settled')) AS n (name)
   GROUP BY l.run_id, n.name
   ORDER BY l.run_id, n.name
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT count(*) FROM left_over;

-- name: withdraw_entries
-- Take the queued entries of a run out of the queue, host by host, as dead for the reason `cancelled`: their attempts
-- stay. Entries of leased hosts wait for the next pass, because a request may be under way; with $5 they go too.
-- Shared pages stay queued for their other sources, and leave the run. Feeds and sitemaps are polled later.
-- Returns the number of entries, and the host to continue with: NULL after the last one.
-- $1 run_id, $2 host_id to begin with, $3 most hosts, $4 most entries of a host, $5 leased hosts too, $6 counter slot
WITH visited AS MATERIALIZED (
  SELECT h.host_id, h.lease_owner IS NOT NULL AND h.due_at > now() AND NOT $5::boolean AS is_leased
    FROM host h
   WHERE h.host_id >= $2
   ORDER BY h.host_id
   LIMIT $3
),
queued AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.source_id, u.kind, u.shared, u.reason
    FROM visited v
    CROSS JOIN LATERAL (
      SELECT p.host_id, p.url_hash
        FROM url p
       WHERE p.host_id = v.host_id
         AND p.next_fetch_at IS NOT NULL
         AND p.run_id = $1
       LIMIT $4
    ) f
    JOIN url u ON u.host_id = f.host_id AND u.url_hash = f.url_hash
   WHERE NOT v.is_leased
   ORDER BY u.host_id, u.url_hash
     FOR UPDATE OF u
),
gone AS (
  UPDATE url u
     SET run_id        = -u.run_id,
         next_fetch_at = CASE
                           WHEN queued.shared > 0 THEN u.next_fetch_at
                           WHEN queued.kind <> {kind_page} THEN greatest(u.next_fetch_at, now() + interval '15 minutes')
                         END,
         reason        = CASE WHEN queued.shared > 0 OR queued.kind <> {kind_page} THEN u.reason ELSE 'cancelled' END,
         prio          = CASE WHEN queued.shared > 0 OR queued.kind <> {kind_page} THEN u.prio ELSE abs(u.prio) END
    FROM queued
   WHERE u.host_id = queued.host_id
     AND u.url_hash = queued.url_hash
     AND u.run_id = $1
     AND u.next_fetch_at IS NOT NULL
  RETURNING u.host_id, u.source_id, u.next_fetch_at IS NULL AS is_withdrawn
),
change AS (
  SELECT g.source_id, n.name, n.delta
    FROM gone g
    CROSS JOIN LATERAL (VALUES ('pending', -1), ('dead', 1), ('dead.cancelled', 1)) AS n (name, delta)
   WHERE g.is_withdrawn
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $6::smallint, source_id, name, sum(delta)
    FROM change
   GROUP BY source_id, name
   ORDER BY source_id, name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
),
settled AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT $1::int, $6::smallint, n.name, count(*)
    FROM gone
    CROSS JOIN (VALUES ('settled'), ('withdrawn')) AS n (name)
   GROUP BY n.name
   ORDER BY n.name
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT (SELECT count(*) FROM gone) AS entries,
       coalesce((SELECT min(host_id) FROM (SELECT host_id FROM queued GROUP BY host_id HAVING count(*) >= $4) AS full_hosts),
                (SELECT max(host_id) + 1 FROM visited HAVING count(*) = $3)) AS next_host;

-- name: withdrawn_entries
-- A batch of the entries that a cancelled run of this source left.
-- $1 source_id, $2 at most this many
SELECT host_id, url_hash
  FROM url
 WHERE reason = 'cancelled'
   AND next_fetch_at IS NULL
   AND redirect_hash IS NULL
   AND source_id = $1
 LIMIT $2;

-- name: withdrawn_among
-- Which of these URLs a cancelled run took out of the queue.
-- $1 host_id[], $2 url_hash[]
SELECT u.host_id, u.url_hash
  FROM unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
  JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
 WHERE u.reason = 'cancelled'
   AND u.next_fetch_at IS NULL
   AND u.redirect_hash IS NULL;

-- name: correct_run
-- Count as settled what left the queue without a visit: entries that were cleared, or merged with another spelling.
-- $1 run_id, $2 counter slot
WITH missing AS (
  SELECT coalesce(sum(value) FILTER (WHERE name = 'added'), 0) - coalesce(sum(value) FILTER (WHERE name = 'settled'), 0)
         - (SELECT count(*) FROM url u WHERE u.run_id = $1 AND u.next_fetch_at IS NOT NULL) AS entries
    FROM run_counter
   WHERE run_id = $1
     AND name IN ('added', 'settled')
)
INSERT INTO run_counter AS c (run_id, slot, name, value)
SELECT $1::int, $2::smallint, 'settled', entries
  FROM missing
 WHERE entries <> 0
ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
RETURNING (SELECT entries FROM missing);

-- name: forget_run_counts
-- Remove the counters of runs that are removed.
-- $1 run_id[]
DELETE FROM run_counter
 WHERE run_id = ANY ($1::int[]);
