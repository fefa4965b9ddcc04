-- name: open_days
-- Make sure that the days of some views have a row, and lock them in one order.
-- $1 site_id, $2 days
INSERT INTO site_view_day AS d (site_id, day)
SELECT $1, day FROM (SELECT DISTINCT day FROM unnest($2::date[]) day) n ORDER BY day
ON CONFLICT (site_id, day) DO UPDATE SET paths = d.paths;

-- name: add_views
-- Add page views. A path that is new on its day is dropped once the day has too many; the most viewed come first.
-- $1 site_id, $2 paths, $3 days, $4 numbers, $5 most paths of a day
WITH view AS (
  SELECT path, day, sum(views)::bigint AS views
    FROM unnest($2::text[], $3::date[], $4::bigint[]) v (path, day, views)
   GROUP BY path, day
), ranked AS (
  SELECT v.*, k.path IS NULL AS is_new,
         count(*) FILTER (WHERE k.path IS NULL) OVER (PARTITION BY v.day ORDER BY v.views DESC, v.path) AS place
    FROM view v
    LEFT JOIN site_view k ON k.site_id = $1 AND k.path = v.path AND k.day = v.day
), kept AS (
  SELECT r.*
    FROM ranked r
    JOIN site_view_day d ON d.site_id = $1 AND d.day = r.day
   WHERE NOT r.is_new OR d.paths + r.place <= $5::int
), counted AS (
  UPDATE site_view_day d
     SET paths = d.paths + n.new_paths
    FROM (SELECT day, count(*) AS new_paths FROM kept WHERE is_new GROUP BY day) n
   WHERE d.site_id = $1
     AND d.day = n.day
)
INSERT INTO site_view AS s (site_id, path, day, views)
SELECT $1, path, day, views FROM kept
ON CONFLICT (site_id, path, day) DO UPDATE SET views = s.views + excluded.views;

-- name: forget_views
-- Forget page views that are older than so many days.
-- $1 site_id, $2 days
WITH gone AS (DELETE FROM site_view WHERE site_id = $1 AND day < current_date - $2::int)
DELETE FROM site_view_day WHERE site_id = $1 AND day < current_date - $2::int;

-- name: paths_with_views
-- Which of some paths had visitors, and how many.
-- $1 site_id, $2 paths
SELECT path, sum(views)::bigint AS views
  FROM site_view
 WHERE site_id = $1
   AND path = ANY ($2::text[])
 GROUP BY path;

-- name: record_broken
-- Record missed paths that had visitors, or count them again. Redirected paths are left out.
-- $1 site_id, $2 paths, $3 numbers of 404s, $4 earlier views, $5 referring page or NULL for each
WITH missed AS (
  SELECT m.*
    FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) m (path, misses, views, referrer)
   WHERE NOT EXISTS (SELECT FROM site_redirect r WHERE r.site_id = $1 AND r.from_path = m.path)
   ORDER BY m.path
)
INSERT INTO broken_url AS b (site_id, path, prior_analytics_hits, recent_404_count, referrers)
SELECT $1, path, views, misses, CASE WHEN referrer IS NULL THEN '{}' ELSE ARRAY[referrer] END FROM missed
ON CONFLICT (site_id, path) DO UPDATE
   SET recent_404_count = b.recent_404_count + excluded.recent_404_count,
       prior_analytics_hits = greatest(b.prior_analytics_hits, excluded.prior_analytics_hits),
       referrers = CASE WHEN cardinality(excluded.referrers) = 0 OR b.referrers @> excluded.referrers
                          OR cardinality(b.referrers) >= 10
                        THEN b.referrers ELSE b.referrers || excluded.referrers END,
       status = CASE WHEN b.status = 'resolved' THEN 'pending' ELSE b.status END,
       resolved_redirect_id = NULL,
       last_seen_at = now(), updated_at = now()
RETURNING *;

-- name: broken_changed
-- When the rows of some paths, or of all pending ones, were seen or decided last.
-- $1 site_id, $2 paths, or NULL for all pending rows, $3 at most this many
SELECT path, greatest(last_seen_at, updated_at) AS changed_at
  FROM broken_url
 WHERE site_id = $1
   AND CASE WHEN $2::text[] IS NULL THEN status = 'pending' ELSE path = ANY ($2::text[]) END
 LIMIT $3;

