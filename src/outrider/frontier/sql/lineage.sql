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
   AND kind = {kind_page}
 ORDER BY host_id, url_hash
 LIMIT $3;
