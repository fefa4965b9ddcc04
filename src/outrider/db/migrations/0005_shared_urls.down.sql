DROP TRIGGER url_source_lost ON url_source;

-- The counters go back to what each source owns: as if every shared URL were its first source's alone.
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT 0, n.source_id, n.name, sum(n.delta)
  FROM (SELECT s.source_id, k.name, s.delta
          FROM (SELECT w.source_id, w.state, w.reason, -1 AS delta FROM url_source w
                UNION ALL
                SELECT u.source_id, url_state(u.q_at, u.redirect_hash, u.reason), u.reason, 1
                  FROM url u
                 WHERE u.shared > 0) AS s
          CROSS JOIN LATERAL (
            SELECT (ARRAY['pending', 'fetched', 'dead', 'alias'])[s.state] AS name
            UNION ALL
            SELECT 'dead.' || s.reason WHERE s.state = 3
          ) k
        UNION ALL
        SELECT w.source_id, 'documents', -1
          FROM url_source w
          JOIN url u ON u.host_id = w.host_id AND u.url_hash = w.url_hash
          JOIN document d ON d.host_id = w.host_id AND d.url_hash = w.url_hash
         WHERE w.has_document
           AND w.source_id NOT IN (u.source_id, d.source_id)) AS n
 GROUP BY n.source_id, n.name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;
DELETE FROM counter WHERE source_id = 0;
DELETE FROM url_source w USING url u WHERE u.host_id = w.host_id AND u.url_hash = w.url_hash AND u.source_id = w.source_id;

DELETE FROM listing l
 WHERE EXISTS (SELECT FROM listing o
                WHERE o.host_id = l.host_id AND o.url_hash = l.url_hash AND o.source_id < l.source_id);
ALTER TABLE listing DROP CONSTRAINT listing_pkey, ADD PRIMARY KEY (host_id, url_hash);
DELETE FROM sighting s
 WHERE EXISTS (SELECT FROM sighting o
                WHERE o.host_id = s.host_id AND o.url_hash = s.url_hash AND o.way = s.way AND o.source_id < s.source_id);
ALTER TABLE sighting DROP CONSTRAINT sighting_pkey, ADD PRIMARY KEY (host_id, url_hash, way);

COMMENT ON COLUMN counter.source_id IS NULL;
DROP INDEX url_source_source;
CREATE INDEX url_source_source ON url_source (source_id);
COMMENT ON TABLE url_source IS 'Who else asked for a URL that another source asked for first.';
ALTER TABLE url_source
  DROP COLUMN state, DROP COLUMN depth, DROP COLUMN origin, DROP COLUMN fetches, DROP COLUMN has_document, DROP COLUMN reason;
DROP TYPE flush_completion;
CREATE TYPE flush_completion AS (
  host_id          bigint,
  url_hash         uuid,
  url              text,
  source_id        integer,
  origin           smallint,
  kind             smallint,
  prio             smallint,
  depth            smallint,
  fetches          integer,
  http_status      smallint,
  reason           text,
  retry_s          float8,
  attempts         smallint,
  redirect_host_id bigint,
  redirect_hash    uuid,
  parent_host_id   bigint,
  parent_hash      uuid
);
ALTER TABLE url DROP COLUMN shared;
