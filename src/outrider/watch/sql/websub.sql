-- name: note_subscriptions
-- Add subscriptions for channels whose feed names a hub and that have no subscription there.
INSERT INTO subscription (channel_id, hub, topic, secret)
SELECT c.channel_id, c.hub, c.topic, replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
  FROM channel c
  JOIN source s ON s.source_id = c.source_id
 WHERE c.hub IS NOT NULL
   AND c.topic IS NOT NULL
   AND c.disabled_at IS NULL
   AND s.enabled
   AND s.mode <> 'spider'
 ORDER BY c.channel_id
ON CONFLICT (channel_id, hub, topic) DO NOTHING;

-- name: forget_subscriptions
-- Delete subscriptions that no channel needs and no hub holds.
DELETE FROM subscription p
 WHERE (p.pushed_until IS NULL OR p.pushed_until < now())
   AND NOT EXISTS (
         SELECT
           FROM channel c
           JOIN source s ON s.source_id = c.source_id
          WHERE c.channel_id = p.channel_id
            AND (c.hub, c.topic) = (p.hub, p.topic)
            AND coalesce(c.disable_reason, '') NOT LIKE 'operator:%'
            AND s.enabled
            AND s.mode <> 'spider'
       );

-- name: claim_subscription
-- Claim a due request to a hub: subscribe, renew or unsubscribe. Without a confirmation it is due again in an hour.
WITH due AS (
  SELECT p.subscription_id, w.is_wanted
    FROM subscription p
    LEFT JOIN channel c ON c.channel_id = p.channel_id
    LEFT JOIN source s ON s.source_id = c.source_id
    CROSS JOIN LATERAL (
      SELECT coalesce((c.hub, c.topic) = (p.hub, p.topic)
                      AND coalesce(c.disable_reason, '') NOT LIKE 'operator:%'
                      AND s.enabled
                      AND s.mode <> 'spider', false) AS is_wanted
    ) w
   WHERE (p.ask_at <= now() OR w.is_wanted = p.leaving)
     AND (w.is_wanted OR p.pushed_until > now())
   ORDER BY p.ask_at
   LIMIT 1
     FOR UPDATE OF p SKIP LOCKED
)
UPDATE subscription p
   SET ask_at = now() + interval '1 hour', leaving = NOT due.is_wanted
  FROM due
 WHERE p.subscription_id = due.subscription_id
RETURNING p.subscription_id, p.hub, p.topic, p.secret, p.leaving;

-- name: ask_hub_in
-- $1 subscription_id, $2 seconds
UPDATE subscription
   SET ask_at = now() + $2::float8 * interval '1 second'
 WHERE subscription_id = $1;

-- name: subscription_of_callback
-- The subscription of a callback, with its channel if that still exists.
-- $1 subscription_id
SELECT p.subscription_id, p.topic, p.secret, p.leaving, c.channel_id, c.source_id, c.host_id, c.url_hash, c.url,
       s.priority, s.policy,
       coalesce(s.enabled AND s.mode <> 'spider' AND NOT p.leaving, false) AS is_wanted
  FROM subscription p
  LEFT JOIN channel c ON c.channel_id = p.channel_id
  LEFT JOIN source s ON s.source_id = c.source_id
 WHERE p.subscription_id = $1;

-- name: subscription_verified
-- $1 subscription_id, $2 seconds of the lease, $3 seconds until the renewal
UPDATE subscription
   SET pushed_until = now() + $2::float8 * interval '1 second',
       ask_at       = now() + $3::float8 * interval '1 second'
 WHERE subscription_id = $1;

-- name: subscription_denied
-- $1 subscription_id, $2 seconds until the hub is asked again
UPDATE subscription
   SET pushed_until = NULL,
       ask_at       = now() + $2::float8 * interval '1 second'
 WHERE subscription_id = $1;

-- name: subscription_ended
-- $1 subscription_id
DELETE FROM subscription
 WHERE subscription_id = $1;

-- name: poll_now
-- Poll a channel at once, after a push without readable entries or the end of a subscription. Returns the host to wake.
-- $1 host_id, $2 url_hash
UPDATE url
   SET next_fetch_at = now()
 WHERE host_id = $1
   AND url_hash = $2
   AND next_fetch_at > now()
RETURNING host_id, prio;

-- name: wake_for_poll
-- $1 host_id
UPDATE host
   SET due_at = CASE WHEN lease_owner IS NULL THEN greatest(next_allowed_at, now()) ELSE due_at END,
       wake   = lease_owner IS NOT NULL
 WHERE host_id = $1
   AND next_allowed_at < 'infinity';
