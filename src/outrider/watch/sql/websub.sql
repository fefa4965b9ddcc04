-- name: claim_subscription
-- A channel whose feed names a hub that is to be asked now. Until the hub confirms, it is asked again after an hour.
-- $1 a fresh secret, for a channel that has none
UPDATE channel
   SET hub_until = now() + interval '1 hour', hub_secret = coalesce(hub_secret, $1)
 WHERE channel_id = (
         SELECT c.channel_id
           FROM channel c
           JOIN source s ON s.source_id = c.source_id
          WHERE c.hub IS NOT NULL
            AND c.topic IS NOT NULL
            AND c.disabled_at IS NULL
            AND s.enabled
            AND s.mode <> 'spider'
            AND (c.hub_until IS NULL OR c.hub_until < now())
          ORDER BY c.hub_until NULLS FIRST
          LIMIT 1
            FOR UPDATE OF c SKIP LOCKED
       )
RETURNING channel_id, hub, topic, hub_secret;

-- name: ask_hub_in
-- When the hub of a channel is to be asked again.
-- $1 channel_id, $2 seconds
UPDATE channel
   SET hub_until = now() + $2::float8 * interval '1 second'
 WHERE channel_id = $1;

-- name: subscribed_channel
-- $1 channel_id
SELECT c.channel_id, c.source_id, c.host_id, c.url_hash, c.url, c.topic, c.hub_secret, s.priority, s.policy
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
 WHERE c.channel_id = $1
   AND c.hub_secret IS NOT NULL
   AND c.hub IS NOT NULL
   AND s.enabled
   AND s.mode <> 'spider';

-- name: poll_now
-- A push said that there is something, without saying what. Names the host to wake.
-- $1 host_id, $2 url_hash
UPDATE url
   SET q_at = now()
 WHERE host_id = $1
   AND url_hash = $2
   AND q_at > now()
RETURNING host_id, prio;

-- name: wake_for_poll
-- $1 host_id
UPDATE host
   SET due_at = CASE WHEN lease_owner IS NULL THEN greatest(next_allowed_at, now()) ELSE due_at END,
       wake   = lease_owner IS NOT NULL
 WHERE host_id = $1
   AND due_at IS NOT NULL;
