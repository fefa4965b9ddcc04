-- name: silent_sources
-- Sources in feed mode that have no channel to poll although they were searched (FED-24).
SELECT s.source_id, s.name, s.url, s.searched_at
  FROM watched_source s
 WHERE s.enabled
   AND s.mode = 'feed'
   AND s.searched_at IS NOT NULL
   AND NOT EXISTS (SELECT FROM channel c WHERE c.source_id = s.source_id AND NOT c.is_candidate AND c.disabled_at IS NULL)
 ORDER BY s.name;

-- name: fresh_robots
-- robots.txt files of watched sources' hosts that were fetched recently.
-- $1 seconds
SELECT s.source_id, s.url, r.body
  FROM watched_source s
  JOIN source_host h ON h.source_id = s.source_id
  JOIN robots r ON r.host_id = h.host_id
 WHERE s.enabled
   AND s.mode <> 'spider'
   AND r.status BETWEEN 200 AND 299
   AND r.fetched_at > now() - $1::float8 * interval '1 second'
 ORDER BY s.source_id
 LIMIT 1000;

-- name: worth_offering
-- URLs that are no channel or not queued, and were not found to be no channel lately, by their positions in the lists.
-- $1 host_id[], $2 url_hash[], $3 seconds
SELECT n.place
  FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS n (host_id, url_hash, place)
  LEFT JOIN url u ON u.host_id = n.host_id AND u.url_hash = n.url_hash
 WHERE (u.url_hash IS NULL
        OR NOT EXISTS (SELECT FROM channel c WHERE c.host_id = n.host_id AND c.url_hash = n.url_hash))
   AND (u.reason = 'not_a_channel' AND u.last_fetch_at > now() - $3::float8 * interval '1 second') IS NOT TRUE
 ORDER BY n.place;

-- name: resting_channels
-- Channels that left the queue while their source was not polled, and must be queued again (SRC-03).
SELECT c.host_id, c.url_hash
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
  JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash
 WHERE s.enabled
   AND s.mode <> 'spider'
   AND c.disabled_at IS NULL
   AND u.next_fetch_at IS NULL
   AND u.reason = 'not_polled'
 LIMIT 1000;

-- name: blocked_pages
-- Hosts with pages that robots.txt blocked, in the order of their ids. For each origin whose stored robots.txt has
-- expired: one such page that an enabled watched source wants and whose own source is not held, or no page.
-- $1 host_id to start after, $2 at most this many hosts
WITH RECURSIVE blocked (host_id) AS (
  (SELECT u.host_id
     FROM url u
    WHERE u.reason = 'robots_blocked'
      AND u.next_fetch_at IS NULL
      AND u.host_id > $1
    ORDER BY u.host_id
    LIMIT 1)
  UNION ALL
  SELECT n.host_id
    FROM blocked b
    CROSS JOIN LATERAL (
      SELECT u.host_id
        FROM url u
       WHERE u.reason = 'robots_blocked'
         AND u.next_fetch_at IS NULL
         AND u.host_id > b.host_id
       ORDER BY u.host_id
       LIMIT 1
    ) n
)
SELECT b.host_id, p.url_hash
  FROM (SELECT host_id FROM blocked LIMIT $2) AS b
  LEFT JOIN robots r ON r.host_id = b.host_id AND r.expires_at <= now()
  LEFT JOIN LATERAL (
    SELECT u.url_hash
      FROM url u
     WHERE u.reason = 'robots_blocked'
       AND NOT is_held(u.source_id)
       AND u.next_fetch_at IS NULL
       AND u.host_id = r.host_id
       AND starts_with(u.url, r.origin || '/')
       AND EXISTS (SELECT
                     FROM watched_source s
                    WHERE s.enabled
                      AND (s.source_id = u.source_id
                           OR EXISTS (SELECT
                                        FROM url_source o
                                       WHERE o.host_id = u.host_id
                                         AND o.url_hash = u.url_hash
                                         AND o.source_id = s.source_id)))
     ORDER BY u.url_hash
     LIMIT 1
  ) p ON true;
