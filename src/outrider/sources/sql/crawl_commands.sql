-- name: ensure_crawl
-- The crawl command of that name, with this policy from now on; no row where another kind of source has the name.
-- $1 name, $2 policy, $3 priority
INSERT INTO source AS s (name, policy, priority, kind)
VALUES ($1, $2, $3, 'crawl')
ON CONFLICT (name) DO UPDATE
   SET policy = excluded.policy, priority = excluded.priority, updated_at = now()
 WHERE s.kind = 'crawl'
RETURNING source_id, name, policy, held, 0 AS pending, kind::text, mode::text, selectors, template;

-- name: unfinished_crawls
-- Crawl commands that have URLs in the queue.
SELECT s.source_id, s.name, s.policy, s.held, c.pending, s.kind::text, s.mode::text, s.selectors, s.template
  FROM source s
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(value), 0)::bigint AS pending
      FROM counter
     WHERE source_id = s.source_id
       AND name = 'pending'
  ) c
 WHERE s.kind = 'crawl'
   AND NOT s.held
   AND c.pending > 0
 ORDER BY s.source_id;
