-- name: referrers_of_url
-- The page that led to a URL, the page that led to that page, and so on up to the seed.
-- $1 host_id, $2 url_hash, $3 at most this many steps
WITH RECURSIVE way AS (
  SELECT 0 AS step, u.host_id, u.url_hash, u.url, u.depth, u.origin, u.parent_host_id, u.parent_hash,
         false AS is_redirect
    FROM url u
   WHERE u.host_id = $1
     AND u.url_hash = $2
  UNION ALL
  SELECT way.step + 1, p.host_id, p.url_hash, p.url, p.depth, p.origin, p.parent_host_id, p.parent_hash,
         coalesce(p.redirect_host_id = way.host_id AND p.redirect_hash = way.url_hash, false)
    FROM way
    JOIN url p ON p.host_id = way.parent_host_id AND p.url_hash = way.parent_hash
   WHERE way.step < $3
)
SELECT url, depth, origin, is_redirect
  FROM way
 WHERE step > 0
 ORDER BY step;

-- name: redirect_targets_of_url
-- The URLs that an alias leads to, redirect by redirect.
-- $1 host_id, $2 url_hash, $3 at most this many steps
WITH RECURSIVE way AS (
  SELECT 0 AS step, u.url, u.redirect_host_id, u.redirect_hash
    FROM url u
   WHERE u.host_id = $1
     AND u.url_hash = $2
  UNION ALL
  SELECT way.step + 1, t.url, t.redirect_host_id, t.redirect_hash
    FROM way
    JOIN url t ON t.host_id = way.redirect_host_id AND t.url_hash = way.redirect_hash
   WHERE way.step < $3
)
SELECT url
  FROM way
 WHERE step > 0
 ORDER BY step;

-- name: pages_of_host
-- Pages of a host that answered, the latest first, then those that a sitemap lists and no worker has fetched.
-- $1 host_id, $2 at most this many, $3 the origin of what a sitemap lists
SELECT url
  FROM url
 WHERE host_id = $1
   AND kind = {kind_page}
   AND (http_status = 200 OR (http_status IS NULL AND reason IS NULL AND origin = $3))
   AND redirect_hash IS NULL
 ORDER BY last_fetch_at DESC NULLS LAST
 LIMIT $2;
