-- name: record_links
-- Record links that lead out of their source, each once, if the source allows it. Links to an ignored domain are not
-- recorded, and links to any other domain only up to a limit.
-- $1 source_id, $2 parent_url, $3 depth, $4 host_id[], $5 url_hash[], $6 url[], $7 domain[], $8 priority[],
-- $9 is queued[], $10 most links of a domain
INSERT INTO discovered_link AS l (source_id, host_id, url_hash, url, domain, parent_url, depth, priority, status, queued_at)
SELECT $1, n.host_id, n.url_hash, n.url, n.domain, $2, $3, n.priority,
       CASE WHEN n.is_queued THEN 'queued' ELSE 'new' END, CASE WHEN n.is_queued THEN now() END
  FROM unnest($4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::smallint[], $9::bool[])
       AS n (host_id, url_hash, url, domain, priority, is_queued)
 WHERE (SELECT s.allow_source_discovery FROM source s WHERE s.source_id = $1)
   AND NOT EXISTS (SELECT FROM discovered_domain d WHERE d.domain = n.domain AND d.state = 'ignored')
   AND (SELECT count(*)
          FROM (SELECT FROM discovered_link k WHERE k.domain = n.domain AND k.source_id = $1 LIMIT $10) AS known) < $10
 ORDER BY n.host_id, n.url_hash
ON CONFLICT (source_id, host_id, url_hash) DO UPDATE
   SET status = 'queued', queued_at = now()
 WHERE l.status = 'new'
   AND excluded.status = 'queued';

-- name: hosts_of_sources
-- The hosts of watched sources, with the priority of the source and whether it is enabled.
-- $1 at most this many
SELECT h.host, h.source_id, s.priority, s.enabled
  FROM source_host h
  JOIN watched_source s USING (source_id)
 LIMIT $1;

-- name: list_links
-- A page of discovered links that match the filters, the latest first, or the oldest first if $13.
-- $1 status or NULL, $2 domain or NULL, $3 source_id or NULL, $4 text in the address, $5 limit, $6 offset,
-- $7 to $12 age, domain, start, host_id, url_hash and source_id of the last link before the page, or NULL, $13 reversed
WITH listed AS MATERIALIZED (
  SELECT l.source_id, l.host_id, l.url_hash, k.age, left(l.url, 1000) AS start, l.domain
    FROM discovered_link l
    CROSS JOIN LATERAL (
      SELECT CASE WHEN $13::boolean THEN 1 ELSE -1 END * (extract(epoch FROM l.discovered_at) * 1000000)::bigint AS age
    ) k
   WHERE ($1::text IS NULL OR l.status = $1)
     AND ($2::text IS NULL OR l.domain = $2)
     AND ($3::integer IS NULL OR l.source_id = $3)
     AND ($4 = '' OR position(lower($4) IN lower(l.url)) > 0)
     AND ($7::bigint IS NULL
          -- The first two conditions are for the index.
          OR (($13 OR l.discovered_at <= timestamptz 'epoch' - $7 * interval '1 microsecond')
              AND (NOT $13 OR l.discovered_at >= timestamptz 'epoch' + $7 * interval '1 microsecond')
              AND (k.age, l.domain, left(l.url, 1000), l.host_id, l.url_hash, l.source_id)
                  > ($7, $8::text, $9::text, $10::bigint, $11::uuid, $12::bigint)))
   -- The plan is made for these parameters: one of the first two is the index, the other is not sorted by.
   ORDER BY CASE WHEN NOT $13 THEN l.discovered_at END DESC, CASE WHEN $13 THEN l.discovered_at END, l.domain,
            left(l.url, 1000), l.host_id, l.url_hash, l.source_id
   LIMIT $5
  OFFSET $6
)
SELECT concat(l.source_id, ':', l.host_id, ':', replace(l.url_hash::text, '-', '')) AS id, s.name AS source, l.url, l.domain,
       l.parent_url, l.depth, l.priority, l.status, l.discovered_at, l.queued_at,
       coalesce(u.http_status, l.http_status) AS http_status,
       coalesce(d.content_type, l.content_type) AS content_type,
       k.age, k.start, l.host_id, l.url_hash, l.source_id
  FROM listed k
  JOIN discovered_link l USING (source_id, host_id, url_hash)
  JOIN source s USING (source_id)
  LEFT JOIN url u USING (host_id, url_hash)
  LEFT JOIN document d USING (host_id, url_hash)
 ORDER BY k.age, k.domain, k.start, k.host_id, k.url_hash, k.source_id;

