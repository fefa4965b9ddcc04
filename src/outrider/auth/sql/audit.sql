-- name: record_audit
-- Write a row of the audit log.
-- $1 user, $2 name, $3 role, $4 proven by, $5 address, $6 request, $7 action, $8 kind of object, $9 object,
-- $10 changes, $11 result
INSERT INTO audit (user_id, user_name, role, proven_by, client_address, request_id,
                   action, object_kind, object_id, changes, result)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11);

-- name: read_audit
-- A page of the audit log from the newest row.
-- $1 user, $2 action, $3 kind of object, $4 object, $5 since, $6 until; NULL does not limit
-- $7 and $8 time and number of the row before the page, or NULL; $9 limit
SELECT audit_id, at, user_id, user_name, role, proven_by, client_address, request_id,
       action, object_kind, object_id, changes::text AS changes, result
  FROM audit
 WHERE ($1::text IS NULL OR user_id::text = $1 OR lower(user_name) = lower($1))
   AND ($2::text IS NULL OR action = $2)
   AND ($3::text IS NULL OR object_kind = $3)
   AND ($4::text IS NULL OR object_id = $4)
   AND ($5::timestamptz IS NULL OR at >= $5)
   AND ($6::timestamptz IS NULL OR at < $6)
   AND ($7::timestamptz IS NULL OR (at, audit_id) < ($7, $8::bigint))
 ORDER BY at DESC, audit_id DESC
 LIMIT $9;

-- name: count_audit
-- How many rows match, counted up to a limit.
-- $1 user, $2 action, $3 kind of object, $4 object, $5 since, $6 until; NULL does not limit; $7 most
SELECT count(*)
  FROM (SELECT
          FROM audit
         WHERE ($1::text IS NULL OR user_id::text = $1 OR lower(user_name) = lower($1))
           AND ($2::text IS NULL OR action = $2)
           AND ($3::text IS NULL OR object_kind = $3)
           AND ($4::text IS NULL OR object_id = $4)
           AND ($5::timestamptz IS NULL OR at >= $5)
           AND ($6::timestamptz IS NULL OR at < $6)
         LIMIT $7) AS found;
