-- name: lock_removable
-- Lock one entry until the commit. `is_leased`: a worker may be fetching it now.
-- $1 host_id, $2 url_hash
SELECT u.url, u.kind, u.shared,
       EXISTS (SELECT
                 FROM host h
                WHERE h.host_id = u.host_id
                  AND h.lease_owner IS NOT NULL
                  AND h.due_at > now()) AS is_leased
  FROM url u
 WHERE u.host_id = $1
   AND u.url_hash = $2
   FOR UPDATE OF u;

-- name: remove_url
-- Remove one entry that is not shared, with its redirects, and subtract it from the counters. For the run of the entry
-- it is settled.
-- $1 host_id, $2 url_hash, $3 counter slot
WITH gone AS (
  DELETE FROM url u
   WHERE u.host_id = $1
     AND u.url_hash = $2
  RETURNING u.source_id, u.reason, u.run_id, url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS state
),
hops AS (
  DELETE FROM redirect_hop
   WHERE host_id = $1
     AND url_hash = $2
),
change AS (
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[state] AS name FROM gone
  UNION ALL
  SELECT source_id, 'dead.' || reason FROM gone WHERE state = {state_dead}
),
settled AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT run_id, $3::smallint, 'settled', 1
    FROM gone
   WHERE run_id > 0
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $3::smallint, source_id, name, -1
  FROM change
 ORDER BY source_id, name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: forget_documents
-- Take the documents of shared pages out of the counts of the sources that share them.
-- $1 host_id[], $2 url_hash[], $3 counter slot
WITH old AS MATERIALIZED (
  SELECT w.host_id, w.url_hash, w.source_id,
         NOT EXISTS (SELECT
                       FROM document d
                      WHERE d.host_id = w.host_id
                        AND d.url_hash = w.url_hash
                        AND d.source_id = w.source_id) AS is_counted
    FROM url_source w
    JOIN unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
      ON k.host_id = w.host_id AND k.url_hash = w.url_hash
   WHERE w.has_document
   ORDER BY w.host_id, w.url_hash, w.source_id
     FOR UPDATE OF w
),
without AS (
  UPDATE url_source w
     SET has_document = false
    FROM old
   WHERE w.host_id = old.host_id
     AND w.url_hash = old.url_hash
     AND w.source_id = old.source_id
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $3::smallint, n.source_id, 'documents', sum(n.delta)
  FROM (SELECT source_id, -1 AS delta FROM old WHERE is_counted
        UNION ALL
        SELECT 0, 1 FROM old WHERE is_counted) AS n
 GROUP BY n.source_id
 ORDER BY n.source_id
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;
