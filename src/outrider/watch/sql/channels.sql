-- name: channel_of_entry
-- The channel of a frontier entry, and the settings of its source.
-- $1 host_id, $2 url_hash
SELECT c.channel_id, c.source_id, c.url, c.kind, c.is_candidate, c.errors, c.interval_s::float8 AS interval_s,
       c.disabled_at IS NOT NULL AS is_disabled, c.memory,
       (SELECT extract(epoch FROM p.pushed_until - now())::float8
          FROM subscription p
         WHERE p.channel_id = c.channel_id AND p.hub = c.hub AND p.topic = c.topic AND NOT p.leaving) AS pushed_for_s,
       s.url AS source_url, s.priority AS source_priority,
       s.enabled AND s.mode <> 'spider' AND coalesce(c.disable_reason, '') NOT LIKE 'operator:%' AS is_wanted,
       s.policy
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
 WHERE c.host_id = $1
   AND c.url_hash = $2;

-- name: polls_succeeded
-- Record successful polls: the channels have no errors, are not disabled and are no candidates any more.
-- `lean`, which the discovery statistics set, is kept in the memory.
-- $1 channel_id[], $2 changed[], $3 items or NULL for a 304[], $4 interval in seconds[], $5 etag[], $6 last_modified[],
-- $7 memory[], $8 title[], $9 hub[], $10 topic[]
UPDATE channel c
   SET polled_at      = now(),
       polls          = c.polls + 1,
       changed_at     = CASE WHEN n.changed THEN now() ELSE c.changed_at END,
       changes        = c.changes + n.changed::int,
       items          = coalesce(n.items, c.items),
       interval_s     = n.interval_s,
       etag           = CASE WHEN n.items IS NULL THEN coalesce(n.etag, c.etag) ELSE n.etag END,
       last_modified  = CASE WHEN n.items IS NULL THEN coalesce(n.last_modified, c.last_modified)
                             ELSE n.last_modified END,
       memory         = n.memory || CASE WHEN c.memory ? 'lean' THEN jsonb_build_object('lean', c.memory -> 'lean')
                                         ELSE '{}' END,
       title          = coalesce(n.title, c.title),
       hub            = CASE WHEN n.items IS NULL THEN c.hub ELSE n.hub END,
       topic          = CASE WHEN n.items IS NULL THEN c.topic ELSE n.topic END,
       errors         = 0,
       error_type     = NULL,
       last_error     = NULL,
       disabled_at    = NULL,
       disable_reason = NULL,
       is_candidate   = false
  FROM unnest($1::int[], $2::boolean[], $3::int[], $4::int[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::text[],
              $10::text[])
       AS n (channel_id, changed, items, interval_s, etag, last_modified, memory, title, hub, topic)
 WHERE c.channel_id = n.channel_id;

-- name: poll_failed
-- Record a failed poll, and disable the channel if $5 gives a reason.
-- $1 channel_id, $2 errors in a row, $3 error type, $4 what happened, $5 why it is disabled from now on or NULL
UPDATE channel
   SET polled_at      = now(),
       polls          = polls + 1,
       errors         = $2,
       error_type     = $3,
       last_error     = $4,
       disabled_at    = CASE WHEN $5::text IS NULL THEN disabled_at ELSE coalesce(disabled_at, now()) END,
       disable_reason = coalesce($5::text, disable_reason)
 WHERE channel_id = $1;

-- name: add_channels
-- Add channels to a source, up to the limit. A known URL keeps its channel.
-- $1 source_id, $2 host_id[], $3 url_hash[], $4 url[], $5 kind[], $6 found_by[], $7 is_candidate[], $8 parent_id[],
-- $9 interval in seconds[], $10 most channels of a source
INSERT INTO channel (source_id, host_id, url_hash, url, kind, found_by, is_candidate, parent_id, interval_s)
SELECT $1, n.host_id, n.url_hash, n.url, n.kind, n.found_by, n.is_candidate, n.parent_id, n.interval_s
  FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::smallint[], $6::text[], $7::boolean[], $8::int[], $9::int[])
       AS n (host_id, url_hash, url, kind, found_by, is_candidate, parent_id, interval_s)
 ORDER BY n.host_id, n.url_hash
 LIMIT greatest($10::int - (SELECT count(*) FROM channel c WHERE c.source_id = $1), 0)
ON CONFLICT (host_id, url_hash) DO NOTHING
RETURNING channel_id, host_id, url_hash;

