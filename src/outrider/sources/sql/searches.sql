-- name: claim_search
-- Claim the source that has waited longest for a search: it has no proven channel and was not searched for a while. The
-- time is written before the search, so that a restart does not search every site again (FED-19). The search counts as
-- unanswered until its result is stored, so that an interrupted search is repeated soon.
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
-- The host of the site was busy: the next search is in an hour.
-- $1 source_id, $2 seconds between searches
UPDATE source
   SET searched_at   = now() - search_rest((search_errors - 1)::smallint, $2::float8) + interval '1 hour',
       search_errors = search_errors - 1
 WHERE source_id = $1
   AND search_errors > 0;

-- name: record_search
-- $1 source_id, $2 whether the site answered, $3 notes of the search
UPDATE source
   SET search_errors = CASE WHEN $2::boolean THEN 0 ELSE search_errors END,
       search_notes  = $3
 WHERE source_id = $1;

-- name: follow_links_instead
-- Change a source without feed and sitemap to mode spider, as its policy asks (FED-24).
-- $1 source_id
UPDATE source
   SET mode = 'spider', updated_at = now()
 WHERE source_id = $1
   AND mode = 'feed'
RETURNING url;
