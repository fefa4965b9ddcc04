-- name: add_url_debts
-- Add URLs to the debts of sources, after subtracting what the rate has paid off since. Returns the new debts.
-- $1 source_id[], $2 URLs[], $3 URLs a second
WITH mine AS (
  SELECT s.source_id, s.owed, s.owed_at, t.urls
    FROM source s
    JOIN unnest($1::int[], $2::int[]) AS t (source_id, urls) ON t.source_id = s.source_id
   ORDER BY s.source_id
     FOR UPDATE OF s
)
UPDATE source s
   SET owed    = greatest(mine.owed - extract(epoch FROM now() - mine.owed_at)::float8 * $3::float8, 0) + mine.urls,
       owed_at = now()
  FROM mine
 WHERE s.source_id = mine.source_id
RETURNING s.source_id, s.owed;
