-- A URL that several sources want: how each of them stands with it, and counts that are right for each (FRO-16).

ALTER TABLE url ADD COLUMN shared smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN url.shared IS '0: only its source_id wants it. Otherwise url_source says who does; each new one raises the number.';
ALTER TYPE flush_completion ADD ATTRIBUTE shared smallint;

ALTER TABLE url_source
  ADD COLUMN state        smallint NOT NULL DEFAULT 2 CHECK (state BETWEEN 1 AND 4),
  ADD COLUMN depth        smallint NOT NULL DEFAULT 0,
  ADD COLUMN origin       smallint NOT NULL DEFAULT 0,
  ADD COLUMN fetches      integer  NOT NULL DEFAULT 0,
  ADD COLUMN has_document boolean  NOT NULL DEFAULT false,
  ADD COLUMN reason       text;
COMMENT ON TABLE url_source IS 'Every source that wants a shared URL, the first one included, and how it stands for that source.';
COMMENT ON COLUMN url_source.state IS 'What url_state() would say if only this source had asked: 1 waits for a visit, 2 fetched, 3 dead, 4 alias.';
COMMENT ON COLUMN url_source.depth IS 'Links from the start of this source.';
COMMENT ON COLUMN url_source.origin IS 'How the URL came to this source.';
COMMENT ON COLUMN url_source.fetches IS 'Visits that served this source.';
COMMENT ON COLUMN url_source.has_document IS 'Whether its document is in the documents count of this source.';
COMMENT ON COLUMN url_source.reason IS 'Why it is dead for this source.';
DROP INDEX url_source_source;
CREATE INDEX url_source_source ON url_source (source_id, state);

COMMENT ON COLUMN counter.source_id IS '0: corrections, so that the sum over all sources counts a shared URL once.';

-- Two sources may see the same article by the same way, and look at the same list.
ALTER TABLE sighting DROP CONSTRAINT sighting_pkey, ADD PRIMARY KEY (host_id, url_hash, way, source_id);
ALTER TABLE listing DROP CONSTRAINT listing_pkey, ADD PRIMARY KEY (host_id, url_hash, source_id);

-- What was written down before: later sources only, without their state.
DELETE FROM url_source w
 WHERE NOT EXISTS (SELECT FROM url u
                    WHERE u.host_id = w.host_id AND u.url_hash = w.url_hash AND u.kind = 0 AND u.source_id <> w.source_id);
UPDATE url_source w
   SET state        = s.state,
       reason       = CASE WHEN s.state = 3 THEN u.reason END,
       depth        = u.depth,
       origin       = u.origin,
       has_document = EXISTS (SELECT FROM document d
                               WHERE d.host_id = u.host_id AND d.url_hash = u.url_hash
                                 AND (d.unindexed IS NULL OR d.unindexed = 'quality_gate'))
  FROM url u
  CROSS JOIN LATERAL (
    SELECT CASE WHEN u.q_at > now() AND u.fetches > 0 THEN 2::smallint
                ELSE url_state(u.q_at, u.redirect_hash, u.reason) END AS state
  ) s
 WHERE u.host_id = w.host_id
   AND u.url_hash = w.url_hash;
INSERT INTO counter AS c (slot, source_id, name, value)
SELECT 0, n.source_id, n.name, sum(n.delta)
  FROM url_source w
  CROSS JOIN LATERAL (
    SELECT (ARRAY['pending', 'fetched', 'dead', 'alias'])[w.state] AS name
    UNION ALL
    SELECT 'dead.' || w.reason WHERE w.state = 3
    UNION ALL
    SELECT 'documents' WHERE w.has_document
  ) k
  CROSS JOIN LATERAL (VALUES (w.source_id, k.name, 1), (0, k.name, -1)) AS n (source_id, name, delta)
 GROUP BY n.source_id, n.name
ON CONFLICT (slot, source_id, name) DO UPDATE SET value = c.value + excluded.value;
INSERT INTO url_source (host_id, url_hash, source_id, state, depth, origin, fetches, has_document, reason)
SELECT u.host_id, u.url_hash, u.source_id, url_state(u.q_at, u.redirect_hash, u.reason), u.depth, u.origin, u.fetches,
       true, CASE WHEN url_state(u.q_at, u.redirect_hash, u.reason) = 3 THEN u.reason END
  FROM url u
 WHERE (u.host_id, u.url_hash) IN (SELECT host_id, url_hash FROM url_source);
UPDATE url u
   SET shared = 1
 WHERE (u.host_id, u.url_hash) IN (SELECT host_id, url_hash FROM url_source);

-- Who forgets a URL may be told of it again: what workers remember of it proves nothing any more.
CREATE TRIGGER url_source_lost AFTER DELETE ON url_source FOR EACH STATEMENT EXECUTE FUNCTION break_url_lineage();
