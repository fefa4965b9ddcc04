-- name: list_urls
-- Entries that match the filters, sorted. Only a bounded number of candidates is sorted, so that a list never reads a
-- million rows. In the order of keys, the candidates are the next ones behind a cursor: a list of any length can be
-- read to its end. robots.txt files are listed only if the filter names their kind. The entries of a source are its own
-- and those it shares, with their state for that source.
-- $1 state or NULL, $2 source_id or NULL, $3 host_id or NULL, $4 origin or NULL, $5 kind or NULL, $6 part of the URL or
-- NULL, $7 reason, or part of one, or NULL, $8 priority, next, created or key, $9 candidates, $10 limit, $11 offset,
-- $12 to $16 lead, is_idle, due, host_id and url_hash of the last entry before the page, or NULL, $17 1, or -1 for the
-- reverse of the priority or time that the order names
WITH candidate AS MATERIALIZED (
  (SELECT u.host_id, u.url_hash, u.prio, u.next_fetch_at, u.discovered_at, NULL::smallint AS state, NULL::text AS reason
    FROM url u
   WHERE ($1::int IS NULL OR url_state(u.next_fetch_at, u.redirect_hash, u.reason) = $1)
     -- The same conditions as in the partial indexes, so that the planner can use them.
     AND ($1 IS DISTINCT FROM 1 OR u.next_fetch_at IS NOT NULL)
     AND ($1 IS DISTINCT FROM {state_dead} OR (u.next_fetch_at IS NULL AND u.reason IS NOT NULL))
     AND ($2::int IS NULL OR (u.source_id = $2 AND u.shared = 0))
     AND ($3::bigint IS NULL OR u.host_id = $3)
     AND ($4::int IS NULL OR u.origin = $4)
     AND u.kind = ANY (CASE WHEN $5::int IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5::int] END)
     AND ($6::text IS NULL OR strpos(u.url, $6) > 0)
     AND ($7::text IS NULL OR strpos(u.reason, $7) > 0)
     AND ($8::text <> 'key' OR $15::bigint IS NULL OR (u.host_id, u.url_hash) > ($15, $16::uuid))
   -- Without effect in another order: the plan is made for these parameters, and NULL is not sorted.
   ORDER BY CASE WHEN $8 = 'key' THEN u.host_id END, CASE WHEN $8 = 'key' THEN u.url_hash END
   LIMIT $9)
  UNION ALL
  (SELECT u.host_id, u.url_hash, u.prio, u.next_fetch_at, u.discovered_at, w.state, w.reason
    FROM url_source w
    JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
   WHERE w.source_id = $2::int
     AND ($1::int IS NULL OR w.state = $1)
     AND ($3::bigint IS NULL OR u.host_id = $3)
     AND ($4::int IS NULL OR u.origin = $4)
     AND u.kind = ANY (CASE WHEN $5::int IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5::int] END)
     AND ($6::text IS NULL OR strpos(u.url, $6) > 0)
     AND ($7::text IS NULL OR strpos(w.reason, $7) > 0)
     AND ($8 <> 'key' OR $15 IS NULL OR (u.host_id, u.url_hash) > ($15, $16))
   ORDER BY CASE WHEN $8 = 'key' THEN u.host_id END, CASE WHEN $8 = 'key' THEN u.url_hash END
   LIMIT $9)
),
placed AS (
  SELECT c.*,
         $17::int * CASE $8 WHEN 'priority' THEN -abs(c.prio)::bigint
                            WHEN 'created' THEN -(extract(epoch FROM c.discovered_at) * 1000000)::bigint
                            ELSE 0 END AS lead,
         $8 <> 'key' AND c.next_fetch_at IS NULL AS is_idle,
         CASE WHEN $8 = 'next' THEN $17 ELSE 1 END
         * CASE WHEN $8 = 'key' OR c.next_fetch_at IS NULL THEN 0
                WHEN c.next_fetch_at = 'infinity' THEN 9223372036854775807
                WHEN c.next_fetch_at = '-infinity' THEN -9223372036854775807
                ELSE (extract(epoch FROM c.next_fetch_at) * 1000000)::bigint END AS due
    FROM candidate c
),
listed AS (
  SELECT p.*, row_number() OVER (ORDER BY p.lead, p.is_idle, p.due, p.host_id, p.url_hash) AS place
    FROM placed p
   WHERE $12::bigint IS NULL
      OR (p.lead, p.is_idle, p.due, p.host_id, p.url_hash) > ($12, $13::bool, $14::bigint, $15, $16)
   ORDER BY place
   LIMIT $10
  OFFSET $11
)
SELECT encode(sha256(convert_to(u.url, 'UTF8')), 'hex') AS url_hash, u.url, i.host, s.name AS source, u.origin, u.kind,
       p.url AS parent_url, u.depth, abs(u.prio) AS priority,
       coalesce(l.state, url_state(u.next_fetch_at, u.redirect_hash, u.reason)) AS state, u.prio < 0 AS held, u.next_fetch_at,
       u.last_fetch_at, u.fetches, u.http_status, u.attempts,
       CASE WHEN l.state IS NULL THEN u.reason ELSE l.reason END AS reason,
       t.url AS redirects_to, u.discovered_at, coalesce(u.updated_at, u.discovered_at) AS updated_at,
       l.lead, l.is_idle, l.due, l.host_id, l.url_hash AS key_hash
  FROM listed l
  JOIN url u ON u.host_id = l.host_id AND u.url_hash = l.url_hash
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN source s ON s.source_id = u.source_id
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
 ORDER BY l.place;

-- name: count_urls
-- How many entries match the same filters, counted up to a bound.
-- $1 state or NULL, $2 source_id or NULL, $3 host_id or NULL, $4 origin or NULL, $5 kind or NULL, $6 part of the URL or
-- NULL, $7 reason, or part of one, or NULL, $8 at most this many
SELECT count(*)
  FROM (SELECT
          FROM url u
         WHERE ($1::int IS NULL OR url_state(u.next_fetch_at, u.redirect_hash, u.reason) = $1)
           AND ($1 IS DISTINCT FROM 1 OR u.next_fetch_at IS NOT NULL)
           AND ($1 IS DISTINCT FROM {state_dead} OR (u.next_fetch_at IS NULL AND u.reason IS NOT NULL))
           AND ($2::int IS NULL OR (u.source_id = $2 AND u.shared = 0))
           AND ($3::bigint IS NULL OR u.host_id = $3)
           AND ($4::int IS NULL OR u.origin = $4)
           AND u.kind = ANY (CASE WHEN $5::int IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5::int] END)
           AND ($6::text IS NULL OR strpos(u.url, $6) > 0)
           AND ($7::text IS NULL OR strpos(u.reason, $7) > 0)
        UNION ALL
        SELECT
          FROM url_source w
          JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
         WHERE w.source_id = $2::int
           AND ($1::int IS NULL OR w.state = $1)
           AND ($3::bigint IS NULL OR u.host_id = $3)
           AND ($4::int IS NULL OR u.origin = $4)
           AND u.kind = ANY (CASE WHEN $5::int IS NULL THEN '{{kind_page},{kind_feed},{kind_sitemap}}' ELSE ARRAY[$5::int] END)
           AND ($6::text IS NULL OR strpos(u.url, $6) > 0)
           AND ($7::text IS NULL OR strpos(w.reason, $7) > 0)
         LIMIT $8) AS found;

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
