-- name: owner_by_id
-- One owner of URLs: a watched source, a crawl command or adhoc.
-- $1 source_id
SELECT source_id, name, policy, is_held(source_id) AS held, kind::text, mode::text, selectors, template
  FROM source
 WHERE source_id = $1;

-- name: owner_called
-- The owner with this name.
-- $1 name
SELECT source_id
  FROM source
 WHERE name = $1;

-- name: owner_with_id
-- The owner with this id.
-- $1 public_id
SELECT source_id
  FROM source
 WHERE public_id = $1;

-- name: all_owners
-- All owners of URLs: watched sources, crawl commands and adhoc.
SELECT source_id, name, policy, is_held(source_id) AS held, kind::text, mode::text, selectors, template
  FROM source
 ORDER BY source_id;

-- name: owners_with_pending_urls
-- Owners that have queued URLs.
-- $1 kind, or NULL for every kind
SELECT source_id, name, policy, is_held(source_id) AS held, kind::text, mode::text, selectors, template
  FROM source
 WHERE source_id IN (SELECT source_id FROM counter WHERE name = 'pending' GROUP BY source_id HAVING sum(value) > 0)
   AND ($1::text IS NULL OR kind::text = $1)
 ORDER BY source_id;

-- name: owner_names
-- The names of owners.
-- $1 source_id[]
SELECT source_id, name
  FROM source
 WHERE source_id = ANY ($1::int[]);
