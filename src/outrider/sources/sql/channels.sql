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

-- name: list_channels
-- A page of the feeds and sitemaps of all sources, with their state.
-- $1 source_id or NULL, $2 kinds[], $3 text in the address or NULL, $4 disabled or NULL, $5 failing or NULL,
-- $6 candidate or NULL, $7 due or NULL, $8 only after this channel_id, $9 limit, $10 offset
SELECT c.channel_id, c.kind, c.url, c.title, c.found_by, c.is_candidate, c.polls, c.items, c.new_items, c.errors,
       c.error_type, c.last_error, c.interval_s, c.polled_at, c.changed_at, c.disabled_at, c.disable_reason,
       c.memory ? 'more' AS has_more, c.memory ? 'cut' AS is_cut,
       (SELECT p.pushed_until
          FROM subscription p
         WHERE p.channel_id = c.channel_id AND p.hub = c.hub AND p.topic = c.topic AND NOT p.leaving) AS pushed_until,
       CASE WHEN u.prio > 0 THEN u.next_fetch_at END AS next_poll_at,
       s.public_id AS source_public_id, s.source_id, s.name AS source_name
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
  LEFT JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash
 WHERE c.channel_id > $8
   AND c.kind = ANY ($2::smallint[])
   AND ($1::int IS NULL OR c.source_id = $1)
   AND ($3::text IS NULL OR position(lower($3) IN lower(c.url)) > 0)
   AND ($4::bool IS NULL OR (c.disabled_at IS NOT NULL) = $4)
   AND ($5::bool IS NULL OR (c.errors > 0) = $5)
   AND ($6::bool IS NULL OR c.is_candidate = $6)
   AND ($7::bool IS NULL OR coalesce(u.prio > 0 AND u.next_fetch_at <= now(), false) = $7)
 ORDER BY c.channel_id
 LIMIT $9
OFFSET $10;

-- name: count_channels
-- How many channels match the filters of `list_channels`, counted up to a bound.
-- $1 source_id or NULL, $2 kinds[], $3 text in the address or NULL, $4 disabled or NULL, $5 failing or NULL,
-- $6 candidate or NULL, $7 due or NULL, $8 count at most this many
SELECT count(*)
  FROM (SELECT
          FROM channel c
          LEFT JOIN url u ON $7::bool IS NOT NULL AND u.host_id = c.host_id AND u.url_hash = c.url_hash
         WHERE c.kind = ANY ($2::smallint[])
           AND ($1::int IS NULL OR c.source_id = $1)
           AND ($3::text IS NULL OR position(lower($3) IN lower(c.url)) > 0)
           AND ($4::bool IS NULL OR (c.disabled_at IS NOT NULL) = $4)
           AND ($5::bool IS NULL OR (c.errors > 0) = $5)
           AND ($6::bool IS NULL OR c.is_candidate = $6)
           AND ($7::bool IS NULL OR coalesce(u.prio > 0 AND u.next_fetch_at <= now(), false) = $7)
         LIMIT $8) AS matching;

-- name: channel_counts
-- How many feeds and sitemaps are due, failing, disabled or not proven yet, of the first so many.
-- $1 count at most this many
SELECT count(*) AS channels,
       count(*) FILTER (WHERE u.prio > 0 AND u.next_fetch_at <= now() AND c.disabled_at IS NULL) AS due,
       count(*) FILTER (WHERE c.errors > 0) AS failing,
       count(*) FILTER (WHERE c.disabled_at IS NOT NULL) AS disabled,
       count(*) FILTER (WHERE c.is_candidate) AS candidates
  FROM (SELECT host_id, url_hash, errors, disabled_at, is_candidate FROM channel LIMIT $1) AS c
  LEFT JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash;

-- name: failing_sources
-- Enabled sources with a feed or sitemap that failed many times in a row, the one with the most errors first. What was
-- only found and never proven does not count, nor what an operator has disabled.
-- $1 errors at least, $2 how reasons of operators begin, $3 at most this many
SELECT s.public_id, s.name, count(*)::int AS channels, max(c.errors) AS errors
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
 WHERE c.errors >= $1
   AND c.errors > 0
   AND NOT c.is_candidate
   AND s.enabled
   AND (c.disabled_at IS NULL OR NOT starts_with(coalesce(c.disable_reason, ''), $2))
 GROUP BY s.source_id, s.public_id, s.name
 ORDER BY max(c.errors) DESC, s.source_id
 LIMIT $3;
