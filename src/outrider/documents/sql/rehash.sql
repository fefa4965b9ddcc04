-- name: free_copies
-- Two documents that become one cannot be copies of each other: give each its own text back. Returns what changed in
-- the counters.
WITH pair AS MATERIALIZED (
  SELECT d.host_id, d.url_hash, d.near_duplicate
    FROM url_rehash m
    JOIN document d ON (d.host_id, d.url_hash) IN ((m.host_id, m.url_hash), (m.new_host_id, m.new_hash))
   WHERE m.state = 1
     AND (d.duplicate_host_id, d.duplicate_hash) IN ((m.host_id, m.url_hash), (m.new_host_id, m.new_hash))
),
freed AS (
  UPDATE document d
     SET text_id           = coalesce(d.text_id, copied_text(original_text(d.content_hash, d.duplicate_host_id, d.duplicate_hash))),
         duplicate_host_id = NULL,
         duplicate_hash    = NULL,
         near_duplicate    = false
    FROM pair p
   WHERE d.host_id = p.host_id
     AND d.url_hash = p.url_hash
  RETURNING d.source_id, CASE WHEN p.near_duplicate THEN 'near_duplicates' ELSE 'duplicates' END AS name
)
SELECT source_id, name, -count(*) AS delta
  FROM freed
 GROUP BY source_id, name;

-- name: merge_versions
-- Merge the versions of both documents into one history, in order, with the document that the newer one supersedes.
WITH pair AS MATERIALIZED (
  SELECT m.*, o.fetched_at >= t.fetched_at AS new_is_older, o.content_hash <> t.content_hash AS differs
    FROM url_rehash m
    LEFT JOIN document o ON o.host_id = m.host_id AND o.url_hash = m.url_hash
    LEFT JOIN document t ON t.host_id = m.new_host_id AND t.url_hash = m.new_hash
   WHERE m.state = 1
),
past AS (
  DELETE FROM document_version v
   USING pair p
   WHERE (v.host_id, v.url_hash) IN ((p.host_id, p.url_hash), (p.new_host_id, p.new_hash))
  RETURNING p.new_host_id, p.new_hash, v.fetched_at, v.content_hash, v.title, v.text_id
),
told AS (
  SELECT * FROM past
  UNION ALL
  SELECT p.new_host_id, p.new_hash, d.fetched_at, d.content_hash, d.title,
         copied_text(coalesce(d.text_id, original_text(d.content_hash, d.duplicate_host_id, d.duplicate_hash)))
    FROM pair p
    JOIN document d ON (d.host_id, d.url_hash) = (CASE WHEN p.new_is_older THEN p.new_host_id ELSE p.host_id END,
                                                  CASE WHEN p.new_is_older THEN p.new_hash ELSE p.url_hash END)
   WHERE p.differs
)
INSERT INTO document_version (host_id, url_hash, version, fetched_at, content_hash, title, text_id)
SELECT new_host_id, new_hash, row_number() OVER (PARTITION BY new_host_id, new_hash ORDER BY fetched_at),
       fetched_at, content_hash, title, text_id
  FROM told;

-- name: drop_superseded
-- Keep the newer one of two documents. Returns what changed in the counters.
WITH pair AS MATERIALIZED (
  SELECT m.*, least(o.first_seen_at, t.first_seen_at) AS first_seen_at, o.fetched_at >= t.fetched_at AS new_is_older
    FROM url_rehash m
    JOIN document o ON o.host_id = m.host_id AND o.url_hash = m.url_hash
    JOIN document t ON t.host_id = m.new_host_id AND t.url_hash = m.new_hash
   WHERE m.state = 1
),
gone AS (
  DELETE FROM document d
   USING pair p
   WHERE (d.host_id, d.url_hash) = (CASE WHEN p.new_is_older THEN p.new_host_id ELSE p.host_id END,
                                    CASE WHEN p.new_is_older THEN p.new_hash ELSE p.url_hash END)
  RETURNING d.source_id, d.duplicate_hash, d.near_duplicate, d.unindexed, d.text_id
),
texts AS (
  DELETE FROM document_text t USING gone g WHERE t.text_id = g.text_id
),
stays AS (
  UPDATE document d
     SET first_seen_at = p.first_seen_at
    FROM pair p
   WHERE (d.host_id, d.url_hash) = (CASE WHEN p.new_is_older THEN p.host_id ELSE p.new_host_id END,
                                    CASE WHEN p.new_is_older THEN p.url_hash ELSE p.new_hash END)
),
change AS (
  SELECT source_id, 'documents' AS name FROM gone WHERE unindexed IS NULL OR unindexed = 'quality_gate'
  UNION ALL
  SELECT source_id, CASE WHEN near_duplicate THEN 'near_duplicates' ELSE 'duplicates' END
    FROM gone
   WHERE duplicate_hash IS NOT NULL
)
SELECT source_id, name, -count(*) AS delta
  FROM change
 GROUP BY source_id, name;

-- name: move_documents
-- Move documents to their new keys. They are compared again later, because the bands of the old keys are dropped.
UPDATE document d
   SET host_id = m.new_host_id, url_hash = m.new_hash, signature = NULL
  FROM url_rehash m
 WHERE m.state = 1
   AND d.host_id = m.host_id
   AND d.url_hash = m.url_hash;

-- name: number_documents
-- Count the versions of each document again.
UPDATE document d
   SET versions = 1 + (SELECT count(*) FROM document_version v WHERE v.host_id = d.host_id AND v.url_hash = d.url_hash)
  FROM url_rehash m
 WHERE m.state = 1
   AND d.host_id = m.new_host_id
   AND d.url_hash = m.new_hash;

-- name: point_copies
-- Replace the old keys of originals by new ones.
-- $1 and $2 key to start after, $3 and $4 last key
UPDATE document d
   SET duplicate_host_id = m.new_host_id,
       duplicate_hash    = m.new_hash
  FROM url_rehash m
 WHERE (d.host_id, d.url_hash) > ($1::bigint, $2::uuid)
   AND (d.host_id, d.url_hash) <= ($3::bigint, $4::uuid)
   AND m.host_id = d.duplicate_host_id
   AND m.url_hash = d.duplicate_hash;

-- name: drop_bands
-- Remove the bands of the old keys.
DELETE FROM document_band b
 USING url_rehash m
 WHERE b.host_id = m.host_id
   AND b.url_hash = m.url_hash;
