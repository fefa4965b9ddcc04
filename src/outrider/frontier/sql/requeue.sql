-- name: blocked_urls
-- A batch of URLs that robots.txt blocks: dead pages, and feeds and sitemaps that wait for their next poll.
-- $1 host_id, $2 url_hash to start after, $3 at most this many
SELECT b.url_hash, b.url
  FROM (SELECT u.url_hash, u.url
          FROM url u
         WHERE u.host_id = $1
           AND u.reason = 'robots_blocked'
           AND u.next_fetch_at IS NULL
           AND u.url_hash > $2
        UNION ALL
        SELECT u.url_hash, u.url
          FROM channel c
          JOIN url u ON u.host_id = c.host_id AND u.url_hash = c.url_hash
         WHERE c.host_id = $1
           AND u.reason = 'robots_blocked'
           AND u.next_fetch_at IS NOT NULL
           AND u.url_hash > $2) AS b
 ORDER BY b.url_hash
 LIMIT $3;

-- name: requeue
-- Put known URLs back in the queue with no attempts: an explicit retry, a re-crawl, a robots rule that went away.
-- robots.txt itself is never queued and not counted: the robots cache fetches it when it needs the rules. URLs of a
-- held source are queued with a negative prio.
-- $1 host_id[], $2 url_hash[], $3 new priority or NULL, $4 counter slot, $5 the run that asks or NULL
WITH old AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.reason, url_state(u.next_fetch_at, u.redirect_hash, u.reason) AS was,
         EXISTS (SELECT FROM held_source h WHERE h.source_id = u.source_id) AS is_held
    FROM url u
    JOIN unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
      ON w.host_id = u.host_id AND w.url_hash = u.url_hash
   WHERE u.next_fetch_at IS NULL
     AND u.kind <> {kind_robots}
   ORDER BY u.host_id, u.url_hash
     FOR UPDATE OF u
),
again AS (
  UPDATE url u
     SET next_fetch_at             = now(),
         prio             = CASE WHEN old.is_held THEN -1 ELSE 1 END * coalesce($3::smallint, abs(u.prio)),
         was              = old.was,
         attempts         = 0,
         reason           = NULL,
         hops             = 0,
         via              = NULL,
         redirect_host_id = NULL,
         redirect_hash    = NULL,
         run_id           = $5::int
    FROM old
   WHERE u.host_id = old.host_id
     AND u.url_hash = old.url_hash
  RETURNING u.host_id, u.url_hash, CASE WHEN u.shared > 0 THEN 0 ELSE u.source_id END AS source_id, u.prio, u.shared,
            old.was, old.reason
),
change AS (
  SELECT source_id, 'pending' AS name, 1 AS delta FROM again
  UNION ALL
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[was], -1 FROM again
  UNION ALL
  SELECT source_id, 'dead.' || reason, -1 FROM again WHERE was = {state_dead}
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $4::smallint, source_id, name, sum(delta)
    FROM change
   GROUP BY source_id, name
   ORDER BY source_id, name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
),
added AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT $5::int, $4::smallint, 'added', count(*)
    FROM again
  HAVING count(*) > 0 AND $5::int IS NOT NULL
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT host_id, max(prio) AS prio, count(*) AS urls, max(shared) AS shared FROM again GROUP BY host_id;

-- name: make_due
-- Make URLs that are queued for later due now, except those that wait after a failure or belong to a held source.
-- $1 host_id[], $2 url_hash[]
WITH sooner AS (
  UPDATE url u
     SET next_fetch_at = now()
    FROM unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
   WHERE u.host_id = w.host_id
     AND u.url_hash = w.url_hash
     AND u.next_fetch_at > now()
     AND u.attempts = 0
     AND u.prio > 0
  RETURNING u.host_id, u.prio
)
SELECT host_id, max(prio) AS prio, count(*) AS urls FROM sooner GROUP BY host_id;

-- name: redirect_chain
-- These URLs and the URLs that their redirects lead to, up to the longest chain.
-- $1 host_id[], $2 url_hash[]
WITH RECURSIVE way AS (
  SELECT u.host_id, u.url_hash, u.redirect_host_id, u.redirect_hash, 0 AS hops
    FROM unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
    JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
  UNION ALL
  SELECT t.host_id, t.url_hash, t.redirect_host_id, t.redirect_hash, way.hops + 1
    FROM way
    JOIN url t ON t.host_id = way.redirect_host_id AND t.url_hash = way.redirect_hash
   WHERE way.hops < 20
)
SELECT DISTINCT host_id, url_hash
  FROM way;

