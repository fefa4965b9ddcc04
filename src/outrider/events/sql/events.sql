-- name: next_unhandled
-- The next event whose effect is due, unless somebody has it in hand.
-- $1 number to start after
SELECT number, event_id, event_type, public_id, at, payload
  FROM source_event
 WHERE handled_at IS NULL
   AND number > $1
 ORDER BY number
 LIMIT 1
   FOR UPDATE SKIP LOCKED;

-- name: mark_handled
-- $1 number
UPDATE source_event
   SET handled_at = now()
 WHERE number = $1;

-- name: begin_processing
-- No row comes back when the event has had its effect. Who comes second waits until the first has committed.
-- $1 event_id
INSERT INTO processed_events (event_id)
VALUES ($1)
ON CONFLICT (event_id) DO NOTHING
RETURNING event_id;

-- name: has_unpublished
SELECT EXISTS (SELECT FROM source_event WHERE published_at IS NULL);

-- name: claim_publishing
-- One publishes at a time, so that events of a source stand on the stream in the order in which they happened.
SELECT pg_try_advisory_xact_lock(7003, 0);

-- name: unpublished
-- $1 at most
SELECT number, event_id, event_type, public_id, at, payload
  FROM source_event
 WHERE published_at IS NULL
 ORDER BY number
 LIMIT $1;

-- name: mark_published
-- $1 number[]
UPDATE source_event
   SET published_at = now()
 WHERE number = ANY ($1::bigint[]);

-- name: forget_events
-- $1 seconds
DELETE FROM source_event
 WHERE handled_at < now() - $1::float8 * interval '1 second';

-- name: forget_processed
-- $1 seconds
DELETE FROM processed_events
 WHERE processed_at < now() - $1::float8 * interval '1 second';
