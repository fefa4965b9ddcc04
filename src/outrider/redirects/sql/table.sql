-- name: lock_table
-- Lock the redirects of a site until the transaction ends, so that changes follow one another.
-- $1 site_id
INSERT INTO site_redirect_table (site_id)
VALUES ($1)
ON CONFLICT (site_id) DO UPDATE SET version = site_redirect_table.version
RETURNING version;

-- name: next_version
-- Number the changes of this transaction, and tell the middlewares when it commits.
-- $1 site_id
WITH changed AS (
  UPDATE site_redirect_table SET version = version + 1 WHERE site_id = $1 RETURNING version
)
SELECT version, pg_notify('outrider_redirects', $1::int || ':' || version) FROM changed;

-- name: table_version
-- The version of the redirects of a site, and up to which version changes may be gone.
-- $1 site_id
SELECT coalesce(max(version), 0) AS version, coalesce(max(kept_changes), 0) AS kept_changes
  FROM site_redirect_table
 WHERE site_id = $1;

-- name: neighbourhood
-- Redirects from some paths, and redirects to some paths.
-- $1 site_id, $2 sources, $3 targets
SELECT * FROM site_redirect WHERE site_id = $1 AND from_path = ANY ($2::text[])
UNION
SELECT * FROM site_redirect WHERE site_id = $1 AND to_key = ANY ($3::text[]);

-- name: returning_redirects
-- Redirects that led to some paths until their pages were hidden or deleted, with what they were then.
-- $1 site_id, $2 paths
WITH gone AS (
  SELECT r.from_path AS path, (
           SELECT max(c.version)
             FROM site_redirect_change c
            WHERE c.site_id = $1
              AND c.from_path = r.from_path
              AND c.action = 'created'
         ) AS version
    FROM site_redirect r
   WHERE r.site_id = $1
     AND r.from_path = ANY ($2::text[])
     AND r.source = 'auto_deleted'
)
SELECT g.path, r.*, c.before_to
  FROM gone g
  JOIN site_redirect_change c ON c.site_id = $1 AND c.version = g.version AND c.action = 'changed'
  JOIN site_redirect r ON r.site_id = $1 AND r.from_path = c.from_path
 WHERE split_part(split_part(substr(c.before_to, 5), '#', 1), '?', 1) = g.path;

-- name: all_redirects
-- Every redirect of a site.
-- $1 site_id
SELECT * FROM site_redirect WHERE site_id = $1 ORDER BY from_path;

-- name: put_redirects
-- Write redirects as they are now. Counts of redirects that exist are kept.
-- $1 site_id, $2 sources, $3 targets, $4 target paths, $5 codes, $6 what created them, $7 confidences
INSERT INTO site_redirect AS r (site_id, from_path, to_path, to_key, status_code, source, confidence)
SELECT $1, n.*
  FROM unnest($2::text[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::real[]) n
ON CONFLICT (site_id, from_path) DO UPDATE
   SET to_path = excluded.to_path, to_key = excluded.to_key, status_code = excluded.status_code,
       source = excluded.source, confidence = excluded.confidence, updated_at = now();

-- name: remove_redirects
-- Remove redirects by their sources.
-- $1 site_id, $2 sources
DELETE FROM site_redirect WHERE site_id = $1 AND from_path = ANY ($2::text[]);

-- name: add_changes
-- Write the audit of the changes of one version.
-- $1 site_id, $2 version, $3 done by, $4 event_id or NULL, $5 numbers, $6 actions, $7 sources of the redirects,
-- $8 targets before, $9 targets after, $10 what created the redirects, $11 reasons
INSERT INTO site_redirect_change
       (site_id, version, done_by, event_id, number, action, from_path, before_to, after_to, source, why)
SELECT $1, $2, $3, $4, c.*
  FROM unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[]) c;

-- name: changes_since
-- What became of the redirects that changed after a version. NULL in status_code: the redirect is gone.
-- $1 site_id, $2 version
SELECT c.from_path, r.to_path, r.status_code
  FROM (SELECT DISTINCT from_path FROM site_redirect_change WHERE site_id = $1 AND version > $2) c
  LEFT JOIN site_redirect r ON r.site_id = $1 AND r.from_path = c.from_path;

