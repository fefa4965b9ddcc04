-- name: counts
-- The sum of each counter, for one source or all. Reads only the counter table.
-- $1 source_id or NULL for all
SELECT name, sum(value)::bigint AS value
  FROM counter
 WHERE $1::int IS NULL OR source_id = $1
 GROUP BY name;

-- name: named_counts
-- The sum of each of these counters, for one source or all.
-- $1 names[], $2 source_id or NULL for all
SELECT name, sum(value)::bigint AS value
  FROM counter
 WHERE name COLLATE "C" = ANY ($1::text[])
   AND ($2::int IS NULL OR source_id = $2)
 GROUP BY name;

-- name: counts_starting_with
-- The sum of each counter whose name begins with this text, unless it is 0. The range of names is for the index.
-- $1 beginning
SELECT name, sum(value)::bigint AS value
  FROM counter
 WHERE name COLLATE "C" >= $1
   AND name COLLATE "C" < $1 || chr(1114111)
 GROUP BY name
HAVING sum(value) <> 0;

-- name: host_counts
-- How many hosts are leased, waiting and broken, counted up to a bound: past it the exact number does not matter.
SELECT (SELECT count(*) FROM host WHERE lease_owner IS NOT NULL AND due_at > now()) AS leased,
       (SELECT count(*) FROM (SELECT FROM host WHERE due_at IS NOT NULL AND lease_owner IS NULL LIMIT 10000) w) AS waiting,
       (SELECT count(*) FROM (SELECT FROM host WHERE breaker <> {breaker_closed} LIMIT 10000) b) AS broken;

-- name: find_url
-- One entry with the URLs of its parent and redirect target.
-- $1 host_id, $2 url_hash
SELECT u.*, url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS state,
       p.url AS parent_url, t.url AS redirects_to
  FROM url u
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
 WHERE u.host_id = $1
   AND u.url_hash = $2;

-- name: history
-- The requests made for one URL, newest first.
-- $1 host_id, $2 url_hash, $3 at most this many
SELECT at, outcome, http_status, elapsed_ms, wire_bytes, worker_id, content_length, content_type, error_message
  FROM fetch_log
 WHERE host_id = $1
   AND url_hash = $2
 ORDER BY at DESC
 LIMIT $3;

-- name: barren_templates
-- URL templates that stopped yielding anything new, the latest first.
-- $1 at most this many
SELECT template
  FROM url_template
 WHERE barren
 ORDER BY updated_at DESC
 LIMIT $1;

-- name: is_barren
-- Whether the URLs of this template stopped yielding anything new.
-- $1 host_id, $2 template
SELECT barren
  FROM url_template
 WHERE host_id = $1
   AND template = $2;

-- name: pages_since
-- How many requests brought a page since a time, counted up to $2.
-- $1 since
SELECT count(*)
  FROM (SELECT FROM fetch_log WHERE at >= $1 AND outcome = 'fetched' LIMIT $2) AS found;

-- name: requests_of_host
-- The requests to a host in steps of time. At most $4 requests are read.
-- $1 host_id, $2 since, $3 seconds of a step
SELECT date_bin($3::float8 * interval '1 second', l.at, '2000-01-01 00:00:00+00') AS at,
       count(*) AS requests,
       count(*) FILTER (WHERE l.outcome IN ('fetched', 'not_modified')) AS answered,
       count(*) FILTER (WHERE l.http_status >= 400 OR l.http_status IS NULL) AS failed,
       sum(l.wire_bytes)::bigint AS bytes,
       avg(l.elapsed_ms)::int AS elapsed_ms
  FROM (SELECT at, outcome, http_status, wire_bytes, elapsed_ms
          FROM fetch_log
         WHERE host_id = $1
           AND at >= $2
         LIMIT $4) AS l
 GROUP BY 1
 ORDER BY 1;

-- name: urls_like
-- One URL, then others of its host that begin like it. URLs have no index by their text, so only some are examined.
-- $1 host_id, $2 url_hash, $3 beginning, $4 URLs to examine, $5 at most this many
SELECT f.url
  FROM (SELECT u.url, 0 AS place
          FROM url u
         WHERE u.host_id = $1
           AND u.url_hash = $2::uuid
        UNION
        SELECT e.url, 1
          FROM (SELECT u.url, u.url_hash, u.kind FROM url u WHERE u.host_id = $1 LIMIT $4) AS e
         WHERE starts_with(e.url, $3)
           AND e.url_hash <> $2::uuid
           AND e.kind <> {kind_robots}) AS f
 ORDER BY f.place, length(f.url), f.url
 LIMIT $5;