-- name: clear_pending
-- Remove queued pages from the queue: pages never fetched are deleted, fetched pages keep their history. Pages of
-- leased hosts stay, and so do feeds and sitemaps. `stop_waiting` handles shared pages. For the run of a page the page
-- is settled.
-- $1 source_id or NULL, $2 host_id or NULL, $3 counter slot
WITH queued AS MATERIALIZED (
  SELECT u.host_id, u.url_hash, u.fetches, u.run_id
    FROM url u
   WHERE u.next_fetch_at IS NOT NULL
     AND u.kind = {kind_page}
     AND u.shared = 0
     AND ($1::int IS NULL OR u.source_id = $1)
     AND ($2::bigint IS NULL OR u.host_id = $2)
     AND NOT EXISTS (SELECT
                       FROM host h
                      WHERE h.host_id = u.host_id
                        AND h.lease_owner IS NOT NULL
                        AND h.due_at > now())
   ORDER BY u.host_id, u.url_hash
     FOR UPDATE OF u
),
forgotten AS (
  DELETE FROM url u
   USING queued
   WHERE u.host_id = queued.host_id
     AND u.url_hash = queued.url_hash
     AND queued.fetches = 0
  RETURNING u.source_id
),
kept AS (
  UPDATE url u
     SET next_fetch_at     = NULL,
         attempts = 0,
         reason   = NULL,
         prio     = abs(u.prio),
         run_id   = -abs(u.run_id)
    FROM queued
   WHERE u.host_id = queued.host_id
     AND u.url_hash = queued.url_hash
     AND queued.fetches > 0
  RETURNING u.source_id
),
change AS (
  SELECT source_id, 'pending' AS name, -1 AS delta FROM forgotten
  UNION ALL
  SELECT source_id, 'pending', -1 FROM kept
  UNION ALL
  SELECT source_id, 'fetched', 1 FROM kept
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $3::smallint, source_id, name, sum(delta)
    FROM change
   GROUP BY source_id, name
   ORDER BY source_id, name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
),
settled AS (
  INSERT INTO run_counter AS c (run_id, slot, name, value)
  SELECT run_id, $3::smallint, 'settled', count(*)
    FROM queued
   WHERE run_id > 0
   GROUP BY run_id
   ORDER BY run_id
  ON CONFLICT (run_id, slot, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT (SELECT count(*) FROM forgotten) + (SELECT count(*) FROM kept);

-- name: wake_hosts
-- Make hosts due after URLs were queued by a statement other than the ingest.
-- $1 host_id[], $2 best priority[]
INSERT INTO host AS h (host_id, prio, due_at)
SELECT w.host_id, w.prio, now()
  FROM unnest($1::bigint[], $2::smallint[]) AS w (host_id, prio)
 ORDER BY w.host_id
ON CONFLICT (host_id) DO UPDATE
   SET prio   = CASE WHEN h.lease_owner IS NOT NULL THEN h.prio ELSE greatest(h.prio, excluded.prio) END,
       due_at = CASE WHEN h.lease_owner IS NOT NULL THEN h.due_at ELSE greatest(h.next_allowed_at, now()) END,
       wake   = h.lease_owner IS NOT NULL;

-- name: known_before
-- Fetched URLs of a source whose last fetch is before a time: the URLs that a re-crawl fetches again.
-- $1 source_id, $2 fetched before, $3 (host_id, url_hash) to start after: host, $4 hash, $5 at most this many
SELECT u.host_id, u.url_hash
  FROM url u
 WHERE ((u.shared = 0 AND u.source_id = $1 AND u.next_fetch_at IS NULL AND u.redirect_hash IS NULL AND u.reason IS NULL)
        OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = u.host_id
                                        AND w.url_hash = u.url_hash
                                        AND w.source_id = $1
                                        AND w.state = {state_fetched})))
   AND u.kind = {kind_page}
   AND u.last_fetch_at < $2
   AND (u.host_id, u.url_hash) > ($3::bigint, $4::uuid)
 ORDER BY u.host_id, u.url_hash
 LIMIT $5;

