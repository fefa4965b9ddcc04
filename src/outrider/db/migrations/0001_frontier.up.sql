-- The frontier, its hosts, what was kept, and what happened.
-- Rows that every request touches are narrow; names, counters and history live beside them.

CREATE TABLE source (
  source_id  integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id  uuid        NOT NULL DEFAULT gen_random_uuid(),
  name       text        NOT NULL UNIQUE,
  priority   smallint    NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
  policy     jsonb       NOT NULL DEFAULT '{}',
  held       boolean     NOT NULL DEFAULT false,
  reserved   bigint      NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE source IS 'What people asked us to watch; URLs without one belong to adhoc.';
COMMENT ON COLUMN source.held IS 'Its pending URLs wait outside the queue (negative prio) until it is resumed.';
COMMENT ON COLUMN source.reserved IS 'Pages handed out against the page limit of its policy.';
CREATE UNIQUE INDEX source_public_id ON source (public_id);
INSERT INTO source (name) VALUES ('adhoc');

CREATE TABLE host (
  host_id         bigint      PRIMARY KEY,
  due_at          timestamptz,
  next_allowed_at timestamptz NOT NULL DEFAULT '-infinity',
  lease_seq       bigint      NOT NULL DEFAULT 0,
  lease_owner     integer,
  kept_for        integer,
  delay_ms        integer     NOT NULL DEFAULT 1000 CHECK (delay_ms >= 0),
  penalty_ms      integer     NOT NULL DEFAULT 0 CHECK (penalty_ms >= 0),
  prio            smallint    NOT NULL DEFAULT 5,
  calm            smallint    NOT NULL DEFAULT 0,
  failures        smallint    NOT NULL DEFAULT 0,
  breaker         smallint    NOT NULL DEFAULT 0 CHECK (breaker BETWEEN 0 AND 2),
  probes_ok       smallint    NOT NULL DEFAULT 0,
  trips           smallint    NOT NULL DEFAULT 0,
  robots_failures smallint    NOT NULL DEFAULT 0,
  probation       smallint    NOT NULL DEFAULT 0,
  blame           smallint    NOT NULL DEFAULT 0,
  wake            boolean     NOT NULL DEFAULT false,
  relapsed        boolean     NOT NULL DEFAULT false,
  accused         uuid
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_cost_delay = 0);
COMMENT ON TABLE host IS 'Whose turn it is: one row a host, the lease on it, and how gently to go.';
COMMENT ON COLUMN host.host_id IS 'First 8 bytes of sha256(host name), so no look-up is needed to know it.';
COMMENT ON COLUMN host.due_at IS 'NULL: nothing pending. While leased: when the lease runs out.';
COMMENT ON COLUMN host.next_allowed_at IS 'No request before this. infinity: blocked by an operator.';
COMMENT ON COLUMN host.lease_seq IS 'Fencing number, one higher with each claim.';
COMMENT ON COLUMN host.kept_for IS 'The worker that gave it back and comes for it: others wait half a second.';
COMMENT ON COLUMN host.breaker IS '0 closed, 1 open, 2 half-open.';
COMMENT ON COLUMN host.wake IS 'A URL arrived while the host was leased.';
COMMENT ON COLUMN host.probation IS 'After a worker died on this host: this many URLs are handed out alone.';
COMMENT ON COLUMN host.relapsed IS 'A worker died here again during probation: from now on each URL is accused before it is fetched.';
COMMENT ON COLUMN host.accused IS 'The URL being fetched; still set at the next claim if it took its worker down.';
COMMENT ON COLUMN host.blame IS 'How often in a row the accused one did.';
CREATE INDEX host_due ON host (prio, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX host_broken ON host (host_id) WHERE breaker <> 0;
CREATE INDEX host_leased ON host (lease_owner) WHERE lease_owner IS NOT NULL;

CREATE TABLE host_info (
  host_id       bigint      PRIMARY KEY,
  host          text        NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_fetch_at timestamptz,
  requests      bigint      NOT NULL DEFAULT 0,
  pages         bigint      NOT NULL DEFAULT 0,
  errors        bigint      NOT NULL DEFAULT 0,
  bytes         bigint      NOT NULL DEFAULT 0,
  busy_ms       bigint      NOT NULL DEFAULT 0,
  last_status   smallint,
  last_error    text,
  asked_delay_ms integer,
  block_reason  text
) WITH (fillfactor = 70);
COMMENT ON TABLE host_info IS 'What a host is called and how it has behaved; asked_delay_ms is an operator''s override.';
CREATE INDEX host_info_host ON host_info (host);

CREATE TABLE robots (
  host_id    bigint      NOT NULL,
  origin     text        NOT NULL,
  status     smallint,
  body       bytea       NOT NULL DEFAULT '',
  fetched_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (host_id, origin)
);
COMMENT ON TABLE robots IS 'robots.txt by scheme and authority, as last fetched.';

CREATE TABLE url (
  host_id          bigint      NOT NULL,
  url_hash         uuid        NOT NULL,
  q_at             timestamptz,
  last_fetch_at    timestamptz,
  discovered_at    timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz,
  redirect_host_id bigint,
  redirect_hash    uuid,
  parent_host_id   bigint,
  parent_hash      uuid,
  source_id        integer     NOT NULL DEFAULT 1,
  fetches          integer     NOT NULL DEFAULT 0,
  prio             smallint    NOT NULL DEFAULT 5 CHECK (abs(prio) BETWEEN 1 AND 10),
  depth            smallint    NOT NULL DEFAULT 0,
  attempts         smallint    NOT NULL DEFAULT 0,
  http_status      smallint,
  kind             smallint    NOT NULL DEFAULT 0,
  origin           smallint    NOT NULL DEFAULT 0,
  hops             smallint    NOT NULL DEFAULT 0,
  was              smallint    NOT NULL DEFAULT 0,
  reason           text,
  via              text,
  url              text        NOT NULL,
  PRIMARY KEY (host_id, url_hash)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
COMMENT ON TABLE url IS 'Everything we will ever request, and every address that turned out to be another''s.';
COMMENT ON COLUMN url.url_hash IS 'First 16 bytes of sha256(url); the full hash is in the view url_frontier.';
COMMENT ON COLUMN url.q_at IS 'NULL: not queued. Otherwise not before this time.';
COMMENT ON COLUMN url.updated_at IS 'When the row last changed, kept by a trigger. NULL: not since its discovery.';
COMMENT ON COLUMN url.prio IS '1 to 10, higher first; negative while its source is held.';
COMMENT ON COLUMN url.was IS 'The state before the last write, so that a write can report the transition it made.';
COMMENT ON COLUMN url.via IS 'Hashes of the redirects that led here across hosts, so that a loop is recognised.';
CREATE INDEX url_pending ON url (host_id, prio DESC, q_at) WHERE q_at IS NOT NULL;
CREATE INDEX url_dead ON url (reason, host_id, url_hash) WHERE reason IS NOT NULL AND q_at IS NULL;
CREATE INDEX url_of_source ON url (source_id, discovered_at);

CREATE FUNCTION date_the_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION date_the_change IS 'Whoever changes a row, a person with psql included, leaves the time in updated_at.';
CREATE TRIGGER url_updated BEFORE UPDATE ON url FOR EACH ROW EXECUTE FUNCTION date_the_change();

CREATE TABLE url_lineage (
  one            boolean     PRIMARY KEY DEFAULT true CHECK (one),
  unbroken_since timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE url_lineage IS 'Since when no row of url was taken out or renamed: older memories of them prove nothing.';
INSERT INTO url_lineage DEFAULT VALUES;

CREATE FUNCTION break_url_lineage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO url_lineage DEFAULT VALUES ON CONFLICT (one) DO UPDATE SET unbroken_since = now();
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION break_url_lineage IS 'Whoever takes out a URL, a person with psql included, ends what workers remember of them.';
CREATE TRIGGER url_lost AFTER DELETE OR TRUNCATE OR UPDATE OF host_id, url_hash ON url
   FOR EACH STATEMENT EXECUTE FUNCTION break_url_lineage();

CREATE FUNCTION url_state(q_at timestamptz, redirect_hash uuid, reason text) RETURNS smallint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN q_at IS NOT NULL THEN 1
  WHEN redirect_hash IS NOT NULL THEN 4
  WHEN reason IS NOT NULL THEN 3
  ELSE 2
END::smallint;
COMMENT ON FUNCTION url_state IS '1 pending, 2 fetched, 3 dead, 4 alias (0 in url.was: was not there).';

CREATE TABLE fetch_log (
  at          timestamptz NOT NULL DEFAULT now(),
  host_id     bigint      NOT NULL,
  url_hash    uuid        NOT NULL,
  elapsed_ms  integer     NOT NULL,
  wire_bytes  integer     NOT NULL,
  worker_id   integer,
  http_status smallint,
  outcome     text        NOT NULL
) PARTITION BY RANGE (at);
COMMENT ON TABLE fetch_log IS 'One row a request, append only, partitioned by month.';
CREATE INDEX fetch_log_url ON fetch_log (host_id, url_hash, at);
CREATE TABLE fetch_log_default PARTITION OF fetch_log DEFAULT;

CREATE FUNCTION keep_fetch_log_partitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first timestamptz;
BEGIN
  FOR first IN
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month') AT TIME ZONE 'UTC'
      FROM generate_series(0, 1) AS n
  LOOP
    -- A month that began in the default partition stays there: moving its rows would lock out the writers.
    IF to_regclass(to_char(first AT TIME ZONE 'UTC', '"fetch_log_"YYYY_MM')) IS NULL
       AND NOT EXISTS (SELECT FROM fetch_log_default WHERE at >= first AND at < first + interval '1 month')
    THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF fetch_log FOR VALUES FROM (%L) TO (%L)',
                     to_char(first AT TIME ZONE 'UTC', '"fetch_log_"YYYY_MM'), first,
                     ((first AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
    END IF;
  END LOOP;
END
$$;
COMMENT ON FUNCTION keep_fetch_log_partitions IS 'Makes the partitions of this month and the next; call it now and then.';

CREATE TABLE document (
  host_id           bigint      NOT NULL,
  url_hash          uuid        NOT NULL,
  source_id         integer     NOT NULL,
  versions          integer     NOT NULL DEFAULT 1,
  first_seen_at     timestamptz NOT NULL DEFAULT now(),
  fetched_at        timestamptz NOT NULL DEFAULT now(),
  changed_at        timestamptz NOT NULL DEFAULT now(),
  published_at      timestamptz,
  duplicate_host_id bigint,
  bytes             integer     NOT NULL,
  words             integer     NOT NULL,
  http_status       smallint    NOT NULL,
  noindex           boolean     NOT NULL DEFAULT false,
  near_duplicate    boolean     NOT NULL DEFAULT false,
  duplicate_hash    uuid,
  content_hash      bytea       NOT NULL,
  signature         bytea,
  etag              text,
  last_modified     text,
  content_type      text,
  charset           text,
  language          text,
  title             text,
  description       text,
  author            text,
  canonical_url     text,
  meta              jsonb,
  base              text,
  links             bytea,
  text              bytea,
  PRIMARY KEY (host_id, url_hash)
);
ALTER TABLE document ALTER COLUMN text SET STORAGE EXTERNAL, ALTER COLUMN links SET STORAGE EXTERNAL;
COMMENT ON TABLE document IS 'A page we kept, once, under its final address. text and links are zstd.';
COMMENT ON COLUMN document.duplicate_hash IS 'The document that already holds this text; then text is not kept twice.';
CREATE INDEX document_content ON document (content_hash) WHERE duplicate_hash IS NULL OR near_duplicate;
CREATE INDEX document_unsigned ON document (host_id, url_hash)
  WHERE signature IS NULL AND duplicate_hash IS NULL;

CREATE TABLE document_version (
  host_id      bigint      NOT NULL,
  url_hash     uuid        NOT NULL,
  version      integer     NOT NULL,
  fetched_at   timestamptz NOT NULL,
  content_hash bytea       NOT NULL,
  title        text,
  text         bytea,
  PRIMARY KEY (host_id, url_hash, version)
);
ALTER TABLE document_version ALTER COLUMN text SET STORAGE EXTERNAL;
COMMENT ON TABLE document_version IS 'What a document said before it changed.';

CREATE TABLE document_band (
  band     bigint NOT NULL,
  host_id  bigint NOT NULL,
  url_hash uuid   NOT NULL
);
COMMENT ON TABLE document_band IS 'Near-duplicates share a band of their signatures: the index that finds them.';
-- No unique key on purpose: with one, 16 rows a document cost twice the time to write.
CREATE INDEX document_band_key ON document_band (band);

CREATE TABLE url_template (
  host_id    bigint      NOT NULL,
  template   text        NOT NULL,
  fetched    integer     NOT NULL DEFAULT 0,
  barren_run integer     NOT NULL DEFAULT 0,
  barren     boolean     NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, template)
);
COMMENT ON TABLE url_template IS 'URL shapes of a host; a barren one stopped yielding anything new and lost its turn.';

CREATE TABLE counter (
  slot      smallint NOT NULL,
  source_id integer  NOT NULL,
  name      text     NOT NULL,
  value     bigint   NOT NULL,
  PRIMARY KEY (slot, source_id, name)
) WITH (fillfactor = 50);
COMMENT ON TABLE counter IS 'Maintained counts, one slot per worker so that nobody waits; a total is the sum over slots.';

CREATE TABLE worker (
  worker_id  integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  machine    text        NOT NULL,
  pid        integer     NOT NULL,
  flushed    bigint      NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT now(),
  beat_at    timestamptz NOT NULL DEFAULT now(),
  stopped_at timestamptz,
  stats      jsonb       NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE worker IS 'Who is or was at work, with the latest figures of each.';
CREATE INDEX worker_alive ON worker (beat_at) WHERE stopped_at IS NULL;

CREATE TABLE url_rules (
  one           boolean  PRIMARY KEY DEFAULT true CHECK (one),
  version       integer  NOT NULL,
  becoming      integer,
  phase         text,
  after_host_id bigint,
  after_hash    uuid
);
COMMENT ON TABLE url_rules IS 'By which rules the URLs here are spelt, and how far `outrider rehash` has come with other ones.';
INSERT INTO url_rules (version) VALUES (1);

CREATE TABLE url_rehash (
  host_id     bigint   NOT NULL,
  url_hash    uuid     NOT NULL,
  new_host_id bigint   NOT NULL,
  new_hash    uuid     NOT NULL,
  state       smallint NOT NULL DEFAULT 0,
  host        text     NOT NULL,
  url         text     NOT NULL,
  PRIMARY KEY (host_id, url_hash)
);
COMMENT ON TABLE url_rehash IS 'While a rehash runs: who gets which new key. state: 0 waits, 1 in hand, 2 moved.';
CREATE INDEX url_rehash_waiting ON url_rehash (new_host_id, new_hash) WHERE state = 0;
CREATE INDEX url_rehash_in_hand ON url_rehash (host_id, url_hash) WHERE state = 1;

CREATE FUNCTION text_of_original(content_hash bytea, host_id bigint, url_hash uuid) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
  (SELECT o.text
     FROM document o
    WHERE o.host_id = $2
      AND o.url_hash = $3
      AND o.content_hash = $1),
  (SELECT v.text
     FROM document_version v
    WHERE v.host_id = $2
      AND v.url_hash = $3
      AND v.content_hash = $1
    ORDER BY v.version DESC
    LIMIT 1),
  (SELECT h.text
     FROM document h
    WHERE h.content_hash = $1
      AND (h.duplicate_hash IS NULL OR h.near_duplicate)
    LIMIT 1)
);
COMMENT ON FUNCTION text_of_original IS 'The words of a copy: its original has them, or had them before it changed, or whoever holds the same.';

-- What a flush hands over, a row for each thing: one array of rows costs both sides less than an array for each column.
CREATE TYPE flush_page AS (
  host_id       bigint,
  url_hash      uuid,
  source_id     integer,
  http_status   smallint,
  bytes         integer,
  words         integer,
  noindex       boolean,
  content_hash  bytea,
  comparable    boolean,
  twin_host_id  bigint,
  twin_hash     uuid,
  etag          text,
  last_modified text,
  content_type  text,
  charset       text,
  language      text,
  title         text,
  description   text,
  canonical_url text,
  base          text,
  links         bytea,
  author        text,
  published_at  timestamptz,
  meta          jsonb,
  page_type     text,
  unindexed     text
);
COMMENT ON TYPE flush_page IS 'A page to keep, without its text. Its twin is an earlier one of the same flush with the same text.';

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
COMMENT ON TYPE flush_completion IS 'What became of an address. fetches is what the claim saw.';

CREATE TYPE flush_link AS (
  host_id        bigint,
  url_hash       uuid,
  url            text,
  prio           smallint,
  depth          smallint,
  source_id      integer,
  origin         smallint,
  kind           smallint,
  parent_host_id bigint,
  parent_hash    uuid,
  hops           smallint,
  via            text
);
COMMENT ON TYPE flush_link IS 'An address somebody wants to be asked for.';

CREATE TYPE flush_request AS (
  host_id     bigint,
  url_hash    uuid,
  outcome     text,
  http_status smallint,
  elapsed_ms  integer,
  wire_bytes  integer,
  age_s       float8
);
COMMENT ON TYPE flush_request IS 'A request that was made, and how long ago.';

CREATE VIEW url_frontier AS
SELECT u.url_hash AS id,
       encode(sha256(convert_to(u.url, 'UTF8')), 'hex') AS url_hash,
       u.url,
       i.host,
       s.public_id AS source_id,
       s.name AS source,
       (ARRAY['manual', 'spider', 'feed', 'sitemap', 'discovered', 'replay', 'redirect'])[u.origin + 1] AS origin,
       (ARRAY['page', 'robots', 'feed', 'sitemap'])[u.kind + 1] AS kind,
       p.url AS parent_url,
       u.depth,
       abs(u.prio)::smallint AS priority,
       (ARRAY['pending', 'fetched', 'dead', 'alias'])[url_state(u.q_at, u.redirect_hash, u.reason)] AS status,
       u.prio < 0 AS held,
       u.q_at AS next_fetch_at,
       u.last_fetch_at AS last_fetched_at,
       u.fetches AS fetch_count,
       u.http_status,
       encode(d.content_hash, 'hex') AS content_hash,
       d.etag,
       d.last_modified,
       u.attempts AS retry_count,
       u.reason AS last_error,
       t.url AS redirects_to,
       u.discovered_at,
       u.discovered_at AS created_at,
       coalesce(u.updated_at, u.discovered_at) AS updated_at
  FROM url u
  LEFT JOIN host_info i ON i.host_id = u.host_id
  LEFT JOIN source s ON s.source_id = u.source_id
  LEFT JOIN url p ON p.host_id = u.parent_host_id AND p.url_hash = u.parent_hash
  LEFT JOIN url t ON t.host_id = u.redirect_host_id AND t.url_hash = u.redirect_hash
  LEFT JOIN document d ON d.host_id = u.host_id AND d.url_hash = u.url_hash;
COMMENT ON VIEW url_frontier IS 'The queue as people and BI tools think of it; the tables are laid out for speed.';
