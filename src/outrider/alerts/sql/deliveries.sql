-- name: add_delivery
-- Add what the webhook is told about an event of an alert, once for each event.
-- $1 delivery_id, $2 alert_id, $3 key, $4 event, $5 body
INSERT INTO alert_delivery (delivery_id, alert_id, key, event, body)
VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (alert_id, event) DO NOTHING;

-- name: any_due
-- Whether a delivery is due that no earlier one of its key goes before.
SELECT EXISTS (SELECT
                 FROM alert_delivery d
                WHERE d.state = 'waiting'
                  AND d.next_attempt_at <= now()
                  AND NOT EXISTS (SELECT
                                    FROM alert_delivery e
                                   WHERE e.key = d.key
                                     AND e.state = 'waiting'
                                     AND e.number < d.number));

-- name: claim_delivery
-- Take the oldest delivery that is due, and have it sent again later if this process dies. A delivery waits for the
-- earlier ones of its key.
-- $1 seconds until then
UPDATE alert_delivery d
   SET attempts        = d.attempts + 1,
       next_attempt_at = now() + $1::float8 * interval '1 second'
  FROM (SELECT w.number
          FROM alert_delivery w
         WHERE w.state = 'waiting'
           AND w.next_attempt_at <= now()
           AND NOT EXISTS (SELECT
                             FROM alert_delivery e
                            WHERE e.key = w.key
                              AND e.state = 'waiting'
                              AND e.number < w.number)
         ORDER BY w.number
         LIMIT 1
           FOR UPDATE OF w SKIP LOCKED) AS due
 WHERE d.number = due.number
RETURNING d.delivery_id, d.event, d.body, d.attempts;

-- name: end_delivery
-- A delivery was accepted, or is given up.
-- $1 delivery_id, $2 state, $3 status, $4 why
UPDATE alert_delivery
   SET state = $2, http_status = $3, why = $4, next_attempt_at = NULL, ended_at = now()
 WHERE delivery_id = $1
   AND state = 'waiting';

-- name: send_again
-- A delivery failed and is sent again at a time.
-- $1 delivery_id, $2 time, $3 status, $4 why
UPDATE alert_delivery
   SET next_attempt_at = $2, http_status = $3, why = $4
 WHERE delivery_id = $1
   AND state = 'waiting';

-- name: postpone
-- A delivery was not sent, because its host is busy: this was no attempt.
-- $1 delivery_id, $2 seconds, $3 why
UPDATE alert_delivery
   SET next_attempt_at = now() + $2::float8 * interval '1 second', attempts = attempts - 1, why = $3
 WHERE delivery_id = $1
   AND state = 'waiting';

-- name: send_failed_now
-- The receiver has accepted a delivery, so those that failed before are due.
UPDATE alert_delivery
   SET next_attempt_at = now()
 WHERE state = 'waiting'
   AND why IS NOT NULL
   AND next_attempt_at > now();

-- name: end_late
-- Give up deliveries that have waited for too long.
-- $1 days, $2 why
UPDATE alert_delivery
   SET state = 'dead', why = $2, next_attempt_at = NULL, ended_at = now()
 WHERE state = 'waiting'
   AND created_at < now() - $1::int * interval '1 day';

-- name: end_waiting
-- End what waits, because there is no webhook any more.
-- $1 why
UPDATE alert_delivery
   SET state = 'dead', why = $1, next_attempt_at = NULL, ended_at = now()
 WHERE state = 'waiting';

-- name: forget_deliveries
-- Remove old deliveries that have ended.
-- $1 days
DELETE FROM alert_delivery
 WHERE ended_at < now() - $1::int * interval '1 day';
