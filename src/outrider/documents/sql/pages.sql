-- name: list_newest_pages
-- The keys of a page of the list of stored pages, those that were stored first last, and how many match. For filters
-- with an index that finds few pages: all of them are read and sorted. The first row always has the number.
-- $1 host_id or NULL, $2 source_id or NULL, $3 HTTP status or NULL, $4 beginning of the content type or NULL,
-- $5 language or NULL, $6 page type or NULL, $7 first and $8 last time of the last fetch or NULL, $9 words of the title
-- or NULL, $10 limit, $11 offset, $12 to $14 first_seen_at, host_id and url_hash of the last page before, or NULL
WITH matching AS MATERIALIZED (
  SELECT d.host_id, d.url_hash, d.first_seen_at
    FROM document d
   WHERE ($1::bigint IS NULL OR d.host_id = $1)
     AND ($2::int IS NULL OR d.source_id = $2)
     AND ($3::int IS NULL OR d.http_status = $3)
     AND ($4::text IS NULL OR starts_with(d.content_type, $4))
     AND ($5::text IS NULL OR d.language = $5)
     AND ($6::text IS NULL OR d.page_type = $6)
     AND ($7::timestamptz IS NULL OR d.fetched_at >= $7)
     AND ($8::timestamptz IS NULL OR d.fetched_at < $8)
     AND ($9::text IS NULL OR to_tsvector('simple', coalesce(d.title, '')) @@ to_tsquery('simple', $9))
),
listed AS MATERIALIZED (
  SELECT m.*
    FROM matching m
   WHERE $12::timestamptz IS NULL
      OR (m.first_seen_at, m.host_id, m.url_hash) < ($12, $13::bigint, $14::uuid)
   ORDER BY m.first_seen_at DESC, m.host_id DESC, m.url_hash DESC
   LIMIT $10
  OFFSET $11
)
SELECT l.host_id, l.url_hash, t.total
  FROM (SELECT count(*) AS total FROM matching) t
  LEFT JOIN listed l ON true
 ORDER BY l.first_seen_at DESC, l.host_id DESC, l.url_hash DESC;

-- name: walk_newest_pages
-- The keys of pages that the same filters select among the next $15 pages, those that were stored first last. It stops
-- at $10 pages.
-- $1 host_id or NULL, $2 source_id or NULL, $3 HTTP status or NULL, $4 beginning of the content type or NULL,
-- $5 language or NULL, $6 page type or NULL, $7 first and $8 last time of the last fetch or NULL, $9 words of the title
-- or NULL, $10 limit, $11 offset, $12 to $14 first_seen_at, host_id and url_hash of the last page before, or NULL
SELECT d.host_id, d.url_hash
  FROM (SELECT *
          FROM document n
         WHERE $12::timestamptz IS NULL
            OR (n.first_seen_at <= $12 AND (n.first_seen_at, n.host_id, n.url_hash) < ($12, $13::bigint, $14::uuid))
         ORDER BY n.first_seen_at DESC, n.host_id DESC, n.url_hash DESC
         LIMIT $15) AS d
 WHERE ($1::bigint IS NULL OR d.host_id = $1)
   AND ($2::int IS NULL OR d.source_id = $2)
   AND ($3::int IS NULL OR d.http_status = $3)
   AND ($4::text IS NULL OR starts_with(d.content_type, $4))
   AND ($5::text IS NULL OR d.language = $5)
   AND ($6::text IS NULL OR d.page_type = $6)
   AND ($7::timestamptz IS NULL OR d.fetched_at >= $7)
   AND ($8::timestamptz IS NULL OR d.fetched_at < $8)
   AND ($9::text IS NULL OR to_tsvector('simple', coalesce(d.title, '')) @@ to_tsquery('simple', $9))
 LIMIT $10
OFFSET $11;

-- name: end_of_walk
-- The last of the pages that such a walk examines; nothing if it came to the end.
-- $1 pages that were examined, $2 to $4 first_seen_at, host_id and url_hash of the last page before, or NULL
SELECT n.first_seen_at, n.host_id, n.url_hash
  FROM document n
 WHERE $2::timestamptz IS NULL
    OR (n.first_seen_at <= $2 AND (n.first_seen_at, n.host_id, n.url_hash) < ($2, $3::bigint, $4::uuid))
 ORDER BY n.first_seen_at DESC, n.host_id DESC, n.url_hash DESC
 LIMIT 1
OFFSET $1 - 1;

-- name: pages_with_keys
-- Stored pages as lists show them, those that were stored first last.
-- $1 host_id[], $2 url_hash[]
SELECT d.host_id, d.url_hash, u.url, i.host, s.name AS source, d.title, d.description, d.http_status, d.content_type,
       d.language, d.page_type, d.words, d.bytes, d.links_count, d.versions, d.published_at, d.first_seen_at, d.fetched_at,
       d.changed_at, d.unindexed IS NULL AND NOT d.noindex AS indexed, o.url AS duplicate_of, d.near_duplicate
  FROM unnest($1::bigint[], $2::uuid[]) AS l (host_id, url_hash)
  JOIN document d ON d.host_id = l.host_id AND d.url_hash = l.url_hash
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
  LEFT JOIN host_info i ON i.host_id = d.host_id
  LEFT JOIN source s ON s.source_id = d.source_id
  LEFT JOIN url o ON o.host_id = d.duplicate_host_id AND o.url_hash = d.duplicate_hash
 ORDER BY d.first_seen_at DESC, d.host_id DESC, d.url_hash DESC;

-- name: count_pages_of_host
-- How many pages of a host are stored, counted up to $2.
-- $1 host_id
SELECT count(*)
  FROM (SELECT FROM document WHERE host_id = $1 LIMIT $2) AS found;

-- name: count_all_pages
-- How many pages are stored, counted up to $1.
SELECT count(*)
  FROM (SELECT FROM document LIMIT $1) AS found;

-- name: count_titles
-- How many titles match, counted up to $2.
-- $1 words of the title
SELECT count(*)
  FROM (SELECT FROM document WHERE to_tsvector('simple', coalesce(title, '')) @@ to_tsquery('simple', $1) LIMIT $2) AS found;

-- name: read_index_of_titles
-- Search titles by their index: the planner takes any beginning of a word for a frequent one.
SET LOCAL enable_seqscan = off;

-- name: estimate_pages
-- About how many pages are stored, by the statistics of the table. Negative: it was never analysed.
SELECT reltuples::bigint FROM pg_class WHERE oid = 'document'::regclass;

-- name: plan_for_these_filters
-- Plan each list for its own filters: a generic plan for all combinations could use no index.
SET LOCAL plan_cache_mode = force_custom_plan;

-- name: page_links
-- The packed links of pages of a host, in the order of their keys.
-- $1 host_id, $2 url_hash to start after, $3 at most this many
SELECT d.url_hash, u.url, d.title, d.base, d.links
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.host_id = $1
   AND d.url_hash > $2
 ORDER BY d.url_hash
 LIMIT $3;

-- name: count_new_documents
-- How many indexed pages were stored for the first time since a time, counted up to $2.
-- $1 since
SELECT count(*)
  FROM (SELECT FROM document WHERE first_seen_at >= $1 AND unindexed IS NULL AND NOT noindex LIMIT $2) AS found;
