-- name: lock_redirects
-- Where aliases lead. The rows stay locked until the commit, so no other worker can change them meanwhile.
-- $1 host_id[], $2 url_hash[]
SELECT u.host_id, u.url_hash, u.redirect_host_id, u.redirect_hash
  FROM url u
  JOIN unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
    ON w.host_id = u.host_id AND w.url_hash = u.url_hash
 ORDER BY u.host_id, u.url_hash
   FOR SHARE OF u;

-- name: mark_aliases_dead
-- Mark aliases whose redirects never end as dead.
-- $1 host_id[], $2 url_hash[], $3 reason[], $4 counter slot
WITH buried AS (
  UPDATE url u
     SET redirect_host_id = NULL,
         redirect_hash    = NULL,
         reason           = b.reason
    FROM unnest($1::bigint[], $2::uuid[], $3::text[]) AS b (host_id, url_hash, reason)
   WHERE u.host_id = b.host_id
     AND u.url_hash = b.url_hash
     AND u.redirect_hash IS NOT NULL
     AND u.next_fetch_at IS NULL
  RETURNING u.host_id, u.url_hash, CASE WHEN u.shared > 0 THEN 0 ELSE u.source_id END AS source_id, u.kind, u.reason
),
for_source AS (
  UPDATE url_source w
     SET state = {state_dead}, reason = b.reason
    FROM buried b
   WHERE b.source_id = 0
     AND w.host_id = b.host_id
     AND w.url_hash = b.url_hash
     AND w.state = {state_alias}
  RETURNING w.source_id, w.reason
),
dead AS (
  SELECT source_id, reason, 1 AS times FROM buried WHERE kind <> {kind_robots}
  UNION ALL
  SELECT source_id, reason, 1 FROM for_source
  UNION ALL
  SELECT 0, reason, -1 FROM for_source
),
change AS (
  SELECT source_id, 'alias' AS name, -times AS delta FROM dead
  UNION ALL
  SELECT source_id, 'dead', times FROM dead
  UNION ALL
  SELECT source_id, 'dead.' || reason, times FROM dead
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $4::smallint, source_id, name, sum(delta)
  FROM change
 GROUP BY source_id, name
 ORDER BY source_id, name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;