-- name: set_suggestions
-- Keep the candidates for a missed path.
-- $1 broken_id, $2 suggestions
UPDATE broken_url SET suggestions = $2, updated_at = now() WHERE broken_id = $1;

-- name: settle_broken
-- Resolve pending rows whose paths are redirected now (BRU-10).
-- $1 site_id, $2 paths
UPDATE broken_url b
   SET status = 'resolved', resolved_redirect_id = r.redirect_id, updated_at = now()
  FROM site_redirect r
 WHERE b.site_id = $1
   AND b.path = ANY ($2::text[])
   AND b.status = 'pending'
   AND r.site_id = $1
   AND r.from_path = b.path;

-- name: reopen_broken
-- Reopen rows whose redirect was removed (BRU-10).
-- $1 site_id, $2 paths
UPDATE broken_url
   SET status = 'pending', resolved_redirect_id = NULL, updated_at = now()
 WHERE site_id = $1
   AND path = ANY ($2::text[])
   AND status = 'resolved';

-- name: close_broken
-- Close pending rows whose paths answer again (BRU-14).
-- $1 site_id, $2 paths
UPDATE broken_url
   SET status = 'resolved', resolved_redirect_id = NULL, updated_at = now()
 WHERE site_id = $1
   AND path = ANY ($2::text[])
   AND status = 'pending';

-- name: list_broken
-- A page of the missed paths of a site, those with the most lost visitors first.
-- $1 site_id, $2 status or NULL, $3 limit, $4 offset
SELECT *, count(*) OVER () AS total
  FROM broken_url
 WHERE site_id = $1
   AND ($2::text IS NULL OR status = $2)
 ORDER BY prior_analytics_hits DESC, recent_404_count DESC, broken_id
 LIMIT $3
OFFSET $4;

-- name: broken_by_id
-- One missed path.
-- $1 site_id, $2 broken_id
SELECT * FROM broken_url WHERE site_id = $1 AND broken_id = $2;

-- name: ignore_broken
-- Remember that a missed path does not matter (BRU-09).
-- $1 site_id, $2 broken_id
UPDATE broken_url
   SET status = 'ignored', resolved_redirect_id = NULL, updated_at = now()
 WHERE site_id = $1
   AND broken_id = $2
RETURNING *;

-- name: unignore_broken
-- Open a row that was ignored.
-- $1 site_id, $2 broken_id
UPDATE broken_url SET status = 'pending', updated_at = now() WHERE site_id = $1 AND broken_id = $2 AND status = 'ignored';

-- name: site_figures
-- The figures of a site for its summary.
-- $1 site_id
SELECT (SELECT count(*) FROM site_redirect WHERE site_id = $1) AS redirects,
       (SELECT coalesce(sum(hit_count), 0)::bigint FROM site_redirect WHERE site_id = $1) AS redirect_hits,
       (SELECT count(*) FROM site_redirect WHERE site_id = $1 AND source = 'analytics_detected') AS auto_resolved,
       (SELECT count(*) FROM broken_url WHERE site_id = $1 AND status = 'pending') AS pending_broken_urls,
       (SELECT count(*) FROM broken_url WHERE site_id = $1) AS broken_urls_recorded;

-- name: pending_by_site
-- The broken URLs of some sites that a person has to review.
-- $1 site_id[]
SELECT site_id, count(*) AS pending FROM broken_url WHERE status = 'pending' AND site_id = ANY ($1::int[]) GROUP BY site_id;

-- name: add_counts
-- Add to the counters of a site.
-- $1 site_id, $2 names, $3 numbers
INSERT INTO site_counter AS c (site_id, name, value)
SELECT $1, n.name, n.value FROM unnest($2::text[], $3::bigint[]) n (name, value) WHERE n.value > 0 ORDER BY n.name
ON CONFLICT (site_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: sum_counts
-- The counters of all sites together.
SELECT name, sum(value)::bigint AS value FROM site_counter GROUP BY name;
