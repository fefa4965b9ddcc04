-- name: final_address
-- The URL that a URL leads to by the known redirects, or the URL itself if it does not redirect. No row: the URL is not
-- known.
-- $1 host_id, $2 url_hash, $3 at most this many redirects
WITH RECURSIVE way AS (
  SELECT 0 AS step, u.host_id, u.url_hash, u.url, u.redirect_host_id, u.redirect_hash
    FROM url u
   WHERE u.host_id = $1
     AND u.url_hash = $2
  UNION ALL
  SELECT way.step + 1, t.host_id, t.url_hash, t.url, t.redirect_host_id, t.redirect_hash
    FROM way
    JOIN url t ON t.host_id = way.redirect_host_id AND t.url_hash = way.redirect_hash
   WHERE way.step < $3
)
SELECT host_id, url_hash, url
  FROM way
 ORDER BY step DESC
 LIMIT 1;

-- name: list_versions
-- The current version of a document and its earlier ones, newest first, without the texts.
-- $1 host_id, $2 url_hash, $3 at most this many
SELECT version, last_seen_at, content_hash, title, is_current
  FROM (SELECT d.versions AS version, d.fetched_at AS last_seen_at, d.content_hash, d.title, true AS is_current
          FROM document d
         WHERE d.host_id = $1
           AND d.url_hash = $2
        UNION ALL
        SELECT v.version, v.fetched_at, v.content_hash, v.title, false
          FROM document_version v
         WHERE v.host_id = $1
           AND v.url_hash = $2) AS known
 ORDER BY version DESC
 LIMIT $3;

-- name: text_of_version
-- The packed text of one version; NULL if no document holds it any more.
-- $1 host_id, $2 url_hash, $3 version
SELECT packed_text(coalesce(d.text_id, original_text(d.content_hash, d.duplicate_host_id, d.duplicate_hash))) AS text
  FROM document d
 WHERE d.host_id = $1
   AND d.url_hash = $2
   AND d.versions = $3
UNION ALL
SELECT packed_text(v.text_id)
  FROM document_version v
 WHERE v.host_id = $1
   AND v.url_hash = $2
   AND v.version = $3
 LIMIT 1;

-- name: some_addresses_of_host
-- URLs of stored pages, from which a similar one is suggested for a mistyped URL.
-- $1 host_id, $2 at most this many
SELECT u.url
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.host_id = $1
 LIMIT $2;
