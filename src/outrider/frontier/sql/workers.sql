-- name: enter
-- $1 machine, $2 pid
INSERT INTO worker (machine, pid)
VALUES ($1, $2)
RETURNING worker_id;

-- name: beat
-- $1 worker_id, $2 figures
UPDATE worker
   SET beat_at = now(), stats = $2
 WHERE worker_id = $1
RETURNING now();

-- name: leave
-- $1 worker_id
UPDATE worker
   SET stopped_at = now()
 WHERE worker_id = $1;

-- name: at_work
-- $1 silent for longer than this many seconds means gone
SELECT worker_id, machine, pid, started_at, beat_at, stats
  FROM worker
 WHERE stopped_at IS NULL
   AND beat_at > now() - $1::float8 * interval '1 second'
 ORDER BY worker_id;

-- name: gone
-- Workers of this machine that never said goodbye.
-- $1 machine
SELECT worker_id, pid
  FROM worker
 WHERE stopped_at IS NULL
   AND machine = $1;

-- name: begin_flush
-- Each batch is applied once: a commit whose answer got lost is recognised here and not applied again.
-- Returns the lineage of `url`, as `url_lineage_now` does.
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

-- name: url_lineage_now
-- The lineage of `url`, which is another one wherever a row that was there may be gone: after rows were taken
-- out (`url_lost`), in another or a restored database (whoever wrote the row anew is its xmin), after a start, before
-- which the files may have been replaced by older ones, and after a crash, which resets PostgreSQL's statistics and, where
-- commits do not wait for the disk, takes the last ones along.
SELECT concat_ws('-',
                 (SELECT oid FROM pg_database WHERE datname = current_database()),
                 extract(epoch FROM pg_postmaster_start_time()),
                 extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()),
                 (SELECT xmin FROM url_lineage));

-- name: known_urls
-- A page of all URLs, in the order of their keys, with the source and priority that each is known at.
-- $1 host_id and $2 url_hash to start after, $3 at most this many
SELECT host_id, url_hash, source_id, abs(prio)::int AS priority
  FROM url
 WHERE (host_id, url_hash) > ($1::bigint, $2::uuid)
   AND kind = 0
 ORDER BY host_id, url_hash
 LIMIT $3;
