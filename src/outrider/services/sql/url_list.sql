-- name: list_urls
-- Entries that match the filters, sorted. A list never reads more than $9 entries: either an index finds that few
-- (those of a host, of a source, the dead or queued ones, all), or the list walks through the next $9 in the order of
-- keys and says where it stopped. robots.txt files are listed only if the filter names their kind. The entries of a
-- source are its own and those it shares, with their state for that source. The first row always has the tally.
-- $1 state or NULL, $2 source_id or NULL, $3 host_id or NULL, $4 origin or NULL, $5 kind or NULL, $6 part of the URL or
-- NULL, $7 reason, or part of one, or NULL, $8 priority, next, created or key, $9 entries to examine, $10 limit,
-- $11 offset, $12 to $16 lead, is_idle, due, host_id and url_hash of the last entry before the page, or NULL, $17 1, or
-- -1 for the reverse of the priority or time that the order names, $18 host, source, dead, pending, all or walk,
-- $19 reasons[] of the dead, or NULL for every reason
WITH walked AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.prio, u.next_fetch_at, u.discovered_at, u.source_id, u.shared, u.reason,
         url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS state,
         ($4::int IS NULL OR u.origin = $4)
         AND u.kind = ANY (CASE WHEN $5::int IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5::int] END)
         AND ($6::text IS NULL OR strpos(u.url, $6) > 0) AS is_like
    FROM url u
   WHERE $18::text <> 'source'
     AND ($3::bigint IS NULL OR u.host_id = $3)
     -- The same conditions as in the partial indexes, so that the planner can use them.
     AND ($18 <> 'pending' OR u.next_fetch_at IS NOT NULL)
     AND ($18 <> 'dead' OR (u.next_fetch_at IS NULL AND u.reason IS NOT NULL))
     AND ($18 <> 'dead' OR $19::text[] IS NULL OR u.reason = ANY ($19))
     AND ($18 <> 'walk' OR $8::text <> 'key' OR $15::bigint IS NULL OR (u.host_id, u.url_hash) > ($15, $16::uuid))
   -- Without effect for the other ways: the plan is made for these parameters, and NULL is not sorted.
   ORDER BY CASE WHEN $18 = 'walk' THEN u.host_id END, CASE WHEN $18 = 'walk' THEN u.url_hash END
   LIMIT $9
),
candidate AS MATERIALIZED (
  SELECT k.host_id, k.url_hash, k.prio, k.next_fetch_at, k.discovered_at, NULL::smallint AS state, NULL::text AS reason
    FROM walked k
   WHERE k.is_like
     AND ($1::int IS NULL OR k.state = $1)
     AND ($2::int IS NULL OR (k.source_id = $2 AND k.shared = 0))
     AND ($7::text IS NULL OR strpos(k.reason, $7) > 0)
  UNION ALL
  SELECT k.host_id, k.url_hash, k.prio, k.next_fetch_at, k.discovered_at, w.state, w.reason
    FROM walked k
    JOIN url_source w ON w.host_id = k.host_id AND w.url_hash = k.url_hash
   WHERE w.source_id = $2
     AND k.shared <> 0
     AND k.is_like
     AND ($1 IS NULL OR w.state = $1)
     AND ($7 IS NULL OR strpos(w.reason, $7) > 0)
  UNION ALL
  SELECT u.host_id, u.url_hash, u.prio, u.next_fetch_at, u.discovered_at, NULL, NULL
    FROM url u
   WHERE $18 = 'source'
     AND u.source_id = $2
     AND u.shared = 0
     AND ($1 IS NULL OR url_state(u.next_fetch_at, u.redirect_hash, u.reason) = $1)
     AND ($3 IS NULL OR u.host_id = $3)
     AND ($4 IS NULL OR u.origin = $4)
     AND u.kind = ANY (CASE WHEN $5 IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5] END)
     AND ($6 IS NULL OR strpos(u.url, $6) > 0)
     AND ($7 IS NULL OR strpos(u.reason, $7) > 0)
  UNION ALL
  SELECT u.host_id, u.url_hash, u.prio, u.next_fetch_at, u.discovered_at, w.state, w.reason
    FROM url_source w
    JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
   WHERE $18 = 'source'
     AND w.source_id = $2
     AND ($1 IS NULL OR w.state = $1)
     AND ($3 IS NULL OR u.host_id = $3)
     AND ($4 IS NULL OR u.origin = $4)
     AND u.kind = ANY (CASE WHEN $5 IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5] END)
     AND ($6 IS NULL OR strpos(u.url, $6) > 0)
     AND ($7 IS NULL OR strpos(w.reason, $7) > 0)
),
tally AS (
  SELECT c.examined, (SELECT count(*) FROM candidate) AS matching, e.host_id AS edge_host_id, e.url_hash AS edge_hash
    FROM (SELECT count(*) AS examined FROM walked) c
    LEFT JOIN (SELECT k.host_id, k.url_hash
                 FROM walked k
                WHERE $18 = 'walk'
                  AND $8 = 'key'
                ORDER BY k.host_id DESC, k.url_hash DESC
                LIMIT 1) e ON true
),
placed AS (
  SELECT c.*,
         $17::int * CASE $8 WHEN 'priority' THEN -abs(c.prio)::bigint
                            WHEN 'created' THEN -(date_part('epoch', c.discovered_at) * 1000000)::bigint
                            ELSE 0 END AS lead,
         $8 <> 'key' AND c.next_fetch_at IS NULL AS is_idle,
         CASE WHEN $8 = 'next' THEN $17 ELSE 1 END
         * CASE WHEN $8 = 'key' OR c.next_fetch_at IS NULL THEN 0
                WHEN c.next_fetch_at = 'infinity' THEN 9223372036854775807
                WHEN c.next_fetch_at = '-infinity' THEN -9223372036854775807
                ELSE (date_part('epoch', c.next_fetch_at) * 1000000)::bigint END AS due
    FROM candidate c
),
listed AS MATERIALIZED (
  SELECT p.*
    FROM placed p
   WHERE $12::bigint IS NULL
      OR (p.lead, p.is_idle, p.due, p.host_id, p.url_hash) > ($12, $13::bool, $14::bigint, $15, $16)
   ORDER BY p.lead, p.is_idle, p.due, p.host_id, p.url_hash
   LIMIT $10
  OFFSET $11
)
SELECT a.examined, a.matching, a.edge_host_id, a.edge_hash,
       encode(sha256(convert_to(u.url, 'UTF8')), 'hex') AS url_hash, u.url, i.host, s.name AS source, u.origin, u.kind,
       p.url AS parent_url, u.depth, abs(u.prio) AS priority,
       coalesce(l.state, url_state(u.next_fetch_at, u.redirect_hash, u.reason)) AS state, u.prio < 0 AS held, u.next_fetch_at,
       u.last_fetch_at, u.fetches, u.http_status, u.attempts,
       CASE WHEN l.state IS NULL THEN u.reason ELSE l.reason END AS reason,
       t.url AS redirects_to, u.discovered_at, coalesce(u.updated_at, u.discovered_at) AS updated_at,
       l.lead, l.is_idle, l.due, l.host_id, l.url_hash AS key_hash
  FROM tally a
  LEFT JOIN listed l ON true
  LEFT JOIN url u ON u.host_id = l.host_id AND u.url_hash = l.url_hash
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN source s ON s.source_id = u.source_id
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
 ORDER BY l.lead, l.is_idle, l.due, l.host_id, l.url_hash;

