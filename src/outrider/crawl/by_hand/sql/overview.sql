-- name: counts_by_source
-- Every counter of every source that has any. Nothing is scanned but the counters themselves.
SELECT s.name AS source, c.name, sum(c.value)::bigint AS value
  FROM counter c
  LEFT JOIN source s ON s.source_id = c.source_id
 GROUP BY s.name, c.name
HAVING sum(c.value) <> 0
 ORDER BY s.name, c.name;

-- name: database_size
SELECT pg_database_size(current_database());
