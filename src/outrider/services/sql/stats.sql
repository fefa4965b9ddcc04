-- name: counts_by_source
-- Every counter of every source. Reads only the counter table. Source 0 corrects the sum: a URL that several sources
-- share is counted for each of them.
SELECT s.name AS source, c.source_id = 0 AS is_correction, c.name, sum(c.value)::bigint AS value
  FROM counter c
  LEFT JOIN source s ON s.source_id = c.source_id
 GROUP BY s.name, c.source_id = 0, c.name
HAVING sum(c.value) <> 0
 ORDER BY s.name, c.name;

-- name: database_size
-- The size of the database on disk, in bytes.
SELECT pg_database_size(current_database());
