-- name: stats_by_source
-- For each source and discovery method: how many articles it saw, how many of them first, and how long after
-- publication.
-- The publication time comes from a feed, else from the article itself (a date without a time does not count), else
-- from a plain sitemap, which knows only of changes.
-- Articles published before the source was watched are its backlog and have no delay.
-- $1 source_id[], $2 days
WITH seen AS (
  SELECT g.source_id, g.host_id, g.url_hash, g.way, g.seen_at,
         coalesce(max(g.published_at) FILTER (WHERE g.way <> 'sitemap') OVER page,
                  CASE WHEN (d.published_at AT TIME ZONE 'UTC')::time > '00:00' THEN d.published_at END,
                  max(g.published_at) OVER page) AS published_at,
         min(g.seen_at) OVER page AS first_at,
         count(*) OVER page AS ways,
         s.created_at AS watched_since
    FROM sighting g
    JOIN source s ON s.source_id = g.source_id
    LEFT JOIN document d ON d.host_id = g.host_id AND d.url_hash = g.url_hash
   WHERE g.source_id = ANY ($1::int[])
     AND g.seen_at > now() - $2::float8 * interval '1 day'
     -- An article announced at a URL that redirects is counted once, at the URL where it was found.
     AND NOT EXISTS (SELECT
                       FROM url u
                      WHERE u.host_id = g.host_id
                        AND u.url_hash = g.url_hash
                        AND u.next_fetch_at IS NULL
                        AND (u.redirect_hash IS NOT NULL OR u.reason = 'redirect')
                     OFFSET 0)
  WINDOW page AS (PARTITION BY g.source_id, g.host_id, g.url_hash)
)
SELECT source_id, way, count(*) AS seen,
       count(*) FILTER (WHERE seen_at = first_at) AS first,
       count(*) FILTER (WHERE ways > 1) AS contested,
       count(*) FILTER (WHERE ways > 1 AND seen_at = first_at) AS won,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM seen_at - published_at))
         FILTER (WHERE published_at BETWEEN watched_since AND seen_at)::float8 AS median_lag_s
  FROM seen
 GROUP BY source_id, way;

-- name: sources_with_ladder
-- Sources with recent sightings.
-- $1 days
SELECT DISTINCT source_id
  FROM sighting
 WHERE seen_at > now() - $1::float8 * interval '1 day'
 LIMIT 10000;

-- name: set_interval_factors
-- Set the poll factor of a discovery method on all channels that use it.
-- $1 source_id[], $2 kind[], $3 news sitemaps only or not, NULL for feeds[], $4 factor[]
UPDATE channel c
   SET memory = CASE WHEN n.lean = 1 THEN c.memory - 'lean'
                     ELSE c.memory || jsonb_build_object('lean', n.lean) END
  FROM unnest($1::int[], $2::smallint[], $3::boolean[], $4::float8[]) AS n (source_id, kind, is_news, lean)
 WHERE c.source_id = n.source_id
   AND c.kind = n.kind
   AND (n.is_news IS NULL OR (c.memory ? 'is_news') = n.is_news)
   AND coalesce((c.memory ->> 'lean')::float8, 1) <> n.lean;
