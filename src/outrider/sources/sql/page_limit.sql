-- name: reserve_pages
-- Reserve up to $2 pages of a source's page limit of $3. Returns how many were granted.
-- $1 source_id
WITH before AS (
  SELECT reserved FROM source WHERE source_id = $1 FOR UPDATE
)
UPDATE source s
   SET reserved = least(s.reserved + $2::bigint, greatest($3::bigint, s.reserved))
  FROM before
 WHERE s.source_id = $1
RETURNING s.reserved - before.reserved AS granted;

-- name: return_pages
-- $1 source_id, $2 pages not used
UPDATE source
   SET reserved = greatest(0, reserved - $2::bigint)
 WHERE source_id = $1;

-- name: settle_pages
-- Free the pages that were reserved and not fetched. No worker may run this source.
-- $1 source_id
UPDATE source
   SET reserved = coalesce((SELECT sum(value) FROM counter WHERE source_id = $1 AND name = 'pages'), 0)
 WHERE source_id = $1;
