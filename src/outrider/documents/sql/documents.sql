-- name: keep
-- Store pages under their final URL. A text that another document holds is not stored twice. A text that differs from
-- the last one moves the last one into the versions. Text with the same content stays as it was stored, even if its
-- lines are others. Returns what changed in the counters. One row without a name has the pages whose text has to be
-- written, with the number of each text.
-- $1 flush_page[]; $2 host_id[], $3 url_hash[] and $4 content_hash[] of the same pages
WITH
-- Locked, because the text of a page that did not change is named again: meanwhile a purge must not remove it, and
-- another worker must not move it into the versions. By narrow arrays: to read the pages twice would copy each twice.
old AS MATERIALIZED (
  SELECT d.host_id, d.url_hash, d.versions, d.fetched_at, d.content_hash, d.title, d.text_id, d.duplicate_host_id,
         d.duplicate_hash, d.content_hash <> n.content_hash AS differs, d.source_id,
         CASE WHEN d.near_duplicate THEN 'near_duplicates'
              WHEN d.duplicate_hash IS NOT NULL THEN 'duplicates' END AS copy_counter
    FROM unnest($2::bigint[], $3::uuid[], $4::bytea[]) AS n (host_id, url_hash, content_hash)
    JOIN document d ON d.host_id = n.host_id AND d.url_hash = n.url_hash
   ORDER BY d.host_id, d.url_hash
     FOR UPDATE OF d
),
judged AS (
  SELECT n.*, own.text_id AS own_text_id,
         CASE WHEN own.text_id IS NULL THEN coalesce(d.host_id, n.twin_host_id) END AS dup_host_id,
         CASE WHEN own.text_id IS NULL THEN coalesce(d.url_hash, n.twin_hash) END AS dup_hash
    FROM unnest($1::flush_page[]) AS n
    LEFT JOIN old own ON own.host_id = n.host_id AND own.url_hash = n.url_hash AND NOT own.differs
    LEFT JOIN LATERAL (
      SELECT o.host_id, o.url_hash
        FROM document o
       WHERE n.comparable
         -- A document that holds a text keeps it: two pages must not be copies of each other. A near-duplicate has a
         -- text of its own, which other documents may copy.
         AND own.text_id IS NULL
         AND o.content_hash = n.content_hash
         AND (o.duplicate_hash IS NULL OR o.near_duplicate)
         AND (o.host_id, o.url_hash) <> (n.host_id, n.url_hash)
       LIMIT 1
    ) d ON true
),
page AS MATERIALIZED (
  SELECT j.*, CASE WHEN j.dup_hash IS NULL THEN coalesce(j.own_text_id, nextval('document_text_id')) END AS text_id
    FROM judged j
),
superseded AS (
  INSERT INTO document_version (host_id, url_hash, version, fetched_at, content_hash, title, text_id)
  SELECT d.host_id, d.url_hash, d.versions, d.fetched_at, d.content_hash, d.title,
         coalesce(d.text_id, copied_text(original_text(d.content_hash, d.duplicate_host_id, d.duplicate_hash)))
    FROM old d
   WHERE d.differs
  ON CONFLICT DO NOTHING
),
kept AS (
  INSERT INTO document AS d (host_id, url_hash, source_id, http_status, bytes, words, noindex, content_hash,
                             duplicate_host_id, duplicate_hash, etag, last_modified, content_type, charset, language,
                             title, description, canonical_url, base, links, text_id, author, published_at, meta,
                             page_type, unindexed, links_count, signature)
  SELECT host_id, url_hash, source_id, http_status, bytes, words, noindex, content_hash, dup_host_id, dup_hash, etag,
         last_modified, content_type, charset, language, title, description, canonical_url, base, links,
         text_id, author, published_at, meta, page_type, unindexed,
         links_count, CASE WHEN dup_hash IS NULL THEN signature END
    FROM page
   ORDER BY host_id, url_hash
  ON CONFLICT (host_id, url_hash) DO UPDATE
     SET versions          = d.versions + (d.content_hash <> excluded.content_hash)::int,
         changed_at        = CASE WHEN d.content_hash <> excluded.content_hash THEN now() ELSE d.changed_at END,
         signature         = CASE WHEN d.content_hash = excluded.content_hash THEN d.signature ELSE excluded.signature END,
         near_duplicate    = d.near_duplicate AND d.content_hash = excluded.content_hash,
         duplicate_host_id = CASE WHEN d.near_duplicate AND d.content_hash = excluded.content_hash
                                  THEN d.duplicate_host_id ELSE excluded.duplicate_host_id END,
         duplicate_hash    = CASE WHEN d.near_duplicate AND d.content_hash = excluded.content_hash
                                  THEN d.duplicate_hash ELSE excluded.duplicate_hash END,
         fetched_at        = now(),
         http_status       = excluded.http_status,
         bytes             = excluded.bytes,
         words             = excluded.words,
         noindex           = excluded.noindex,
         content_hash      = excluded.content_hash,
         etag              = excluded.etag,
         last_modified     = excluded.last_modified,
         content_type      = excluded.content_type,
         charset           = excluded.charset,
         language          = excluded.language,
         title             = excluded.title,
         description       = excluded.description,
         canonical_url     = excluded.canonical_url,
         base              = excluded.base,
         links             = excluded.links,
         text_id           = excluded.text_id,
         author            = excluded.author,
         published_at      = excluded.published_at,
         meta              = excluded.meta,
         page_type         = excluded.page_type,
         unindexed         = excluded.unindexed,
         links_count       = excluded.links_count
   -- Another worker stored the page in this moment, and its text would belong to no document: it stays as it is.
   WHERE (d.host_id, d.url_hash) IN (SELECT host_id, url_hash FROM old)
  RETURNING d.host_id, d.url_hash, d.text_id, d.source_id, d.changed_at = now() AS is_changed,
            d.duplicate_hash IS NULL AND length(d.signature) > 0 AS is_signed,
            CASE WHEN d.near_duplicate THEN 'near_duplicates'
                 WHEN d.duplicate_hash IS NOT NULL THEN 'duplicates' END AS copy_counter,
            d.unindexed IS NULL OR d.unindexed = 'quality_gate' AS is_document,
            -- The subquery sees the row as it was before this statement; new pages do not run it.
            CASE WHEN d.versions > 1 OR d.first_seen_at <> now()
                 THEN (SELECT o.unindexed IS NULL OR o.unindexed = 'quality_gate'
                         FROM document o
                        WHERE o.host_id = d.host_id AND o.url_hash = d.url_hash)
                 ELSE false END AS was_document
),
to_compare AS (
  INSERT INTO document_to_compare (host_id, url_hash)
  SELECT host_id, url_hash FROM kept WHERE is_changed AND is_signed
)
SELECT source_id, name, sum(delta) AS delta, NULL::bigint[] AS host_ids, NULL::uuid[] AS hashes,
       NULL::bigint[] AS text_ids
  FROM (SELECT source_id, 'documents' AS name, is_document::int - was_document::int AS delta FROM kept
        UNION ALL
        SELECT source_id, copy_counter, 1 FROM kept WHERE copy_counter IS NOT NULL
        UNION ALL
        SELECT source_id, copy_counter, -1 FROM old WHERE copy_counter IS NOT NULL) AS k
 GROUP BY source_id, name
