-- name: add_delivery
-- Add a delivery if the site has a webhook; returns it.
-- $1 site_id, $2 kind, $3 body
INSERT INTO webhook_delivery (site_id, kind, body)
SELECT s.site_id, $2, $3
  FROM site s
 WHERE s.site_id = $1
   AND s.update_webhook IS NOT NULL
RETURNING *;

-- name: claim_delivery
-- Take the delivery that is due longest, and have it sent again later if this process dies.
-- $1 seconds until then
UPDATE webhook_delivery d
   SET attempts = d.attempts + 1,
       next_attempt_at = now() + $1::float8 * interval '1 second'
  FROM (SELECT w.delivery_id, s.update_webhook, s.webhook_secret,
               CASE WHEN s.previous_webhook_until > now() THEN s.previous_webhook_secret END AS previous_secret
          FROM webhook_delivery w
          JOIN site s ON s.site_id = w.site_id
         WHERE w.state = 'waiting'
           AND w.next_attempt_at <= now()
           AND s.update_webhook IS NOT NULL
         ORDER BY w.next_attempt_at
         LIMIT 1
           FOR UPDATE OF w SKIP LOCKED) AS due
 WHERE d.delivery_id = due.delivery_id
RETURNING d.delivery_id, d.kind, d.body, d.attempts, due.update_webhook, due.webhook_secret, due.previous_secret;

-- name: any_due
-- Whether a delivery is due.
SELECT EXISTS (SELECT FROM webhook_delivery WHERE state = 'waiting' AND next_attempt_at <= now());

-- name: end_delivery
-- A delivery was accepted, or is given up.
-- $1 delivery_id, $2 state, $3 status, $4 why
UPDATE webhook_delivery
   SET state = $2, http_status = $3, why = $4, next_attempt_at = NULL, ended_at = now()
 WHERE delivery_id = $1
   AND state = 'waiting';

-- name: send_again
-- A delivery failed and is sent again at a time.
-- $1 delivery_id, $2 time, $3 status, $4 why
UPDATE webhook_delivery
   SET next_attempt_at = $2, http_status = $3, why = $4
 WHERE delivery_id = $1
   AND state = 'waiting';

-- name: postpone
-- A delivery was not sent, because its host is busy: this was no attempt.
-- $1 delivery_id, $2 seconds, $3 why
UPDATE webhook_delivery
   SET next_attempt_at = now() + $2::float8 * interval '1 second', attempts = attempts - 1, why = $3
 WHERE delivery_id = $1
   AND state = 'waiting';

-- name: end_without_webhook
-- End the deliveries of a site whose webhook was removed.
-- $1 site_id
UPDATE webhook_delivery
   SET state = 'dead', why = 'the webhook was removed', next_attempt_at = NULL, ended_at = now()
 WHERE site_id = $1
   AND state = 'waiting';

-- name: list_deliveries
-- The deliveries of a site, newest first.
-- $1 site_id, $2 limit, $3 offset
SELECT *, count(*) OVER () AS total
  FROM webhook_delivery
 WHERE site_id = $1
 ORDER BY created_at DESC, delivery_id
 LIMIT $2
OFFSET $3;

-- name: count_waiting
-- How many deliveries of a site wait.
-- $1 site_id
SELECT count(*) FROM webhook_delivery WHERE site_id = $1 AND state = 'waiting';

-- name: forget_deliveries
-- Remove old deliveries that have ended.
-- $1 days
DELETE FROM webhook_delivery
 WHERE ended_at < now() - $1::int * interval '1 day';
