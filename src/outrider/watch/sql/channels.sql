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
-- Record successful polls: reset the errors, enable the channel, and make a candidate a proven channel.
-- The interval factor `lean` stays in the memory.
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
-- Add channels of a source, up to a number. Known channels stay unchanged.
-- $1 source_id, $2 host_id[], $3 url_hash[], $4 url[], $5 kind[], $6 found_by[], $7 is_candidate[], $8 parent_id[],
-- $9 interval in seconds[], $10 most channels a source may have
INSERT INTO channel (source_id, host_id, url_hash, url, kind, found_by, is_candidate, parent_id, interval_s)
SELECT $1, n.host_id, n.url_hash, n.url, n.kind, n.found_by, n.is_candidate, n.parent_id, n.interval_s
  FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::smallint[], $6::text[], $7::boolean[], $8::int[], $9::int[])
       AS n (host_id, url_hash, url, kind, found_by, is_candidate, parent_id, interval_s)
 ORDER BY n.host_id, n.url_hash
 LIMIT greatest($10::int - (SELECT count(*) FROM channel c WHERE c.source_id = $1), 0)
ON CONFLICT (host_id, url_hash) DO NOTHING
RETURNING channel_id, host_id, url_hash;

-- name: keep_time
-- Set a new poll interval for all channels of a source. No channel waits longer than the new interval. Returns the
-- hosts to wake.
-- $1 source_id, $2 kind, $3 seconds
WITH anew AS (
  UPDATE channel
     SET interval_s = $3
   WHERE source_id = $1
     AND kind = $2
  RETURNING host_id, url_hash, errors, disabled_at
)
UPDATE url u
   SET next_fetch_at = now() + $3::float8 * interval '1 second'
  FROM anew
 WHERE u.host_id = anew.host_id
   AND u.url_hash = anew.url_hash
   AND u.next_fetch_at > now() + $3::float8 * interval '1 second'
   AND anew.errors = 0
   AND anew.disabled_at IS NULL
RETURNING u.host_id;

-- name: adopt_entries
-- Turn known entries of pages into entries of channels.
-- $1 host_id[], $2 url_hash[], $3 kind[]
UPDATE url u
   SET kind = n.kind
  FROM unnest($1::bigint[], $2::uuid[], $3::smallint[]) AS n (host_id, url_hash, kind)
 WHERE u.host_id = n.host_id
   AND u.url_hash = n.url_hash
   AND u.kind <> n.kind
   AND u.kind <> {kind_robots};

-- name: move_channel
-- A permanent redirect moves the stored address (FED-21). If another channel has the new address, this one is deleted.
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
-- $1 channel_id
DELETE FROM channel
 WHERE channel_id = $1;

-- name: switch_off
-- An operator disables a channel. Its entry waits outside the queue.
-- $1 channel_id, $2 why, beginning with 'operator: '
WITH off AS (
  UPDATE channel
     SET disabled_at = now(), disable_reason = $2
   WHERE channel_id = $1
  RETURNING host_id, url_hash
)
UPDATE url u
   SET prio = -u.prio
  FROM off
 WHERE u.host_id = off.host_id
   AND u.url_hash = off.url_hash
   AND u.next_fetch_at IS NOT NULL
   AND u.prio > 0;

-- name: switch_on
-- Enable a channel and poll it at once if its source polls. Returns the host to wake.
-- $1 channel_id
WITH back AS (
  UPDATE channel
     SET disabled_at = NULL, disable_reason = NULL, errors = 0, error_type = NULL, last_error = NULL
   WHERE channel_id = $1
  RETURNING host_id, url_hash, source_id
)
UPDATE url u
   SET prio = abs(u.prio), next_fetch_at = least(u.next_fetch_at, now())
  FROM back
  JOIN source s ON s.source_id = back.source_id
 WHERE u.host_id = back.host_id
   AND u.url_hash = back.url_hash
   AND u.next_fetch_at IS NOT NULL
   AND NOT s.held
RETURNING u.host_id;

-- name: sight
-- Record which method saw each page first for a source, and count the new items of channels. A sighting of an alias is
-- also recorded for the end of its redirect chain.
-- $1 channel_id or NULL[], $2 source_id[], $3 host_id[], $4 url_hash[], $5 way[], $6 published_at[]; unique by
-- source, page and way
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

-- name: carry_sightings
-- Copy the sightings of redirecting addresses to the end of their redirect chains.
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

-- name: announce_refused
-- Mark linked pages as announced whose redirects led out of the scope. Announced pages may redirect anywhere.
-- $1 host_id[], $2 url_hash[]
UPDATE url u
   SET depth = 0
  FROM unnest($1::bigint[], $2::uuid[]) AS n (host_id, url_hash)
 WHERE u.host_id = n.host_id
   AND u.url_hash = n.url_hash
   AND u.depth > 0
   AND u.next_fetch_at IS NULL
   AND u.reason = 'redirect_out_of_scope'
RETURNING u.host_id, u.url_hash;

-- name: unknown_urls
-- The positions in the lists of URLs that are new to a source: not its own, and not shared with it.
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
-- Documents that a sitemap announces as changed since their last fetch, at their current addresses.
-- $1 host_id[], $2 url_hash[], $3 seconds since the change[], $4 at most this many
SELECT DISTINCT d.host_id, d.url_hash
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS n (host_id, url_hash, age_s)
  CROSS JOIN LATERAL redirect_end(n.host_id, n.url_hash) e
  JOIN document d ON d.host_id = e.end_host_id AND d.url_hash = e.end_hash
 WHERE n.age_s >= 0
   AND d.fetched_at < now() - n.age_s * interval '1 second'
 LIMIT $4;

-- name: promises
-- The number of documents that were known before a claimed change and fetched after it, and how many of them had not
-- changed.
-- $1 host_id[], $2 url_hash[], $3 seconds since the change[]
SELECT count(*) AS kept_or_broken,
       count(*) FILTER (WHERE d.changed_at < now() - n.age_s * interval '1 second') AS broken
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS n (host_id, url_hash, age_s)
  JOIN document d ON d.host_id = n.host_id AND d.url_hash = n.url_hash
 WHERE d.fetched_at > now() - n.age_s * interval '1 second'
   AND d.first_seen_at < now() - n.age_s * interval '1 second';

-- name: hasten
-- Poll known children of a sitemap index at once that changed since their last poll.
-- $1 host_id[], $2 url_hash[], $3 seconds since the change[]
UPDATE url u
   SET next_fetch_at = now()
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS n (host_id, url_hash, age_s)
  JOIN channel c ON c.host_id = n.host_id AND c.url_hash = n.url_hash
 WHERE u.host_id = n.host_id
   AND u.url_hash = n.url_hash
   AND u.next_fetch_at > now()
   AND n.age_s >= 0
   AND c.polled_at < now() - n.age_s * interval '1 second'
   AND c.errors = 0;

-- name: drop_channels
-- Delete all channels of a source.
-- $1 source_id
DELETE FROM channel
 WHERE source_id = $1;
