-- name: next_unhandled
-- The next event that has not been handled, unless another process is handling it.
-- $1 number to start after
SELECT number, event_id, event_type, public_id, at, payload
  FROM source_event
 WHERE handled_at IS NULL
   AND number > $1
 ORDER BY number
 LIMIT 1
   FOR UPDATE SKIP LOCKED;

-- name: mark_handled
-- Record that an event has been handled.
-- $1 number
UPDATE source_event
   SET handled_at = now()
 WHERE number = $1;

-- name: begin_processing
-- Record an event as processed. Returns no row if it was processed before. A second process waits until the first
-- commits.
-- $1 event_id
INSERT INTO processed_events (event_id)
VALUES ($1)
ON CONFLICT (event_id) DO NOTHING
RETURNING event_id;

-- name: has_unpublished
-- Whether any event waits to be published.
SELECT EXISTS (SELECT FROM source_event WHERE published_at IS NULL);

-- name: claim_publishing
-- Allow one publisher at a time, so that the stream has the events of a source in the order in which they happened.
SELECT pg_try_advisory_xact_lock(7003, 0);

-- name: unpublished
-- The oldest events that wait to be published.
-- $1 at most this many
SELECT number, event_id, event_type, public_id, at, payload
  FROM source_event
 WHERE published_at IS NULL
 ORDER BY number
 LIMIT $1;

-- name: mark_published
-- Record that events have been published.
-- $1 number[]
UPDATE source_event
   SET published_at = now()
 WHERE number = ANY ($1::bigint[]);

-- name: forget_events
-- Delete events that were handled long ago.
-- $1 seconds to keep
DELETE FROM source_event
 WHERE handled_at < now() - $1::float8 * interval '1 second';

-- name: forget_processed
-- Delete the records of events that were processed long ago.
-- $1 seconds to keep
DELETE FROM processed_events
 WHERE processed_at < now() - $1::float8 * interval '1 second';
