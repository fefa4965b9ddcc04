-- name: claim
-- Lease due hosts, best priority first, and read the best due URLs of each.
-- URL rows are not written: the lease of a host covers its URLs.
-- The limits are literals: as parameters they spoil the generic plan. `leases.py` writes other literals.
-- $1 worker, $2 lease in seconds, $3 low-water marks for priorities 10 to 1 (hints that skip dead index entries),
-- $4 the latest possible time, NULL if not known: past it the clock has jumped, so workers still hold the leases that
-- seem to have ended, and the time since the last request to a host is not known.
-- $5 hosts that this worker released a moment ago: it claims them first, because it remembers their links.
WITH own AS MATERIALIZED (
  SELECT h.host_id, h.prio, h.due_at, false AS was_lost
    FROM host h
   WHERE h.host_id = ANY ($5::bigint[])
     AND h.due_at <= now()
     AND h.next_allowed_at < 'infinity'
     AND h.lease_owner IS NULL
     FOR UPDATE SKIP LOCKED
),
others AS MATERIALIZED (
  SELECT d.*
    FROM unnest($3::timestamptz[]) WITH ORDINALITY AS p (low_water, place)
    CROSS JOIN LATERAL (
      SELECT h.host_id, h.prio, h.due_at, h.lease_owner IS NOT NULL AS was_lost
        FROM host h
       WHERE h.prio = (11 - p.place)::smallint
         AND h.due_at >= p.low_water
         AND h.due_at <= now()
         AND h.next_allowed_at < 'infinity' -- blocked while a worker that died held it
         AND (h.lease_owner IS NULL OR now() <= coalesce($4, now()))
         AND h.host_id <> ALL ($5)
         -- A host stays reserved for half a second for the worker that released it, from the time at which it may be
         -- asked again: a reservation from an earlier crawl must not hold up a host that is due since a moment.
         AND (h.kept_for IS NULL OR h.kept_for = $1 OR h.due_at < now() - interval '0.5 seconds'
              OR h.next_allowed_at < now() - interval '0.5 seconds')
       ORDER BY h.due_at
       LIMIT 16 -- hosts
         FOR UPDATE SKIP LOCKED
    ) d
   LIMIT 16 -- hosts
),
due AS (
  SELECT * FROM own UNION ALL SELECT * FROM others
),
leased AS (
  UPDATE host h
     SET due_at      = now() + $2::float8 * interval '1 second',
         lease_owner = $1,
         kept_for    = NULL,
         lease_seq   = h.lease_seq + 1,
         wake        = false,
         blame       = CASE WHEN due.was_lost AND h.accused IS NOT NULL THEN h.blame + 1 ELSE h.blame END,
         relapsed    = h.relapsed OR (due.was_lost AND h.probation > 0),
         probation   = CASE WHEN due.was_lost THEN 10 ELSE h.probation END
    FROM due
   WHERE h.host_id = due.host_id
  RETURNING h.host_id, h.lease_seq, h.delay_ms, h.penalty_ms, h.calm, h.rate_limited, h.failures, h.breaker,
            h.probes_ok, h.trips, h.robots_failures, h.probation, h.relapsed, h.blame, h.accused,
            due.was_lost OR now() > coalesce($4, now()) AS was_lost, due.prio AS host_prio,
            due.due_at AS was_due_at
)
SELECT leased.*, i.host, i.asked_delay_ms, i.pages AS host_pages,
       t.url_hash, t.url, t.prio, t.source_id, t.origin, t.kind, t.depth, t.attempts, t.fetches, t.hops, t.via,
       t.shared, t.reason, greatest(t.run_id, 0) AS run_id, v.etag, v.last_modified, v.content_hash
  FROM leased
  LEFT JOIN host_info i ON i.host_id = leased.host_id
  LEFT JOIN LATERAL (
    SELECT x.*
      FROM generate_series(10, 1, -1) AS g (prio)
      CROSS JOIN LATERAL (
        SELECT u.url_hash, u.url, u.prio, u.next_fetch_at, u.source_id, u.origin, u.kind, u.depth, u.attempts, u.fetches,
               u.hops, u.via, u.shared, u.reason, u.run_id
          FROM url u
         WHERE u.host_id = leased.host_id
           AND u.prio = g.prio::smallint
           AND u.next_fetch_at <= now()
         ORDER BY u.next_fetch_at
         LIMIT 24 -- urls
      ) x
     LIMIT 24 -- urls
  ) t ON true
  LEFT JOIN LATERAL (
    -- The hash only of a text that the document holds itself: a copy may have to store its text the next time.
    SELECT d.etag, d.last_modified, CASE WHEN d.text_id IS NOT NULL THEN d.content_hash END AS content_hash
      FROM document d
     WHERE t.fetches > 0
       AND t.kind = {kind_page}
       AND d.host_id = leased.host_id
       AND d.url_hash = t.url_hash
    UNION ALL
    SELECT c.etag, c.last_modified, NULL
      FROM channel c
     WHERE t.kind IN ({kind_feed}, {kind_sitemap})
       AND c.host_id = leased.host_id
       AND c.url_hash = t.url_hash
  ) v ON true;