-- name: announce_linked
-- Mark pages that so far only links led to as announced, for this source. Returns those that were fetched and are no
-- documents because only links led to them.
-- $1 host_id[], $2 url_hash[], $3 source_id, $4 origin of the announcement, $5 origins of links[],
-- $6 reasons that an announcement removes[]
WITH named AS MATERIALIZED (
  SELECT host_id, url_hash FROM unnest($1::bigint[], $2::uuid[]) AS n (host_id, url_hash)
),
own AS (
  UPDATE url u
     SET origin = $4, depth = 0
    FROM named n
   WHERE u.host_id = n.host_id
     AND u.url_hash = n.url_hash
     AND u.source_id = $3
     AND u.origin = ANY ($5::smallint[])
  RETURNING u.host_id, u.url_hash
),
shared AS (
  UPDATE url_source w
     SET origin = $4, depth = 0
    FROM named n
   WHERE w.host_id = n.host_id
     AND w.url_hash = n.url_hash
     AND w.source_id = $3
     AND w.origin = ANY ($5::smallint[])
  RETURNING w.host_id, w.url_hash
)
SELECT d.host_id, d.url_hash
  FROM (SELECT host_id, url_hash FROM own UNION SELECT host_id, url_hash FROM shared) AS a
  JOIN document d USING (host_id, url_hash)
 WHERE d.unindexed = ANY ($6::text[]);

-- name: announce_refused
-- Mark linked pages whose redirects led out of scope as announced, which allows any redirect target.
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

-- name: dead_among
-- Which of these URLs are dead: an operator may retry only dead ones (FRO-12).
-- $1 host_id[], $2 url_hash[]
SELECT u.host_id, u.url_hash
  FROM url u
  JOIN unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
    ON w.host_id = u.host_id AND w.url_hash = u.url_hash
 WHERE url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_dead};

-- name: dead_because
-- A batch of $5 dead URLs by reason. `max_retries` means every reason that begins with `max_retries:`. The URLs of a
-- source include the shared ones that are dead for it.
-- $1 reason or NULL for every reason, $2 host_id or NULL for all, $3 and $4 (host_id, url_hash) to start after,
-- $6 source_id or NULL for all
SELECT d.host_id, d.url_hash
  FROM url d
 WHERE ($1::text IS NULL OR d.reason = $1 OR starts_with(d.reason, $1 || ':'))
   AND d.reason IS NOT NULL
   AND d.next_fetch_at IS NULL
   AND d.redirect_hash IS NULL
   AND d.kind <> {kind_robots}
   AND ($2::bigint IS NULL OR d.host_id = $2)
   AND ($6::int IS NULL
        OR (d.shared = 0 AND d.source_id = $6)
        OR (d.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = d.host_id AND w.url_hash = d.url_hash AND w.source_id = $6)))
   AND (d.host_id, d.url_hash) > ($3::bigint, $4::uuid)
 ORDER BY d.host_id, d.url_hash
 LIMIT $5;

-- name: count_dead_because
-- How many dead URLs `dead_because` finds.
-- $1 reason or NULL for every reason, $2 host_id or NULL for all, $3 source_id or NULL for all
SELECT count(*)
  FROM url u
 WHERE ($1::text IS NULL OR u.reason = $1 OR starts_with(u.reason, $1 || ':'))
   AND u.reason IS NOT NULL
   AND u.next_fetch_at IS NULL
   AND u.redirect_hash IS NULL
   AND u.kind <> {kind_robots}
   AND ($2::bigint IS NULL OR u.host_id = $2)
   AND ($3::int IS NULL
        OR (u.shared = 0 AND u.source_id = $3)
        OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = u.host_id AND w.url_hash = u.url_hash AND w.source_id = $3)));

-- name: count_clearable
-- How many queued pages `clear_pending` and `stop_waiting` would take out of the queue: not those of leased hosts.
-- $1 source_id or NULL, $2 host_id or NULL
SELECT count(*)
  FROM url u
 WHERE u.next_fetch_at IS NOT NULL
   AND u.kind = {kind_page}
   AND ($1::int IS NULL
        OR (u.shared = 0 AND u.source_id = $1)
        OR (u.shared > 0 AND EXISTS (SELECT FROM url_source w
                                      WHERE w.host_id = u.host_id
                                        AND w.url_hash = u.url_hash
                                        AND w.source_id = $1
                                        AND w.state = {state_pending})))
   AND ($2::bigint IS NULL OR u.host_id = $2)
   AND NOT EXISTS (SELECT FROM host h WHERE h.host_id = u.host_id AND h.lease_owner IS NOT NULL AND h.due_at > now());
