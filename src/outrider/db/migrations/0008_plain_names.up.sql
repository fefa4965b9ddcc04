-- Columns get the names that requirements and readers use.

ALTER TABLE url RENAME COLUMN q_at TO next_fetch_at;

-- The body of this function is text, which a renamed column does not change by itself.
CREATE OR REPLACE FUNCTION redirect_end(host_id bigint, url_hash uuid)
 RETURNS TABLE(end_host_id bigint, end_hash uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
  WITH RECURSIVE way AS (
    SELECT redirect_end.host_id AS at_host_id, redirect_end.url_hash AS at_hash, 0 AS hops
    UNION ALL
    SELECT u.redirect_host_id, u.redirect_hash, way.hops + 1
      FROM way
      JOIN url u ON u.host_id = way.at_host_id AND u.url_hash = way.at_hash
     WHERE u.redirect_hash IS NOT NULL
       AND u.next_fetch_at IS NULL
       AND way.hops < 64
  )
  SELECT at_host_id, at_hash FROM way ORDER BY hops DESC LIMIT 1
$function$;
