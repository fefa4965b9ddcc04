-- name: claim_search
-- The source that has waited longest for a search: nothing proven to poll, and not searched for a while. The time is
-- written before the site is asked, so that a restart does not ask every site again (FED-19); as one that did not
-- answer, until it did, so that a search which was cut short is made again soon.
-- $1 seconds since the last search
UPDATE source
   SET searched_at   = now(),
       search_errors = least(search_errors + 1, 1000),
       search_notes  = '{}'
 WHERE source_id = (
         SELECT s.source_id
           FROM source s
          WHERE s.kind = 'watch'
            AND s.enabled
            AND s.mode <> 'spider'
            AND (s.searched_at IS NULL OR s.searched_at < now() - search_rest(s.search_errors, $1::float8))
            AND NOT EXISTS (SELECT FROM channel c WHERE c.source_id = s.source_id AND NOT c.is_candidate AND c.disabled_at IS NULL)
          ORDER BY s.searched_at NULLS FIRST, s.source_id
          LIMIT 1
            FOR UPDATE SKIP LOCKED
       )
RETURNING source_id, name, url, policy;

-- name: postpone_search
-- The site was not asked, and not because it failed: the next search is in an hour.
-- $1 source_id, $2 seconds between searches
UPDATE source
   SET searched_at   = now() - search_rest((search_errors - 1)::smallint, $2::float8) + interval '1 hour',
       search_errors = search_errors - 1
 WHERE source_id = $1
   AND search_errors > 0;

-- name: record_search
-- $1 source_id, $2 whether the site answered, $3 what was tried and what came of it
UPDATE source
   SET search_errors = CASE WHEN $2::boolean THEN 0 ELSE search_errors END,
       search_notes  = $3
 WHERE source_id = $1;

-- name: follow_links_instead
-- No feed and no sitemap: the source's policy says to follow links then (FED-24).
-- $1 source_id
UPDATE source
   SET mode = 'spider', updated_at = now()
 WHERE source_id = $1
   AND mode = 'feed'
RETURNING url;
