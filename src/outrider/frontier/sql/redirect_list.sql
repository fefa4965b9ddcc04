-- name: list_redirects
-- Entries that answered with a redirect, in the order of their keys. At most $7 entries are examined.
-- $1 host_id or NULL, $2 only redirects that are all permanent, $3 only chains of two redirects or more, $4 and $5
-- (host_id, url_hash) to start after, $6 limit, $7 at most so many examined
WITH met AS MATERIALIZED (
  SELECT h.host_id, h.url_hash, array_agg(h.status ORDER BY h.last_seen_at DESC) AS statuses,
         bool_and(h.status IN (301, 308)) AS is_permanent, min(h.first_seen_at) AS first_seen_at,
         max(h.last_seen_at) AS last_seen_at, sum(h.times)::bigint AS times
    FROM redirect_hop h
   WHERE ($1::bigint IS NULL OR h.host_id = $1)
     AND (h.host_id, h.url_hash) > ($4::bigint, $5::uuid)
   GROUP BY h.host_id, h.url_hash
   ORDER BY h.host_id, h.url_hash
   LIMIT $7
)
SELECT m.host_id, m.url_hash, u.url, i.host, u.reason, m.statuses, m.is_permanent, m.first_seen_at, m.last_seen_at, m.times
  FROM met m
  JOIN url u ON u.host_id = m.host_id AND u.url_hash = m.url_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
  LEFT JOIN host_info i ON i.host_id = m.host_id
 WHERE (NOT $2::boolean OR (m.is_permanent AND u.redirect_hash IS NOT NULL))
   AND (NOT $3::boolean OR t.redirect_hash IS NOT NULL)
 ORDER BY m.host_id, m.url_hash
 LIMIT $6;

-- name: last_examined_redirect
-- The key of the entry at which `list_redirects` stops; no row if it reads to the end.
-- $1 host_id or NULL, $2 and $3 (host_id, url_hash) to start after, $4 so many entries are examined
SELECT h.host_id, h.url_hash
  FROM redirect_hop h
 WHERE ($1::bigint IS NULL OR h.host_id = $1)
   AND (h.host_id, h.url_hash) > ($2::bigint, $3::uuid)
 GROUP BY h.host_id, h.url_hash
 ORDER BY h.host_id, h.url_hash
OFFSET $4 - 1
 LIMIT 1;

-- name: list_redirect_loops
-- Entries whose redirects never end, in the order of their keys.
-- $1 host_id or NULL, $2 reasons[], $3 and $4 (host_id, url_hash) to start after, $5 limit
SELECT u.host_id, u.url_hash, u.url, i.host, u.reason, coalesce(h.statuses, '{}') AS statuses, false AS is_permanent,
       coalesce(h.first_seen_at, u.last_fetch_at) AS first_seen_at,
       coalesce(h.last_seen_at, u.last_fetch_at) AS last_seen_at, coalesce(h.times, 0) AS times
  FROM (SELECT x.*
          FROM unnest($2::text[]) AS r (reason)
          CROSS JOIN LATERAL (
            SELECT l.*
              FROM url l
             WHERE l.reason = r.reason
               AND l.next_fetch_at IS NULL
               AND ($1::bigint IS NULL OR l.host_id = $1)
               AND (l.host_id, l.url_hash) > ($3::bigint, $4::uuid)
             ORDER BY l.host_id, l.url_hash
             LIMIT $5
          ) x
         ORDER BY x.host_id, x.url_hash
         LIMIT $5) u
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN LATERAL (
    SELECT array_agg(o.status ORDER BY o.last_seen_at DESC) AS statuses, min(o.first_seen_at) AS first_seen_at,
           max(o.last_seen_at) AS last_seen_at, sum(o.times)::bigint AS times
      FROM redirect_hop o
     WHERE o.host_id = u.host_id
       AND o.url_hash = u.url_hash
  ) h ON true
 ORDER BY u.host_id, u.url_hash;

-- name: chains_of_urls
-- The URLs that entries lead to, redirect by redirect, up to $3 steps. A redirect that did not make its entry an alias
-- ends the chain with its target.
-- $1 host_id[], $2 url_hash[]
WITH RECURSIVE way AS (
  SELECT k.place, 0 AS step, u.host_id, u.url_hash, u.url, u.redirect_host_id, u.redirect_hash
    FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS k (host_id, url_hash, place)
    JOIN url u ON u.host_id = k.host_id AND u.url_hash = k.url_hash
  UNION ALL
  SELECT way.place, way.step + 1, t.host_id, t.url_hash, t.url, t.redirect_host_id, t.redirect_hash
    FROM way
    JOIN url t ON t.host_id = way.redirect_host_id AND t.url_hash = way.redirect_hash
   WHERE way.step < $3
)
SELECT w.place, w.step, w.url
  FROM way w
 WHERE w.step > 0
UNION ALL
SELECT w.place, 1, h.to_url
  FROM way w
  CROSS JOIN LATERAL (
    SELECT o.to_url
      FROM redirect_hop o
     WHERE o.host_id = w.host_id
       AND o.url_hash = w.url_hash
     ORDER BY o.last_seen_at DESC
     LIMIT 1
  ) h
 WHERE w.step = 0
   AND w.redirect_hash IS NULL
 ORDER BY place, step;
