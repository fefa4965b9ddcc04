-- name: host_activity
-- How many hosts are leased; in how many seconds the next host is due (the end of a lease counts); in how many seconds
-- the delay of a host with queued URLs is over (at most half a minute); and whether the first search of a source is
-- pending or runs. One statement, so that a host that is claimed meanwhile counts as leased or as due, not as
-- neither.
SELECT (SELECT count(*) FROM host WHERE lease_owner IS NOT NULL AND due_at > now())::int AS leased,
       (SELECT extract(epoch FROM min(n.due_at) - now())::float8
          FROM generate_series(1, 10) AS g (prio)
          CROSS JOIN LATERAL (
            SELECT h.due_at
              FROM host h
             WHERE h.prio = g.prio::smallint
               AND h.due_at IS NOT NULL
               AND h.due_at < 'infinity'
             ORDER BY h.due_at
             LIMIT 1
          ) n) AS due_in_s,
       (SELECT extract(epoch FROM min(n.due_at) - now())::float8
          FROM generate_series(1, 10) AS g (prio)
          CROSS JOIN LATERAL (
            SELECT h.due_at
              FROM host h
             WHERE h.prio = g.prio::smallint
               AND h.due_at BETWEEN now() AND now() + interval '30 seconds'
               AND h.due_at <= h.next_allowed_at
             ORDER BY h.due_at
             LIMIT 1
          ) n) AS resting_in_s,
       EXISTS (SELECT
                 FROM watched_source s
                WHERE s.enabled
                  AND s.mode <> 'spider'
                  AND (s.searched_at IS NULL
                       OR (s.search_errors > 0 AND s.search_notes = '{}' AND s.searched_at > now() - interval '1 minute'))
                  AND NOT EXISTS (SELECT FROM channel c WHERE c.source_id = s.source_id)) AS is_searching;

-- name: pace
-- The shortest and the longest delay of the active hosts, in milliseconds between requests.
-- The delay of a host in its first lease is not known yet.
SELECT min(h.delay_ms + h.penalty_ms)::int AS least, max(h.delay_ms + h.penalty_ms)::int AS most
  FROM (SELECT delay_ms, penalty_ms
          FROM host
         WHERE due_at IS NOT NULL
           AND breaker = {breaker_closed}
           AND (lease_seq > 1 OR (lease_seq = 1 AND lease_owner IS NULL))
         LIMIT 1000) h;

-- name: slowest_at_work
-- The hosts that are leased now with the longest average response time.
-- $1 at most this many
SELECT i.host, (i.busy_ms / i.requests)::int AS answer_ms
  FROM host h
  JOIN host_info i ON i.host_id = h.host_id
 WHERE h.lease_owner IS NOT NULL
   AND i.requests > 0
 ORDER BY i.busy_ms / i.requests DESC
 LIMIT $1;

-- name: slowest_since
-- Average answer time of the hosts that were requested since a time, among the first 100,000 hosts.
-- $1 asked since, $2 at most this many
SELECT i.host, (i.busy_ms / i.requests)::int AS answer_ms
  FROM (SELECT host, busy_ms, requests, last_fetch_at FROM host_info LIMIT 100000) i
 WHERE i.requests > 0
   AND i.last_fetch_at >= $1
 ORDER BY i.busy_ms / i.requests DESC
 LIMIT $2;

-- name: dead_examples
-- A few dead URLs of a source for each reason, the latest first, and their parent pages, among the first 100,000 rows.
-- $1 source_id, $2 at most this many for each
SELECT d.reason, d.url, p.url AS parent_url
  FROM (SELECT u.*, row_number() OVER (PARTITION BY u.reason ORDER BY u.changed_at DESC, u.url) AS place
          FROM (SELECT o.reason, o.url, coalesce(o.updated_at, o.discovered_at) AS changed_at, o.parent_host_id,
                       o.parent_hash
                  FROM (SELECT * FROM url LIMIT 100000) o
                 WHERE o.source_id = $1
                   AND o.shared = 0
                   AND o.reason IS NOT NULL
                   AND o.next_fetch_at IS NULL
                   AND o.redirect_hash IS NULL
                   AND o.kind = {kind_page}
                UNION ALL
                SELECT w.reason, s.url, coalesce(s.updated_at, s.discovered_at), s.parent_host_id, s.parent_hash
                  FROM (SELECT * FROM url_source WHERE source_id = $1 AND state = {state_dead} LIMIT 100000) w
                  JOIN url s ON s.host_id = w.host_id AND s.url_hash = w.url_hash) u) AS d
  LEFT JOIN url p ON p.host_id = d.parent_host_id AND p.url_hash = d.parent_hash
 WHERE d.place <= $2
 ORDER BY d.reason, d.place;

-- name: lost_templates
-- URL templates that became barren since a time.
-- $1 since, $2 at most this many
SELECT i.host, t.template, t.fetched
  FROM url_template t
  JOIN host_info i ON i.host_id = t.host_id
 WHERE t.barren
   AND t.updated_at >= $1
 ORDER BY t.fetched DESC
 LIMIT $2;
