-- name: ensure_crawl
-- Create the crawl command of that name, or change its policy. Returns no row if another kind of source has the name.
-- $1 name, $2 policy, $3 priority
INSERT INTO source AS s (name, policy, priority, kind)
VALUES ($1, $2, $3, 'crawl')
ON CONFLICT (name) DO UPDATE
   SET policy = excluded.policy, priority = excluded.priority, updated_at = now()
 WHERE s.kind = 'crawl'
RETURNING source_id, name, policy, is_held(source_id) AS held, kind::text, mode::text, selectors, template;
