-- name: hand_over
-- What waits for a source that is held, and another source asked for, too, becomes that one's. Names the hosts to wake.
-- $1 source_id that is held, $2 counter slot
WITH heir AS MATERIALIZED (
  SELECT DISTINCT ON (u.host_id, u.url_hash) u.host_id, u.url_hash, w.source_id
    FROM url u
    JOIN url_source w ON w.host_id = u.host_id AND w.url_hash = u.url_hash
    JOIN source s ON s.source_id = w.source_id
   WHERE u.source_id = $1
     AND u.q_at IS NOT NULL
     AND u.prio < 0
     AND u.kind = 0
     AND w.source_id <> $1
     AND NOT s.held
   ORDER BY u.host_id, u.url_hash, w.source_id
),
moved AS (
  UPDATE url u
     SET prio = -u.prio, source_id = heir.source_id
    FROM heir
   WHERE u.host_id = heir.host_id
     AND u.url_hash = heir.url_hash
     AND u.source_id = $1
     AND u.q_at IS NOT NULL
     AND u.prio < 0
  RETURNING u.host_id, u.url_hash, u.source_id, u.prio
),
remembered AS (
  INSERT INTO url_source (host_id, url_hash, source_id)
  SELECT host_id, url_hash, $1
    FROM moved
  ON CONFLICT (host_id, url_hash, source_id) DO NOTHING
),
counted AS (
  INSERT INTO counter AS c (slot, source_id, name, value)
  SELECT $2::smallint, source_id, 'pending', sum(delta)
    FROM (SELECT source_id, 1 AS delta FROM moved UNION ALL SELECT $1, -1 FROM moved) AS change
   GROUP BY source_id
   ORDER BY source_id
  ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value
)
SELECT host_id, max(prio) AS prio
  FROM moved
 GROUP BY host_id
 ORDER BY host_id;
