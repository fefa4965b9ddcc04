-- name: share
-- Record that sources want pages which another source asked for first (FRO-16). From then on url_source has a row for
-- each of these sources, the first one included. A source that wants a queued page waits for its next visit, unless the
-- page was fetched before and that visit is planned for later by another source.
-- The pages stay locked until the commit, so that a visit which ends meanwhile sees `shared` or is seen.
-- $1 host_id[], $2 url_hash[], $3 source_id[], $4 depth[], $5 origin[], $6 prio[], $7 counter slot
WITH asked AS MATERIALIZED (
  SELECT DISTINCT ON (a.host_id, a.url_hash, a.source_id) a.*,
         EXISTS (SELECT FROM held_source h WHERE h.source_id = a.source_id) AS held
    FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::smallint[], $5::smallint[], $6::smallint[])
         AS a (host_id, url_hash, source_id, depth, origin, prio)
   ORDER BY a.host_id, a.url_hash, a.source_id, a.depth
),
page AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.source_id, u.next_fetch_at, u.prio, u.depth, u.origin, u.fetches, u.shared, u.reason,
         url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS state
    FROM url u
    JOIN (SELECT DISTINCT host_id, url_hash FROM asked) k ON k.host_id = u.host_id AND k.url_hash = u.url_hash
   WHERE u.kind = {kind_page}
   ORDER BY u.host_id, u.url_hash
     FOR NO KEY UPDATE OF u
),
wanted AS (
  SELECT p.host_id, p.url_hash, a.source_id, a.depth, a.origin, p.reason,
         CASE WHEN p.next_fetch_at > now() AND p.fetches > 0 THEN {state_fetched}::smallint ELSE p.state END AS state,
         EXISTS (SELECT FROM document d
                  WHERE d.host_id = p.host_id
                    AND d.url_hash = p.url_hash
                    AND (d.unindexed IS NULL OR d.unindexed = 'quality_gate')) AS has_document
    FROM page p
    JOIN asked a ON a.host_id = p.host_id AND a.url_hash = p.url_hash
   WHERE a.source_id <> p.source_id
      OR p.shared > 0
),
later AS (
  INSERT INTO url_source (host_id, url_hash, source_id, state, depth, origin, has_document, reason)
  SELECT host_id, url_hash, source_id, state, depth, origin, has_document, CASE WHEN state = {state_dead} THEN reason END
    FROM wanted
   ORDER BY host_id, url_hash, source_id
  ON CONFLICT (host_id, url_hash, source_id) DO NOTHING
  RETURNING host_id, url_hash, source_id, state, reason, has_document
),
first AS (
  INSERT INTO url_source (host_id, url_hash, source_id, state, depth, origin, fetches, has_document, reason)
  SELECT p.host_id, p.url_hash, p.source_id, p.state, p.depth, p.origin, p.fetches, true,
         CASE WHEN p.state = {state_dead} THEN p.reason END
    FROM page p
   WHERE p.shared = 0
     AND EXISTS (SELECT FROM later l WHERE l.host_id = p.host_id AND l.url_hash = p.url_hash)
   ORDER BY p.host_id, p.url_hash
  ON CONFLICT (host_id, url_hash, source_id) DO NOTHING
),
noted AS (
  UPDATE url u
     SET shared = p.shared % 32767 + 1,
         prio   = CASE WHEN w.prio IS NULL OR u.prio > 0 THEN u.prio ELSE greatest(-u.prio, w.prio) END
    FROM page p
    JOIN (SELECT l.host_id, l.url_hash, max(a.prio) FILTER (WHERE l.state = {state_pending} AND NOT a.held) AS prio
            FROM later l
            JOIN asked a ON a.host_id = l.host_id AND a.url_hash = l.url_hash AND a.source_id = l.source_id
           GROUP BY l.host_id, l.url_hash) w ON w.host_id = p.host_id AND w.url_hash = p.url_hash
   WHERE u.host_id = p.host_id
     AND u.url_hash = p.url_hash
  RETURNING u.host_id, u.prio, p.prio < 0 AND u.prio > 0 AND u.next_fetch_at IS NOT NULL AS is_back
),
change AS (
  SELECT l.source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[l.state] AS name FROM later l
  UNION ALL
  SELECT l.source_id, 'dead.' || l.reason FROM later l WHERE l.state = {state_dead}
  UNION ALL
  SELECT l.source_id, 'documents' FROM later l WHERE l.has_document
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $7::smallint, n.source_id, n.name, sum(n.delta)
    FROM (SELECT source_id, name, 1 AS delta FROM change UNION ALL SELECT 0, name, -1 FROM change) AS n
   GROUP BY n.source_id, n.name
   ORDER BY n.source_id, n.name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT host_id, max(prio) AS prio
  FROM noted
 WHERE is_back
 GROUP BY host_id;

-- name: mark_pending
-- Let sources wait for a visit of these shared pages, if the pages are queued. Returns the hosts to wake: a page that
-- was hidden for a held source is now wanted by a source that is not held.
-- $1 host_id[], $2 url_hash[], $3 source_id or NULL for every source that wants them, $4 counter slot
WITH old AS MATERIALIZED (
  SELECT w.host_id, w.url_hash, w.source_id, w.state, w.reason,
         EXISTS (SELECT FROM held_source h WHERE h.source_id = w.source_id) AS held
    FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
    JOIN url u ON u.host_id = k.host_id AND u.url_hash = k.url_hash
    JOIN url_source w ON w.host_id = k.host_id AND w.url_hash = k.url_hash
   WHERE url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
     AND u.shared > 0
     AND w.state <> {state_pending}
     AND ($3::int IS NULL OR w.source_id = $3)
   ORDER BY w.host_id, w.url_hash, w.source_id
     FOR UPDATE OF w
),
waits AS (
  UPDATE url_source w
     SET state = {state_pending}, reason = NULL
    FROM old
   WHERE w.host_id = old.host_id
     AND w.url_hash = old.url_hash
     AND w.source_id = old.source_id
),
noted AS (
  UPDATE url u
     SET shared = u.shared % 32767 + 1,
         prio   = CASE WHEN k.is_held THEN u.prio ELSE abs(u.prio) END
    FROM (SELECT host_id, url_hash, bool_and(held) AS is_held FROM old GROUP BY host_id, url_hash) k
   WHERE u.host_id = k.host_id
     AND u.url_hash = k.url_hash
  RETURNING u.host_id, u.prio
),
change AS (
  SELECT source_id, 'pending' AS name, 1 AS delta FROM old
  UNION ALL
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[state], -1 FROM old
  UNION ALL
  SELECT source_id, 'dead.' || reason, -1 FROM old WHERE state = {state_dead}
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $4::smallint, n.source_id, n.name, sum(n.delta)
    FROM (SELECT source_id, name, delta FROM change UNION ALL SELECT 0, name, -delta FROM change) AS n
   GROUP BY n.source_id, n.name
   ORDER BY n.source_id, n.name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT host_id, max(prio) AS prio
  FROM noted
 WHERE prio > 0
 GROUP BY host_id;

-- name: record_source_states
-- Record the result of a visit for each source that it served. A visit whose result came too late changes nothing. Runs
-- after `complete`, in its transaction.
-- $1 host_id[], $2 url_hash[], $3 source_id[], $4 state[], $5 reason[], $6 whether the page was read for
-- the source[], $7 counter slot
WITH old AS MATERIALIZED (
  SELECT w.host_id, w.url_hash, w.source_id, w.state, w.reason, n.state AS new_state, n.reason AS new_reason, n.is_read,
         d.url_hash IS NOT NULL AND NOT w.has_document AS gets_document,
         d.url_hash IS NOT NULL AND NOT w.has_document AND d.source_id <> w.source_id AS is_counted
    FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::smallint[], $5::text[], $6::boolean[])
         AS n (host_id, url_hash, source_id, state, reason, is_read)
    JOIN url u ON u.host_id = n.host_id AND u.url_hash = n.url_hash
    JOIN url_source w ON w.host_id = n.host_id AND w.url_hash = n.url_hash AND w.source_id = n.source_id
    LEFT JOIN document d
      ON d.host_id = n.host_id AND d.url_hash = n.url_hash AND (d.unindexed IS NULL OR d.unindexed = 'quality_gate')
   WHERE u.last_fetch_at = now()
   ORDER BY w.host_id, w.url_hash, w.source_id
     FOR UPDATE OF w
),
stands AS (
  UPDATE url_source w
     SET state        = old.new_state,
         reason       = old.new_reason,
         fetches      = w.fetches + old.is_read::int,
         has_document = w.has_document OR old.gets_document
    FROM old
   WHERE w.host_id = old.host_id
     AND w.url_hash = old.url_hash
     AND w.source_id = old.source_id
),
change AS (
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[new_state] AS name, 1 AS delta FROM old
  UNION ALL
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[state], -1 FROM old
  UNION ALL
  SELECT source_id, 'dead.' || new_reason, 1 FROM old WHERE new_state = {state_dead}
  UNION ALL
  SELECT source_id, 'dead.' || reason, -1 FROM old WHERE state = {state_dead}
  UNION ALL
  SELECT source_id, 'documents', 1 FROM old WHERE is_counted
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $7::smallint, n.source_id, n.name, sum(n.delta)
  FROM (SELECT source_id, name, delta FROM change UNION ALL SELECT 0, name, -delta FROM change) AS n
 GROUP BY n.source_id, n.name
HAVING sum(n.delta) <> 0
 ORDER BY n.source_id, n.name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: hide_unwanted
-- Hide shared pages from the claim if only held sources wait for them.
-- $1 host_id[], $2 url_hash[]
UPDATE url u
   SET prio = -u.prio
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
 WHERE u.host_id = k.host_id
   AND u.url_hash = k.url_hash
   AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
   AND u.prio > 0
   AND EXISTS (SELECT FROM url_source w WHERE w.host_id = u.host_id AND w.url_hash = u.url_hash AND w.state = {state_pending})
   AND NOT EXISTS (SELECT
                     FROM url_source w
                    WHERE w.host_id = u.host_id
                      AND w.url_hash = u.url_hash
                      AND w.state = {state_pending}
                      AND NOT EXISTS (SELECT FROM held_source h WHERE h.source_id = w.source_id));

-- name: source_states
-- Every source that wants these shared pages, and the state of each page for that source.
-- $1 host_id[], $2 url_hash[]
SELECT w.host_id, w.url_hash, w.source_id, w.state, w.depth, w.origin, w.fetches, w.reason,
       h.source_id IS NOT NULL AS held, coalesce(h.served_with_others, true) AS served_with_others
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
  JOIN url_source w ON w.host_id = k.host_id AND w.url_hash = k.url_hash
  LEFT JOIN held_source h ON h.source_id = w.source_id
 ORDER BY w.host_id, w.url_hash, w.source_id;

-- name: stop_waiting
-- Stop sources from waiting for queued shared pages: a page that was fetched counts as fetched for the source, the
-- source forgets the others. Pages of leased hosts stay.
-- $1 source_id or NULL, $2 host_id or NULL, $3 counter slot
WITH old AS MATERIALIZED (
  SELECT w.host_id, w.url_hash, w.source_id, u.fetches > 0 AS is_kept
    FROM url_source w
    JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
   WHERE w.state = {state_pending}
     AND ($1::int IS NULL OR w.source_id = $1)
     AND ($2::bigint IS NULL OR w.host_id = $2)
     AND u.next_fetch_at IS NOT NULL
     AND u.kind = {kind_page}
     AND NOT EXISTS (SELECT
                       FROM host h
                      WHERE h.host_id = u.host_id
                        AND h.lease_owner IS NOT NULL
                        AND h.due_at > now())
   ORDER BY w.host_id, w.url_hash, w.source_id
     FOR UPDATE
),
forgotten AS (
  DELETE FROM url_source w
   USING old
   WHERE NOT old.is_kept
     AND w.host_id = old.host_id
     AND w.url_hash = old.url_hash
     AND w.source_id = old.source_id
),
kept AS (
  UPDATE url_source w
     SET state = {state_fetched}
    FROM old
   WHERE old.is_kept
     AND w.host_id = old.host_id
     AND w.url_hash = old.url_hash
     AND w.source_id = old.source_id
),
change AS (
  SELECT source_id, 'pending' AS name, -1 AS delta FROM old
  UNION ALL
  SELECT source_id, 'fetched', 1 FROM old WHERE is_kept
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $3::smallint, n.source_id, n.name, sum(n.delta)
    FROM (SELECT source_id, name, delta FROM change UNION ALL SELECT 0, name, -delta FROM change) AS n
   GROUP BY n.source_id, n.name
   ORDER BY n.source_id, n.name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT DISTINCT host_id, url_hash FROM old;

-- name: leave_queue
-- Remove shared pages that no source waits for from the queue: pages never fetched are deleted, fetched pages keep
-- their history. For the run of a page the page is settled.
-- $1 host_id[], $2 url_hash[], $3 counter slot
WITH queued AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.fetches, u.run_id
    FROM url u
    JOIN unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
      ON k.host_id = u.host_id AND k.url_hash = u.url_hash
   WHERE url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
     AND NOT EXISTS (SELECT FROM url_source w
                      WHERE w.host_id = u.host_id AND w.url_hash = u.url_hash AND w.state = {state_pending})
   ORDER BY u.host_id, u.url_hash
     FOR UPDATE OF u
),
forgotten AS (
  DELETE FROM url u
   USING queued
   WHERE u.host_id = queued.host_id
     AND u.url_hash = queued.url_hash
     AND queued.fetches = 0
  RETURNING u.host_id, u.url_hash
),
unwanted AS (
  DELETE FROM url_source w
   USING queued
   WHERE w.host_id = queued.host_id
     AND w.url_hash = queued.url_hash
     AND queued.fetches = 0
  RETURNING w.source_id, w.state, w.reason
),
kept AS (
  UPDATE url u
     SET next_fetch_at     = NULL,
         attempts = 0,
         reason   = NULL,
         prio     = abs(u.prio),
         run_id   = -abs(u.run_id)
    FROM queued
   WHERE u.host_id = queued.host_id
     AND u.url_hash = queued.url_hash
     AND queued.fetches > 0
  RETURNING u.host_id
),
settled AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT run_id, $3::smallint, 'settled', count(*)
    FROM queued
   WHERE run_id > 0
   GROUP BY run_id
   ORDER BY run_id
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
),
change AS (
  SELECT 0 AS source_id, 'pending' AS name, -1 AS delta FROM forgotten
  UNION ALL
  SELECT 0, 'pending', -1 FROM kept
  UNION ALL
  SELECT 0, 'fetched', 1 FROM kept
  UNION ALL
  SELECT n.source_id, n.name, n.delta
    FROM unwanted w
    CROSS JOIN LATERAL (
      SELECT (ARRAY['pending', 'fetched', 'dead', 'alias'])[w.state] AS name
      UNION ALL
      SELECT 'dead.' || w.reason WHERE w.state = {state_dead}
    ) k
    CROSS JOIN LATERAL (VALUES (w.source_id, k.name, -1), (0, k.name, 1)) AS n (source_id, name, delta)
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $3::smallint, source_id, name, sum(delta)
  FROM change
 GROUP BY source_id, name
 ORDER BY source_id, name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: unshare
-- Make shared URLs belong to their first source only: no other source can have them visited as pages.
-- $1 host_id[], $2 url_hash[], $3 counter slot
WITH page AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.source_id, u.reason, url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS state
    FROM url u
    JOIN unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
      ON k.host_id = u.host_id AND k.url_hash = u.url_hash
   WHERE u.shared > 0
   ORDER BY u.host_id, u.url_hash
     FOR UPDATE OF u
),
alone AS (
  UPDATE url u
     SET shared = 0
    FROM page p
   WHERE u.host_id = p.host_id
     AND u.url_hash = p.url_hash
),
gone AS (
  DELETE FROM url_source w
   USING page p
   WHERE w.host_id = p.host_id
     AND w.url_hash = p.url_hash
  RETURNING w.source_id, w.state, w.reason,
            w.has_document AND w.source_id <> p.source_id
            AND NOT EXISTS (SELECT FROM document d
                             WHERE d.host_id = w.host_id AND d.url_hash = w.url_hash AND d.source_id = w.source_id)
            AS is_document
),
change AS (
  SELECT source_id, state, reason, false AS is_document, 1 AS delta FROM page
  UNION ALL
  SELECT source_id, state, reason, is_document, -1 FROM gone
),
named AS (
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[state] AS name, delta FROM change
  UNION ALL
  SELECT source_id, 'dead.' || reason, delta FROM change WHERE state = {state_dead}
  UNION ALL
  SELECT source_id, 'documents', delta FROM change WHERE is_document
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $3::smallint, n.source_id, n.name, sum(n.delta)
  FROM (SELECT source_id, name, delta FROM named UNION ALL SELECT 0, name, -delta FROM named) AS n
 GROUP BY n.source_id, n.name
HAVING sum(n.delta) <> 0
 ORDER BY n.source_id, n.name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;
