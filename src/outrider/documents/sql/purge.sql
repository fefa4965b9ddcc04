-- name: purge_documents
-- Remove documents with their versions. Of the copies of a removed text one takes the text over, and the other copies
-- name that one from then on. Returns what changed in the counters, and the texts to remove afterwards.
-- $1 host_id[], $2 url_hash[]
WITH gone AS MATERIALIZED (
  SELECT d.host_id, d.url_hash
    FROM document d
    JOIN unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
      ON k.host_id = d.host_id AND k.url_hash = d.url_hash
   ORDER BY d.host_id, d.url_hash
     FOR UPDATE OF d
),
copy AS MATERIALIZED (
  SELECT c.host_id, c.url_hash, c.content_hash, c.near_duplicate, c.duplicate_host_id, c.duplicate_hash
    FROM gone g
    JOIN document c ON c.duplicate_host_id = g.host_id AND c.duplicate_hash = g.url_hash
   WHERE (c.host_id, c.url_hash) NOT IN (SELECT x.host_id, x.url_hash FROM gone x)
   ORDER BY c.host_id, c.url_hash
     FOR UPDATE OF c
),
placed AS (
  SELECT c.*,
         row_number() OVER same AS place,
         first_value(c.host_id) OVER same AS first_host_id,
         first_value(c.url_hash) OVER same AS first_hash
    FROM copy c
  WINDOW same AS (PARTITION BY c.near_duplicate, c.content_hash ORDER BY c.host_id, c.url_hash)
),
handed_over AS (
  UPDATE document d
     SET text_id           = CASE WHEN p.near_duplicate THEN d.text_id
                                  WHEN p.place = 1
                                  THEN copied_text(original_text(p.content_hash, p.duplicate_host_id, p.duplicate_hash))
                             END,
         duplicate_host_id = CASE WHEN NOT p.near_duplicate AND p.place > 1 THEN p.first_host_id END,
         duplicate_hash    = CASE WHEN NOT p.near_duplicate AND p.place > 1 THEN p.first_hash END,
         near_duplicate    = false
    FROM placed p
   WHERE d.host_id = p.host_id
     AND d.url_hash = p.url_hash
  RETURNING d.source_id, d.duplicate_hash IS NULL AS is_free,
            CASE WHEN p.near_duplicate THEN 'near_duplicates' ELSE 'duplicates' END AS copy_counter
),
versions AS (
  DELETE FROM document_version v
   USING gone g
   WHERE v.host_id = g.host_id
     AND v.url_hash = g.url_hash
  RETURNING v.text_id
),
removed AS (
  DELETE FROM document d
   USING gone g
   WHERE d.host_id = g.host_id
     AND d.url_hash = g.url_hash
  RETURNING d.source_id, d.unindexed IS NULL OR d.unindexed = 'quality_gate' AS is_document, d.text_id,
            CASE WHEN d.near_duplicate THEN 'near_duplicates'
                 WHEN d.duplicate_hash IS NOT NULL THEN 'duplicates' END AS copy_counter
),
no_copies AS (
  SELECT source_id, copy_counter FROM removed WHERE copy_counter IS NOT NULL
  UNION ALL
  SELECT source_id, copy_counter FROM handed_over WHERE is_free
)
SELECT source_id, 'documents' AS name, -count(*) FILTER (WHERE is_document) AS delta, count(*) AS removed,
       array_agg(text_id) AS text_ids, (SELECT array_agg(text_id) FROM versions) AS old_text_ids
  FROM removed
 GROUP BY source_id
UNION ALL
SELECT source_id, copy_counter, -count(*), 0, '{}', NULL
  FROM no_copies
 GROUP BY source_id, copy_counter;

-- name: select_pages
-- A batch of stored pages in the order of their keys.
-- $1 host_id or NULL, $2 source_id or NULL, $3 first and $4 last time of the last fetch or NULL, $5 beginning of the
-- content type or NULL, $6 and $7 (host_id, url_hash) to start after, $8 at most this many
SELECT d.host_id, d.url_hash
  FROM document d
 WHERE ($1::bigint IS NULL OR d.host_id = $1)
   AND ($2::int IS NULL OR d.source_id = $2)
   AND ($3::timestamptz IS NULL OR d.fetched_at >= $3)
   AND ($4::timestamptz IS NULL OR d.fetched_at < $4)
   AND ($5::text IS NULL OR starts_with(d.content_type, $5))
   AND (d.host_id, d.url_hash) > ($6::bigint, $7::uuid)
 ORDER BY d.host_id, d.url_hash
 LIMIT $8;

-- name: count_selected_pages
-- How many stored pages the same filters select.
-- $1 host_id or NULL, $2 source_id or NULL, $3 first and $4 last time of the last fetch or NULL, $5 beginning of the
-- content type or NULL
SELECT count(*)
  FROM document d
 WHERE ($1::bigint IS NULL OR d.host_id = $1)
   AND ($2::int IS NULL OR d.source_id = $2)
   AND ($3::timestamptz IS NULL OR d.fetched_at >= $3)
   AND ($4::timestamptz IS NULL OR d.fetched_at < $4)
   AND ($5::text IS NULL OR starts_with(d.content_type, $5));