-- name: list_changes
-- The audit of a site, newest first.
-- $1 site_id, $2 source of a redirect or NULL, $3 limit, $4 offset
SELECT version, number, at, action, from_path, before_to, after_to, source, why, done_by, event_id,
       count(*) OVER () AS total
  FROM site_redirect_change
 WHERE site_id = $1
   AND ($2::text IS NULL OR from_path = $2)
 ORDER BY version DESC, number
 LIMIT $3
OFFSET $4;

-- name: list_redirects
-- A page of the redirects of a site.
-- $1 site_id, $2 what created them or NULL, $3 part of source or target or NULL, $4 order, $5 limit, $6 offset
SELECT *, count(*) OVER () AS total
  FROM site_redirect
 WHERE site_id = $1
   AND ($2::text IS NULL OR source = $2)
   AND ($3::text IS NULL OR strpos(from_path, $3) > 0 OR strpos(to_path, $3) > 0)
 ORDER BY CASE WHEN $4 = 'hits' THEN hit_count END DESC NULLS LAST,
          CASE WHEN $4 = 'created_at' THEN created_at END DESC NULLS LAST,
          from_path
 LIMIT $5
OFFSET $6;

-- name: redirect_by_id
-- One redirect of a site.
-- $1 site_id, $2 redirect_id
SELECT * FROM site_redirect WHERE site_id = $1 AND redirect_id = $2;

-- name: redirect_from
-- The redirect from a path.
-- $1 site_id, $2 source
SELECT * FROM site_redirect WHERE site_id = $1 AND from_path = $2;

-- name: count_hits
-- Add hits to redirects. Rows are locked in one order, so that reports do not block one another.
-- $1 site_id, $2 sources, $3 numbers
WITH hit AS (
  SELECT path, sum(hits) AS hits FROM unnest($2::text[], $3::bigint[]) h (path, hits) GROUP BY path
), locked AS (
  SELECT redirect_id, h.hits
    FROM site_redirect r
    JOIN hit h ON h.path = r.from_path
   WHERE r.site_id = $1
   ORDER BY redirect_id
     FOR UPDATE OF r
), counted AS (
  UPDATE site_redirect r
     SET hit_count = r.hit_count + l.hits, last_hit_at = now()
    FROM locked l
   WHERE r.redirect_id = l.redirect_id
  RETURNING l.hits
), total AS (
  INSERT INTO site_counter AS c (site_id, name, value)
  SELECT $1, 'redirect_hits', sum(hits) FROM counted HAVING count(*) > 0
  ON CONFLICT (site_id, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT count(*) FROM counted;

-- name: unused_redirects
-- Automatic redirects without a hit that are older than so many days.
-- $1 site_id, $2 days, $3 at most this many
SELECT from_path
  FROM site_redirect
 WHERE site_id = $1
   AND source IN ('auto_slug_change', 'auto_deleted')
   AND hit_count = 0
   AND created_at < now() - make_interval(days => $2)
 ORDER BY redirect_id
 LIMIT $3;

-- name: prune_changes
-- Forget the audit before a time. Middlewares that are behind it read the whole table.
-- $1 site_id, $2 days
WITH gone AS (
  DELETE FROM site_redirect_change
   WHERE site_id = $1
     AND at < now() - make_interval(days => $2)
  RETURNING version
)
UPDATE site_redirect_table
   SET kept_changes = greatest(kept_changes, (SELECT max(version) FROM gone))
 WHERE site_id = $1
   AND EXISTS (SELECT FROM gone);

-- name: record_event
-- Remember an event. Returns no row if it was applied before.
-- $1 site_id, $2 event_id
INSERT INTO site_event (site_id, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING event_id;

-- name: forget_events
-- Forget events that are older than so many days.
-- $1 site_id, $2 days
DELETE FROM site_event WHERE site_id = $1 AND received_at < now() - make_interval(days => $2);

-- name: serving_rows
-- Source, target and code of every redirect of a site, for a table in memory.
-- $1 site_id
SELECT from_path, to_path, status_code FROM site_redirect WHERE site_id = $1;

-- name: outdate_versions
-- Give every table of redirects a version that is greater than any that was given out, also after a backup that is
-- restored, and let no reader go on from an older one. Tables do not change more than once a second for long.
UPDATE site_redirect_table
   SET version      = greatest(version + 1, extract(epoch FROM now())::bigint),
       kept_changes = greatest(version + 1, extract(epoch FROM now())::bigint);
