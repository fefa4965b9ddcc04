-- name: complete
-- Record the results of visits: the claimed URLs, and the redirect hops and targets met on the way (which may be new).
-- A late failure changes only URLs that are still queued and were not fetched since the claim (`fetches` tells): a URL
-- that is queued again behind a released host would never be due.
-- A page that another source began to wait for during the visit (`shared` tells) stays queued for that source.
-- The state of a shared URL is counted for source 0; `record_source_states` counts it for each source.
-- An entry is settled for its run when it leaves the queue, when only a later visit is planned, and, for feeds and
-- sitemaps, after any poll. Its run_id turns negative then, and NULL at the next visit: each entry counts once.
-- An entry that joined a run during the visit stays queued for this run: the visit took none of its links for it.
-- $1 flush_completion[], $2 counter slot
WITH done AS (
  INSERT INTO url AS u (host_id, url_hash, url, source_id, origin, kind, prio, depth, fetches, http_status, reason,
                        next_fetch_at, attempts, redirect_host_id, redirect_hash, parent_host_id, parent_hash, last_fetch_at,
                        shared, run_id)
  SELECT r.host_id, r.url_hash, r.url, r.source_id, r.origin, r.kind, r.prio, r.depth,
         r.fetches + (r.reason IS NULL)::int, r.http_status, r.reason, now() + r.retry_s * interval '1 second',
         r.attempts, r.redirect_host_id, r.redirect_hash, r.parent_host_id, r.parent_hash, now(),
         CASE WHEN r.shared > 0 AND EXISTS (SELECT FROM url_source w
                                             WHERE w.host_id = r.host_id AND w.url_hash = r.url_hash)
              THEN r.shared ELSE 0 END,
         -r.run_id
    FROM unnest($1::flush_completion[]) AS r
   ORDER BY r.host_id, r.url_hash
  ON CONFLICT (host_id, url_hash) DO UPDATE
     SET was              = url_state(u.next_fetch_at, u.redirect_hash, u.reason),
         next_fetch_at    = CASE
                              WHEN u.shared = excluded.shared AND NOT stays_for_run(u.run_id, -excluded.run_id, u.kind, excluded.next_fetch_at, excluded.reason)
                              THEN excluded.next_fetch_at ELSE now()
                            END,
         http_status      = excluded.http_status,
         reason           = excluded.reason,
         attempts         = excluded.attempts,
         fetches          = u.fetches + (excluded.reason IS NULL)::int,
         redirect_host_id = CASE WHEN u.shared = excluded.shared AND NOT stays_for_run(u.run_id, -excluded.run_id, u.kind, excluded.next_fetch_at, excluded.reason)
                                 THEN excluded.redirect_host_id END,
         redirect_hash    = CASE WHEN u.shared = excluded.shared AND NOT stays_for_run(u.run_id, -excluded.run_id, u.kind, excluded.next_fetch_at, excluded.reason)
                                 THEN excluded.redirect_hash END,
         -- A dead entry needs no redirect chain: `via` returns the old reason to the counters below.
         via              = CASE WHEN url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_dead} THEN u.reason ELSE u.via END,
         last_fetch_at    = now(),
         run_id           = CASE
                              WHEN u.run_id IS NULL OR u.run_id < 0 THEN NULL
                              WHEN stays_for_run(u.run_id, -excluded.run_id, u.kind, excluded.next_fetch_at, excluded.reason) THEN u.run_id
                              WHEN excluded.next_fetch_at IS NULL OR excluded.reason IS NULL
                                   OR u.kind IN ({kind_feed}, {kind_sitemap}) THEN -u.run_id
                              ELSE u.run_id
                            END
   WHERE excluded.reason IS NULL
      OR (excluded.fetches >= u.fetches AND u.next_fetch_at IS NOT NULL)
  RETURNING CASE WHEN u.shared > 0 THEN 0 ELSE u.source_id END AS source_id, u.kind, u.was,
            url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS is_now, u.reason, u.via AS old_reason, u.run_id
),
settled AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT -d.run_id, $2::smallint, n.name, count(*)
    FROM done d
    CROSS JOIN LATERAL (SELECT 'settled' AS name
                        UNION ALL
                        SELECT 'dead' WHERE d.is_now = {state_dead}) n
   WHERE d.run_id < 0
     AND d.was > {state_new}
   GROUP BY d.run_id, n.name
   ORDER BY 1, n.name
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
),
change AS (
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[is_now] AS name, 1 AS delta FROM done WHERE kind <> {kind_robots}
  UNION ALL
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[was], -1 FROM done WHERE kind <> {kind_robots} AND was > {state_new}
  UNION ALL
  SELECT source_id, 'dead.' || reason, 1 FROM done WHERE kind <> {kind_robots} AND is_now = {state_dead}
  UNION ALL
  SELECT source_id, 'dead.' || old_reason, -1 FROM done WHERE kind <> {kind_robots} AND was = {state_dead}
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $2::smallint, source_id, name, sum(delta)
  FROM change
 GROUP BY source_id, name
HAVING sum(delta) <> 0
 ORDER BY source_id, name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: ingest
-- Queue new URLs, raise the priority of queued ones that now matter more, leave all others alone (FRO-05).
-- A URL that a person asks for is due now, even if its visit was planned for later. A link or an announcement does not
-- move a planned visit, and nothing shortens the wait after a failure.
-- A URL keeps the source that asked first. The result names pages of other sources that the asking source does not
-- share yet: `share` records them (FRO-16).
-- URLs of a held source are queued with a negative prio, so that no claim sees them.
-- A queued URL without an open run becomes an entry of the run that asks for it. An entry of another open run stays
-- there: its priority rises, and the asking run does not count it.
-- Hosts of new URLs become due. The due_at of a leased host is the end of its lease, so a leased host gets `wake`
-- instead.
-- The anti-join prevents deadlocks: without it two workers wait for each other's speculative rows.
-- `url_state` says that a URL is queued, here and wherever keys are given. `IS NOT NULL` would let the planner read the
-- whole queue, if the statistics are of a time when nothing was queued.
-- $1 flush_link[], $2 host_id[] and $3 name[] of all hosts named, $4 hosts that the caller certainly holds[],
-- $5 counter slot
WITH held AS MATERIALIZED (
  SELECT coalesce(array_agg(source_id), '{}') AS sources FROM held_source
),
link AS MATERIALIZED (
  SELECT l.host_id, l.url_hash, l.url, l.depth, l.source_id, l.origin, l.kind, l.parent_host_id, l.parent_hash, l.hops, l.via,
         h.prio, k.url_hash IS NOT NULL AS is_known, a.is_asked, l.run_id,
         -- Numbers, not booleans: a range condition tells the planner that these rows are rare.
         CASE WHEN k.next_fetch_at IS NOT NULL AND k.prio > 0
                   AND (k.prio < h.prio OR (a.is_asked AND h.prio > 0 AND k.attempts = 0 AND k.next_fetch_at > now()))
              THEN 1 END AS rises,
         CASE WHEN l.run_id > 0 AND k.next_fetch_at <= now() AND coalesce(k.run_id, -1) < 0 THEN 1 END AS joins_run,
         CASE WHEN k.kind = {kind_page} AND l.kind = {kind_page} AND (k.source_id <> l.source_id OR k.shared > 0) THEN 1 END AS is_of_others
    FROM unnest($1::flush_link[]) AS l
    CROSS JOIN LATERAL (
      SELECT CASE WHEN l.source_id = ANY ((SELECT sources FROM held)::int[]) THEN -l.prio ELSE l.prio END AS prio
    ) h
    CROSS JOIN LATERAL (
      SELECT l.origin IN (0, 5) AS is_asked -- manual, replay
    ) a
    LEFT JOIN LATERAL (
      SELECT u.url_hash, u.prio, u.next_fetch_at, u.attempts, u.source_id, u.kind, u.shared, u.run_id
        FROM url u
       WHERE u.host_id = l.host_id
         AND u.url_hash = l.url_hash
      OFFSET 0
    ) k ON true
),
new AS (
  INSERT INTO url (host_id, url_hash, url, prio, next_fetch_at, depth, source_id, origin, kind, parent_host_id, parent_hash,
                   hops, via, run_id)
  SELECT host_id, url_hash, url, prio, now(), depth, source_id, origin, kind, parent_host_id, parent_hash, hops, via,
         run_id
    FROM link
   WHERE NOT is_known
   ORDER BY host_id, url_hash
  ON CONFLICT (host_id, url_hash) DO NOTHING
  RETURNING host_id, url_hash, source_id, prio, next_fetch_at, run_id
),
joined AS (
  UPDATE url u
     SET run_id = link.run_id,
         prio   = CASE WHEN u.prio > 0 THEN greatest(u.prio, link.prio) ELSE u.prio END
    FROM link
   WHERE link.joins_run BETWEEN 1 AND 1
     AND u.host_id = link.host_id
     AND u.url_hash = link.url_hash
     AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
     AND coalesce(u.run_id, -1) < 0
  RETURNING u.host_id, u.prio, u.next_fetch_at, u.run_id
),
raised AS (
  UPDATE url u
     SET prio  = greatest(u.prio, link.prio),
         depth = CASE WHEN u.source_id = link.source_id THEN least(u.depth, link.depth) ELSE u.depth END,
         next_fetch_at  = CASE WHEN u.attempts = 0 AND (u.fetches = 0 OR link.is_asked) THEN least(u.next_fetch_at, now()) ELSE u.next_fetch_at END
    FROM link
   WHERE link.rises BETWEEN 1 AND 1
     AND link.joins_run IS NULL
     AND u.host_id = link.host_id
     AND u.url_hash = link.url_hash
     AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
     AND u.prio > 0
  RETURNING u.host_id, u.url_hash, u.prio, u.next_fetch_at
),
queued AS (
  SELECT host_id, prio, next_fetch_at FROM new WHERE prio > 0
  UNION ALL
  SELECT host_id, prio, next_fetch_at FROM raised
  UNION ALL
  SELECT host_id, prio, next_fetch_at FROM joined WHERE prio > 0
),
named AS (
  INSERT INTO host_info (host_id, host)
  SELECT n.host_id, n.host
    FROM unnest($2::bigint[], $3::text[]) AS n (host_id, host)
   WHERE NOT EXISTS (SELECT FROM host_info i WHERE i.host_id = n.host_id OFFSET 0)
   ORDER BY n.host_id
  ON CONFLICT (host_id) DO NOTHING
),
woken AS (
  INSERT INTO host AS h (host_id, prio, due_at)
  SELECT host_id, max(prio), min(next_fetch_at)
    FROM queued
   WHERE host_id <> ALL ($4::bigint[])
   GROUP BY host_id
   ORDER BY host_id
  ON CONFLICT (host_id) DO UPDATE
     SET prio   = CASE
                    WHEN h.lease_owner IS NOT NULL THEN h.prio
                    WHEN h.due_at IS NULL THEN excluded.prio
                    ELSE greatest(h.prio, excluded.prio)
                  END,
         due_at = CASE
                    WHEN h.lease_owner IS NOT NULL THEN h.due_at
                    ELSE least(h.due_at, greatest(h.next_allowed_at, excluded.due_at))
                  END,
         wake   = h.lease_owner IS NOT NULL
   -- Without this condition every link to a leased host would write a new row version.
   WHERE (h.lease_owner IS NOT NULL AND NOT h.wake)
      OR (h.lease_owner IS NULL
          AND (h.due_at IS NULL OR h.prio < excluded.prio
               OR h.due_at > greatest(h.next_allowed_at, excluded.due_at)))
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $5::smallint, source_id, 'pending', count(*)
    FROM new
   GROUP BY source_id
   ORDER BY source_id
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
),
added AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT run_id, $5::smallint, 'added', count(*)
    FROM (SELECT run_id FROM new WHERE run_id > 0 UNION ALL SELECT run_id FROM joined) AS a
   GROUP BY run_id
   ORDER BY run_id
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT host_id, url_hash, source_id, 1 AS result FROM new -- inserted
UNION ALL
SELECT host_id, url_hash, 0, 2 FROM raised -- raised
UNION ALL
SELECT host_id, url_hash, source_id, 3 -- wanted by another source
  FROM link
 WHERE is_of_others BETWEEN 1 AND 1
   AND (is_asked OR NOT EXISTS (SELECT FROM url_source w
                                 WHERE w.host_id = link.host_id
                                   AND w.url_hash = link.url_hash
                                   AND w.source_id = link.source_id))
UNION ALL
-- Another worker inserted some of these first. All are returned: only the next statement can see which.
SELECT host_id, url_hash, source_id, 4 -- overtaken
  FROM link
 WHERE NOT is_known
   AND (SELECT count(*) FROM new) < (SELECT count(*) FROM link WHERE NOT is_known);

-- name: note_requests
-- Append one row to the history for each request.
-- $1 flush_request[], $2 worker
INSERT INTO fetch_log (host_id, url_hash, outcome, http_status, elapsed_ms, wire_bytes, worker_id, at, content_length,
                       content_type, error_message)
SELECT r.host_id, r.url_hash, r.outcome, r.http_status, r.elapsed_ms, r.wire_bytes, $2,
       now() - r.age_s * interval '1 second', r.content_length, r.content_type, r.error_message
  FROM unnest($1::flush_request[]) AS r;

-- name: note_hosts
-- Add the requests of this batch to the statistics of their hosts. Only the lease holder writes a host's row.
-- $1 host_id[], $2 requests[], $3 pages[], $4 errors[], $5 bytes[], $6 busy_ms[], $7 last_status[], $8 last_error[]
UPDATE host_info i
   SET requests      = i.requests + s.requests,
       pages         = i.pages + s.pages,
       errors        = i.errors + s.errors,
       bytes         = i.bytes + s.bytes,
       busy_ms       = i.busy_ms + s.busy_ms,
       last_status   = coalesce(s.last_status, i.last_status),
       last_error    = s.last_error,
       last_fetch_at = now()
  FROM unnest($1::bigint[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::smallint[], $8::text[])
       AS s (host_id, requests, pages, errors, bytes, busy_ms, last_status, last_error)
 WHERE i.host_id = s.host_id;

-- name: add_counts
-- Add to the counters of one slot.
-- $1 slot, $2 source_id[], $3 name[], $4 delta[]
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $1::smallint, k.source_id, k.name, k.delta
  FROM unnest($2::int[], $3::text[], $4::bigint[]) AS k (source_id, name, delta)
 ORDER BY k.source_id, k.name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: learn_templates
-- Record how many pages each URL template yielded, and whether it stopped yielding new ones.
-- $1 host_id[], $2 template[], $3 pages fetched[], $4 pages in a row without new links[], $5 barren[]
INSERT INTO url_template AS t (host_id, template, fetched, barren_run, barren)
SELECT l.host_id, l.template, l.fetched, l.barren_run, l.barren
  FROM unnest($1::bigint[], $2::text[], $3::int[], $4::int[], $5::bool[])
       AS l (host_id, template, fetched, barren_run, barren)
 ORDER BY l.host_id, l.template
ON CONFLICT (host_id, template) DO UPDATE
   SET fetched    = t.fetched + excluded.fetched,
       barren_run = excluded.barren_run,
       barren     = t.barren OR excluded.barren,
       updated_at = now();