-- name: set_poll_interval
-- Set the poll interval of a source's channels. Returns those that are polled at this interval: a channel with errors
-- waits longer, a disabled one is not polled.
-- $1 source_id, $2 kind, $3 seconds
WITH anew AS (
  UPDATE channel
     SET interval_s = $3
   WHERE source_id = $1
     AND kind = $2
  RETURNING host_id, url_hash, errors, disabled_at
)
SELECT host_id, url_hash
  FROM anew
 WHERE errors = 0
   AND disabled_at IS NULL;

-- name: move_channel
-- Store the target of a permanent redirect as the channel's URL (FED-21), or delete the channel if another one has it.
-- $1 channel_id, $2 host_id, $3 url_hash, $4 url
WITH twin AS (
  SELECT channel_id FROM channel WHERE host_id = $2 AND url_hash = $3 AND channel_id <> $1
),
gone AS (
  DELETE FROM channel WHERE channel_id = $1 AND EXISTS (SELECT FROM twin)
)
UPDATE channel
   SET host_id = $2, url_hash = $3, url = $4
 WHERE channel_id = $1
   AND NOT EXISTS (SELECT FROM twin);

-- name: drop_channel
-- Delete a channel.
-- $1 channel_id
DELETE FROM channel
 WHERE channel_id = $1;

-- name: switch_off
-- Disable a channel for an operator.
-- $1 channel_id, $2 why, beginning with 'operator: '
UPDATE channel
   SET disabled_at = now(), disable_reason = $2
 WHERE channel_id = $1
RETURNING host_id, url_hash;

-- name: switch_on
-- Enable a disabled channel, and forget its errors.
-- $1 channel_id
UPDATE channel
   SET disabled_at = NULL, disable_reason = NULL, errors = 0, error_type = NULL, last_error = NULL
 WHERE channel_id = $1
RETURNING host_id, url_hash, source_id;

-- name: record_sightings
-- Record by which discovery method each source saw pages first. A page that a channel saw first counts as new for the
-- channel. A page seen at an alias counts as seen at the end of its redirects too.
-- $1 channel_id or NULL[], $2 source_id[], $3 host_id[], $4 url_hash[], $5 discovery method[], $6 published_at[];
-- source, page and method together are unique
WITH seen AS MATERIALIZED (
  SELECT n.*,
         NOT EXISTS (SELECT FROM sighting k
                      WHERE k.host_id = n.host_id AND k.url_hash = n.url_hash AND k.way = n.way
                        AND k.source_id = n.source_id OFFSET 0) AS is_new
    FROM unnest($1::int[], $2::int[], $3::bigint[], $4::uuid[], $5::text[], $6::timestamptz[])
         AS n (channel_id, source_id, host_id, url_hash, way, published_at)
),
kept AS (
  INSERT INTO sighting (host_id, url_hash, way, source_id, published_at)
  SELECT host_id, url_hash, way, source_id, published_at
    FROM seen
   WHERE is_new
   ORDER BY host_id, url_hash, way, source_id
  ON CONFLICT DO NOTHING
),
moved AS (
  INSERT INTO sighting (host_id, url_hash, way, source_id, published_at)
  SELECT e.end_host_id, e.end_hash, seen.way, seen.source_id, seen.published_at
    FROM seen
    CROSS JOIN LATERAL (
      SELECT u.redirect_host_id, u.redirect_hash
        FROM url u
       WHERE u.host_id = seen.host_id
         AND u.url_hash = seen.url_hash
         AND u.redirect_hash IS NOT NULL
         AND u.next_fetch_at IS NULL
      OFFSET 0
    ) u
    CROSS JOIN LATERAL redirect_end(u.redirect_host_id, u.redirect_hash) e
   WHERE seen.is_new
   ORDER BY e.end_host_id, e.end_hash, seen.way, seen.source_id
  ON CONFLICT DO NOTHING
),
fresh AS (
  SELECT channel_id, count(*) AS items
    FROM seen
   WHERE is_new
     AND channel_id IS NOT NULL
   GROUP BY channel_id
)
UPDATE channel c
   SET new_items = c.new_items + fresh.items
  FROM fresh
 WHERE c.channel_id = fresh.channel_id;

-- name: copy_sightings
-- Copy the sightings of URLs that redirect to the pages at the end of their redirects.
-- $1 host_id[] and $2 url_hash[] of the addresses, $3 host_id[] and $4 url_hash[] that they lead to
INSERT INTO sighting AS s (host_id, url_hash, way, source_id, seen_at, published_at)
SELECT DISTINCT ON (e.end_host_id, e.end_hash, o.way, o.source_id)
       e.end_host_id, e.end_hash, o.way, o.source_id, o.seen_at, o.published_at
  FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::uuid[]) AS m (host_id, url_hash, to_host_id, to_hash)
  JOIN sighting o ON o.host_id = m.host_id AND o.url_hash = m.url_hash
  CROSS JOIN LATERAL redirect_end(m.to_host_id, m.to_hash) e
 ORDER BY e.end_host_id, e.end_hash, o.way, o.source_id, o.seen_at
