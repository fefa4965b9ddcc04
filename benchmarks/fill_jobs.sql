-- Sources that follow links, each with a job, all of them due in the same two hours: the worst case of a rebalance.
-- The placeholder {jobs} is a number.
INSERT INTO source (name, kind, mode, url)
SELECT 'bench ' || i, 'watch', 'spider', 'https://s' || i || '.example/'
  FROM generate_series(1, {jobs}) AS i;

INSERT INTO job (source_id, auto_managed, status, schedule_enabled, interval_count, interval_type, next_run_at, slot_at,
                 placed_at)
SELECT source_id, true, 'scheduled', true, (ARRAY[30, 38, 60, 180, 1440])[1 + source_id % 5], 'minutes', at, at,
       now() - interval '2 hours'
  FROM (SELECT source_id, date_trunc('hour', now()) + interval '2 hours' + source_id % 8 * interval '15 minutes' AS at
          FROM source
         WHERE kind = 'watch') AS s;

INSERT INTO adaptive_state (source_id, last_hash, last_change_at, unchanged_count, current_interval)
SELECT source_id, 'hash', now(), 3, interval '8 hours'
  FROM source
 WHERE kind = 'watch'
   AND source_id % 3 = 0;
