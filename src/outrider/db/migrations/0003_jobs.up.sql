-- Changes of sources as events, and the jobs that follow them.

CREATE TABLE source_event (
  number       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id     uuid        NOT NULL DEFAULT gen_random_uuid(),
  event_type   text        NOT NULL CHECK (event_type IN ('SOURCE_CREATED', 'SOURCE_UPDATED', 'SOURCE_DELETED', 'SOURCE_ENABLED', 'SOURCE_DISABLED')),
  source_id    integer     NOT NULL,
  public_id    uuid        NOT NULL,
  at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  payload      jsonb       NOT NULL,
  handled_at   timestamptz,
  published_at timestamptz
);
COMMENT ON TABLE source_event IS 'What happened to sources, written with the change itself: no change is forgotten, none is told that was undone.';
COMMENT ON COLUMN source_event.handled_at IS 'When its job had followed.';
COMMENT ON COLUMN source_event.published_at IS 'When it was on the stream, where events travel.';
CREATE INDEX source_event_unhandled ON source_event (number) WHERE handled_at IS NULL;
CREATE INDEX source_event_unpublished ON source_event (number) WHERE published_at IS NULL;
CREATE INDEX source_event_old ON source_event (handled_at);

CREATE TABLE processed_events (
  event_id     uuid        PRIMARY KEY,
  processed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE processed_events IS 'Events whose effect is committed, by whichever way they came: the same event has it once.';
CREATE INDEX processed_events_old ON processed_events (processed_at);

CREATE FUNCTION source_facts(s source) RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN jsonb_build_object(
  'name', s.name, 'url', s.url, 'mode', s.mode, 'priority', s.priority, 'policy', s.policy,
  'enabled', s.enabled, 'disable_reason', s.disable_reason, 'removed', s.removed_at IS NOT NULL,
  'selectors', s.selectors, 'template', s.template, 'labels', s.labels, 'render_mode', s.render_mode,
  'identity_key', s.identity_key, 'allow_source_discovery', s.allow_source_discovery);
COMMENT ON FUNCTION source_facts IS 'What people decided about a source; not what the crawler notes beside it.';

CREATE FUNCTION small_facts(facts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(facts) WHERE length(value::text) <= 2000);
COMMENT ON FUNCTION small_facts IS 'Without what is long: whoever wants that looks at the source.';

CREATE FUNCTION tell_of_source() RETURNS trigger LANGUAGE plpgsql AS $$
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
$$;
COMMENT ON FUNCTION tell_of_source IS 'Whoever changes a watched source, a person with psql included, leaves an event.';
CREATE TRIGGER source_changed
 AFTER INSERT OR UPDATE OF name, url, mode, priority, policy, enabled, disable_reason, removed_at, selectors, template, labels,
                           render_mode, identity_key, allow_source_discovery ON source
   FOR EACH ROW WHEN (NEW.kind = 'watch') EXECUTE FUNCTION tell_of_source();

INSERT INTO source_event (event_type, source_id, public_id, payload)
SELECT 'SOURCE_CREATED', s.source_id, s.public_id, jsonb_build_object('source', small_facts(source_facts(s)))
  FROM source s
 WHERE s.kind = 'watch'
   AND s.removed_at IS NULL
 ORDER BY s.source_id;

CREATE TYPE job_status AS ENUM ('pending', 'scheduled', 'running', 'paused', 'completed', 'failed', 'cancelled');

CREATE TABLE job (
  job_id                integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id             uuid        NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  source_id             integer     NOT NULL REFERENCES source ON DELETE CASCADE,
  type                  text        NOT NULL DEFAULT 'crawl' CHECK (type IN ('crawl')),
  auto_managed          boolean     NOT NULL DEFAULT false,
  priority              smallint    NOT NULL DEFAULT 50 CHECK (priority BETWEEN 0 AND 100),
  status                job_status  NOT NULL DEFAULT 'pending',
  schedule_enabled      boolean     NOT NULL DEFAULT false,
  adaptive_scheduling   boolean     NOT NULL DEFAULT true,
  interval_count        integer,
  interval_type         text        NOT NULL DEFAULT 'minutes' CHECK (interval_type IN ('minutes', 'hours', 'days')),
  next_run_at           timestamptz,
  paused_at             timestamptz,
  paused_by             text        CHECK (paused_by IN ('operator', 'source')),
  cancelled_at          timestamptz,
  lock_token            uuid,
  lock_acquired_at      timestamptz,
  started_at            timestamptz,
  completed_at          timestamptz,
  runs                  bigint      NOT NULL DEFAULT 0,
  max_retries           integer     NOT NULL DEFAULT 3 CHECK (max_retries >= 0),
  retry_backoff_seconds integer     NOT NULL DEFAULT 60 CHECK (retry_backoff_seconds > 0),
  current_retry_count   integer     NOT NULL DEFAULT 0 CHECK (current_retry_count >= 0),
  failure_count         integer     NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
  last_failure_at       timestamptz,
  backoff_until         timestamptz,
  error_message         text,
  metadata              jsonb       NOT NULL DEFAULT '{}',
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT job_runs_once_or_again CHECK (schedule_enabled = (interval_count IS NOT NULL) AND coalesce(interval_count > 0, true)),
  CONSTRAINT job_scheduled_has_time CHECK (status <> 'scheduled' OR next_run_at IS NOT NULL),
  CONSTRAINT job_paused_says_by_whom CHECK ((status = 'paused') = (paused_at IS NOT NULL) AND (status = 'paused') = (paused_by IS NOT NULL)),
  CONSTRAINT job_paused_has_no_time CHECK (status <> 'paused' OR next_run_at IS NULL),
  CONSTRAINT job_cancelled_says_when CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CONSTRAINT job_lock_is_whole CHECK ((lock_token IS NULL) = (lock_acquired_at IS NULL))
);
COMMENT ON TABLE job IS 'What is done for a source, again and again; one of each source looks after itself (auto_managed).';
COMMENT ON COLUMN job.interval_count IS 'So many of interval_type between two runs; NULL: it runs once.';
COMMENT ON COLUMN job.paused_by IS 'source: because that is disabled, and until it is enabled; operator: until somebody resumes it.';
CREATE UNIQUE INDEX job_of_its_own ON job (source_id) WHERE auto_managed;
CREATE INDEX job_source ON job (source_id);
CREATE INDEX job_due ON job (next_run_at) WHERE status = 'scheduled';
CREATE TRIGGER job_updated BEFORE UPDATE ON job FOR EACH ROW EXECUTE FUNCTION date_the_change();

CREATE VIEW jobs AS
SELECT j.public_id AS id,
       s.public_id AS source_id,
       s.name AS source_name,
       s.url,
       j.type,
       j.status::text AS status,
       j.interval_count AS interval_minutes,
       j.interval_type,
       j.next_run_at,
       j.schedule_enabled,
       j.adaptive_scheduling,
       j.status = 'paused' AS is_paused,
       j.paused_at,
       j.cancelled_at,
       j.lock_token,
       j.lock_acquired_at,
       j.max_retries,
       j.retry_backoff_seconds,
       j.current_retry_count,
       j.error_message,
       j.started_at,
       j.completed_at,
       j.metadata,
       j.priority,
       j.auto_managed,
       j.failure_count,
       j.last_failure_at,
       j.backoff_until,
       j.created_at,
       j.updated_at
  FROM job j
  JOIN source s ON s.source_id = j.source_id;
COMMENT ON VIEW jobs IS 'Jobs by the names that other programs know: interval_minutes counts interval_type, whichever that is.';
