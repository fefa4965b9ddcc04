-- name: news
-- The latest articles of one source or of all, each with the discovery method that saw it first (for that source, or
-- for any).
-- Copies are left out, and so are pages of URLs that have moved since, if the new URL has a page.
-- The publication time comes from a feed, else from the article itself (a date without a time does not count), else
-- from a plain sitemap, which knows only of changes.
-- $1 source_id or NULL, $2 seen after, $3 at most this many
SELECT s.name AS source, u.url, d.title, g.way, g.seen_at, p.published_at,
       CASE WHEN p.published_at BETWEEN s.created_at AND g.seen_at
            THEN extract(epoch FROM g.seen_at - p.published_at)::float8 END AS lag_s
  FROM watched_source s
  CROSS JOIN LATERAL (
    SELECT one.*
      FROM sighting one
      JOIN document USING (host_id, url_hash)
     WHERE one.source_id = s.source_id
       AND one.seen_at > $2
       AND duplicate_hash IS NULL
       AND NOT EXISTS (SELECT
                         FROM sighting earlier
                         JOIN source e ON e.source_id = earlier.source_id AND e.removed_at IS NULL
                        WHERE earlier.host_id = one.host_id
                          AND earlier.url_hash = one.url_hash
                          AND ($1::int IS NULL OR earlier.source_id = $1)
                          AND (earlier.seen_at, earlier.way, earlier.source_id) < (one.seen_at, one.way, one.source_id))
       AND NOT EXISTS (SELECT
                         FROM url a
                         CROSS JOIN LATERAL redirect_end(a.redirect_host_id, a.redirect_hash) e
                         JOIN document moved ON moved.host_id = e.end_host_id AND moved.url_hash = e.end_hash
                        WHERE a.host_id = one.host_id
                          AND a.url_hash = one.url_hash
                          AND a.redirect_hash IS NOT NULL
                          AND a.next_fetch_at IS NULL
                          AND moved.duplicate_hash IS NULL
                       OFFSET 0)
     ORDER BY one.seen_at DESC, one.published_at DESC NULLS LAST
     LIMIT $3
  ) g
  JOIN document d USING (host_id, url_hash)
  JOIN url u USING (host_id, url_hash)
  CROSS JOIN LATERAL (
    SELECT coalesce(CASE WHEN g.way <> 'sitemap' THEN g.published_at END,
                    CASE WHEN (d.published_at AT TIME ZONE 'UTC')::time > '00:00' THEN d.published_at END,
                    g.published_at)
  ) p (published_at)
 WHERE s.removed_at IS NULL
   AND ($1::int IS NULL OR s.source_id = $1)
 ORDER BY least(p.published_at, g.seen_at) DESC, u.url
 LIMIT $3;

-- name: head_count
-- How many sources are watched, and how many of them need attention: a channel fails, or there is none (FED-24).
SELECT count(*)::int AS sources,
       count(*) FILTER (WHERE c.fails)::int AS failing,
       count(*) FILTER (WHERE s.mode = 'feed' AND s.searched_at IS NOT NULL AND NOT c.works)::int AS silent
  FROM watched_source s
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_or(errors > 0 AND NOT is_candidate), false) AS fails,
           coalesce(bool_or(disabled_at IS NULL AND NOT is_candidate), false) AS works
      FROM channel
     WHERE source_id = s.source_id
  ) c
 WHERE s.enabled;
