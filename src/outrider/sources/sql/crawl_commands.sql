-- name: ensure_crawl
-- Create or update the crawl command of that name. No row if another kind of source has the name.
-- $1 name, $2 policy, $3 priority
INSERT INTO source AS s (name, policy, priority, kind)
VALUES ($1, $2, $3, 'crawl')
ON CONFLICT (name) DO UPDATE
   SET policy = excluded.policy, priority = excluded.priority, updated_at = now()
 WHERE s.kind = 'crawl'
RETURNING source_id, name, policy, held, kind::text, mode::text, selectors, template;
