-- The whole schema today, for reading. Generated from the migrations by `make schema`: change those.
-- Views show what they answer; how it is computed is in their migration.

CREATE TYPE ingestion_mode AS ENUM ('feed', 'spider', 'both');

CREATE TYPE job_status AS ENUM ('pending', 'scheduled', 'running', 'paused', 'completed', 'failed', 'cancelled');

CREATE TYPE run_status AS ENUM ('running', 'completed', 'failed', 'cancelled');

CREATE TYPE source_kind AS ENUM ('system', 'crawl', 'watch');

CREATE TYPE flush_completion AS (
    host_id bigint,
    url_hash uuid,
    url text,
    source_id integer,
    origin smallint,
    kind smallint,
    prio smallint,
    depth smallint,
    fetches integer,
    http_status smallint,
    reason text,
    retry_s double precision,
    attempts smallint,
    redirect_host_id bigint,
    redirect_hash uuid,
    parent_host_id bigint,
    parent_hash uuid,
    shared smallint,
    run_id integer
);

CREATE TYPE flush_link AS (
    host_id bigint,
    url_hash uuid,
    url text,
    prio smallint,
    depth smallint,
    source_id integer,
    origin smallint,
    kind smallint,
    parent_host_id bigint,
    parent_hash uuid,
    hops smallint,
    via text,
    run_id integer
);

CREATE TYPE flush_page AS (
    host_id bigint,
    url_hash uuid,
    source_id integer,
    http_status smallint,
    bytes integer,
    words integer,
    noindex boolean,
    content_hash bytea,
    comparable boolean,
    twin_host_id bigint,
    twin_hash uuid,
    etag text,
    last_modified text,
    content_type text,
    charset text,
    language text,
    title text,
    description text,
    canonical_url text,
    base text,
    links bytea,
    author text,
    published_at timestamp with time zone,
    meta jsonb,
    page_type text,
    unindexed text,
    links_count integer,
    signature bytea
);

CREATE TYPE flush_request AS (
    host_id bigint,
    url_hash uuid,
    outcome text,
    http_status smallint,
    elapsed_ms integer,
    wire_bytes integer,
    age_s double precision,
    content_length bigint,
    content_type text,
    error_message text
);

CREATE SEQUENCE document_text_id AS bigint;

CREATE FUNCTION break_url_lineage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO url_lineage DEFAULT VALUES ON CONFLICT (one) DO UPDATE SET unbroken_since = now();
  RETURN NULL;
END
$function$;

CREATE FUNCTION bytes_as_text(bytes bytea)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
  RETURN encode(bytes, 'escape');
END
$function$;

CREATE FUNCTION copied_text(text_id bigint)
 RETURNS bigint
 LANGUAGE sql
BEGIN ATOMIC
 WITH copy AS (
          SELECT nextval('document_text_id'::regclass) AS text_id
           WHERE (copied_text.text_id IS NOT NULL)
         ), written AS (
          INSERT INTO document_text (text_id, part, bytes)  SELECT c_1.text_id,
                     t.part,
                     t.bytes
                    FROM (copy c_1
                      JOIN document_text t ON ((t.text_id = copied_text.text_id)))
         )
  SELECT c.text_id
    FROM copy c;
END;

CREATE FUNCTION crawled_page(address text)
 RETURNS SETOF crawled_pages
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT * FROM crawled_pages p WHERE p.host_id = host_key(address) AND p.id = url_key(address)
$function$;

CREATE FUNCTION date_the_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END
$function$;

CREATE FUNCTION event_history()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT left(encode(sha256(convert_to(system_identifier || '-' || timeline_id, 'UTF8')), 'hex'), 8)
    FROM pg_control_system(), pg_control_checkpoint()
$function$;

CREATE FUNCTION event_log_now()
 RETURNS TABLE(history text, horizon xid8, next_xid xid8, pruned_xid xid8, pruned_id bigint, newest_xid xid8, newest_id bigint)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
  SELECT now.history,
         now.horizon,
         now.next_xid,
         p.xid,
         p.id,
         coalesce(n.xid, p.xid),
         coalesce(n.id, p.id)
    FROM (SELECT event_history() AS history,
                 pg_snapshot_xmin(pg_current_snapshot()) AS horizon,
                 pg_snapshot_xmax(pg_current_snapshot()) AS next_xid) now
    CROSS JOIN LATERAL (SELECT CASE WHEN p.history = now.history THEN p.xid ELSE '0' END AS xid,
                               CASE WHEN p.history = now.history THEN p.id ELSE 0 END AS id
                          FROM event_log_pruned p) p
    LEFT JOIN LATERAL (SELECT e.xid, e.id
                         FROM event_log e
                        WHERE e.xid < now.horizon
                        ORDER BY e.xid DESC, e.id DESC
                        LIMIT 1) n ON true
$function$;

CREATE FUNCTION host_key(address text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((('x'::text || encode(substr(sha256(convert_to("substring"(address, '^[a-z]+://(\[[^]]*\]|[^/:?#]*)'::text), 'UTF8'::name)), 1, 8), 'hex'::text)))::bit(64))::bigint;

CREATE FUNCTION is_held(source_id integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (EXISTS (SELECT FROM held_source h WHERE (h.source_id = is_held.source_id)));

CREATE FUNCTION keep_fetch_log_partitions()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE FUNCTION log_source_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO event_log (kind, subject_id, at, payload)
  VALUES (replace(lower(NEW.event_type), 'source_', 'source.'),
          NEW.public_id,
          NEW.at,
          CASE WHEN octet_length(NEW.payload::text) <= 16384 THEN NEW.payload ELSE '{"truncated": true}' END);
  RETURN NULL;
END
$function$;

CREATE FUNCTION original_text(content_hash bytea, host_id bigint, url_hash uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT o.text_id FROM document o WHERE ((o.host_id = original_text.host_id) AND (o.url_hash = original_text.url_hash) AND (o.content_hash = original_text.content_hash))), (SELECT v.text_id FROM document_version v WHERE ((v.host_id = original_text.host_id) AND (v.url_hash = original_text.url_hash) AND (v.content_hash = original_text.content_hash)) ORDER BY v.version DESC LIMIT 1), (SELECT h.text_id FROM document h WHERE ((h.content_hash = original_text.content_hash) AND ((h.duplicate_hash IS NULL) OR h.near_duplicate)) LIMIT 1));

CREATE FUNCTION packed_text(text_id bigint)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT string_agg(t.bytes, '\x'::bytea ORDER BY t.part) AS string_agg FROM document_text t WHERE (t.text_id = packed_text.text_id));

CREATE FUNCTION redirect_end(host_id bigint, url_hash uuid)
 RETURNS TABLE(end_host_id bigint, end_hash uuid)
 LANGUAGE sql
 STABLE PARALLEL SAFE ROWS 1
AS $function$
  WITH RECURSIVE way AS (
    SELECT redirect_end.host_id AS at_host_id, redirect_end.url_hash AS at_hash, 0 AS hops
    UNION ALL
    SELECT u.redirect_host_id, u.redirect_hash, way.hops + 1
      FROM way
      JOIN url u ON u.host_id = way.at_host_id AND u.url_hash = way.at_hash
     WHERE u.redirect_hash IS NOT NULL
       AND u.next_fetch_at IS NULL
       AND way.hops < 64
  )
  SELECT at_host_id, at_hash FROM way ORDER BY hops DESC LIMIT 1
$function$;

CREATE FUNCTION search_rest(errors smallint, longest_s double precision)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN (errors = 0) THEN longest_s ELSE LEAST(((3600)::double precision * ((2)::double precision ^ (LEAST((errors - 1), 12))::double precision)), longest_s) END * '00:00:01'::interval);

CREATE FUNCTION small_facts(facts jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT COALESCE(jsonb_object_agg(jsonb_each.key, jsonb_each.value), '{}'::jsonb) AS "coalesce" FROM jsonb_each(small_facts.facts) jsonb_each(key, value) WHERE (length((jsonb_each.value)::text) <= 2000));

CREATE FUNCTION source_facts(s source)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
RETURN jsonb_build_object('name', (s).name, 'url', (s).url, 'mode', (s).mode, 'priority', (s).priority, 'policy', (s).policy, 'enabled', (s).enabled, 'disable_reason', (s).disable_reason, 'removed', ((s).removed_at IS NOT NULL), 'selectors', (s).selectors, 'template', (s).template, 'labels', (s).labels, 'render_mode', (s).render_mode, 'identity_key', (s).identity_key, 'allow_source_discovery', (s).allow_source_discovery);

