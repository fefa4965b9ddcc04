-- name: note_subscriptions
-- Record a subscription for each channel whose feed names a new hub.
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
-- Delete subscriptions that no channel wants and no hub holds.
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
-- The next subscription to request, renew or end. Until the hub confirms, the request is repeated after an hour.
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
-- Set when to ask a hub again.
-- $1 subscription_id, $2 seconds
UPDATE subscription
   SET ask_at = now() + $2::float8 * interval '1 second'
 WHERE subscription_id = $1;

-- name: subscription_of_callback
-- The subscription that a callback belongs to. Its channel may be deleted.
-- $1 subscription_id
SELECT p.subscription_id, p.topic, p.secret, p.leaving, c.channel_id, c.source_id, c.host_id, c.url_hash, c.url,
       s.priority, s.policy,
       coalesce(s.enabled AND s.mode <> 'spider' AND NOT p.leaving, false) AS is_wanted
  FROM subscription p
  LEFT JOIN channel c ON c.channel_id = p.channel_id
  LEFT JOIN source s ON s.source_id = c.source_id
 WHERE p.subscription_id = $1;

-- name: subscription_verified
-- Record that a hub confirmed a subscription, and when to renew it.
-- $1 subscription_id, $2 seconds that the hub pushes, $3 seconds until it is asked to go on
UPDATE subscription
   SET pushed_until = now() + $2::float8 * interval '1 second',
       ask_at       = now() + $3::float8 * interval '1 second'
 WHERE subscription_id = $1;

-- name: subscription_denied
-- Record that a hub refused a subscription, and when to ask again.
-- $1 subscription_id, $2 seconds until the hub is asked again
UPDATE subscription
   SET pushed_until = NULL,
       ask_at       = now() + $2::float8 * interval '1 second'
 WHERE subscription_id = $1;

-- name: subscription_ended
-- Delete a subscription that has ended.
-- $1 subscription_id
DELETE FROM subscription
 WHERE subscription_id = $1;
