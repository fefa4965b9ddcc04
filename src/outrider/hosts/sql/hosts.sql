-- name: hosts
-- Hosts with their state, sorted by one column, the greatest first.
-- $1 pages, errors, slow (average response time) or delay; $2 at most this many; $3 host_id or NULL for all; $4 offset;
-- $5 to $8 is_unset, lead, host and host_id of the last host before the page, or NULL; $9 part of the name or NULL;
-- $10 whether it is blocked or NULL; $11 state of the circuit or NULL
WITH listed AS MATERIALIZED (
  SELECT i.host_id, i.host, k.lead
    FROM host_info i
    LEFT JOIN host h ON h.host_id = i.host_id
   CROSS JOIN LATERAL (
      SELECT -CASE $1::text
                WHEN 'pages' THEN i.pages
                WHEN 'errors' THEN i.errors
                WHEN 'slow' THEN i.busy_ms / greatest(i.requests, 1)
                WHEN 'delay' THEN h.delay_ms + h.penalty_ms
              END::bigint AS lead
    ) k
   WHERE ($3::bigint IS NULL OR i.host_id = $3)
     AND ($9::text IS NULL OR strpos(i.host, $9) > 0)
     AND ($10::bool IS NULL OR coalesce(h.next_allowed_at = 'infinity', false) = $10)
     AND ($11::int IS NULL OR coalesce(h.breaker, {breaker_closed}) = $11)
     -- The same again for the planner: these hosts have a row in `host`, and few are blocked or broken.
     AND ($10 IS DISTINCT FROM true OR h.next_allowed_at = 'infinity')
     AND (coalesce($11, {breaker_closed}) = {breaker_closed} OR h.breaker = $11)
     AND ($5::bool IS NULL OR (k.lead IS NULL, coalesce(k.lead, 0), i.host, i.host_id) > ($5, $6::bigint, $7::text, $8::bigint))
   ORDER BY k.lead IS NULL, k.lead, i.host, i.host_id
   LIMIT $2
  OFFSET $4
)
SELECT i.*, h.due_at, h.next_allowed_at, h.lease_owner, h.delay_ms, h.penalty_ms, h.rate_limited, h.breaker,
       h.failures, h.robots_failures, w.machine, w.pid, l.lead IS NULL AS is_unset, coalesce(l.lead, 0) AS lead
  FROM listed l
  JOIN host_info i ON i.host_id = l.host_id
  LEFT JOIN host h ON h.host_id = i.host_id
  LEFT JOIN worker w ON w.worker_id = h.lease_owner
 ORDER BY l.lead IS NULL, l.lead, l.host, l.host_id;

-- name: hosts_by_delay
-- The first hosts in the order of `hosts` by delay, without filters. Most hosts have the same delay, so the last delay
-- of the page is found first, and hosts with exactly this delay by walking through the names. The walk ends after $3
-- names: if it found too few, fewer rows than $1 come back, and `hosts` must be asked.
-- $1 at most this many, $2 offset, $3 names to walk through
WITH longest AS MATERIALIZED (
  SELECT host_id, delay_ms + penalty_ms AS delay FROM host ORDER BY 2 DESC LIMIT $1::bigint + $2::bigint
),
edge AS MATERIALIZED (
  SELECT min(delay) AS delay FROM longest
),
listed AS MATERIALIZED (
  SELECT f.host_id, f.host, -f.delay::bigint AS lead
    FROM (SELECT i.host_id, i.host, d.delay
            FROM longest d
            JOIN host_info i ON i.host_id = d.host_id
           WHERE d.delay > (SELECT delay FROM edge)
          UNION ALL
          (SELECT n.host_id, n.host, h.delay
             FROM (SELECT host_id, host FROM host_info ORDER BY host, host_id LIMIT $3) AS n
            -- OFFSET 0 keeps it a look-up for each name, so that the walk ends with the last host of the page.
            CROSS JOIN LATERAL (SELECT delay_ms + penalty_ms AS delay FROM host WHERE host_id = n.host_id OFFSET 0) AS h
            WHERE h.delay = (SELECT delay FROM edge)
            ORDER BY n.host, n.host_id
            LIMIT $1 + $2)) AS f
   ORDER BY 3, f.host, f.host_id
   LIMIT $1
  OFFSET $2
)
SELECT i.*, h.due_at, h.next_allowed_at, h.lease_owner, h.delay_ms, h.penalty_ms, h.rate_limited, h.breaker,
       h.failures, h.robots_failures, w.machine, w.pid, false AS is_unset, l.lead
  FROM listed l
  JOIN host_info i ON i.host_id = l.host_id
  JOIN host h ON h.host_id = l.host_id
  LEFT JOIN worker w ON w.worker_id = h.lease_owner
 ORDER BY l.lead, l.host, l.host_id;

-- name: count_hosts
-- How many hosts match the same filters, counted up to a bound.
-- $1 at most this many, $2 part of the name or NULL, $3 whether it is blocked or NULL, $4 state of the circuit or NULL
SELECT count(*)
  FROM (SELECT
          FROM host_info i
          LEFT JOIN host h ON h.host_id = i.host_id
         WHERE ($2::text IS NULL OR strpos(i.host, $2) > 0)
           AND ($3::bool IS NULL OR coalesce(h.next_allowed_at = 'infinity', false) = $3)
           AND ($4::int IS NULL OR coalesce(h.breaker, {breaker_closed}) = $4)
           AND ($3 IS DISTINCT FROM true OR h.next_allowed_at = 'infinity')
           AND (coalesce($4, {breaker_closed}) = {breaker_closed} OR h.breaker = $4)
         LIMIT $1) AS known;

-- name: estimate_hosts
-- About how many hosts are known, by the statistics of the table. Negative: it was never analysed.
SELECT reltuples::bigint FROM pg_class WHERE oid = 'host_info'::regclass;

-- name: queued_of_host
-- How many URLs of a host are queued, counted up to $2.
-- $1 host_id
SELECT count(*)
  FROM (SELECT FROM url WHERE host_id = $1 AND next_fetch_at IS NOT NULL LIMIT $2) AS queued;

-- name: hosts_beginning
-- Hosts whose names begin with one of these texts, the shortest first. It reads $2 rows of the index for each text.
-- $1 beginnings[], $2 at most this many
SELECT DISTINCT f.host, f.pages, length(f.host)
  FROM unnest($1::text[]) AS b (start)
 CROSS JOIN LATERAL (
    SELECT i.host, i.pages
      FROM host_info i
     WHERE i.host >= b.start
     ORDER BY i.host
     LIMIT $2
  ) AS f
 WHERE starts_with(f.host, b.start)
 ORDER BY length(f.host), f.host
 LIMIT $2;

-- name: plan_for_these_filters
-- Plan each list for its own filters: a plan for all combinations reads more than most of them need.
SET LOCAL plan_cache_mode = force_custom_plan;
