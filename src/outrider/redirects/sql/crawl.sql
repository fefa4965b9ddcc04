-- name: crawled_missing
-- Addresses of some hosts that answered 404 or 410 to the crawler, each with the page that links to it.
-- $1 host_ids, $2 at most this many
SELECT u.url, p.url AS parent, u.last_fetch_at
  FROM url u
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
 WHERE u.host_id = ANY ($1::bigint[])
   AND u.reason IN ('not_found', 'gone')
   AND u.next_fetch_at IS NULL
   AND u.kind = {kind_page}
 LIMIT $2;

-- name: crawled_pages
-- Pages of some hosts that the crawler has, with their titles.
-- $1 host_ids, $2 at most this many
SELECT u.url, d.title
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.host_id = ANY ($1::bigint[])
   AND d.http_status = 200
   AND u.reason IS NULL
   AND u.redirect_hash IS NULL
 ORDER BY u.url
 LIMIT $2;

-- name: crawled_since
-- Pages of some hosts that answered the crawler after a time.
-- $1 host_ids, $2 time, $3 at most this many
SELECT u.url, u.last_fetch_at
  FROM url u
  JOIN document d ON d.host_id = u.host_id AND d.url_hash = u.url_hash
 WHERE u.host_id = ANY ($1::bigint[])
   AND u.last_fetch_at > $2
   AND d.http_status = 200
   AND u.reason IS NULL
   AND u.redirect_hash IS NULL
 ORDER BY u.last_fetch_at DESC
 LIMIT $3;

-- name: crawled_links
-- Pages of some hosts that the crawler has, with their packed links, in the order of their keys.
-- $1 host_ids, $2 host_id and $3 url_hash to start after, $4 at most this many
SELECT d.host_id, d.url_hash, u.url, d.base, d.links
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.host_id = ANY ($1::bigint[])
   AND (d.host_id, d.url_hash) > ($2::bigint, $3::uuid)
   AND d.http_status = 200
   AND u.reason IS NULL
   AND u.redirect_hash IS NULL
 ORDER BY d.host_id, d.url_hash
 LIMIT $4;

-- name: same_elsewhere
-- Pages that are gone or redirect, and the page with the same text, canonical address or title, or the target.
-- $1 host_ids, $2 at most this many
WITH gone AS (
  SELECT u.host_id, u.url_hash, u.url, d.content_hash, d.title
    FROM url u
    JOIN document d ON d.host_id = u.host_id AND d.url_hash = u.url_hash
   WHERE u.host_id = ANY ($1::bigint[])
     AND u.reason IN ('not_found', 'gone')
     AND u.next_fetch_at IS NULL
), page AS (
  SELECT d.host_id, d.url_hash, u.url, d.content_hash, d.title, d.canonical_url
    FROM document d
    JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
   WHERE d.host_id = ANY ($1::bigint[])
     AND u.reason IS NULL
     AND u.redirect_hash IS NULL
)
SELECT g.url AS old, p.url AS new, 'same content' AS evidence, 0.95::float8 AS confidence
  FROM gone g JOIN page p ON p.content_hash = g.content_hash AND p.url <> g.url
UNION ALL
SELECT g.url, p.url, 'canonical address', 0.9
  FROM gone g JOIN page p ON p.canonical_url = g.url AND p.url <> g.url
UNION ALL
SELECT g.url, p.url, 'same title', 0.7
  FROM gone g JOIN page p ON p.title = g.title AND p.url <> g.url AND p.content_hash <> g.content_hash
UNION ALL
SELECT u.url, t.url, 'redirects there', 0.9
  FROM url u JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
 WHERE u.host_id = ANY ($1::bigint[])
   AND t.host_id = ANY ($1::bigint[])
 ORDER BY old, confidence DESC, new
 LIMIT $2;
