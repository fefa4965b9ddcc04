-- name: claim_hosts
-- Assign hosts without a source to this source.
-- $1 source_id, $2 host_id[], $3 host[]
INSERT INTO source_host (host_id, host, source_id)
SELECT h.host_id, h.host, $1
  FROM unnest($2::bigint[], $3::text[]) AS h (host_id, host)
 ORDER BY h.host_id
ON CONFLICT (host_id) DO NOTHING;

-- name: free_hosts
-- $1 source_id
DELETE FROM source_host
 WHERE source_id = $1;

-- name: owners_of_hosts
-- $1 host_id[]
SELECT host_id, source_id
  FROM source_host
 WHERE host_id = ANY ($1::bigint[]);
