-- name: bring_forward
-- Let queued URLs wait no longer than this. Returns their hosts.
-- $1 host_id[], $2 url_hash[], $3 seconds
UPDATE url u
   SET next_fetch_at = now() + $3::float8 * interval '1 second'
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
 WHERE u.host_id = k.host_id
   AND u.url_hash = k.url_hash
   AND u.next_fetch_at > now() + $3::float8 * interval '1 second'
RETURNING u.host_id;

-- name: reschedule
-- Plan the next visits of queued URLs. An entry that an open run waits for is visited for the run first.
-- $1 host_id[], $2 url_hash[], $3 seconds until the visit[]
UPDATE url u
   SET next_fetch_at = now() + k.wait_s * interval '1 second'
  FROM unnest($1::bigint[], $2::uuid[], $3::float8[]) AS k (host_id, url_hash, wait_s)
 WHERE u.host_id = k.host_id
   AND u.url_hash = k.url_hash
   AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
   AND coalesce(u.run_id, -1) < 0;

-- name: hide
-- Hide queued URLs from the claim without deleting them: a negative prio is hidden.
-- $1 host_id[], $2 url_hash[]
UPDATE url u
   SET prio = -u.prio
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
 WHERE u.host_id = k.host_id
   AND u.url_hash = k.url_hash
   AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
   AND u.prio > 0;

-- name: show
-- Show queued URLs to the claim again and make them due, unless the source that asks is held. Returns their hosts.
-- $1 host_id[], $2 url_hash[], $3 source_id
UPDATE url u
   SET prio = abs(u.prio), next_fetch_at = least(u.next_fetch_at, now())
  FROM unnest($1::bigint[], $2::uuid[]) AS k (host_id, url_hash)
 WHERE u.host_id = k.host_id
   AND u.url_hash = k.url_hash
   AND url_state(u.next_fetch_at, u.redirect_hash, u.reason) = {state_pending}
   AND NOT EXISTS (SELECT FROM held_source h WHERE h.source_id = $3)
RETURNING u.host_id;

-- name: set_kinds
-- Set what known URLs are: a page, a feed or a sitemap. A robots.txt file keeps its kind.
-- $1 host_id[], $2 url_hash[], $3 kind[]
UPDATE url u
   SET kind = n.kind
  FROM unnest($1::bigint[], $2::uuid[], $3::smallint[]) AS n (host_id, url_hash, kind)
 WHERE u.host_id = n.host_id
   AND u.url_hash = n.url_hash
   AND u.kind <> n.kind
   AND u.kind <> {kind_robots};

-- name: wake_known_hosts
-- Make hosts due after URLs of theirs became due. A blocked host stays blocked.
-- $1 host_id[]
UPDATE host
   SET due_at = CASE WHEN lease_owner IS NULL THEN greatest(next_allowed_at, now()) ELSE due_at END,
       wake   = lease_owner IS NOT NULL
 WHERE host_id = ANY ($1::bigint[])
   AND next_allowed_at < 'infinity';