CREATE FUNCTION stays_for_run(run_id integer, claimed integer, kind smallint, again_at timestamp with time zone, reason text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((COALESCE(run_id, 0) > 0) AND (run_id IS DISTINCT FROM claimed) AND (kind = 0) AND ((again_at IS NULL) OR (reason IS NULL)));

CREATE FUNCTION tell_of_source()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  is_new  boolean := TG_OP = 'INSERT';
  facts   jsonb   := source_facts(NEW);
  was     jsonb   := CASE WHEN NOT is_new THEN source_facts(OLD) END;
  changed text[]  := ARRAY(SELECT key FROM jsonb_each(facts) WHERE value IS DISTINCT FROM was -> key ORDER BY key);
BEGIN
  IF cardinality(changed) > 0 THEN
    INSERT INTO source_event (event_type, source_id, public_id, payload)
    VALUES (CASE
              WHEN is_new OR (was -> 'removed')::boolean AND NEW.removed_at IS NULL THEN 'SOURCE_CREATED'
              WHEN NEW.removed_at IS NOT NULL THEN 'SOURCE_DELETED'
              WHEN NEW.enabled = (was -> 'enabled')::boolean THEN 'SOURCE_UPDATED'
              WHEN NEW.enabled THEN 'SOURCE_ENABLED'
              ELSE 'SOURCE_DISABLED'
            END,
            NEW.source_id,
            NEW.public_id,
            jsonb_build_object('source', small_facts(facts)) || CASE
              WHEN is_new THEN '{}'
              ELSE jsonb_build_object('changed', changed, 'was', small_facts(
                     (SELECT jsonb_object_agg(key, value) FROM jsonb_each(was) WHERE key = ANY (changed))))
            END);
  END IF;
  RETURN NULL;
END
$function$;

CREATE FUNCTION url_key(address text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (encode(substr(sha256(convert_to(address, 'UTF8'::name)), 1, 16), 'hex'::text))::uuid;

CREATE FUNCTION url_state(q_at timestamp with time zone, redirect_hash uuid, reason text)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN (q_at IS NOT NULL) THEN 1 WHEN (redirect_hash IS NOT NULL) THEN 4 WHEN (reason IS NOT NULL) THEN 3 ELSE 2 END)::smallint;

CREATE TABLE adaptive_state (
    source_id integer NOT NULL,
    last_hash text NOT NULL,
    last_change_at timestamp with time zone NOT NULL,
    unchanged_count integer NOT NULL,
    current_interval interval NOT NULL,
    CONSTRAINT adaptive_state_pkey PRIMARY KEY (source_id),
    CONSTRAINT adaptive_state_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE,
    CONSTRAINT adaptive_state_unchanged_count_check CHECK (unchanged_count >= 0)
);
COMMENT ON TABLE adaptive_state IS 'What runs found out about the changes of a source: the interval doubles while nothing changes.';

CREATE TABLE alert (
    alert_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    severity text NOT NULL,
    subject_kind text,
    subject_id text,
    subject_name text,
    numbers jsonb NOT NULL DEFAULT '{}'::jsonb,
    held_since timestamp with time zone NOT NULL,
    opened_at timestamp with time zone,
    last_seen_at timestamp with time zone NOT NULL,
    over_since timestamp with time zone,
    closed_at timestamp with time zone,
    CONSTRAINT alert_pkey PRIMARY KEY (alert_id),
    CONSTRAINT alert_check CHECK ((subject_kind IS NULL) = (subject_id IS NULL) AND (subject_kind IS NULL) = (subject_name IS NULL)),
    CONSTRAINT alert_check1 CHECK (opened_at IS NOT NULL OR over_since IS NULL AND closed_at IS NULL),
    CONSTRAINT alert_key_check CHECK (octet_length(key) >= 1 AND octet_length(key) <= 200),
    CONSTRAINT alert_kind_check CHECK (kind ~ '^[a-z][a-z_]{0,63}$'::text),
    CONSTRAINT alert_severity_check CHECK (severity = ANY (ARRAY['warning'::text, 'critical'::text])),
    CONSTRAINT alert_subject_kind_check CHECK (subject_kind = ANY (ARRAY['source'::text, 'job'::text, 'site'::text]))
);
COMMENT ON TABLE alert IS 'What needs a person. One key has at most one alert that is not closed.';
COMMENT ON COLUMN alert.key IS 'The kind, and what the alert is about.';
COMMENT ON COLUMN alert.opened_at IS 'When it was told. NULL: its condition has not held long enough yet.';
COMMENT ON COLUMN alert.last_seen_at IS 'When its condition held last.';
COMMENT ON COLUMN alert.over_since IS 'Since then its condition does not hold. After a while the alert is closed.';
CREATE INDEX alert_closed ON alert USING btree (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX alert_newest ON alert USING btree (opened_at DESC, alert_id DESC) WHERE opened_at IS NOT NULL;
CREATE UNIQUE INDEX alert_once ON alert USING btree (key) WHERE closed_at IS NULL;

CREATE TABLE alert_delivery (
    number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    delivery_id uuid NOT NULL,
    alert_id bigint NOT NULL,
    key text NOT NULL,
    event text NOT NULL,
    body text NOT NULL,
    state text NOT NULL DEFAULT 'waiting'::text,
    attempts smallint NOT NULL DEFAULT 0,
    next_attempt_at timestamp with time zone DEFAULT now(),
    http_status smallint,
    why text,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    ended_at timestamp with time zone,
    CONSTRAINT alert_delivery_pkey PRIMARY KEY (number),
    CONSTRAINT alert_delivery_alert_id_event_key UNIQUE (alert_id, event),
    CONSTRAINT alert_delivery_delivery_id_key UNIQUE (delivery_id),
    CONSTRAINT alert_delivery_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(alert_id) ON DELETE CASCADE,
    CONSTRAINT alert_delivery_body_check CHECK (octet_length(body) <= 20000),
    CONSTRAINT alert_delivery_check CHECK ((state = 'waiting'::text) = (ended_at IS NULL)),
    CONSTRAINT alert_delivery_check1 CHECK ((state = 'waiting'::text) = (next_attempt_at IS NOT NULL)),
    CONSTRAINT alert_delivery_event_check CHECK (event = ANY (ARRAY['alert.opened'::text, 'alert.closed'::text])),
    CONSTRAINT alert_delivery_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dead'::text])),
    CONSTRAINT alert_delivery_why_check CHECK (length(why) <= 300)
);
COMMENT ON TABLE alert_delivery IS 'What the webhook of alerts is told: each event of an alert once, at least once sent.';
COMMENT ON COLUMN alert_delivery.key IS 'Deliveries with the same key are sent in the order of their numbers.';
CREATE INDEX alert_delivery_ended ON alert_delivery USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX alert_delivery_waiting ON alert_delivery USING btree (key, number) WHERE state = 'waiting'::text;

CREATE TABLE alert_level (
    key text NOT NULL,
    at timestamp with time zone NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT alert_level_pkey PRIMARY KEY (key, at)
);
COMMENT ON TABLE alert_level IS 'The least value of a figure in a part of the time, for rules that compare it with earlier ones.';

CREATE TABLE api_token (
    token_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    user_id integer NOT NULL,
    name text NOT NULL,
    token_hash bytea NOT NULL,
    role text NOT NULL,
    read_only boolean NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_token_pkey PRIMARY KEY (token_id),
    CONSTRAINT api_token_token_hash_key UNIQUE (token_hash),
    CONSTRAINT api_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id) ON DELETE CASCADE,
    CONSTRAINT api_token_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
    CONSTRAINT api_token_role_check CHECK (role = ANY (ARRAY['user'::text, 'admin'::text])),
    CONSTRAINT api_token_token_hash_check CHECK (length(token_hash) = 32)
);
COMMENT ON TABLE api_token IS 'Named tokens of programs. The token is not stored, only its SHA-256.';
COMMENT ON COLUMN api_token.role IS 'The token never may more than its owner: a lower role of the owner limits it too.';
COMMENT ON COLUMN api_token.last_used_at IS 'Written at most once a minute.';
CREATE UNIQUE INDEX api_token_name ON api_token USING btree (user_id, name) WHERE revoked_at IS NULL;

CREATE TABLE app_user (
    user_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    password_hash text NOT NULL,
    role text NOT NULL,
    generation integer NOT NULL DEFAULT 1,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    last_login_at timestamp with time zone,
    disabled_at timestamp with time zone,
    CONSTRAINT app_user_pkey PRIMARY KEY (user_id),
    CONSTRAINT app_user_name_key_key UNIQUE (name_key),
    CONSTRAINT app_user_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
    CONSTRAINT app_user_password_hash_check CHECK (password_hash ~~ '$argon2%'::text),
    CONSTRAINT app_user_role_check CHECK (role = ANY (ARRAY['user'::text, 'admin'::text]))
);
COMMENT ON TABLE app_user IS 'People who may sign in. Numbers are never used again, so that old rows of the audit log stay right.';
COMMENT ON COLUMN app_user.name_key IS 'The name without differences of case: two users cannot be told apart by case alone.';
COMMENT ON COLUMN app_user.generation IS 'Sessions and JWTs carry this number. Raising it revokes all of them at once.';

CREATE TABLE audit (
    audit_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    at timestamp with time zone NOT NULL DEFAULT now(),
    user_id integer,
    user_name text NOT NULL,
    role text NOT NULL,
    proven_by text NOT NULL,
    client_address text,
    request_id text,
    action text NOT NULL,
    object_kind text NOT NULL,
    object_id text,
    changes jsonb NOT NULL,
    result text NOT NULL,
    CONSTRAINT audit_pkey PRIMARY KEY (audit_id),
    CONSTRAINT audit_action_check CHECK (length(action) >= 1 AND length(action) <= 100),
    CONSTRAINT audit_changes_check CHECK (jsonb_typeof(changes) = 'object'::text),
    CONSTRAINT audit_client_address_check CHECK (length(client_address) <= 100),
    CONSTRAINT audit_object_id_check CHECK (length(object_id) <= 200),
    CONSTRAINT audit_object_kind_check CHECK (length(object_kind) <= 50),
    CONSTRAINT audit_proven_by_check CHECK (length(proven_by) <= 20),
    CONSTRAINT audit_request_id_check CHECK (length(request_id) <= 100),
    CONSTRAINT audit_result_check CHECK (result = ANY (ARRAY['done'::text, 'refused'::text])),
    CONSTRAINT audit_role_check CHECK (length(role) <= 20),
    CONSTRAINT audit_user_name_check CHECK (length(user_name) <= 100)
);
COMMENT ON TABLE audit IS 'Who changed what, when and from where. Users may be deleted, so that rows name them without a reference.';
COMMENT ON COLUMN audit.changes IS 'What was before and after, with secrets masked.';
CREATE INDEX audit_action ON audit USING btree (action, at DESC, audit_id DESC);
CREATE INDEX audit_object ON audit USING btree (object_kind, object_id, at DESC, audit_id DESC);
CREATE INDEX audit_time ON audit USING btree (at DESC, audit_id DESC);
CREATE INDEX audit_user ON audit USING btree (user_id, at DESC, audit_id DESC);

CREATE TABLE broken_url (
    broken_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    site_id integer NOT NULL,
    path text NOT NULL,
    prior_analytics_hits bigint NOT NULL DEFAULT 0,
    recent_404_count bigint NOT NULL DEFAULT 1,
    first_seen_at timestamp with time zone NOT NULL DEFAULT now(),
    last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
    status text NOT NULL DEFAULT 'pending'::text,
    resolved_redirect_id bigint,
    suggestions jsonb NOT NULL DEFAULT '[]'::jsonb,
    referrers text[] NOT NULL DEFAULT '{}'::text[],
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT broken_url_pkey PRIMARY KEY (broken_id),
    CONSTRAINT broken_url_site_id_path_key UNIQUE (site_id, path),
    CONSTRAINT broken_url_resolved_redirect_id_fkey FOREIGN KEY (resolved_redirect_id) REFERENCES site_redirect(redirect_id) ON DELETE SET NULL,
    CONSTRAINT broken_url_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT broken_url_path_check CHECK (octet_length(path) <= 2000),
    CONSTRAINT broken_url_referrers_check CHECK (cardinality(referrers) <= 10),
    CONSTRAINT broken_url_status_check CHECK (status = ANY (ARRAY['pending'::text, 'resolved'::text, 'ignored'::text])),
    CONSTRAINT broken_url_suggestions_check CHECK (jsonb_typeof(suggestions) = 'array'::text)
);
COMMENT ON TABLE broken_url IS 'Paths that had visitors and answer 404 now.';
COMMENT ON COLUMN broken_url.suggestions IS 'Live paths that are like the missed one, with a confidence from 0 to 1, the best first.';
CREATE INDEX broken_url_by_loss ON broken_url USING btree (site_id, status, prior_analytics_hits DESC, broken_id);
CREATE INDEX broken_url_by_redirect ON broken_url USING btree (resolved_redirect_id) WHERE resolved_redirect_id IS NOT NULL;

CREATE TABLE channel (
    channel_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    source_id integer NOT NULL,
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    url text NOT NULL,
    kind smallint NOT NULL,
    found_by text NOT NULL DEFAULT 'manual'::text,
    is_candidate boolean NOT NULL DEFAULT false,
    title text,
    etag text,
    last_modified text,
    added_at timestamp with time zone NOT NULL DEFAULT now(),
    polled_at timestamp with time zone,
    changed_at timestamp with time zone,
    polls bigint NOT NULL DEFAULT 0,
    changes bigint NOT NULL DEFAULT 0,
    items integer NOT NULL DEFAULT 0,
    new_items bigint NOT NULL DEFAULT 0,
    errors integer NOT NULL DEFAULT 0,
    error_type text,
    last_error text,
    interval_s integer NOT NULL DEFAULT 900,
    disabled_at timestamp with time zone,
    disable_reason text,
    memory jsonb NOT NULL DEFAULT '{}'::jsonb,
    hub text,
    topic text,
    parent_id integer,
    CONSTRAINT channel_pkey PRIMARY KEY (channel_id),
    CONSTRAINT channel_host_id_url_hash_key UNIQUE (host_id, url_hash),
    CONSTRAINT channel_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES channel(channel_id) ON DELETE CASCADE,
    CONSTRAINT channel_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE,
    CONSTRAINT channel_kind_check CHECK (kind = ANY (ARRAY[2, 3]))
);
COMMENT ON TABLE channel IS 'A feed (2) or sitemap (3) of a source; its frontier entry says when it is polled next.';
COMMENT ON COLUMN channel.is_candidate IS 'Found, not yet proven: becomes a channel when it parses with at least one item.';
COMMENT ON COLUMN channel.memory IS 'What polling has learned: posting rhythm, whether lastmod can be believed.';
COMMENT ON COLUMN channel.parent_id IS 'The sitemap index that lists this sitemap.';
CREATE INDEX channel_failing ON channel USING btree (errors) WHERE errors > 0;
CREATE INDEX channel_source ON channel USING btree (source_id);

CREATE TABLE coordination_lock (
    name text NOT NULL,
    token text,
    expires_at timestamp with time zone NOT NULL,
    fence bigint NOT NULL DEFAULT 1,
    CONSTRAINT coordination_lock_pkey PRIMARY KEY (name),
    CONSTRAINT coordination_lock_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
    CONSTRAINT coordination_lock_token_check CHECK (length(token) >= 1 AND length(token) <= 64)
);
COMMENT ON TABLE coordination_lock IS 'Locks that expire by the time of the database. A released lock keeps its row, so that its fence never shrinks.';
COMMENT ON COLUMN coordination_lock.token IS 'A random word that only the holder knows. NULL: the lock is free.';
COMMENT ON COLUMN coordination_lock.fence IS 'Grows with each acquisition.';

CREATE TABLE counter (
    slot smallint NOT NULL,
    source_id integer NOT NULL,
    name text NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT counter_pkey PRIMARY KEY (slot, source_id, name)
) WITH (fillfactor=50);
COMMENT ON TABLE counter IS 'Maintained counts, one slot per worker so that nobody waits; a total is the sum over slots.';
COMMENT ON COLUMN counter.source_id IS '0: corrections, so that the sum over all sources counts a shared URL once.';
CREATE INDEX counter_name ON counter USING btree (name COLLATE "C", source_id);

CREATE TABLE crawl_process (
    token uuid NOT NULL,
    source_id integer,
    machine text NOT NULL,
    pid integer NOT NULL,
    renewed_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT crawl_process_pkey PRIMARY KEY (token),
    CONSTRAINT crawl_process_source_id_key UNIQUE (source_id),
    CONSTRAINT crawl_process_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE
);
COMMENT ON TABLE crawl_process IS 'A process that runs the crawl of a source, or watches; it renews its row every few seconds.';
COMMENT ON COLUMN crawl_process.source_id IS 'NULL: it watches all sources, and any number of processes may.';

CREATE TABLE discovered_domain (
    domain text NOT NULL,
    state text NOT NULL DEFAULT 'active'::text,
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    notes text,
    CONSTRAINT discovered_domain_pkey PRIMARY KEY (domain),
    CONSTRAINT discovered_domain_notes_check CHECK (length(notes) <= 2000),
    CONSTRAINT discovered_domain_state_check CHECK (state = ANY (ARRAY['active'::text, 'reviewing'::text, 'ignored'::text, 'promoted'::text]))
);
COMMENT ON TABLE discovered_domain IS 'What an operator decided about a domain that links led to.';
COMMENT ON COLUMN discovered_domain.notes IS 'What an operator wrote down about the domain.';

CREATE TABLE discovered_domain_sum (
    domain text NOT NULL,
    links bigint NOT NULL,
    sources bigint NOT NULL,
    depth double precision NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    ok_ratio double precision,
    html_ratio double precision,
    CONSTRAINT discovered_domain_sum_pkey PRIMARY KEY (domain)
);
COMMENT ON TABLE discovered_domain_sum IS 'Discovered links summed up by domain at the time in discovered_domain_summed.';

CREATE TABLE discovered_domain_summed (
    one boolean NOT NULL DEFAULT true,
    as_of timestamp with time zone NOT NULL,
    CONSTRAINT discovered_domain_summed_pkey PRIMARY KEY (one),
    CONSTRAINT discovered_domain_summed_one_check CHECK (one)
);
COMMENT ON TABLE discovered_domain_summed IS 'When the domains were summed up. No row: there are few links, which each reader sums up.';

CREATE TABLE discovered_link (
    source_id integer NOT NULL,
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    url text NOT NULL,
    domain text NOT NULL,
    parent_url text,
    depth smallint NOT NULL DEFAULT 0,
    http_status smallint,
    content_type text,
    discovered_at timestamp with time zone NOT NULL DEFAULT now(),
    queued_at timestamp with time zone,
    status text NOT NULL DEFAULT 'new'::text,
    priority smallint NOT NULL DEFAULT 3,
    CONSTRAINT discovered_link_pkey PRIMARY KEY (source_id, host_id, url_hash),
    CONSTRAINT discovered_link_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE,
    CONSTRAINT discovered_link_status_check CHECK (status = ANY (ARRAY['new'::text, 'queued'::text, 'processing'::text, 'ignored'::text, 'promoted'::text]))
);
COMMENT ON TABLE discovered_link IS 'Links that led out of their source, recorded for a person to look through.';
CREATE INDEX discovered_link_domain ON discovered_link USING btree (domain, source_id);
CREATE INDEX discovered_link_newest ON discovered_link USING btree (discovered_at);

CREATE TABLE document (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    source_id integer NOT NULL,
    versions integer NOT NULL DEFAULT 1,
    first_seen_at timestamp with time zone NOT NULL DEFAULT now(),
    fetched_at timestamp with time zone NOT NULL DEFAULT now(),
    changed_at timestamp with time zone NOT NULL DEFAULT now(),
    published_at timestamp with time zone,
    duplicate_host_id bigint,
    bytes integer NOT NULL,
    words integer NOT NULL,
    http_status smallint NOT NULL,
    noindex boolean NOT NULL DEFAULT false,
    near_duplicate boolean NOT NULL DEFAULT false,
    duplicate_hash uuid,
    content_hash bytea NOT NULL,
    signature bytea,
    etag text,
    last_modified text,
    content_type text,
    charset text,
    language text,
    title text,
    description text,
    author text,
    canonical_url text,
    meta jsonb,
    base text,
    links bytea STORAGE EXTERNAL,
    page_type text,
    unindexed text,
    links_count integer,
    text_id bigint,
    CONSTRAINT document_pkey PRIMARY KEY (host_id, url_hash),
    CONSTRAINT document_page_type_check CHECK (page_type = ANY (ARRAY['article'::text, 'listing'::text, 'stub'::text, 'other'::text])),
    CONSTRAINT document_unindexed_check CHECK (unindexed = ANY (ARRAY['url_filter'::text, 'page_type'::text, 'quality_gate'::text]))
);
COMMENT ON TABLE document IS 'A page we kept, once, under its final address. Its text is in document_text. links are zstd.';
COMMENT ON COLUMN document.duplicate_hash IS 'The document that already holds this text; then text_id is NULL.';
COMMENT ON COLUMN document.unindexed IS 'Why it is not to be found by searching; NULL: it is.';
COMMENT ON COLUMN document.links_count IS 'Different links on the page; NULL for pages that were kept before this column existed.';
COMMENT ON COLUMN document.text_id IS 'The text in document_text; NULL: the document that duplicate_hash names has it.';
CREATE INDEX document_content ON document USING btree (content_hash) WHERE duplicate_hash IS NULL OR near_duplicate;
CREATE INDEX document_copies ON document USING btree (duplicate_host_id, duplicate_hash) WHERE duplicate_hash IS NOT NULL;
CREATE INDEX document_first_seen ON document USING btree (first_seen_at);
CREATE INDEX document_title ON document USING gin (to_tsvector('simple'::regconfig, COALESCE(title, ''::text)));
CREATE INDEX document_unsigned ON document USING btree (host_id, url_hash) WHERE signature IS NULL AND duplicate_hash IS NULL;

CREATE TABLE document_band (
    band bigint NOT NULL,
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL
);
COMMENT ON TABLE document_band IS 'Near-duplicates share a band of their signatures: the index that finds them.';
CREATE INDEX document_band_key ON document_band USING btree (band);

CREATE TABLE document_text (
    text_id bigint NOT NULL,
    part smallint NOT NULL,
    bytes bytea STORAGE PLAIN NOT NULL,
    CONSTRAINT document_text_pkey PRIMARY KEY (text_id, part)
);
COMMENT ON TABLE document_text IS 'The texts of documents and versions: zstd, in parts. Each text belongs to one row.';

CREATE TABLE document_to_compare (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    CONSTRAINT document_to_compare_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE document_to_compare IS 'Documents with a signature that were not compared with the others yet, the oldest first.';

CREATE TABLE document_version (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    version integer NOT NULL,
    fetched_at timestamp with time zone NOT NULL,
    content_hash bytea NOT NULL,
    title text,
    text_id bigint,
    CONSTRAINT document_version_pkey PRIMARY KEY (host_id, url_hash, version)
);
COMMENT ON TABLE document_version IS 'What a document said before it changed.';

CREATE TABLE event_log (
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
    kind text NOT NULL,
    subject_id text NOT NULL,
    payload jsonb NOT NULL,
    CONSTRAINT event_log_pkey PRIMARY KEY (xid, id),
    CONSTRAINT event_log_kind_check CHECK (length(kind) <= 64 AND kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'::text),
    CONSTRAINT event_log_payload_check CHECK (jsonb_typeof(payload) = 'object'::text AND octet_length(payload::text) <= 65536),
    CONSTRAINT event_log_subject_id_check CHECK (length(subject_id) <= 200)
);
COMMENT ON TABLE event_log IS 'What happened, written by the transaction that made the change. Readers follow it in the order of (xid, id) and stop before the oldest transaction that still runs.';
COMMENT ON COLUMN event_log.xid IS 'The transaction that wrote the event. A number that is smaller than that of every running transaction gets no more events.';
COMMENT ON COLUMN event_log.subject_id IS 'What the event is about: the public id of a source, job or run, or the name of a host.';

CREATE TABLE event_log_pruned (
    one boolean NOT NULL DEFAULT true,
    history text NOT NULL,
    xid xid8 NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT event_log_pruned_pkey PRIMARY KEY (one),
    CONSTRAINT event_log_pruned_one_check CHECK (one)
);
COMMENT ON TABLE event_log_pruned IS 'The position of the last event that was removed from event_log. A reader that stands before it has lost events.';

CREATE TABLE fetch_log (
    at timestamp with time zone NOT NULL DEFAULT now(),
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    elapsed_ms integer NOT NULL,
    wire_bytes integer NOT NULL,
    worker_id integer,
    http_status smallint,
    outcome text NOT NULL,
    content_length bigint,
    content_type text,
    error_message text
) PARTITION BY RANGE (at);
COMMENT ON TABLE fetch_log IS 'One row a request, append only, partitioned by month.';
COMMENT ON COLUMN fetch_log.content_length IS 'What the server declared, else the bytes of the body that arrived.';
COMMENT ON COLUMN fetch_log.error_message IS 'What went wrong, in words; NULL for an answer that could be used.';
CREATE INDEX fetch_log_at ON ONLY fetch_log USING brin (at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX fetch_log_url ON ONLY fetch_log USING btree (host_id, url_hash, at);

CREATE TABLE fetch_log_default PARTITION OF fetch_log DEFAULT;

CREATE TABLE held_source (
    source_id integer NOT NULL,
    served_with_others boolean NOT NULL,
    CONSTRAINT held_source_pkey PRIMARY KEY (source_id)
);
COMMENT ON TABLE held_source IS 'Sources whose queued URLs are hidden from the claim (url.prio is negative) until they are resumed.';
COMMENT ON COLUMN held_source.served_with_others IS 'Whether a visit that another source causes serves this one, too: true while a crawl has put it aside, false while it is disabled.';

CREATE TABLE host (
    host_id bigint NOT NULL,
    due_at timestamp with time zone,
    next_allowed_at timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
    lease_seq bigint NOT NULL DEFAULT 0,
    lease_owner integer,
    kept_for integer,
    delay_ms integer NOT NULL DEFAULT 1000,
    penalty_ms integer NOT NULL DEFAULT 0,
    prio smallint NOT NULL DEFAULT 5,
    calm smallint NOT NULL DEFAULT 0,
    failures smallint NOT NULL DEFAULT 0,
    breaker smallint NOT NULL DEFAULT 0,
    probes_ok smallint NOT NULL DEFAULT 0,
    trips smallint NOT NULL DEFAULT 0,
    robots_failures smallint NOT NULL DEFAULT 0,
    probation smallint NOT NULL DEFAULT 0,
    blame smallint NOT NULL DEFAULT 0,
    wake boolean NOT NULL DEFAULT false,
    relapsed boolean NOT NULL DEFAULT false,
    accused uuid,
    rate_limited smallint NOT NULL DEFAULT 0,
    CONSTRAINT host_pkey PRIMARY KEY (host_id),
    CONSTRAINT host_breaker_check CHECK (breaker >= 0 AND breaker <= 2),
    CONSTRAINT host_calm_check CHECK (calm >= 0),
    CONSTRAINT host_delay_ms_check CHECK (delay_ms >= 0),
    CONSTRAINT host_penalty_ms_check CHECK (penalty_ms >= 0),
    CONSTRAINT host_rate_limited_check CHECK (rate_limited >= 0)
) WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_cost_delay=0);
COMMENT ON TABLE host IS 'Whose turn it is: one row a host, the lease on it, and how gently to go.';
COMMENT ON COLUMN host.host_id IS 'First 8 bytes of sha256(host name), so no look-up is needed to know it.';
COMMENT ON COLUMN host.due_at IS 'NULL: nothing pending. While leased: when the lease runs out.';
COMMENT ON COLUMN host.next_allowed_at IS 'No request before this. infinity: blocked by an operator.';
COMMENT ON COLUMN host.lease_seq IS 'Fencing number, one higher with each claim.';
COMMENT ON COLUMN host.kept_for IS 'The worker that gave it back and comes for it: others wait half a second.';
COMMENT ON COLUMN host.calm IS 'Good answers since the penalty last changed.';
COMMENT ON COLUMN host.breaker IS '0 closed, 1 open, 2 half-open.';
COMMENT ON COLUMN host.probation IS 'After a worker died on this host: this many URLs are handed out alone.';
COMMENT ON COLUMN host.blame IS 'How often in a row the accused one did.';
COMMENT ON COLUMN host.wake IS 'A URL arrived while the host was leased.';
COMMENT ON COLUMN host.relapsed IS 'A worker died here again during probation: from now on each URL is accused before it is fetched.';
COMMENT ON COLUMN host.accused IS 'The URL being fetched; still set at the next claim if it took its worker down.';
COMMENT ON COLUMN host.rate_limited IS 'Answers of 429 in a row; any other answer ends the row.';
CREATE INDEX host_broken ON host USING btree (host_id) WHERE breaker <> 0;
CREATE INDEX host_due ON host USING btree (prio, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX host_leased ON host USING btree (lease_owner) WHERE lease_owner IS NOT NULL;

CREATE TABLE host_info (
    host_id bigint NOT NULL,
    host text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL DEFAULT now(),
    last_fetch_at timestamp with time zone,
    requests bigint NOT NULL DEFAULT 0,
    pages bigint NOT NULL DEFAULT 0,
    errors bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    busy_ms bigint NOT NULL DEFAULT 0,
    last_status smallint,
    last_error text,
    asked_delay_ms integer,
    block_reason text,
    CONSTRAINT host_info_pkey PRIMARY KEY (host_id)
) WITH (fillfactor=70);
COMMENT ON TABLE host_info IS 'What a host is called and how it has behaved; asked_delay_ms is an operator''s override.';
CREATE INDEX host_info_host ON host_info USING btree (host);

CREATE TABLE idempotent_answer (
    key_hash bytea NOT NULL,
    request_hash bytea NOT NULL,
    status integer,
    content_type text,
    body bytea,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotent_answer_pkey PRIMARY KEY (key_hash),
    CONSTRAINT idempotent_answer_content_type_check CHECK (length(content_type) <= 200),
    CONSTRAINT idempotent_answer_key_hash_check CHECK (length(key_hash) = 32),
    CONSTRAINT idempotent_answer_request_hash_check CHECK (length(request_hash) = 32)
);
COMMENT ON TABLE idempotent_answer IS 'The answer to each POST that had an Idempotency-Key, so that a repeat is not carried out again.';
COMMENT ON COLUMN idempotent_answer.key_hash IS 'SHA-256 of caller, method, path and key.';
COMMENT ON COLUMN idempotent_answer.request_hash IS 'SHA-256 of query and body: the same key with another request is refused.';
COMMENT ON COLUMN idempotent_answer.status IS 'NULL while the request is carried out.';
CREATE INDEX idempotent_answer_expires ON idempotent_answer USING btree (expires_at);

CREATE TABLE job (
    job_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    public_id uuid NOT NULL DEFAULT gen_random_uuid(),
    source_id integer NOT NULL,
    type text NOT NULL DEFAULT 'crawl'::text,
    auto_managed boolean NOT NULL DEFAULT false,
    priority smallint NOT NULL DEFAULT 50,
    status job_status NOT NULL DEFAULT 'pending'::job_status,
    schedule_enabled boolean NOT NULL DEFAULT false,
    adaptive_scheduling boolean NOT NULL DEFAULT true,
    interval_count integer,
    interval_type text NOT NULL DEFAULT 'minutes'::text,
    next_run_at timestamp with time zone,
    paused_at timestamp with time zone,
    paused_by text,
    cancelled_at timestamp with time zone,
    lock_token uuid,
    lock_acquired_at timestamp with time zone,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    runs bigint NOT NULL DEFAULT 0,
    max_retries integer NOT NULL DEFAULT 3,
    retry_backoff_seconds integer NOT NULL DEFAULT 60,
    current_retry_count integer NOT NULL DEFAULT 0,
    failure_count integer NOT NULL DEFAULT 0,
    last_failure_at timestamp with time zone,
    backoff_until timestamp with time zone,
    error_message text,
    metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    slot_at timestamp with time zone,
    placed_at timestamp with time zone,
    CONSTRAINT job_pkey PRIMARY KEY (job_id),
    CONSTRAINT job_public_id_key UNIQUE (public_id),
    CONSTRAINT job_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE,
    CONSTRAINT job_cancelled_says_when CHECK ((status = 'cancelled'::job_status) = (cancelled_at IS NOT NULL)),
    CONSTRAINT job_current_retry_count_check CHECK (current_retry_count >= 0),
    CONSTRAINT job_failure_count_check CHECK (failure_count >= 0),
    CONSTRAINT job_interval_type_check CHECK (interval_type = ANY (ARRAY['minutes'::text, 'hours'::text, 'days'::text])),
    CONSTRAINT job_lock_is_whole CHECK ((lock_token IS NULL) = (lock_acquired_at IS NULL)),
    CONSTRAINT job_max_retries_check CHECK (max_retries >= 0),
    CONSTRAINT job_paused_by_check CHECK (paused_by = ANY (ARRAY['operator'::text, 'source'::text])),
    CONSTRAINT job_paused_has_no_time CHECK (status <> 'paused'::job_status OR next_run_at IS NULL),
    CONSTRAINT job_paused_says_by_whom CHECK ((status = 'paused'::job_status) = (paused_at IS NOT NULL) AND (status = 'paused'::job_status) = (paused_by IS NOT NULL)),
    CONSTRAINT job_priority_check CHECK (priority >= 0 AND priority <= 100),
    CONSTRAINT job_retry_backoff_seconds_check CHECK (retry_backoff_seconds > 0),
    CONSTRAINT job_runs_once_or_again CHECK (schedule_enabled = (interval_count IS NOT NULL) AND COALESCE(interval_count > 0, true)),
    CONSTRAINT job_scheduled_has_time CHECK (status <> 'scheduled'::job_status OR next_run_at IS NOT NULL),
    CONSTRAINT job_type_check CHECK (type = 'crawl'::text)
);
COMMENT ON TABLE job IS 'What is done for a source, again and again; one of each source looks after itself (auto_managed).';
COMMENT ON COLUMN job.interval_count IS 'So many of interval_type between two runs; NULL: it runs once.';
COMMENT ON COLUMN job.paused_by IS 'source: because that is disabled, and until it is enabled; operator: until somebody resumes it.';
COMMENT ON COLUMN job.lock_token IS 'The scheduler that watches the open run of the job.';
COMMENT ON COLUMN job.slot_at IS 'A time of the rhythm of the job; a retry or a forced run does not move it.';
COMMENT ON COLUMN job.placed_at IS 'When a slot was last chosen for the job.';
CREATE INDEX job_due ON job USING btree (next_run_at) WHERE (status = ANY (ARRAY['pending'::job_status, 'scheduled'::job_status])) AND lock_token IS NULL;
CREATE INDEX job_locked ON job USING btree (lock_token) WHERE lock_token IS NOT NULL;
CREATE UNIQUE INDEX job_of_its_own ON job USING btree (source_id) WHERE auto_managed;
CREATE INDEX job_source ON job USING btree (source_id);
CREATE TRIGGER job_updated BEFORE UPDATE ON job FOR EACH ROW EXECUTE FUNCTION date_the_change();

CREATE TABLE job_rebalance (
    rebalance_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    at timestamp with time zone NOT NULL DEFAULT now(),
    moved integer NOT NULL,
    skipped integer NOT NULL,
    CONSTRAINT job_rebalance_pkey PRIMARY KEY (rebalance_id)
);
COMMENT ON TABLE job_rebalance IS 'One row for each rebalance of jobs: how many changed their slot, and how many had to stay.';

CREATE TABLE leader (
    name text NOT NULL,
    fence bigint NOT NULL DEFAULT 0,
    holder text NOT NULL DEFAULT ''::text,
    gained_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT leader_pkey PRIMARY KEY (name),
    CONSTRAINT leader_holder_check CHECK (length(holder) <= 200),
    CONSTRAINT leader_name_check CHECK (length(name) >= 1 AND length(name) <= 200)
);
COMMENT ON TABLE leader IS 'The latest leader of each election. Only a gain of leadership changes a row; renewals do not.';
COMMENT ON COLUMN leader.fence IS 'The number of the term. A write of a leader with a smaller number is refused.';

CREATE TABLE leader_task (
    name text NOT NULL,
    every_s double precision NOT NULL,
    last_started_at timestamp with time zone NOT NULL,
    last_ended_at timestamp with time zone NOT NULL DEFAULT now(),
    last_error text,
    next_run_at timestamp with time zone NOT NULL,
    runs bigint NOT NULL DEFAULT 1,
    CONSTRAINT leader_task_pkey PRIMARY KEY (name),
    CONSTRAINT leader_task_every_s_check CHECK (every_s > 0::double precision),
    CONSTRAINT leader_task_last_error_check CHECK (length(last_error) <= 2000)
);
COMMENT ON TABLE leader_task IS 'The last and the next run of each task that the leading scheduler repeats.';
COMMENT ON COLUMN leader_task.next_run_at IS 'When the leader runs the task again; a new leader runs every task at once.';

CREATE TABLE link_check (
    check_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    checked_at timestamp with time zone NOT NULL DEFAULT now(),
    verdict text NOT NULL,
    reason text NOT NULL,
    http_status smallint,
    moved_to text,
    pending_since timestamp with time zone,
    evidence jsonb NOT NULL DEFAULT '[]'::jsonb,
    CONSTRAINT link_check_pkey PRIMARY KEY (check_id),
    CONSTRAINT link_check_verdict_check CHECK (verdict = ANY (ARRAY['ok'::text, 'dead'::text, 'moved'::text, 'uncertain'::text]))
);
COMMENT ON TABLE link_check IS 'Every check of an external address: what was asked, what came back, and what that means.';
CREATE INDEX link_check_of_entry ON link_check USING btree (host_id, url_hash, checked_at DESC);

CREATE TABLE link_update (
    link_id bigint NOT NULL,
    site_id bigint NOT NULL,
    replacement text NOT NULL,
    requested_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT link_update_pkey PRIMARY KEY (link_id),
    CONSTRAINT link_update_link_id_fkey FOREIGN KEY (link_id) REFERENCES site_link(link_id) ON DELETE CASCADE,
    CONSTRAINT link_update_replacement_check CHECK (octet_length(replacement) >= 1 AND octet_length(replacement) <= 2000)
);
COMMENT ON TABLE link_update IS 'Links that the system of the owner is asked to replace. The row goes when the field is saved without the link.';
CREATE INDEX link_update_of_site ON link_update USING btree (site_id, requested_at);

CREATE TABLE listing (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    source_id integer NOT NULL,
    interval_s integer NOT NULL,
    visits bigint NOT NULL DEFAULT 1,
    new_links bigint NOT NULL DEFAULT 0,
    visited_at timestamp with time zone NOT NULL DEFAULT now(),
    fruitful_at timestamp with time zone,
    CONSTRAINT listing_pkey PRIMARY KEY (host_id, url_hash, source_id),
    CONSTRAINT listing_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE
);
COMMENT ON TABLE listing IS 'Pages visited for their links, again and again: how often, and what it brings.';
CREATE INDEX listing_source ON listing USING btree (source_id);

CREATE TABLE login_throttle (
    subject text NOT NULL,
    failures integer NOT NULL,
    last_failed_at timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone NOT NULL,
    CONSTRAINT login_throttle_pkey PRIMARY KEY (subject),
    CONSTRAINT login_throttle_failures_check CHECK (failures >= 0),
    CONSTRAINT login_throttle_subject_check CHECK (length(subject) <= 100)
);
COMMENT ON TABLE login_throttle IS 'Recent failed logins of a user name (its SHA-256) or of a client address.';
CREATE INDEX login_throttle_age ON login_throttle USING btree (last_failed_at);

CREATE TABLE maintenance_task (
    task_id uuid NOT NULL DEFAULT gen_random_uuid(),
    task text NOT NULL,
    state text NOT NULL DEFAULT 'running'::text,
    requested_by text NOT NULL,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    beat_at timestamp with time zone NOT NULL DEFAULT now(),
    ended_at timestamp with time zone,
    result jsonb NOT NULL DEFAULT '{}'::jsonb,
    error text,
    CONSTRAINT maintenance_task_pkey PRIMARY KEY (task_id),
    CONSTRAINT maintenance_task_error_check CHECK (length(error) <= 2000),
    CONSTRAINT maintenance_task_failed_says_why CHECK ((state = 'failed'::text) = (error IS NOT NULL)),
    CONSTRAINT maintenance_task_has_ended CHECK ((state = 'running'::text) = (ended_at IS NULL)),
    CONSTRAINT maintenance_task_requested_by_check CHECK (length(requested_by) <= 200),
    CONSTRAINT maintenance_task_state_check CHECK (state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])),
    CONSTRAINT maintenance_task_task_check CHECK (task = ANY (ARRAY['cleanup'::text, 'archive'::text, 'vacuum'::text, 'rebuild-visited'::text, 'backup'::text]))
);
COMMENT ON TABLE maintenance_task IS 'Each time an operator asked for a maintenance task, and how it ended.';
COMMENT ON COLUMN maintenance_task.beat_at IS 'When the process that carries it out was last alive.';
CREATE INDEX maintenance_task_history ON maintenance_task USING btree (started_at);
CREATE UNIQUE INDEX maintenance_task_running ON maintenance_task USING btree (task) WHERE state = 'running'::text;

CREATE TABLE metric_day (
    series_id integer NOT NULL,
    day date NOT NULL,
    mean double precision NOT NULL,
    "least" double precision NOT NULL,
    most double precision NOT NULL,
    newest double precision NOT NULL,
    CONSTRAINT metric_day_pkey PRIMARY KEY (series_id, day),
    CONSTRAINT metric_day_series_id_fkey FOREIGN KEY (series_id) REFERENCES metric_series(series_id)
);
COMMENT ON TABLE metric_day IS 'The samples of one day (UTC), rolled up when they are older than 7 days.';
COMMENT ON COLUMN metric_day.newest IS 'The last value of the day. For a count that only grows, the difference of two days is the growth.';

CREATE TABLE metric_sample (
    series_id integer NOT NULL,
    at timestamp with time zone NOT NULL,
    value double precision NOT NULL,
    CONSTRAINT metric_sample_pkey PRIMARY KEY (series_id, at),
    CONSTRAINT metric_sample_series_id_fkey FOREIGN KEY (series_id) REFERENCES metric_series(series_id)
);
COMMENT ON TABLE metric_sample IS 'One value a minute for each series, kept for 7 days.';
CREATE INDEX metric_sample_at ON metric_sample USING btree (at);

CREATE TABLE metric_series (
    series_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    metric text NOT NULL,
    label text NOT NULL,
    CONSTRAINT metric_series_pkey PRIMARY KEY (series_id),
    CONSTRAINT metric_series_metric_label_key UNIQUE (metric, label),
    CONSTRAINT metric_series_label_check CHECK (length(label) <= 64),
    CONSTRAINT metric_series_metric_check CHECK (length(metric) >= 1 AND length(metric) <= 64)
);
COMMENT ON TABLE metric_series IS 'The series of the history. The number of labels of a metric is bounded.';
COMMENT ON COLUMN metric_series.label IS 'Which part of the metric, such as a state or a reason; empty for a metric without parts.';

CREATE TABLE processed_events (
    event_id uuid NOT NULL,
    processed_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT processed_events_pkey PRIMARY KEY (event_id)
);
COMMENT ON TABLE processed_events IS 'Events whose effect is committed, by whichever way they came: the same event has it once.';
CREATE INDEX processed_events_old ON processed_events USING btree (processed_at);

CREATE TABLE rate_window (
    key text NOT NULL,
    hits timestamp with time zone[] NOT NULL,
    CONSTRAINT rate_window_pkey PRIMARY KEY (key),
    CONSTRAINT rate_window_key_check CHECK (length(key) <= 200)
);
COMMENT ON TABLE rate_window IS 'The allowed requests of the last minute of each caller: one row a caller, at most as many times as its limit. A crash of the server empties it.';

CREATE TABLE redirect_hop (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    hop uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    times integer NOT NULL DEFAULT 1,
    status smallint NOT NULL,
    from_url text NOT NULL,
    to_url text NOT NULL,
    CONSTRAINT redirect_hop_pkey PRIMARY KEY (host_id, url_hash, hop)
);
COMMENT ON TABLE redirect_hop IS 'Every redirect that was met, followed or not: one row for each entry, address, target and status.';
COMMENT ON COLUMN redirect_hop.url_hash IS 'The entry that was visited; a feed is followed over several addresses within one visit.';
COMMENT ON COLUMN redirect_hop.hop IS 'First 16 bytes of sha256 over status, from_url and to_url.';
COMMENT ON COLUMN redirect_hop.first_seen_at IS 'Since the entry last answered with a page; times counts from there.';

CREATE TABLE revoked_jwt (
    jti uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT revoked_jwt_pkey PRIMARY KEY (jti)
);
COMMENT ON TABLE revoked_jwt IS 'JWTs that were revoked before their end. A row is removed when its token would have expired anyway.';
CREATE INDEX revoked_jwt_expiry ON revoked_jwt USING btree (expires_at);

CREATE TABLE robots (
    host_id bigint NOT NULL,
    origin text NOT NULL,
    status smallint,
    body bytea NOT NULL DEFAULT '\x'::bytea,
    fetched_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT robots_pkey PRIMARY KEY (host_id, origin)
);
COMMENT ON TABLE robots IS 'robots.txt by scheme and authority, as last fetched.';

CREATE TABLE run (
    run_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    public_id uuid NOT NULL DEFAULT gen_random_uuid(),
    source_id integer NOT NULL,
    job_id integer,
    execution_number integer NOT NULL,
    status run_status NOT NULL DEFAULT 'running'::run_status,
    started_by text NOT NULL,
    retry_attempt integer NOT NULL DEFAULT 0,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    completed_at timestamp with time zone,
    cancel_at timestamp with time zone,
    cancel_reason text,
    cancelled_by text,
    items_crawled bigint NOT NULL DEFAULT 0,
    items_indexed bigint NOT NULL DEFAULT 0,
    error_message text,
    stack_trace text,
    cpu_time_ms bigint,
    memory_peak_mb integer,
    metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
    log_object_key text,
    log_size_bytes bigint,
    log_line_count integer,
    CONSTRAINT run_pkey PRIMARY KEY (run_id),
    CONSTRAINT run_public_id_key UNIQUE (public_id),
    CONSTRAINT run_job_id_fkey FOREIGN KEY (job_id) REFERENCES job(job_id) ON DELETE CASCADE,
    CONSTRAINT run_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE,
    CONSTRAINT run_cancel_has_reason CHECK ((cancel_at IS NULL) = (cancel_reason IS NULL) AND (cancel_at IS NULL) = (cancelled_by IS NULL)),
    CONSTRAINT run_cancelled_by_check CHECK (cancelled_by = ANY (ARRAY['operator'::text, 'timeout'::text])),
    CONSTRAINT run_execution_number_check CHECK (execution_number > 0),
    CONSTRAINT run_has_ended_or_runs CHECK ((status = 'running'::run_status) = (completed_at IS NULL)),
    CONSTRAINT run_retry_attempt_check CHECK (retry_attempt >= 0),
    CONSTRAINT run_started_by_check CHECK (started_by = ANY (ARRAY['schedule'::text, 'operator'::text, 'command'::text]))
);
COMMENT ON TABLE run IS 'One execution of a job, or one crawl that a command started. It runs while an entry of it is queued.';
COMMENT ON COLUMN run.job_id IS 'NULL: a command started it, and the source is that crawl.';
COMMENT ON COLUMN run.cancel_at IS 'When its end was asked for: no request begins for it any more.';
CREATE INDEX run_by_status ON run USING btree (status, run_id);
CREATE UNIQUE INDEX run_number_of_command ON run USING btree (source_id, execution_number) WHERE job_id IS NULL;
CREATE UNIQUE INDEX run_number_of_job ON run USING btree (job_id, execution_number) WHERE job_id IS NOT NULL;
CREATE INDEX run_of_source ON run USING btree (source_id, run_id);
CREATE INDEX run_open ON run USING btree (run_id) WHERE status = 'running'::run_status;
CREATE UNIQUE INDEX run_open_of_command ON run USING btree (source_id) WHERE status = 'running'::run_status AND job_id IS NULL;
CREATE UNIQUE INDEX run_open_of_job ON run USING btree (job_id) WHERE status = 'running'::run_status AND job_id IS NOT NULL;
CREATE INDEX run_started ON run USING btree (started_at);

CREATE TABLE run_counter (
    run_id integer NOT NULL,
    slot smallint NOT NULL,
    name text NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT run_counter_pkey PRIMARY KEY (run_id, slot, name)
) WITH (fillfactor=50);
COMMENT ON TABLE run_counter IS 'What happened for a run, counted by the flush that wrote it. The sum over the slots is exact at every commit.';

CREATE TABLE run_log (
    run_id integer NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    level text NOT NULL,
    category text NOT NULL,
    message text NOT NULL,
    fields jsonb NOT NULL,
    CONSTRAINT run_log_pkey PRIMARY KEY (run_id, number),
    CONSTRAINT run_log_run_id_fkey FOREIGN KEY (run_id) REFERENCES run_log_state(run_id) ON DELETE CASCADE,
    CONSTRAINT run_log_category_check CHECK (category = ANY (ARRAY['lifecycle'::text, 'fetch'::text, 'extract'::text, 'error'::text, 'rate_limit'::text, 'queue'::text, 'metrics'::text])),
    CONSTRAINT run_log_fields_check CHECK (jsonb_typeof(fields) = 'object'::text),
    CONSTRAINT run_log_level_check CHECK (level = ANY (ARRAY['debug'::text, 'info'::text, 'warn'::text, 'error'::text])),
    CONSTRAINT run_log_message_check CHECK (length(message) <= 2000)
);
COMMENT ON TABLE run_log IS 'The lines of the logs of runs, until they are archived.';
COMMENT ON COLUMN run_log.number IS 'The place of the line in the log of its run: it becomes visible after every smaller number.';

CREATE TABLE run_log_state (
    run_id integer NOT NULL,
    last_number integer NOT NULL,
    dropped bigint NOT NULL DEFAULT 0,
    throttled bigint NOT NULL DEFAULT 0,
    past_limit bigint NOT NULL DEFAULT 0,
    milestone integer NOT NULL DEFAULT 0,
    progress_at timestamp with time zone NOT NULL DEFAULT now(),
    ended_at timestamp with time zone,
    archived_at timestamp with time zone,
    CONSTRAINT run_log_state_pkey PRIMARY KEY (run_id),
    CONSTRAINT run_log_state_run_id_fkey FOREIGN KEY (run_id) REFERENCES run(run_id) ON DELETE CASCADE,
    CONSTRAINT run_log_state_last_number_check CHECK (last_number >= 0)
);
COMMENT ON TABLE run_log_state IS 'Where the log of a run stands. Every append locks this row until its commit, so that numbers become visible in their order.';
COMMENT ON COLUMN run_log_state.last_number IS 'The number of the newest line. Lines past the limit get a number and are not kept.';
COMMENT ON COLUMN run_log_state.milestone IS 'How many pages the last milestone line named.';
COMMENT ON COLUMN run_log_state.ended_at IS 'When the summary was written: no line comes after it.';
COMMENT ON COLUMN run_log_state.archived_at IS 'When the lines were removed, because the archive holds them.';
CREATE INDEX run_log_not_archived ON run_log_state USING btree (run_id) WHERE archived_at IS NULL;

CREATE TABLE run_log_writer (
    run_id integer NOT NULL,
    writer uuid NOT NULL,
    batch integer NOT NULL,
    CONSTRAINT run_log_writer_pkey PRIMARY KEY (run_id, writer),
    CONSTRAINT run_log_writer_run_id_fkey FOREIGN KEY (run_id) REFERENCES run_log_state(run_id) ON DELETE CASCADE
);
COMMENT ON TABLE run_log_writer IS 'The newest batch that each writer appended: a batch that is sent again writes nothing.';

CREATE TABLE scheduler (
    token uuid NOT NULL,
    machine text NOT NULL,
    pid integer NOT NULL,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    beat_at timestamp with time zone NOT NULL DEFAULT now(),
    stopped_at timestamp with time zone,
    stale_locks_cleared bigint NOT NULL DEFAULT 0,
    stats jsonb NOT NULL DEFAULT '{}'::jsonb,
    lost_races bigint NOT NULL DEFAULT 0,
    CONSTRAINT scheduler_pkey PRIMARY KEY (token)
);
COMMENT ON TABLE scheduler IS 'Processes that start jobs and watch runs; `job.lock_token` names one of them.';
COMMENT ON COLUMN scheduler.lost_races IS 'Jobs that this scheduler read as due and another process took or changed first.';

CREATE TABLE schema_migration (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT schema_migration_pkey PRIMARY KEY (version)
);

CREATE TABLE setup_code (
    code_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT setup_code_pkey PRIMARY KEY (code_hash),
    CONSTRAINT setup_code_code_hash_check CHECK (length(code_hash) = 32)
);
COMMENT ON TABLE setup_code IS 'One-time codes that create the first administrator. They exist only while there is no user.';

CREATE TABLE sighting (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    way text NOT NULL,
    source_id integer NOT NULL,
    seen_at timestamp with time zone NOT NULL DEFAULT now(),
    published_at timestamp with time zone,
    CONSTRAINT sighting_pkey PRIMARY KEY (host_id, url_hash, way, source_id)
);
COMMENT ON TABLE sighting IS 'By which way (websub, feed, news sitemap, sitemap, spider) an article was seen, and when first.';
CREATE INDEX sighting_source ON sighting USING btree (source_id, seen_at);

CREATE TABLE site (
    site_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    name text NOT NULL,
    base_url text NOT NULL,
    hosts text[] NOT NULL,
    settings jsonb NOT NULL DEFAULT '{}'::jsonb,
    key_hash bytea,
    previous_key_hash bytea,
    previous_key_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    update_webhook text,
    webhook_secret text,
    previous_webhook_secret text,
    previous_webhook_until timestamp with time zone,
    CONSTRAINT site_pkey PRIMARY KEY (site_id),
    CONSTRAINT site_name_key UNIQUE (name),
    CONSTRAINT site_base_url_check CHECK (length(base_url) <= 2000),
    CONSTRAINT site_hosts_check CHECK (cardinality(hosts) >= 1 AND cardinality(hosts) <= 100),
    CONSTRAINT site_key_hash_check CHECK (length(key_hash) = 32),
    CONSTRAINT site_name_check CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'::text AND name ~ '[a-z]'::text),
    CONSTRAINT site_previous_key_hash_check CHECK (length(previous_key_hash) = 32),
    CONSTRAINT site_previous_webhook_secret_check CHECK (length(previous_webhook_secret) >= 20 AND length(previous_webhook_secret) <= 200),
    CONSTRAINT site_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
    CONSTRAINT site_update_webhook_check CHECK (octet_length(update_webhook) >= 1 AND octet_length(update_webhook) <= 2000),
    CONSTRAINT site_webhook_is_signed CHECK (update_webhook IS NULL OR webhook_secret IS NOT NULL),
    CONSTRAINT site_webhook_secret_check CHECK (length(webhook_secret) >= 20 AND length(webhook_secret) <= 200)
);
COMMENT ON TABLE site IS 'Sites whose owners let Outrider answer for their moved pages.';
COMMENT ON COLUMN site.name IS 'Has a letter, so that a number always means site_id.';
COMMENT ON COLUMN site.key_hash IS 'SHA-256 of the key. NULL: no program may report for the site.';
COMMENT ON COLUMN site.previous_key_until IS 'Until then the key before the present one is accepted too.';
COMMENT ON COLUMN site.update_webhook IS 'Where replacements of links are sent. NULL: the system of the owner reads the list.';
COMMENT ON COLUMN site.webhook_secret IS 'Signs what is sent. It is stored as it is, because a hash cannot sign.';
COMMENT ON COLUMN site.previous_webhook_until IS 'Until then a delivery also has the signature of the secret before the present one.';
CREATE UNIQUE INDEX site_by_key ON site USING btree (key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX site_by_previous_key ON site USING btree (previous_key_hash) WHERE previous_key_hash IS NOT NULL;

CREATE TABLE site_counter (
    site_id integer NOT NULL,
    name text NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT site_counter_pkey PRIMARY KEY (site_id, name),
    CONSTRAINT site_counter_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT site_counter_name_check CHECK (name = ANY (ARRAY['redirect_hits'::text, 'broken_urls_recorded'::text, 'broken_urls_resolved'::text]))
);
COMMENT ON TABLE site_counter IS 'Counts of a site since it was registered. They do not go down when redirects are removed.';

CREATE TABLE site_event (
    site_id integer NOT NULL,
    event_id text NOT NULL,
    received_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT site_event_pkey PRIMARY KEY (site_id, event_id),
    CONSTRAINT site_event_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT site_event_event_id_check CHECK (length(event_id) >= 1 AND length(event_id) <= 200)
);
COMMENT ON TABLE site_event IS 'Events that were applied: an event that comes again changes nothing.';

CREATE TABLE site_link (
    link_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    site_id bigint NOT NULL,
    source_key text NOT NULL,
    url text NOT NULL,
    link_type text NOT NULL,
    status text NOT NULL DEFAULT 'unchecked'::text,
    http_status smallint,
    reason text,
    moved_to text,
    pending_since timestamp with time zone,
    last_checked_at timestamp with time zone,
    is_ignored boolean NOT NULL DEFAULT false,
    edit_url text,
    host_id bigint,
    url_hash uuid,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    kind text NOT NULL DEFAULT 'other'::text,
    CONSTRAINT site_link_pkey PRIMARY KEY (link_id),
    CONSTRAINT site_link_once UNIQUE (site_id, url, source_key),
    CONSTRAINT site_link_edit_url_check CHECK (octet_length(edit_url) <= 2000),
    CONSTRAINT site_link_external_has_key CHECK ((link_type = 'external'::text) = (url_hash IS NOT NULL)),
    CONSTRAINT site_link_kind_check CHECK (kind = ANY (ARRAY['nav'::text, 'footer'::text, 'social'::text, 'banner'::text, 'rich_text'::text, 'synced'::text, 'email'::text, 'rendered'::text, 'other'::text])),
    CONSTRAINT site_link_link_type_check CHECK (link_type = ANY (ARRAY['internal'::text, 'external'::text])),
    CONSTRAINT site_link_source_key_check CHECK (octet_length(source_key) >= 1 AND octet_length(source_key) <= 400),
    CONSTRAINT site_link_status_check CHECK (status = ANY (ARRAY['ok'::text, 'dead'::text, 'moved'::text, 'unchecked'::text, 'uncertain'::text])),
    CONSTRAINT site_link_url_check CHECK (octet_length(url) >= 1 AND octet_length(url) <= 2000)
);
COMMENT ON TABLE site_link IS 'A link in a content field of an owned site, with the verdict of its last check.';
COMMENT ON COLUMN site_link.source_key IS 'The content field: settings.footer_link_1, nav.about, page:/x#body. Saving a field replaces its links.';
COMMENT ON COLUMN site_link.pending_since IS 'The first of the failures in a row that may mean dead.';
COMMENT ON COLUMN site_link.url_hash IS 'With host_id the key of the frontier entry that checks this address; all fields share it. NULL: internal.';
COMMENT ON COLUMN site_link.kind IS 'What the field is, which says when its links are checked. rendered: found in a page by the crawler.';
CREATE INDEX site_link_by_status ON site_link USING btree (site_id, status, link_type);
CREATE INDEX site_link_dead ON site_link USING btree (site_id) WHERE status = 'dead'::text AND NOT is_ignored;
CREATE INDEX site_link_internal ON site_link USING btree (site_id, link_id) WHERE link_type = 'internal'::text;
CREATE INDEX site_link_listed ON site_link USING btree (site_id, array_position(ARRAY['dead'::text, 'moved'::text, 'unchecked'::text, 'uncertain'::text, 'ok'::text], status), source_key);
CREATE INDEX site_link_of_entry ON site_link USING btree (host_id, url_hash) WHERE url_hash IS NOT NULL;
CREATE INDEX site_link_of_field ON site_link USING btree (site_id, source_key);
CREATE INDEX site_link_rendered ON site_link USING btree (site_id, source_key) WHERE kind = 'rendered'::text;
CREATE INDEX site_link_to_path ON site_link USING btree (site_id, lower(url)) WHERE link_type = 'internal'::text;

CREATE TABLE site_path (
    site_id integer NOT NULL,
    path text NOT NULL,
    kind text NOT NULL DEFAULT 'item'::text,
    slug text NOT NULL,
    title text NOT NULL DEFAULT ''::text,
    parent text,
    is_visible boolean NOT NULL DEFAULT true,
    status text NOT NULL DEFAULT ''::text,
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    words text GENERATED ALWAYS AS (lower(translate(slug, '-_.+'::text, '    '::text))) STORED,
    CONSTRAINT site_path_pkey PRIMARY KEY (site_id, path),
    CONSTRAINT site_path_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT site_path_kind_check CHECK (kind = ANY (ARRAY['item'::text, 'collection'::text, 'static'::text])),
    CONSTRAINT site_path_parent_check CHECK (octet_length(parent) <= 2000),
    CONSTRAINT site_path_path_check CHECK (path ~~ '/%'::text AND octet_length(path) <= 2000),
    CONSTRAINT site_path_slug_check CHECK (length(slug) <= 2000),
    CONSTRAINT site_path_status_check CHECK (length(status) <= 100),
    CONSTRAINT site_path_title_check CHECK (length(title) <= 1000)
);
COMMENT ON TABLE site_path IS 'The inventory: which pages a site has. A page that is not visible is not live.';
COMMENT ON COLUMN site_path.words IS 'The words of the slug, for the search of a page that is like a missed one.';
CREATE INDEX site_path_text ON site_path USING gin (to_tsvector('simple'::regconfig, (words || ' '::text) || lower(title)));
CREATE INDEX site_path_title ON site_path USING gin (lower(title) gin_trgm_ops);
CREATE INDEX site_path_words ON site_path USING gin (words gin_trgm_ops);

CREATE TABLE site_redirect (
    redirect_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    site_id integer NOT NULL,
    from_path text NOT NULL,
    to_path text,
    to_key text,
    status_code smallint NOT NULL DEFAULT 301,
    source text NOT NULL,
    confidence real,
    hit_count bigint NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    last_hit_at timestamp with time zone,
    CONSTRAINT site_redirect_pkey PRIMARY KEY (redirect_id),
    CONSTRAINT site_redirect_site_id_from_path_key UNIQUE (site_id, from_path),
    CONSTRAINT site_redirect_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT site_redirect_check CHECK ((to_path IS NULL) = (status_code = 410)),
    CONSTRAINT site_redirect_check1 CHECK (to_key IS DISTINCT FROM from_path),
    CONSTRAINT site_redirect_confidence_check CHECK (confidence >= 0::double precision AND confidence <= 1::double precision),
    CONSTRAINT site_redirect_from_path_check CHECK (from_path ~~ '/%'::text AND octet_length(from_path) <= 2000),
    CONSTRAINT site_redirect_source_check CHECK (source = ANY (ARRAY['auto_slug_change'::text, 'auto_deleted'::text, 'analytics_detected'::text, 'admin'::text])),
    CONSTRAINT site_redirect_status_code_check CHECK (status_code = ANY (ARRAY[301, 302, 303, 307, 308, 410])),
    CONSTRAINT site_redirect_to_key_check CHECK (octet_length(to_key) <= 2000),
    CONSTRAINT site_redirect_to_path_check CHECK (length(to_path) >= 1 AND length(to_path) <= 4096)
);
COMMENT ON TABLE site_redirect IS 'Redirects that sites serve. No to_key is the from_path of another row, and no from_path is a visible site_path.';
COMMENT ON COLUMN site_redirect.to_key IS 'The path of a target on the same site, without its query. NULL: the target is elsewhere, or the answer is 410.';
CREATE INDEX site_redirect_by_source ON site_redirect USING btree (site_id, source);
CREATE INDEX site_redirect_by_target ON site_redirect USING btree (site_id, to_key) WHERE to_key IS NOT NULL;

CREATE TABLE site_redirect_change (
    site_id integer NOT NULL,
    version bigint NOT NULL,
    number integer NOT NULL,
    at timestamp with time zone NOT NULL DEFAULT now(),
    action text NOT NULL,
    from_path text NOT NULL,
    before_to text,
    after_to text,
    source text NOT NULL,
    why text NOT NULL,
    done_by text NOT NULL,
    event_id text,
    CONSTRAINT site_redirect_change_pkey PRIMARY KEY (site_id, version, number),
    CONSTRAINT site_redirect_change_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT site_redirect_change_action_check CHECK (action = ANY (ARRAY['created'::text, 'changed'::text, 'removed'::text])),
    CONSTRAINT site_redirect_change_done_by_check CHECK (length(done_by) <= 200),
    CONSTRAINT site_redirect_change_event_id_check CHECK (length(event_id) <= 200),
    CONSTRAINT site_redirect_change_from_path_check CHECK (octet_length(from_path) <= 2000),
    CONSTRAINT site_redirect_change_why_check CHECK (length(why) <= 1000)
);
COMMENT ON TABLE site_redirect_change IS 'What changed a redirect, when and why. Readers in memory follow it by version.';
COMMENT ON COLUMN site_redirect_change.before_to IS 'Code and target before the change. NULL: there was no redirect.';
CREATE INDEX site_redirect_change_by_path ON site_redirect_change USING btree (site_id, from_path);

CREATE TABLE site_redirect_table (
    site_id integer NOT NULL,
    version bigint NOT NULL DEFAULT 0,
    kept_changes bigint NOT NULL DEFAULT 0,
    CONSTRAINT site_redirect_table_pkey PRIMARY KEY (site_id),
    CONSTRAINT site_redirect_table_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE
);
COMMENT ON TABLE site_redirect_table IS 'The version of the redirects of a site. Every change locks this row, so that changes follow one another.';
COMMENT ON COLUMN site_redirect_table.kept_changes IS 'Changes up to this version may have been removed: a reader with an older version reads everything.';

CREATE TABLE site_view (
    site_id integer NOT NULL,
    path text NOT NULL,
    day date NOT NULL,
    views bigint NOT NULL,
    CONSTRAINT site_view_pkey PRIMARY KEY (site_id, path, day),
    CONSTRAINT site_view_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT site_view_path_check CHECK (octet_length(path) <= 2000),
    CONSTRAINT site_view_views_check CHECK (views > 0)
);
COMMENT ON TABLE site_view IS 'How often people saw a page on a day. Without views a 404 is noise.';

CREATE TABLE site_view_day (
    site_id integer NOT NULL,
    day date NOT NULL,
    paths integer NOT NULL DEFAULT 0,
    CONSTRAINT site_view_day_pkey PRIMARY KEY (site_id, day),
    CONSTRAINT site_view_day_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE
);
COMMENT ON TABLE site_view_day IS 'How many paths of a site have views on a day, so that their number stays bounded.';

CREATE TABLE source (
    source_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    public_id uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL,
    priority smallint NOT NULL DEFAULT 5,
    policy jsonb NOT NULL DEFAULT '{}'::jsonb,
    reserved bigint NOT NULL DEFAULT 0,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    kind source_kind NOT NULL DEFAULT 'crawl'::source_kind,
    mode ingestion_mode NOT NULL DEFAULT 'spider'::ingestion_mode,
    enabled boolean NOT NULL DEFAULT true,
    url text,
    disabled_at timestamp with time zone,
    disable_reason text,
    searched_at timestamp with time zone,
    search_errors smallint NOT NULL DEFAULT 0,
    search_notes text[] NOT NULL DEFAULT '{}'::text[],
    selectors jsonb,
    template text,
    labels text[] NOT NULL DEFAULT '{}'::text[],
    render_mode text NOT NULL DEFAULT 'static'::text,
    identity_key text,
    allow_source_discovery boolean NOT NULL DEFAULT true,
    removed_at timestamp with time zone,
    owed double precision NOT NULL DEFAULT 0,
    owed_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT source_pkey PRIMARY KEY (source_id),
    CONSTRAINT source_name_key UNIQUE (name),
    CONSTRAINT source_priority_check CHECK (priority >= 1 AND priority <= 10),
    CONSTRAINT source_removed_is_disabled CHECK (removed_at IS NULL OR NOT enabled),
    CONSTRAINT source_render_mode_check CHECK (render_mode = ANY (ARRAY['static'::text, 'dynamic'::text])),
    CONSTRAINT source_says_why_disabled CHECK (enabled = (disabled_at IS NULL) AND (enabled OR disable_reason IS NOT NULL)),
    CONSTRAINT source_watched_has_url CHECK (kind <> 'watch'::source_kind OR url IS NOT NULL)
);
COMMENT ON TABLE source IS 'What people asked us to watch; URLs without one belong to adhoc.';
COMMENT ON COLUMN source.reserved IS 'Pages handed out against the page limit of its policy.';
COMMENT ON COLUMN source.kind IS 'system: adhoc; crawl: made by a crawl command; watch: added to be watched.';
COMMENT ON COLUMN source.searched_at IS 'When we last looked for feeds and sitemaps.';
COMMENT ON COLUMN source.search_errors IS 'Searches in a row in which the site did not answer, so that nothing can be concluded.';
COMMENT ON COLUMN source.search_notes IS 'What the last search tried and what came of it, in sentences.';
COMMENT ON COLUMN source.selectors IS 'CSS selectors by group and field; missing ones use the template or the defaults.';
COMMENT ON COLUMN source.identity_key IS 'What another system calls it: an import knows it by this, whatever its name and address.';
COMMENT ON COLUMN source.allow_source_discovery IS 'Whether links that lead out of it are recorded, for new sources to be found by.';
COMMENT ON COLUMN source.removed_at IS 'Nobody watches it any more; the row stays, because history names it.';
COMMENT ON COLUMN source.owed IS 'URLs it brought ahead of its rate, as of owed_at; the rate pays them off.';
CREATE UNIQUE INDEX source_identity ON source USING btree (identity_key);
CREATE UNIQUE INDEX source_public_id ON source USING btree (public_id);
CREATE INDEX source_to_search ON source USING btree (searched_at NULLS FIRST, source_id) WHERE kind = 'watch'::source_kind AND enabled AND mode <> 'spider'::ingestion_mode;
CREATE TRIGGER source_changed AFTER INSERT OR UPDATE OF name, url, mode, priority, policy, enabled, disable_reason, removed_at, selectors, template, labels, render_mode, identity_key, allow_source_discovery ON source FOR EACH ROW WHEN (new.kind = 'watch'::source_kind) EXECUTE FUNCTION tell_of_source();

CREATE TABLE source_event (
    number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    event_id uuid NOT NULL DEFAULT gen_random_uuid(),
    event_type text NOT NULL,
    source_id integer NOT NULL,
    public_id uuid NOT NULL,
    at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
    payload jsonb NOT NULL,
    handled_at timestamp with time zone,
    published_at timestamp with time zone,
    CONSTRAINT source_event_pkey PRIMARY KEY (number),
    CONSTRAINT source_event_event_type_check CHECK (event_type = ANY (ARRAY['SOURCE_CREATED'::text, 'SOURCE_UPDATED'::text, 'SOURCE_DELETED'::text, 'SOURCE_ENABLED'::text, 'SOURCE_DISABLED'::text]))
);
COMMENT ON TABLE source_event IS 'What happened to sources, written with the change itself: no change is forgotten, none is told that was undone.';
COMMENT ON COLUMN source_event.handled_at IS 'When its job had followed.';
COMMENT ON COLUMN source_event.published_at IS 'When it was on the stream, where events travel.';
CREATE INDEX source_event_old ON source_event USING btree (handled_at);
CREATE INDEX source_event_unhandled ON source_event USING btree (number) WHERE handled_at IS NULL;
CREATE INDEX source_event_unpublished ON source_event USING btree (number) WHERE published_at IS NULL;
CREATE TRIGGER source_event_logged AFTER INSERT ON source_event FOR EACH ROW EXECUTE FUNCTION log_source_event();

CREATE TABLE source_host (
    host_id bigint NOT NULL,
    host text NOT NULL,
    source_id integer NOT NULL,
    CONSTRAINT source_host_pkey PRIMARY KEY (host_id),
    CONSTRAINT source_host_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE
);
COMMENT ON TABLE source_host IS 'Whose pages the URLs of a host are, when nobody says so.';
CREATE INDEX source_host_source ON source_host USING btree (source_id);

CREATE TABLE subscription (
    subscription_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    channel_id integer,
    hub text NOT NULL,
    topic text NOT NULL,
    secret text NOT NULL,
    ask_at timestamp with time zone NOT NULL DEFAULT now(),
    pushed_until timestamp with time zone,
    leaving boolean NOT NULL DEFAULT false,
    CONSTRAINT subscription_pkey PRIMARY KEY (subscription_id),
    CONSTRAINT subscription_channel_id_hub_topic_key UNIQUE (channel_id, hub, topic),
    CONSTRAINT subscription_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channel(channel_id) ON DELETE SET NULL
);
COMMENT ON TABLE subscription IS 'What hubs were asked to push (WebSub); outlives its channel until the hub has let go.';
COMMENT ON COLUMN subscription.ask_at IS 'When the hub is asked again, if nothing happens before.';
COMMENT ON COLUMN subscription.pushed_until IS 'End of the lease that the hub has verified.';

CREATE TABLE url (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    next_fetch_at timestamp with time zone,
    last_fetch_at timestamp with time zone,
    discovered_at timestamp with time zone NOT NULL DEFAULT now(),
    updated_at timestamp with time zone,
    redirect_host_id bigint,
    redirect_hash uuid,
    parent_host_id bigint,
    parent_hash uuid,
    source_id integer NOT NULL DEFAULT 1,
    fetches integer NOT NULL DEFAULT 0,
    prio smallint NOT NULL DEFAULT 5,
    depth smallint NOT NULL DEFAULT 0,
    attempts smallint NOT NULL DEFAULT 0,
    http_status smallint,
    kind smallint NOT NULL DEFAULT 0,
    origin smallint NOT NULL DEFAULT 0,
    hops smallint NOT NULL DEFAULT 0,
    was smallint NOT NULL DEFAULT 0,
    reason text,
    via text,
    url text NOT NULL,
    shared smallint NOT NULL DEFAULT 0,
    run_id integer,
    CONSTRAINT url_pkey PRIMARY KEY (host_id, url_hash),
    CONSTRAINT url_prio_check CHECK (abs(prio) >= 1 AND abs(prio) <= 10)
) WITH (fillfactor=90, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=1);
COMMENT ON TABLE url IS 'Everything we will ever request, and every address that turned out to be another''s.';
COMMENT ON COLUMN url.url_hash IS 'First 16 bytes of sha256(url); the full hash is in the view url_frontier.';
COMMENT ON COLUMN url.next_fetch_at IS 'NULL: not queued. Otherwise not before this time.';
COMMENT ON COLUMN url.updated_at IS 'When the row last changed, kept by a trigger. NULL: not since its discovery.';
COMMENT ON COLUMN url.prio IS '1 to 10, higher first; negative while its source is held.';
COMMENT ON COLUMN url.was IS 'The state before the last write, so that a write can report the transition it made.';
COMMENT ON COLUMN url.via IS 'Hashes of the redirects that led here across hosts, so that a loop is recognised.';
COMMENT ON COLUMN url.shared IS '0: only its source_id wants it. Otherwise url_source says who does; each new one raises the number.';
COMMENT ON COLUMN url.run_id IS 'The run that asked for this entry; negative once the entry is settled for that run; NULL: no run.';
CREATE INDEX url_dead ON url USING btree (reason, host_id, url_hash) WHERE reason IS NOT NULL AND next_fetch_at IS NULL;
CREATE INDEX url_of_source ON url USING btree (source_id, discovered_at) WITH (fillfactor='50');
CREATE INDEX url_pending ON url USING btree (host_id, prio DESC, next_fetch_at) WHERE next_fetch_at IS NOT NULL;
CREATE TRIGGER url_lost AFTER DELETE OR UPDATE OF host_id, url_hash OR TRUNCATE ON url FOR EACH STATEMENT EXECUTE FUNCTION break_url_lineage();
CREATE TRIGGER url_updated BEFORE UPDATE ON url FOR EACH ROW EXECUTE FUNCTION date_the_change();

CREATE TABLE url_lineage (
    one boolean NOT NULL DEFAULT true,
    unbroken_since timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT url_lineage_pkey PRIMARY KEY (one),
    CONSTRAINT url_lineage_one_check CHECK (one)
);
COMMENT ON TABLE url_lineage IS 'Since when no row of url was taken out or renamed: older memories of them prove nothing.';

CREATE TABLE url_rehash (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    new_host_id bigint NOT NULL,
    new_hash uuid NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    host text NOT NULL,
    url text NOT NULL,
    CONSTRAINT url_rehash_pkey PRIMARY KEY (host_id, url_hash)
);
COMMENT ON TABLE url_rehash IS 'While a rehash runs: who gets which new key. state: 0 waits, 1 in hand, 2 moved.';
CREATE INDEX url_rehash_in_hand ON url_rehash USING btree (host_id, url_hash) WHERE state = 1;
CREATE INDEX url_rehash_waiting ON url_rehash USING btree (new_host_id, new_hash) WHERE state = 0;

CREATE TABLE url_rules (
    one boolean NOT NULL DEFAULT true,
    version integer NOT NULL,
    becoming integer,
    phase text,
    after_host_id bigint,
    after_hash uuid,
    CONSTRAINT url_rules_pkey PRIMARY KEY (one),
    CONSTRAINT url_rules_one_check CHECK (one)
);
COMMENT ON TABLE url_rules IS 'By which rules the URLs here are spelt, and how far `outrider rehash` has come with other ones.';

CREATE TABLE url_source (
    host_id bigint NOT NULL,
    url_hash uuid NOT NULL,
    source_id integer NOT NULL,
    state smallint NOT NULL DEFAULT 2,
    depth smallint NOT NULL DEFAULT 0,
    origin smallint NOT NULL DEFAULT 0,
    fetches integer NOT NULL DEFAULT 0,
    has_document boolean NOT NULL DEFAULT false,
    reason text,
    CONSTRAINT url_source_pkey PRIMARY KEY (host_id, url_hash, source_id),
    CONSTRAINT url_source_source_id_fkey FOREIGN KEY (source_id) REFERENCES source(source_id) ON DELETE CASCADE,
    CONSTRAINT url_source_state_check CHECK (state >= 1 AND state <= 4)
);
COMMENT ON TABLE url_source IS 'Every source that wants a shared URL, the first one included, and how it stands for that source.';
COMMENT ON COLUMN url_source.state IS 'What url_state() would say if only this source had asked: 1 waits for a visit, 2 fetched, 3 dead, 4 alias.';
COMMENT ON COLUMN url_source.depth IS 'Links from the start of this source.';
COMMENT ON COLUMN url_source.origin IS 'How the URL came to this source.';
COMMENT ON COLUMN url_source.fetches IS 'Visits that served this source.';
COMMENT ON COLUMN url_source.has_document IS 'Whether its document is in the documents count of this source.';
COMMENT ON COLUMN url_source.reason IS 'Why it is dead for this source.';
CREATE INDEX url_source_source ON url_source USING btree (source_id, state);
CREATE TRIGGER url_source_lost AFTER DELETE ON url_source FOR EACH STATEMENT EXECUTE FUNCTION break_url_lineage();

CREATE TABLE url_template (
    host_id bigint NOT NULL,
    template text NOT NULL,
    fetched integer NOT NULL DEFAULT 0,
    barren_run integer NOT NULL DEFAULT 0,
    barren boolean NOT NULL DEFAULT false,
    updated_at timestamp with time zone NOT NULL DEFAULT now(),
    CONSTRAINT url_template_pkey PRIMARY KEY (host_id, template)
);
COMMENT ON TABLE url_template IS 'URL shapes of a host; a barren one stopped yielding anything new and lost its turn.';

CREATE TABLE user_session (
    session_hash bytea NOT NULL,
    user_id integer NOT NULL,
    generation integer NOT NULL,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT user_session_pkey PRIMARY KEY (session_hash),
    CONSTRAINT user_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id) ON DELETE CASCADE,
    CONSTRAINT user_session_session_hash_check CHECK (length(session_hash) = 32)
);
COMMENT ON TABLE user_session IS 'Sessions of the dashboard, unless Redis holds them. The value of the cookie is not stored, only its SHA-256.';
CREATE INDEX user_session_expiry ON user_session USING btree (expires_at);
CREATE INDEX user_session_user ON user_session USING btree (user_id);

CREATE TABLE webhook_delivery (
    delivery_id uuid NOT NULL DEFAULT gen_random_uuid(),
    site_id integer NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    state text NOT NULL DEFAULT 'waiting'::text,
    attempts smallint NOT NULL DEFAULT 0,
    next_attempt_at timestamp with time zone DEFAULT now(),
    http_status smallint,
    why text,
    created_at timestamp with time zone NOT NULL DEFAULT now(),
    ended_at timestamp with time zone,
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (delivery_id),
    CONSTRAINT webhook_delivery_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(site_id) ON DELETE CASCADE,
    CONSTRAINT webhook_delivery_body_check CHECK (octet_length(body) <= 20000),
    CONSTRAINT webhook_delivery_check CHECK ((state = 'waiting'::text) = (ended_at IS NULL)),
    CONSTRAINT webhook_delivery_check1 CHECK ((state = 'waiting'::text) = (next_attempt_at IS NOT NULL)),
    CONSTRAINT webhook_delivery_kind_check CHECK (kind = ANY (ARRAY['link.update_requested'::text, 'test'::text])),
    CONSTRAINT webhook_delivery_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dead'::text])),
    CONSTRAINT webhook_delivery_why_check CHECK (length(why) <= 300)
);
COMMENT ON TABLE webhook_delivery IS 'Requests to the webhooks of sites. Each is sent at least once, always with the same number.';
COMMENT ON COLUMN webhook_delivery.next_attempt_at IS 'A claim moves it ahead, so that a delivery whose process died is sent again.';
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (next_attempt_at) WHERE state = 'waiting'::text;
CREATE INDEX webhook_delivery_ended ON webhook_delivery USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_delivery_of_site ON webhook_delivery USING btree (site_id, created_at DESC, delivery_id);

CREATE TABLE worker (
    worker_id integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    machine text NOT NULL,
    pid integer NOT NULL,
    flushed bigint NOT NULL DEFAULT 0,
    started_at timestamp with time zone NOT NULL DEFAULT now(),
    beat_at timestamp with time zone NOT NULL DEFAULT now(),
    stopped_at timestamp with time zone,
    stats jsonb NOT NULL DEFAULT '{}'::jsonb,
    CONSTRAINT worker_pkey PRIMARY KEY (worker_id)
);
COMMENT ON TABLE worker IS 'Who is or was at work, with the latest figures of each.';
CREATE INDEX worker_alive ON worker USING btree (beat_at) WHERE stopped_at IS NULL;

CREATE VIEW crawled_pages (
    id uuid,
    url text,
    url_hash text,
    domain text,
    status text,
    status_code smallint,
    content_type text,
    content_length bigint,
    content_hash text,
    title text,
    description text,
    links_count integer,
    discovered_at timestamp with time zone,
    crawled_at timestamp with time zone,
    crawl_duration_ms integer,
    error_message text,
    next_crawl_at timestamp with time zone,
    error_count smallint,
    host_id bigint
);
COMMENT ON VIEW crawled_pages IS 'Every known page and what became of it. By domain it takes an index; by address, ask crawled_page(url).';

CREATE VIEW discovered_domain_now (
    domain text,
    links bigint,
    sources bigint,
    depth double precision,
    first_seen timestamp with time zone,
    last_seen timestamp with time zone,
    ok_ratio double precision,
    html_ratio double precision
);
COMMENT ON VIEW discovered_domain_now IS 'Discovered links summed up by domain at this moment.';

CREATE VIEW discovered_links (
    source_id uuid,
    source_name text,
    url text,
    parent_url text,
    depth smallint,
    domain text,
    http_status smallint,
    content_type text,
    discovered_at timestamp with time zone,
    queued_at timestamp with time zone,
    status text,
    priority smallint
);
COMMENT ON VIEW discovered_links IS 'Links that led out of their source, once for each source and URL.';

CREATE VIEW feed_state (
    source_id uuid,
    source_name text,
    kind text,
    feed_url text,
    last_polled_at timestamp with time zone,
    last_etag text,
    last_modified text,
    last_item_count integer,
    consecutive_errors integer,
    last_error text,
    last_error_type text,
    next_poll_at timestamp with time zone,
    is_candidate boolean,
    disabled_at timestamp with time zone,
    disable_reason text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
COMMENT ON VIEW feed_state IS 'Feeds and sitemaps of sources: a source may have several of each kind, each with its own validators.';

CREATE VIEW host_state (
    host text,
    last_fetch_at timestamp with time zone,
    min_delay_ms integer,
    robots_txt text,
    robots_fetched_at timestamp with time zone,
    robots_ttl_hours integer,
    is_allowed boolean,
    page_count bigint,
    penalty_delay_ms integer,
    next_allowed_at timestamp with time zone,
    block_reason text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
COMMENT ON VIEW host_state IS 'How gently each host is treated. Of several robots.txt (http and https) the one fetched last.';

CREATE VIEW job_executions (
    id uuid,
    job_id uuid,
    execution_number integer,
    status text,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    duration_ms bigint,
    items_crawled bigint,
    items_indexed bigint,
    error_message text,
    stack_trace text,
    cpu_time_ms bigint,
    memory_peak_mb integer,
    retry_attempt integer,
    metadata jsonb,
    log_object_key text,
    log_size_bytes bigint,
    log_line_count integer
);
COMMENT ON VIEW job_executions IS 'Runs by the names that other programs know. Runs of commands have no job.';

CREATE VIEW jobs (
    id uuid,
    source_id uuid,
    source_name text,
    url text,
    type text,
    status text,
    interval_minutes integer,
    interval_type text,
    next_run_at timestamp with time zone,
    schedule_enabled boolean,
    adaptive_scheduling boolean,
    is_paused boolean,
    paused_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    lock_token uuid,
    lock_acquired_at timestamp with time zone,
    max_retries integer,
    retry_backoff_seconds integer,
    current_retry_count integer,
    error_message text,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    metadata jsonb,
    priority smallint,
    auto_managed boolean,
    failure_count integer,
    last_failure_at timestamp with time zone,
    backoff_until timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
COMMENT ON VIEW jobs IS 'Jobs by the names that other programs know: interval_minutes counts interval_type, whichever that is.';

CREATE VIEW redirect_hops (
    from_url text,
    to_url text,
    status smallint,
    at timestamp with time zone,
    first_seen_at timestamp with time zone,
    times integer,
    permanent boolean,
    entry_url text,
    kind text,
    source text
);
COMMENT ON VIEW redirect_hops IS 'Redirects as people and BI tools ask for them: moves, long chains (from_url of one is to_url of another), loops.';

CREATE VIEW sources (
    id uuid,
    name text,
    url text,
    rate_limit text,
    max_depth integer,
    selectors jsonb,
    enabled boolean,
    feed_url text,
    sitemap_url text,
    ingestion_mode text,
    feed_poll_interval_minutes integer,
    feed_disabled_at timestamp with time zone,
    feed_disable_reason text,
    article_url_patterns jsonb,
    rules jsonb,
    priority smallint,
    render_mode text,
    template_hint text,
    identity_key text,
    allow_source_discovery boolean,
    disabled_at timestamp with time zone,
    disable_reason text,
    url_policy jsonb,
    kind text,
    labels text[],
    removed_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
COMMENT ON VIEW sources IS 'Sources by the names that other programs know. Crawls (kind crawl) and the owner of all other URLs (system) are sources, too.';

CREATE VIEW url_frontier (
    id uuid,
    url_hash text,
    url text,
    host text,
    source_id uuid,
    source text,
    origin text,
    kind text,
    parent_url text,
    depth smallint,
    priority smallint,
    status text,
    held boolean,
    next_fetch_at timestamp with time zone,
    last_fetched_at timestamp with time zone,
    fetch_count integer,
    http_status smallint,
    content_hash text,
    etag text,
    last_modified text,
    retry_count smallint,
    last_error text,
    redirects_to text,
    discovered_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone
);
COMMENT ON VIEW url_frontier IS 'The queue as people and BI tools think of it; the tables are laid out for speed.';

CREATE VIEW watched_source (
    source_id integer,
    name text,
    url text,
    mode ingestion_mode,
    priority smallint,
    enabled boolean,
    searched_at timestamp with time zone,
    search_errors smallint,
    search_notes text[],
    created_at timestamp with time zone,
    removed_at timestamp with time zone
);
COMMENT ON VIEW watched_source IS 'Sources that are watched, for the queries of other parts: crawl commands and adhoc are not among them.';
