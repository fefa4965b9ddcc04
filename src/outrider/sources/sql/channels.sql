-- name: owners_of_channels
-- The sources that feeds and sitemaps belong to.
-- $1 url_hash[]
SELECT c.host_id, c.url_hash, c.source_id, s.name
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
 WHERE c.url_hash = ANY ($1::uuid[]);

-- name: channels_of
-- The feeds and sitemaps of a source, with their state.
-- $1 source_id
SELECT c.channel_id, c.kind, c.url, c.title, c.found_by, c.is_candidate, c.polls, c.items, c.new_items, c.errors,
       c.error_type, c.last_error, c.interval_s, c.polled_at, c.changed_at, c.disabled_at, c.disable_reason,
       c.memory ? 'more' AS has_more, c.memory ? 'cut' AS is_cut,
       (SELECT p.pushed_until
          FROM subscription p
         WHERE p.channel_id = c.channel_id AND p.hub = c.hub AND p.topic = c.topic AND NOT p.leaving) AS pushed_until,
       CASE WHEN u.prio > 0 THEN u.next_fetch_at END AS next_poll_at
  FROM channel c
  LEFT JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash
 WHERE c.source_id = $1
 ORDER BY c.is_candidate, c.kind, c.parent_id NULLS FIRST, c.url
 LIMIT $2;

-- name: channel_addresses
-- The feeds and sitemaps of many sources, for an export, without those that a sitemap index lists.
-- $1 source_id[]
SELECT source_id, kind, url, title
  FROM channel
 WHERE source_id = ANY ($1::int[])
   AND NOT is_candidate
   AND parent_id IS NULL
 ORDER BY source_id, kind, url;