HAVING sum(delta) <> 0
UNION ALL
SELECT NULL, NULL, NULL, array_agg(k.host_id), array_agg(k.url_hash), array_agg(k.text_id)
  FROM kept k
 WHERE k.text_id IS NOT NULL
   AND NOT EXISTS (SELECT FROM old o WHERE o.text_id = k.text_id);

-- name: remove_texts
-- Remove texts that no document and no version names any more.
-- $1 text_id[]
DELETE FROM document_text WHERE text_id = ANY ($1::bigint[]);

-- name: forget_validators
-- Make the next request for these pages unconditional: it returns the page even if it has not changed.
-- $1 host_id[], $2 url_hash[]
UPDATE document d
   SET etag = NULL, last_modified = NULL
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
 WHERE d.host_id = k.host_id
   AND d.url_hash = k.url_hash;

-- name: confirm
-- Record a 304: the stored page is unchanged, only the time of the last check changes.
-- $1 host_id[], $2 url_hash[]
UPDATE document d
   SET fetched_at = now()
  FROM unnest($1::bigint[], $2::uuid[]) AS c (host_id, url_hash)
 WHERE d.host_id = c.host_id
   AND d.url_hash = c.url_hash;

-- name: find_document
-- One document, with the URL of the document that it copies.
-- $1 host_id, $2 url_hash
SELECT d.*, o.url AS duplicate_of
  FROM document d
  LEFT JOIN url o ON o.host_id = d.duplicate_host_id AND o.url_hash = d.duplicate_hash
 WHERE d.host_id = $1
   AND d.url_hash = $2;

-- name: titles_of_host
-- Some pages of a host that have a title. In the order of their keys: a large host is not read whole.
-- $1 host_id, $2 at most this many
SELECT u.url, d.title
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.host_id = $1
   AND d.http_status = 200
   AND d.title <> ''
   AND u.reason IS NULL
   AND u.redirect_hash IS NULL
 ORDER BY d.host_id, d.url_hash
 LIMIT $2;

-- name: lock_comparison
-- Allow one comparison at a time, until the end of the transaction: two concurrent passes would not see each other's
-- documents.
SELECT pg_try_advisory_xact_lock(7002, 0);

