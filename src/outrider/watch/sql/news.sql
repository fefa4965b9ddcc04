-- name: news
-- The latest articles of one source or of all, each by the way that showed it first. Copies are left out.
-- $1 source_id or NULL, $2 seen after, $3 at most
SELECT s.name AS source, u.url, d.title, g.way, g.seen_at, g.published_at,
       CASE WHEN g.published_at BETWEEN s.created_at AND g.seen_at
            THEN extract(epoch FROM g.seen_at - g.published_at)::float8 END AS lag_s
  FROM source s
  CROSS JOIN LATERAL (
    SELECT one.*
      FROM sighting one
      JOIN document USING (host_id, url_hash)
     WHERE one.source_id = s.source_id
       AND one.seen_at > $2
       AND duplicate_hash IS NULL
       AND NOT EXISTS (SELECT
                         FROM sighting earlier
                        WHERE earlier.host_id = one.host_id
                          AND earlier.url_hash = one.url_hash
                          AND (earlier.seen_at, earlier.way) < (one.seen_at, one.way))
     ORDER BY one.seen_at DESC, one.published_at DESC NULLS LAST
     LIMIT $3
  ) g
  JOIN document d USING (host_id, url_hash)
  JOIN url u USING (host_id, url_hash)
 WHERE s.kind = 'watch'
   AND s.removed_at IS NULL
   AND ($1::int IS NULL OR s.source_id = $1)
 ORDER BY least(g.published_at, g.seen_at) DESC, u.url
 LIMIT $3;
