-- name: try_rehash_lock
-- Allow one rehash at a time. The connection holds the lock.
SELECT pg_try_advisory_lock(7002, 0);

-- name: release_rehash_lock
-- Release the lock of a rehash.
SELECT pg_advisory_unlock(7002, 0);

-- name: lift_statement_timeout
-- Lift the statement timeout: some steps scan whole tables, and no command waits for them.
SELECT set_config('statement_timeout', '0', false);

-- name: next_urls
-- The next URLs in the order of their keys.
-- $1 and $2 (host_id, url_hash) to start after, $3 at most this many
SELECT host_id, url_hash, url, source_id, kind
  FROM url
 WHERE (host_id, url_hash) > ($1::bigint, $2::uuid)
 ORDER BY host_id, url_hash
 LIMIT $3;

-- name: plan_moves
-- Record the new key of each URL that gets one.
-- $1 host_id[], $2 url_hash[], $3 new_host_id[], $4 new_hash[], $5 host[], $6 url[]
INSERT INTO url_rehash (host_id, url_hash, new_host_id, new_hash, host, url)
SELECT *
  FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::text[])
ON CONFLICT DO NOTHING;

-- name: count_moves
-- How many URLs get a new key, and how many of them are merged with a URL that has or gets the same key.
SELECT count(*) AS respelt,
       count(*) - count(DISTINCT (new_host_id, new_hash)) FILTER (WHERE NOT is_taken) AS merged
  FROM (SELECT m.new_host_id, m.new_hash,
               EXISTS (SELECT
                         FROM url u
                        WHERE u.host_id = m.new_host_id
                          AND u.url_hash = m.new_hash
                          AND NOT EXISTS (SELECT
                                            FROM url_rehash n
                                           WHERE n.host_id = u.host_id
                                             AND n.url_hash = u.url_hash)) AS is_taken
          FROM url_rehash m) AS planned;

-- name: analyze_moves
-- Update the statistics, so that a join with the few selected moves is not planned as a join with all moves.
ANALYZE url_rehash;

-- name: select_moves
-- Select the next moves: no two to the same key, and none to a key whose own entry has yet to move.
-- $1 at most this many, $2 also to keys whose entry has yet to move: the rules of several sources can form a cycle
UPDATE url_rehash m
   SET state = 1
  FROM (SELECT DISTINCT ON (w.new_host_id, w.new_hash) w.host_id, w.url_hash
          FROM url_rehash w
         WHERE w.state = 0
           AND ($2::bool OR NOT EXISTS (SELECT
                                          FROM url_rehash n
                                         WHERE n.host_id = w.new_host_id
                                           AND n.url_hash = w.new_hash
                                           AND n.state = 0))
         ORDER BY w.new_host_id, w.new_hash
         LIMIT $1) AS next
 WHERE m.host_id = next.host_id
   AND m.url_hash = next.url_hash;

-- name: count_selected_moves
-- How many moves are selected, and how many of them go to a key that another entry has.
SELECT count(*) AS respelt, count(t.url_hash) AS merged
  FROM url_rehash m
  LEFT JOIN url t ON t.host_id = m.new_host_id AND t.url_hash = m.new_hash
 WHERE m.state = 1;

-- name: mark_moves_done
-- Mark the selected moves as done.
UPDATE url_rehash
   SET state = 2
 WHERE state = 1;

-- name: sources_of_selected_moves
-- Every source that wants a page of the selected moves, by the new key of the page: its own source, the sources that
-- share it, and the sources of the page that already has the new key.
SELECT DISTINCT ON (m.new_host_id, m.new_hash, a.source_id)
       m.host_id, m.url_hash, m.new_host_id, m.new_hash, a.source_id, a.depth, a.origin
  FROM url_rehash m
  CROSS JOIN LATERAL (
    SELECT u.source_id, u.depth, u.origin
      FROM url u
     WHERE (u.host_id, u.url_hash) IN ((m.host_id, m.url_hash), (m.new_host_id, m.new_hash))
       AND u.kind = {kind_page}
    UNION ALL
    SELECT w.source_id, w.depth, w.origin
      FROM url_source w
     WHERE (w.host_id, w.url_hash) IN ((m.host_id, m.url_hash), (m.new_host_id, m.new_hash))
  ) a
 WHERE m.state = 1
 ORDER BY m.new_host_id, m.new_hash, a.source_id, a.depth;

