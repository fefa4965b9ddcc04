-- name: move_sightings
-- Move the sightings of moved entries. The earliest sighting wins.
WITH old AS (
  DELETE FROM sighting s
   USING url_rehash m
   WHERE m.state = 1
     AND s.host_id = m.host_id
     AND s.url_hash = m.url_hash
  RETURNING m.new_host_id, m.new_hash, s.way, s.source_id, s.seen_at, s.published_at
)
INSERT INTO sighting AS s (host_id, url_hash, way, source_id, seen_at, published_at)
SELECT *
  FROM old
ON CONFLICT (host_id, url_hash, way, source_id) DO UPDATE
   SET seen_at = least(s.seen_at, excluded.seen_at), published_at = coalesce(s.published_at, excluded.published_at);

-- name: move_listings
-- Move the rows of moved listing pages.
WITH old AS (
  DELETE FROM listing l
   USING url_rehash m
   WHERE m.state = 1
     AND l.host_id = m.host_id
     AND l.url_hash = m.url_hash
  RETURNING m.new_host_id, m.new_hash, l.source_id, l.interval_s, l.visits, l.new_links, l.visited_at, l.fruitful_at
)
INSERT INTO listing AS l (host_id, url_hash, source_id, interval_s, visits, new_links, visited_at, fruitful_at)
SELECT *
  FROM old
ON CONFLICT (host_id, url_hash, source_id) DO UPDATE
   SET interval_s  = least(l.interval_s, excluded.interval_s),
       visits      = l.visits + excluded.visits,
       new_links   = l.new_links + excluded.new_links,
       visited_at  = greatest(l.visited_at, excluded.visited_at),
       fruitful_at = greatest(l.fruitful_at, excluded.fruitful_at);

-- name: drop_double_channels
-- Of two channels at one address, the one with more polls stays and gets the sitemaps of the other.
WITH pair AS MATERIALIZED (
  SELECT CASE WHEN o.polls > t.polls THEN t.channel_id ELSE o.channel_id END AS goes,
         CASE WHEN o.polls > t.polls THEN o.channel_id ELSE t.channel_id END AS stays
    FROM url_rehash m
    JOIN channel o ON o.host_id = m.host_id AND o.url_hash = m.url_hash
    JOIN channel t ON t.host_id = m.new_host_id AND t.url_hash = m.new_hash
   WHERE m.state = 1
),
kept AS (
  UPDATE channel c
     SET parent_id = p.stays
    FROM pair p
   WHERE c.parent_id = p.goes
  RETURNING c.channel_id
)
SELECT p.goes
  FROM pair p
 WHERE (SELECT count(*) FROM kept) >= 0;

-- name: drop_merged_channels
-- Delete channels that another channel at the same address replaces.
-- $1 channel_id[]
DELETE FROM channel
 WHERE channel_id = ANY ($1::int[]);

-- name: move_channels
-- Move the channels of moved entries.
UPDATE channel c
   SET host_id = m.new_host_id, url_hash = m.new_hash, url = m.url
  FROM url_rehash m
 WHERE m.state = 1
   AND c.host_id = m.host_id
   AND c.url_hash = m.url_hash;

-- name: some_discovered
-- A batch of discovered links, which have URL keys and are not in the frontier.
-- $1 source_id, $2 host_id and $3 url_hash to start after, $4 at most this many
SELECT source_id, host_id, url_hash, url
  FROM discovered_link
 WHERE (source_id, host_id, url_hash) > ($1::int, $2::bigint, $3::uuid)
 ORDER BY source_id, host_id, url_hash
 LIMIT $4;

-- name: move_discovered
-- Move discovered links to their new keys. Of two links with one new key, the first stays.
-- $1 source_id[], $2 host_id[], $3 url_hash[], $4 new_host_id[], $5 new_hash[], $6 url[]
WITH old AS (
  DELETE FROM discovered_link d
   USING unnest($1::int[], $2::bigint[], $3::uuid[], $4::bigint[], $5::uuid[], $6::text[])
         AS m (source_id, host_id, url_hash, new_host_id, new_hash, url)
   WHERE d.source_id = m.source_id
     AND d.host_id = m.host_id
     AND d.url_hash = m.url_hash
  RETURNING d.source_id, m.new_host_id, m.new_hash, m.url, d.domain, d.parent_url, d.depth, d.http_status,
            d.content_type, d.discovered_at, d.queued_at, d.status, d.priority
)
INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain, parent_url, depth, http_status, content_type,
                             discovered_at, queued_at, status, priority)
SELECT DISTINCT ON (source_id, new_host_id, new_hash) *
  FROM old
 ORDER BY source_id, new_host_id, new_hash, discovered_at
ON CONFLICT DO NOTHING;
