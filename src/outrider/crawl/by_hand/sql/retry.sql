-- name: dead_among
-- Which of these addresses are dead: only they may be tried again by hand (FRO-12).
-- $1 host_id[], $2 url_hash[]
SELECT u.host_id, u.url_hash
  FROM url u
  JOIN unnest($1::bigint[], $2::uuid[]) AS w (host_id, url_hash)
    ON w.host_id = u.host_id AND w.url_hash = u.url_hash
 WHERE url_state(u.q_at, u.redirect_hash, u.reason) = {state_dead};

-- name: dead_because
-- Dead addresses by reason, in pages of $5. `max_retries` means every reason that begins with `max_retries:`.
-- $1 reason, $2 host_id or NULL for all, $3 and $4 (host_id, url_hash) to start after
SELECT host_id, url_hash
  FROM url
 WHERE (reason = $1 OR starts_with(reason, $1 || ':'))
   AND q_at IS NULL
   AND redirect_hash IS NULL
   AND ($2::bigint IS NULL OR host_id = $2)
   AND (host_id, url_hash) > ($3::bigint, $4::uuid)
 ORDER BY host_id, url_hash
 LIMIT $5;
