-- name: counter_totals
-- The sum of every counter over all sources. Reads only the counter table. Source 0 corrects the sum: a URL that
-- several sources share is counted for each of them.
SELECT c.name, sum(c.value)::bigint AS value
  FROM counter c
 GROUP BY c.name
HAVING sum(c.value) <> 0;

-- name: states_by_source
-- The entries of each source by state. One row a source: 2,000 sources have 24,000 sums of single counters. The row of
-- source 0 corrects the sum over all.
SELECT c.source_id, coalesce(s.name, 'unknown') AS source, c.pending, c.fetched, c.dead, c.alias
  FROM (SELECT source_id,
               coalesce(sum(value) FILTER (WHERE name = 'pending'), 0)::bigint AS pending,
               coalesce(sum(value) FILTER (WHERE name = 'fetched'), 0)::bigint AS fetched,
               coalesce(sum(value) FILTER (WHERE name = 'dead'), 0)::bigint AS dead,
               coalesce(sum(value) FILTER (WHERE name = 'alias'), 0)::bigint AS alias
          FROM counter
         WHERE name COLLATE "C" IN ('pending', 'fetched', 'dead', 'alias')
         GROUP BY source_id
        HAVING bool_or(value <> 0)) AS c
  LEFT JOIN source s ON s.source_id = c.source_id
 ORDER BY s.name;

-- name: database_size
-- The size of the database on disk, in bytes.
SELECT pg_database_size(current_database());
