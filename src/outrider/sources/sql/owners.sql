-- name: owner_by_id
-- $1 source_id
SELECT source_id, name, policy, held, 0 AS pending, kind::text, mode::text, selectors, template
  FROM source
 WHERE source_id = $1;

-- name: all_owners
-- Watched sources, crawl commands and adhoc, with the number of URLs that are queued for each.
SELECT s.source_id, s.name, s.policy, s.held, s.kind::text, s.mode::text, s.selectors, s.template,
       coalesce((SELECT sum(c.value) FROM counter c WHERE c.source_id = s.source_id AND c.name = 'pending'), 0)::bigint AS pending
  FROM source s
 ORDER BY s.source_id;

-- name: mark_held
-- $1 source_id, $2 held
UPDATE source
   SET held = $2, updated_at = now()
 WHERE source_id = $1;
