-- A frontier of many queued URLs: three in ten on one giant host, the others spread over `hosts` by Zipf's law.
-- The placeholders {urls} and {hosts} are numbers.
CREATE TEMP TABLE filled AS
SELECT i,
       CASE WHEN i % 10 < 3 THEN 'giant.example'
            ELSE 'h' || floor(pow({hosts}, (hashint8(i)::bigint + 2147483648) / 4294967296.0)) || '.example'
       END AS host
  FROM generate_series(1, {urls}) AS i;

INSERT INTO url (host_id, url_hash, url, prio, next_fetch_at, depth)
SELECT ('x' || left(encode(sha256(host::bytea), 'hex'), 16))::bit(64)::bigint,
       left(encode(sha256(url::bytea), 'hex'), 32)::uuid, url, 3 + i % 6, now() - i % 1000 * interval '1 second', 2
  FROM (SELECT i, host, 'https://' || host || '/articles/2026/' || i || '/a-title-of-usual-length' AS url FROM filled) f;

INSERT INTO host_info (host_id, host)
SELECT DISTINCT ('x' || left(encode(sha256(host::bytea), 'hex'), 16))::bit(64)::bigint, host
  FROM filled;

INSERT INTO host (host_id, prio, due_at)
SELECT host_id, max(prio), min(next_fetch_at)
  FROM url
 GROUP BY host_id;

INSERT INTO counter (slot, source_id, name, value)
SELECT 0, 1, 'pending', count(*)
  FROM url;
