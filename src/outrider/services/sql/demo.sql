-- name: near_copy
-- A page that is a near-duplicate of this one. Reads every document, so it is only for the demo's hundred pages.
-- $1 host_id, $2 url_hash
SELECT u.url
  FROM document d
  JOIN url u ON u.host_id = d.host_id AND u.url_hash = d.url_hash
 WHERE d.near_duplicate
   AND d.duplicate_host_id = $1
   AND d.duplicate_hash = $2
 LIMIT 1;
