-- name: url_lineage_now
-- The lineage of `url`. It changes whenever a row that existed may be gone: after rows were deleted (`url_lost`), in
-- another or a restored database (restoring the row changes its xmin), after a server start (older files may have been
-- restored before it), and after a crash (which resets PostgreSQL's statistics and may lose the last commits if commits
-- do not wait for the disk).
SELECT concat_ws('-',
                 (SELECT oid FROM pg_database WHERE datname = current_database()),
                 extract(epoch FROM pg_postmaster_start_time()),
                 extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()),
                 (SELECT xmin FROM url_lineage));

-- name: known_urls
-- A batch of all URLs in the order of their keys, with the source and priority of each.
-- $1 host_id and $2 url_hash to start after, $3 at most this many
SELECT host_id, url_hash, source_id, abs(prio)::int AS priority
  FROM url
 WHERE (host_id, url_hash) > ($1::bigint, $2::uuid)
   AND kind = {kind_page}
 ORDER BY host_id, url_hash
 LIMIT $3;