ON CONFLICT (host_id, url_hash, way, source_id) DO UPDATE
   SET seen_at      = least(s.seen_at, excluded.seen_at),
       published_at = coalesce(s.published_at, excluded.published_at);

-- name: unknown_urls
-- Which of these URLs are new to a source (neither its own nor shared with it), by their positions in the lists.
-- $1 host_id[], $2 url_hash[], $3 at most this many, $4 source_id
SELECT n.place
  FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS n (host_id, url_hash, place)
 WHERE NOT EXISTS (SELECT FROM url u
                    WHERE u.host_id = n.host_id AND u.url_hash = n.url_hash AND u.source_id = $4 OFFSET 0)
   AND NOT EXISTS (SELECT FROM url_source w
                    WHERE w.host_id = n.host_id AND w.url_hash = n.url_hash AND w.source_id = $4 OFFSET 0)
 ORDER BY n.place
 LIMIT $3;

-- name: changed_since
-- Documents that a sitemap says have changed since their last fetch, at their current URLs.
-- $1 host_id[], $2 url_hash[], $3 seconds since the change[], $4 at most this many
SELECT DISTINCT d.host_id, d.url_hash
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS n (host_id, url_hash, age_s)
  CROSS JOIN LATERAL redirect_end(n.host_id, n.url_hash) e
  JOIN document d ON d.host_id = e.end_host_id AND d.url_hash = e.end_hash
 WHERE n.age_s >= 0
   AND d.fetched_at < now() - n.age_s * interval '1 second'
 LIMIT $4;

-- name: lastmod_accuracy
-- Of the documents that were fetched again after a change that a sitemap claims: how many, and how many had not
-- changed.
-- $1 host_id[], $2 url_hash[], $3 seconds since the change[]
SELECT count(*) AS kept_or_broken,
       count(*) FILTER (WHERE d.changed_at < now() - n.age_s * interval '1 second') AS broken
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS n (host_id, url_hash, age_s)
  JOIN document d ON d.host_id = n.host_id AND d.url_hash = n.url_hash
 WHERE d.fetched_at > now() - n.age_s * interval '1 second'
   AND d.first_seen_at < now() - n.age_s * interval '1 second';

-- name: changed_channels
-- Which of these channels changed since their last poll, as a sitemap index says.
-- $1 host_id[], $2 url_hash[], $3 seconds since the change[]
SELECT DISTINCT c.host_id, c.url_hash
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS n (host_id, url_hash, age_s)
  JOIN channel c ON c.host_id = n.host_id AND c.url_hash = n.url_hash
 WHERE n.age_s >= 0
   AND c.polled_at < now() - n.age_s * interval '1 second'
   AND c.errors = 0;

-- name: drop_channels
-- Delete the channels of a removed source.
-- $1 source_id
DELETE FROM channel
 WHERE source_id = $1;

-- name: channels_of_run
-- The entries of a source's feeds and sitemaps that a run polls: those whose last poll is so old.
-- $1 source_id, $2 seconds since the last poll
SELECT c.host_id, c.url_hash
  FROM channel c
 WHERE c.source_id = $1
   AND c.disabled_at IS NULL
   AND coalesce(c.polled_at <= now() - $2::float8 * interval '1 second', true)
 ORDER BY c.host_id, c.url_hash;

-- name: content_of_source
-- What a source is compared by between two runs: the text of its front page, after redirects, and how often each of its
-- feeds and sitemaps has changed.
-- $1 source_id, $2 host_id and $3 url_hash of the front page
WITH RECURSIVE way AS (
  SELECT u.host_id, u.url_hash, u.redirect_host_id, u.redirect_hash, 0 AS hops
    FROM url u
   WHERE u.host_id = $2 AND u.url_hash = $3
  UNION ALL
  SELECT t.host_id, t.url_hash, t.redirect_host_id, t.redirect_hash, way.hops + 1
    FROM way
    JOIN url t ON t.host_id = way.redirect_host_id AND t.url_hash = way.redirect_hash
   WHERE way.hops < 20
)
SELECT encode(d.content_hash, 'hex') AS part
  FROM way
  JOIN document d ON d.host_id = way.host_id AND d.url_hash = way.url_hash
UNION ALL
SELECT c.url || ' ' || c.changes
  FROM channel c
 WHERE c.source_id = $1
   AND c.polled_at IS NOT NULL
 ORDER BY 1;