-- name: count_links
-- How many discovered links match the same filters, counted up to $5.
-- $1 status or NULL, $2 domain or NULL, $3 source_id or NULL, $4 text in the address
SELECT count(*)
  FROM (SELECT
          FROM discovered_link l
         WHERE ($1::text IS NULL OR l.status = $1)
           AND ($2::text IS NULL OR l.domain = $2)
           AND ($3::integer IS NULL OR l.source_id = $3)
           AND ($4 = '' OR position(lower($4) IN lower(l.url)) > 0)
         LIMIT $5) AS found;

-- name: plan_for_these_filters
-- Plan each list for its own filters: a generic plan for all combinations could use no index.
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: list_domains
-- Discovered links grouped by domain. The score is 30 for answers of 2xx, 30 for HTML (each as a share of the
-- requests), 20 for up to five sources that link there, 20 for how fresh the last link is within 30 days.
-- $1 states[], $2 text in the domain, $3 least score, $4 without domains that are watched, $5 now, $6 limit, $7 offset,
-- $8 to $10 rank, fewness and domain of the last domain before the page, or NULL, $11 one domain or NULL,
-- $12 read the sums of the leader in place of the links
WITH grouped AS (
  SELECT n.domain, n.links, n.sources, n.depth, n.first_seen, n.last_seen, n.ok_ratio, n.html_ratio
    FROM discovered_domain_now n
   WHERE NOT $12::bool
     AND ($2 = '' OR position(lower($2) IN n.domain) > 0)
     AND ($11::text IS NULL OR n.domain = $11)
  UNION ALL
  SELECT k.domain, k.links, k.sources, k.depth, k.first_seen, k.last_seen, k.ok_ratio, k.html_ratio
    FROM discovered_domain_sum k
   WHERE $12
     AND ($2 = '' OR position(lower($2) IN k.domain) > 0)
     AND ($11 IS NULL OR k.domain = $11)
),
scored AS (
  SELECT g.*,
         coalesce(o.state, 'active') AS state, o.notes,
         floor(0.5 + 30 * coalesce(g.ok_ratio, 0) + 30 * coalesce(g.html_ratio, 0) + 4 * least(g.sources, 5)
               + 20 * least(1, greatest(0, 1 - date_part('epoch', $5::timestamptz - g.last_seen) / (30 * 86400)))
         )::int AS score
    FROM grouped g
    LEFT JOIN discovered_domain o USING (domain)
  OFFSET 0 -- so that each score is computed once
),
watched AS MATERIALIZED (
  -- Every domain that a watched host is in: a.b.c is in a.b.c, b.c and c.
  SELECT DISTINCT array_to_string(h.parts[n.first:], '.') AS domain
    FROM (SELECT string_to_array(host, '.') AS parts FROM source_host) h
    CROSS JOIN LATERAL generate_series(1, cardinality(h.parts)) AS n (first)
),
matching AS MATERIALIZED (
  SELECT k.*, w.domain IS NOT NULL AS is_watched, -k.score AS rank, -k.links AS fewness
    FROM scored k
    LEFT JOIN watched w USING (domain)
   WHERE k.state = ANY ($1::text[])
     AND k.score >= $3
     AND NOT ($4::bool AND w.domain IS NOT NULL)
),
listed AS (
  SELECT m.*
    FROM matching m
   WHERE $8::bigint IS NULL
      OR (m.rank, m.fewness, m.domain) > ($8, $9::bigint, $10::text)
   ORDER BY m.rank, m.fewness, m.domain
   LIMIT $6
  OFFSET $7
)
SELECT m.*, (SELECT count(*) FROM matching) AS total, r.referring
  FROM listed m
 CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(s.name ORDER BY s.name), '{}') AS referring
      FROM (SELECT DISTINCT l.source_id FROM discovered_link l WHERE l.domain = m.domain) f
      JOIN source s USING (source_id)
  ) r
 ORDER BY m.rank, m.fewness, m.domain;