-- name: merge_urls
-- Merge two entries into one. The state is that of the better one: fetched, then dead, then never fetched, then alias.
-- The other columns combine both entries.
-- $1 counter slot
WITH pair AS MATERIALIZED (
  SELECT m.host_id, m.url_hash, m.new_host_id, m.new_hash, o, t,
         CASE WHEN (rank_of_o, coalesce(o.last_fetch_at, '-infinity')) > (rank_of_t, coalesce(t.last_fetch_at, '-infinity'))
              THEN o ELSE t END AS best
    FROM url_rehash m
    JOIN url o ON o.host_id = m.host_id AND o.url_hash = m.url_hash
    JOIN url t ON t.host_id = m.new_host_id AND t.url_hash = m.new_hash
    CROSS JOIN LATERAL (
      SELECT CASE url_state(o.next_fetch_at, o.redirect_hash, o.reason)
               WHEN 4 THEN CASE WHEN o.redirect_hash = m.new_hash THEN -1 ELSE 0 END
               WHEN {state_dead} THEN 2 WHEN {state_fetched} THEN 3 ELSE CASE WHEN o.fetches > 0 THEN 3 ELSE 1 END
             END AS rank_of_o,
             CASE url_state(t.next_fetch_at, t.redirect_hash, t.reason)
               WHEN 4 THEN CASE WHEN t.redirect_hash = m.url_hash THEN -1 ELSE 0 END
               WHEN {state_dead} THEN 2 WHEN {state_fetched} THEN 3 ELSE CASE WHEN t.fetches > 0 THEN 3 ELSE 1 END
             END AS rank_of_t
    ) r
   WHERE m.state = 1
),
gone AS (
  DELETE FROM url u
   USING pair p
   WHERE u.host_id = p.host_id
     AND u.url_hash = p.url_hash
),
one AS (
  UPDATE url u
     SET next_fetch_at             = CASE WHEN (p.best).next_fetch_at IS NOT NULL THEN least((p.o).next_fetch_at, (p.t).next_fetch_at) END,
         last_fetch_at    = greatest((p.o).last_fetch_at, (p.t).last_fetch_at),
         discovered_at    = least((p.o).discovered_at, (p.t).discovered_at),
         redirect_host_id = (p.best).redirect_host_id,
         redirect_hash    = (p.best).redirect_hash,
         parent_host_id   = CASE WHEN (p.o).discovered_at < (p.t).discovered_at
                                 THEN (p.o).parent_host_id ELSE (p.t).parent_host_id END,
         parent_hash      = CASE WHEN (p.o).discovered_at < (p.t).discovered_at
                                 THEN (p.o).parent_hash ELSE (p.t).parent_hash END,
         source_id        = (p.best).source_id,
         fetches          = (p.o).fetches + (p.t).fetches,
         prio             = sign((p.best).prio) * greatest(abs((p.o).prio), abs((p.t).prio)),
         depth            = least((p.o).depth, (p.t).depth),
         attempts         = (p.best).attempts,
         http_status      = (p.best).http_status,
         kind             = (p.best).kind,
         origin           = (p.best).origin,
         hops             = (p.best).hops,
         reason           = (p.best).reason,
         via              = (p.best).via
    FROM pair p
   WHERE u.host_id = p.new_host_id
     AND u.url_hash = p.new_hash
),
change AS (
  SELECT (e.x).source_id, url_state((e.x).next_fetch_at, (e.x).redirect_hash, (e.x).reason) AS state, (e.x).reason, e.delta
    FROM pair p
    CROSS JOIN LATERAL (VALUES (p.o, -1), (p.t, -1), (p.best, 1)) AS e (x, delta)
   WHERE (e.x).kind <> {kind_robots}
),
named AS (
  SELECT source_id, (ARRAY['pending', 'fetched', 'dead', 'alias'])[state] AS name, delta FROM change
  UNION ALL
  SELECT source_id, 'dead.' || reason, delta FROM change WHERE state = {state_dead}
)
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT $1::smallint, source_id, name, sum(delta)
  FROM named
 GROUP BY source_id, name
HAVING sum(delta) <> 0
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;

-- name: move_urls
-- Give the entries of the selected moves their new keys.
UPDATE url u
   SET host_id = m.new_host_id, url_hash = m.new_hash, url = m.url
  FROM url_rehash m
 WHERE m.state = 1
   AND u.host_id = m.host_id
   AND u.url_hash = m.url_hash;

