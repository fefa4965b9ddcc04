-- name: crawl_figures
-- Every figure of this moment in one statement. Hosts are classified among the first 10,000 that have queued URLs.
-- $1 seconds that the heartbeat of a live worker may be old
SELECT now() AS at,
       (SELECT coalesce(jsonb_object_agg(c.name, c.value), '{}')
          FROM (SELECT name, sum(value)::bigint AS value FROM counter GROUP BY name HAVING sum(value) <> 0) c) AS counters,
       (SELECT jsonb_build_object('live', count(*),
                                  'pages_per_s', coalesce(sum((stats->>'pages_per_s')::float8), 0),
                                  'claims', coalesce(sum((stats->>'claims')::float8), 0),
                                  'claim_s', coalesce(sum((stats->>'claim_s')::float8), 0),
                                  'index_failures', coalesce(sum((stats->>'sink_failed')::float8), 0))
          FROM worker
         WHERE stopped_at IS NULL
           AND beat_at > now() - $1::float8 * interval '1 second') AS workers,
       (SELECT coalesce(jsonb_object_agg(h.why, h.hosts), '{}')
          FROM (SELECT CASE WHEN lease_owner IS NOT NULL AND due_at > now() THEN 'leased'
                            WHEN due_at = 'infinity' THEN 'held'
                            WHEN breaker = {breaker_open} AND due_at > now() THEN 'broken'
                            WHEN due_at <= now() THEN 'due'
                            WHEN (rate_limited > 0 OR penalty_ms > 0) AND due_at <= next_allowed_at THEN 'throttled'
                            WHEN due_at <= next_allowed_at THEN 'delayed'
                            ELSE 'later' END AS why,
                       count(*) AS hosts
                  FROM (SELECT * FROM host WHERE due_at IS NOT NULL LIMIT 10000) w
                 GROUP BY 1) h) AS hosts,
       (SELECT coalesce(jsonb_object_agg(b.breaker, b.hosts), '{}')
          FROM (SELECT CASE breaker WHEN {breaker_open} THEN 'open' ELSE 'half_open' END AS breaker, count(*) AS hosts
                  FROM (SELECT breaker FROM host WHERE breaker <> {breaker_closed} LIMIT 10000) x
                 GROUP BY 1) b) AS breakers,
       (SELECT greatest(0, extract(epoch FROM now() - min(n.due_at)))::float8
          FROM generate_series(1, 10) AS g (prio)
          CROSS JOIN LATERAL (SELECT h.due_at
                                FROM host h
                               WHERE h.prio = g.prio::smallint
                                 AND h.due_at IS NOT NULL
                               ORDER BY h.due_at
                               LIMIT 1) n) AS queue_age_s,
       (SELECT coalesce(jsonb_object_agg(j.status, j.jobs), '{}')
          FROM (SELECT status, count(*) AS jobs FROM job GROUP BY status) j) AS jobs,
       (SELECT count(*) FROM scheduler WHERE stopped_at IS NULL AND beat_at > now() - interval '2 minutes') AS schedulers,
       (SELECT coalesce(sum(stale_locks_cleared), 0)::bigint FROM scheduler) AS stale_recoveries,
       (SELECT coalesce(sum(lost_races), 0)::bigint FROM scheduler) AS lost_races,
       (SELECT count(*)
          FROM (SELECT FROM run_log_state WHERE archived_at IS NULL LIMIT 10000) a) AS logs_to_archive,
       (SELECT jsonb_build_object('automatic', count(*) FILTER (WHERE auto_managed),
                                  'operator', count(*) FILTER (WHERE NOT auto_managed))
          FROM job
         WHERE placed_at > now() - interval '1 day') AS placements,
       (SELECT jsonb_build_object('moved', coalesce(sum(moved), 0), 'skipped', coalesce(sum(skipped), 0))
          FROM job_rebalance) AS rebalanced;