-- name: take_uncompared
-- Take the oldest documents out of the queue, with their signatures. A document that has become a copy since, or is
-- gone, has none.
-- $1 at most this many
WITH taken AS (
  DELETE FROM document_to_compare
   WHERE id IN (SELECT id FROM document_to_compare ORDER BY id LIMIT $1)
  RETURNING id, host_id, url_hash
)
SELECT t.host_id, t.url_hash, d.signature
  FROM taken t
  LEFT JOIN document d ON d.host_id = t.host_id AND d.url_hash = t.url_hash AND d.duplicate_hash IS NULL
 ORDER BY t.id;

-- name: unsigned
-- Documents without a signature: those of earlier versions, and those that got another key. Their text is read again.
-- $1 at most this many
SELECT host_id, url_hash, packed_text(text_id) AS text
  FROM document
 WHERE signature IS NULL
   AND duplicate_hash IS NULL
 LIMIT $1
   FOR UPDATE SKIP LOCKED;

-- name: count_unsigned
-- How many documents wait to be compared, counted up to $1.
SELECT count(*)
  FROM (SELECT FROM document_to_compare
        UNION ALL
        SELECT FROM document WHERE signature IS NULL AND duplicate_hash IS NULL
        LIMIT $1) AS waiting;

-- name: find_by_bands
-- The candidates: documents that share a band with one of these. One walk through the index, which costs less than a
-- lookup for each band. Few bands hold more than $2 documents, because no more are added.
-- $1 bands, $2 at most so many documents of each band
SELECT c.band, c.host_id, c.url_hash
  FROM (SELECT b.band, b.host_id, b.url_hash, row_number() OVER (PARTITION BY b.band) AS nth
          FROM document_band b
         WHERE b.band = ANY ($1::bigint[])) AS c
 WHERE c.nth <= $2;

-- name: signatures
-- The signatures of documents that are no copies. A separate query from the bands: a join of both, planned while the
-- tables are small, reads all documents for each band.
-- $1 host_id[], $2 url_hash[]
SELECT k.host_id, k.url_hash, o.signature
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
  CROSS JOIN LATERAL (
    SELECT d.signature
      FROM document d
     WHERE d.host_id = k.host_id
       AND d.url_hash = k.url_hash
       AND d.signature IS NOT NULL
       AND d.duplicate_hash IS NULL
     LIMIT 1
  ) o;

-- name: sign
-- Store signatures, and which document each one nearly duplicates. A document that became a copy or changed since its
-- signature was read stays as it is. Returns what changed in the counters.
-- $1 host_id[], $2 url_hash[], $3 signature[], $4 duplicate_host_id[], $5 duplicate_hash[]
WITH signed AS (
  UPDATE document d
     SET signature         = s.signature,
         duplicate_host_id = s.dup_host_id,
         duplicate_hash    = s.dup_hash,
         near_duplicate    = s.dup_hash IS NOT NULL
    FROM unnest($1::bigint[], $2::uuid[], $3::bytea[], $4::bigint[], $5::uuid[])
         AS s (host_id, url_hash, signature, dup_host_id, dup_hash)
   WHERE d.host_id = s.host_id
     AND d.url_hash = s.url_hash
     AND d.duplicate_hash IS NULL
     AND coalesce(d.signature = s.signature, true)
  RETURNING d.source_id, d.near_duplicate
)
SELECT source_id, 'near_duplicates' AS name, count(*) AS delta
  FROM signed
 WHERE near_duplicate
 GROUP BY source_id;

-- name: add_bands
-- Store the bands of documents, in the order of the index.
-- $1 band[], NULL for one to leave out; $2 how many of them each document has; $3 host_id[] and $4 url_hash[] of the
-- documents
INSERT INTO document_band (band, host_id, url_hash)
SELECT b.band, ($3::bigint[])[1 + (b.nth - 1) / $2::int], ($4::uuid[])[1 + (b.nth - 1) / $2::int]
  FROM unnest($1::bigint[]) WITH ORDINALITY AS b (band, nth)
 WHERE b.band IS NOT NULL
 ORDER BY b.band;

-- name: same_content
-- Other documents with the text of a document, or nearly so: the one that it copies, and those that copy it.
-- $1 host_id, $2 url_hash, $3 at most this many
WITH known AS (
  SELECT host_id, url_hash, duplicate_host_id, duplicate_hash, near_duplicate
    FROM document
   WHERE host_id = $1
     AND url_hash = $2
), copies AS (
  SELECT k.duplicate_host_id AS host_id, k.duplicate_hash AS url_hash, k.near_duplicate
    FROM known k
   WHERE k.duplicate_hash IS NOT NULL
  UNION ALL
  SELECT d.host_id, d.url_hash, d.near_duplicate
    FROM known k
    JOIN document d ON d.duplicate_host_id = k.host_id AND d.duplicate_hash = k.url_hash
)
SELECT u.url, c.near_duplicate
  FROM copies c
  JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash
 ORDER BY c.near_duplicate, u.last_fetch_at DESC NULLS LAST
 LIMIT $3;
