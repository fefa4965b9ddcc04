-- name: hold_source
-- Record that a source is held. New URLs of a held source are hidden from the claim, too.
-- $1 source_id, $2 whether a visit that another source causes serves it
INSERT INTO held_source AS h (source_id, served_with_others)
VALUES ($1, $2)
ON CONFLICT (source_id) DO UPDATE SET served_with_others = excluded.served_with_others;

-- name: resume_source
-- Record that a source is not held any more.
-- $1 source_id
DELETE FROM held_source
 WHERE source_id = $1;

-- name: hide_urls_of_source
-- Hide a source's queued URLs from the claim, which reads positive prios only; the number stays the priority.
-- `hide_shared` hides the shared ones.
-- $1 source_id
UPDATE url
   SET prio = -prio
 WHERE source_id = $1
   AND shared = 0
   AND next_fetch_at IS NOT NULL
   AND prio > 0;

-- name: show_urls_of_source
-- Show a source's queued URLs to the claim again. Returns the hosts to wake.
-- $1 source_id
WITH back AS (
  UPDATE url
     SET prio = -prio
   WHERE source_id = $1
     AND shared = 0
     AND next_fetch_at IS NOT NULL
     AND prio < 0
  RETURNING host_id, prio
)
SELECT host_id, max(prio) AS prio
  FROM back
 GROUP BY host_id
 ORDER BY host_id;

-- name: hide_shared
-- Hide the shared pages that a held source waits for from the claim, unless another source waits for them too.
-- $1 source_id
UPDATE url u
   SET prio = -u.prio
  FROM url_source w
 WHERE w.source_id = $1
   AND w.state = {state_pending}
   AND u.host_id = w.host_id
   AND u.url_hash = w.url_hash
   AND u.next_fetch_at IS NOT NULL
   AND u.prio > 0
   AND NOT EXISTS (SELECT
                     FROM url_source o
                    WHERE o.host_id = u.host_id
                      AND o.url_hash = u.url_hash
                      AND o.source_id <> $1
                      AND o.state = {state_pending}
                      AND NOT EXISTS (SELECT FROM held_source h WHERE h.source_id = o.source_id));

-- name: show_shared
-- Show the shared pages that a resumed source waits for to the claim again. Returns the hosts to wake.
-- $1 source_id
WITH back AS (
  UPDATE url u
     SET prio = -u.prio
    FROM url_source w
   WHERE w.source_id = $1
     AND w.state = {state_pending}
     AND u.host_id = w.host_id
     AND u.url_hash = w.url_hash
     AND u.next_fetch_at IS NOT NULL
     AND u.prio < 0
  RETURNING u.host_id, u.prio
)
SELECT host_id, max(prio) AS prio
  FROM back
 GROUP BY host_id
 ORDER BY host_id;

-- name: not_queued_for
-- Shared pages that a source still waits for and that left the queue meanwhile: they were visited for other sources
-- while this source was disabled or had reached its page limit.
-- $1 source_id
SELECT w.host_id, w.url_hash
  FROM url_source w
  JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
 WHERE w.source_id = $1
   AND w.state = {state_pending}
   AND u.next_fetch_at IS NULL;
