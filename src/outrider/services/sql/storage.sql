-- name: table_sizes
-- Each table with its size on disk, its indexes included, and about how many rows it has. Partitions count for their
-- table.
SELECT t.relname AS name, sum(pg_table_size(p.oid))::bigint AS table_bytes, sum(pg_indexes_size(p.oid))::bigint AS index_bytes,
       sum(greatest(p.reltuples, 0))::bigint AS rows
  FROM pg_class t
  CROSS JOIN LATERAL (SELECT relid FROM pg_partition_tree(t.oid) UNION SELECT t.oid) AS part (relid)
  JOIN pg_class p ON p.oid = part.relid
 WHERE t.relnamespace = current_schema()::regnamespace
   AND t.relkind IN ('r', 'p')
   AND NOT t.relispartition
 GROUP BY t.relname;
