-- name: register
-- Add a worker process; its number owns its leases and its counter slot.
-- $1 machine, $2 pid
INSERT INTO worker (machine, pid)
VALUES ($1, $2)
RETURNING worker_id;

-- name: record_heartbeat
-- Record that a worker is alive, with its latest figures. Returns the time of the database.
-- $1 worker_id, $2 figures
UPDATE worker
   SET beat_at = now(), stats = $2
 WHERE worker_id = $1
RETURNING now();

-- name: record_stop
-- Record that a worker has stopped: it holds no hosts any more.
-- $1 worker_id
UPDATE worker
   SET stopped_at = now()
 WHERE worker_id = $1;

-- name: live_workers
-- Workers that have not stopped and whose last heartbeat is recent.
-- $1 seconds that a heartbeat may be old
SELECT worker_id, machine, pid, started_at, beat_at, stats
  FROM worker
 WHERE stopped_at IS NULL
   AND beat_at > now() - $1::float8 * interval '1 second'
 ORDER BY worker_id;

-- name: pool_workers
-- Workers that have not stopped, with the seconds since their last heartbeat. Workers that are silent for very long
-- are forgotten.
-- $1 seconds after which a silent worker is forgotten, $2 at most this many
SELECT worker_id, machine, pid, started_at, beat_at, stats,
       greatest(0, extract(epoch FROM now() - beat_at))::float8 AS silent_s
  FROM worker
 WHERE stopped_at IS NULL
   AND beat_at > now() - $1::float8 * interval '1 second'
 ORDER BY worker_id
 LIMIT $2;

-- name: mark_missing
-- Mark workers that have not stopped and are silent, each once: their next heartbeat removes the mark.
-- $1 seconds without a heartbeat, $2 seconds after which a silent worker is forgotten
UPDATE worker
   SET stats = stats || '{"missing": true}'
 WHERE stopped_at IS NULL
   AND beat_at <= now() - $1::float8 * interval '1 second'
   AND beat_at > now() - $2::float8 * interval '1 second'
   AND NOT stats ? 'missing'
RETURNING worker_id, machine, pid, started_at, beat_at, stats;

-- name: unstopped_workers
-- Workers of one machine that never recorded a stop: they run, or their process has died.
-- $1 machine
SELECT worker_id, pid
  FROM worker
 WHERE stopped_at IS NULL
   AND machine = $1;

-- name: record_all_stops
-- Record that all workers have stopped: none of them works in a database that was restored.
UPDATE worker SET stopped_at = now() WHERE stopped_at IS NULL;

-- name: begin_flush
-- Apply each batch once: a commit whose answer got lost is recognised here and not applied again.
-- Returns the lineage of `url`, as `url_lineage_now` of the frontier does, in the same round trip.
-- $1 worker_id, $2 number of the batch
UPDATE worker
   SET flushed = $2
 WHERE worker_id = $1
   AND flushed < $2
RETURNING concat_ws('-',
                    (SELECT oid FROM pg_database WHERE datname = current_database()),
                    extract(epoch FROM pg_postmaster_start_time()),
                    extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()),
                    (SELECT xmin FROM url_lineage));