-- name: count_within_reach
-- How many entries an index finds one way, counted up to a bound.
-- $1 host, source, dead, pending or all, $2 host_id, $3 source_id, $4 reasons[] of the dead or NULL, $5 at most this
-- many
SELECT count(*)
  FROM ((SELECT FROM url WHERE $1::text = 'host' AND host_id = $2::bigint LIMIT $5)
        UNION ALL
        (SELECT FROM url WHERE $1 = 'source' AND source_id = $3::int LIMIT $5)
        UNION ALL
        (SELECT FROM url_source WHERE $1 = 'source' AND source_id = $3 LIMIT $5)
        UNION ALL
        (SELECT
           FROM url
          WHERE $1 = 'dead'
            AND next_fetch_at IS NULL
            AND reason IS NOT NULL
            AND ($4::text[] IS NULL OR reason = ANY ($4))
          LIMIT $5)
        UNION ALL
        (SELECT FROM url WHERE $1 = 'pending' AND next_fetch_at IS NOT NULL LIMIT $5)
        UNION ALL
        (SELECT FROM url WHERE $1 = 'all' LIMIT $5)) AS found;

-- name: reasons_like
-- The reasons of dead entries that contain a text. Each step finds the next reason in the index: no entries are read.
-- $1 reason or part of one, $2 at most this many
WITH RECURSIVE known AS (
  (SELECT reason FROM url WHERE next_fetch_at IS NULL AND reason IS NOT NULL ORDER BY reason LIMIT 1)
  UNION ALL
  SELECT (SELECT u.reason
            FROM url u
           WHERE u.next_fetch_at IS NULL
             AND u.reason IS NOT NULL
             AND u.reason > k.reason
           ORDER BY u.reason
           LIMIT 1)
    FROM known k
   WHERE k.reason IS NOT NULL
)
SELECT reason
  FROM known
 WHERE strpos(reason, $1) > 0
 LIMIT $2;

-- name: read_by_index
-- Few entries are to be read: the planner may not know how few.
SET LOCAL enable_seqscan = off;

-- name: force_custom_plan
-- Plan each list for its own filters: a generic plan for all combinations could use no index.
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: find_listed_url
-- One entry as the list shows it.
-- $1 host_id, $2 url_hash
SELECT encode(sha256(convert_to(u.url, 'UTF8')), 'hex') AS url_hash, u.url, i.host, s.name AS source, u.origin, u.kind,
       p.url AS parent_url, u.depth, abs(u.prio) AS priority,
       url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS state, u.prio < 0 AS held, u.next_fetch_at,
       u.last_fetch_at, u.fetches, u.http_status, u.attempts, u.reason, t.url AS redirects_to, u.discovered_at,
       coalesce(u.updated_at, u.discovered_at) AS updated_at, u.host_id, u.url_hash AS key_hash
  FROM url u
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN source s ON s.source_id = u.source_id
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
 WHERE u.host_id = $1
   AND u.url_hash = $2;
