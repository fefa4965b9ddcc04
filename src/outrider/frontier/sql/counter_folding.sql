-- name: has_many_counters
-- Whether the slots of workers have more rows than this.
-- $1 rows
SELECT EXISTS (SELECT FROM counter WHERE slot >= 0 OFFSET $1::bigint);

-- name: fold_counters
-- Move some counters to the folded slot, which only this statement writes. Returns how many rows were moved.
-- $1 the folded slot, $2 at most this many rows
WITH moved AS (
  DELETE FROM counter c
   USING (SELECT slot, source_id, name
            FROM counter
           WHERE slot >= 0
           LIMIT $2
             FOR UPDATE SKIP LOCKED) AS chosen
   WHERE c.slot = chosen.slot
     AND c.source_id = chosen.source_id
     AND c.name = chosen.name
  RETURNING c.source_id, c.name, c.value
),
folded AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $1::smallint, source_id, name, sum(value)
    FROM moved
   GROUP BY source_id, name
  HAVING sum(value) <> 0
   ORDER BY source_id, name
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT count(*) FROM moved;