-- name: mark_domain
-- Set the state of a domain, and its notes unless they are NULL.
-- $1 domain, $2 state, $3 notes
INSERT INTO discovered_domain AS d (domain, state, notes)
VALUES ($1, $2, $3)
ON CONFLICT (domain) DO UPDATE SET state = excluded.state, notes = coalesce(excluded.notes, d.notes), updated_at = now();

-- name: mark_links
-- Set the status of one link, or of all links of a domain.
-- $1 domain or NULL for one link, $2 host_id, $3 url_hash, $4 status
UPDATE discovered_link
   SET status = $4
 WHERE (domain = $1 OR ($1::text IS NULL AND host_id = $2 AND url_hash = $3))
   AND status <> $4
RETURNING 1;

-- name: links_of_domain
-- The links of a domain.
-- $1 domain, $2 at most this many
SELECT url
  FROM discovered_link
 WHERE domain = $1
 ORDER BY discovered_at
 LIMIT $2;

-- name: find_link
-- One discovered link.
-- $1 host_id, $2 url_hash
SELECT url, domain
  FROM discovered_link
 WHERE host_id = $1
   AND url_hash = $2
 LIMIT 1;

-- name: link_with_key
-- One discovered link as lists show it.
-- $1 source_id, $2 host_id, $3 url_hash
SELECT concat(l.source_id, ':', l.host_id, ':', replace(l.url_hash::text, '-', '')) AS id, s.name AS source, l.url, l.domain,
       l.parent_url, l.depth, l.priority, l.status, l.discovered_at, l.queued_at,
       coalesce(u.http_status, l.http_status) AS http_status,
       coalesce(d.content_type, l.content_type) AS content_type
  FROM discovered_link l
  JOIN source s USING (source_id)
  LEFT JOIN url u USING (host_id, url_hash)
  LEFT JOIN document d USING (host_id, url_hash)
 WHERE l.source_id = $1
   AND l.host_id = $2
   AND l.url_hash = $3;

-- name: remove_link
-- Remove one discovered link.
-- $1 source_id, $2 host_id, $3 url_hash
DELETE FROM discovered_link
 WHERE source_id = $1
   AND host_id = $2
   AND url_hash = $3
RETURNING 1;

-- name: lock_link
-- Lock one discovered link until the commit.
-- $1 source_id, $2 host_id, $3 url_hash
SELECT status
  FROM discovered_link
 WHERE source_id = $1
   AND host_id = $2
   AND url_hash = $3
   FOR UPDATE;

-- name: process_link
-- Record that a job fetches a discovered link, for every source that has it.
-- $1 host_id, $2 url_hash
UPDATE discovered_link
   SET status = 'processing', queued_at = now()
 WHERE host_id = $1
   AND url_hash = $2;

-- name: path_clusters
-- The links of a domain by host and first segment of the path, the most first.
-- $1 domain, $2 at most this many
SELECT p.path, count(*) AS links, min(l.url) AS example
  FROM discovered_link l
  CROSS JOIN LATERAL (SELECT substring(l.url FROM '^[a-z]+://([^/?#]*/[^/?#]*)') AS path) p
 WHERE l.domain = $1
 GROUP BY p.path
 ORDER BY count(*) DESC, p.path
 LIMIT $2;

-- name: lock_domain
-- Keep other decisions about a domain out until the commit. The domain may have no row yet.
-- $1 domain
SELECT pg_advisory_xact_lock(7021, hashtext($1));