-- name: move_history
-- Move the history of the entries to the new keys.
UPDATE fetch_log l
   SET host_id = m.new_host_id, url_hash = m.new_hash
  FROM url_rehash m
 WHERE m.state = 1
   AND l.host_id = m.host_id
   AND l.url_hash = m.url_hash;

-- name: move_hops
-- Move the redirects of the entries to the new keys. The addresses in them stay as they were requested.
WITH old AS (
  DELETE FROM redirect_hop h
   USING url_rehash m
   WHERE m.state = 1
     AND h.host_id = m.host_id
     AND h.url_hash = m.url_hash
  RETURNING m.new_host_id, m.new_hash, h.hop, h.first_seen_at, h.last_seen_at, h.times, h.status, h.from_url, h.to_url
)
INSERT INTO redirect_hop AS h (host_id, url_hash, hop, first_seen_at, last_seen_at, times, status, from_url, to_url)
SELECT *
  FROM old
ON CONFLICT (host_id, url_hash, hop) DO UPDATE
   SET first_seen_at = least(h.first_seen_at, excluded.first_seen_at),
       last_seen_at  = greatest(h.last_seen_at, excluded.last_seen_at),
       times         = h.times + excluded.times;

-- name: name_hosts
-- Record the names of new hosts.
INSERT INTO host_info (host_id, host)
SELECT DISTINCT new_host_id, host
  FROM url_rehash
 WHERE state = 1
   AND new_host_id <> host_id
ON CONFLICT DO NOTHING;

-- name: wake_new_hosts
-- Make the hosts of moved entries due.
INSERT INTO host AS h (host_id, prio, due_at)
SELECT u.host_id, max(u.prio), now()
  FROM url_rehash m
  JOIN url u ON u.host_id = m.new_host_id AND u.url_hash = m.new_hash
 WHERE m.state = 1
   AND u.next_fetch_at IS NOT NULL
   AND u.prio > 0
 GROUP BY u.host_id
 ORDER BY u.host_id
ON CONFLICT (host_id) DO UPDATE
   SET due_at = least(h.due_at, greatest(h.next_allowed_at, now()))
 WHERE h.lease_owner IS NULL
   AND h.next_allowed_at < 'infinity';

-- name: last_key_of_batch
-- The last key of the next batch.
-- $1 and $2 (host_id, url_hash) to start after, $3 at most this many
SELECT host_id, url_hash
  FROM (SELECT host_id, url_hash
          FROM url
         WHERE (host_id, url_hash) > ($1::bigint, $2::uuid)
         ORDER BY host_id, url_hash
         LIMIT $3) AS part
 ORDER BY host_id DESC, url_hash DESC
 LIMIT 1;

-- name: update_parents
-- Replace old keys of parents by new ones.
-- $1 and $2 key to start after, $3 and $4 last key
UPDATE url u
   SET parent_host_id = CASE WHEN m.new_hash <> u.url_hash THEN m.new_host_id END,
       parent_hash    = CASE WHEN m.new_hash <> u.url_hash THEN m.new_hash END
  FROM url_rehash m
 WHERE (u.host_id, u.url_hash) > ($1::bigint, $2::uuid)
   AND (u.host_id, u.url_hash) <= ($3::bigint, $4::uuid)
   AND m.host_id = u.parent_host_id
   AND m.url_hash = u.parent_hash;

-- name: update_alias_targets
-- Replace old keys of redirect targets by new ones.
-- $1 and $2 key to start after, $3 and $4 last key
UPDATE url u
   SET redirect_host_id = m.new_host_id,
       redirect_hash    = m.new_hash
  FROM url_rehash m
 WHERE (u.host_id, u.url_hash) > ($1::bigint, $2::uuid)
   AND (u.host_id, u.url_hash) <= ($3::bigint, $4::uuid)
   AND m.host_id = u.redirect_host_id
   AND m.url_hash = u.redirect_hash;

-- name: aliases_in_range
-- The aliases of a batch, and the target of each.
-- $1 and $2 key to start after, $3 and $4 last key
SELECT host_id, url_hash, redirect_host_id, redirect_hash
  FROM url
 WHERE (host_id, url_hash) > ($1::bigint, $2::uuid)
   AND (host_id, url_hash) <= ($3::bigint, $4::uuid)
   AND redirect_hash IS NOT NULL
   AND next_fetch_at IS NULL;

-- name: clear_moves
-- Remove the plan after all moves are done.
TRUNCATE url_rehash;
