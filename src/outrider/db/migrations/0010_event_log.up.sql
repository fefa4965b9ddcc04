-- One log of what happened, which readers follow by position.

CREATE FUNCTION event_history() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT left(encode(sha256(convert_to(system_identifier || '-' || timeline_id, 'UTF8')), 'hex'), 8)
    FROM pg_control_system(), pg_control_checkpoint()
$$;
COMMENT ON FUNCTION event_history IS 'Names the sequence of transaction numbers: another server, or the same one after a failover or a restore, has another name.';

CREATE TABLE event_log (
  xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
  id         bigint      GENERATED ALWAYS AS IDENTITY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind       text        NOT NULL CHECK (length(kind) <= 64 AND kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  subject_id text        NOT NULL CHECK (length(subject_id) <= 200),
  payload    jsonb       NOT NULL CHECK (jsonb_typeof(payload) = 'object' AND octet_length(payload::text) <= 65536),
  PRIMARY KEY (xid, id)
);
COMMENT ON TABLE event_log IS 'What happened, written by the transaction that made the change. Readers follow it in the order of (xid, id) and stop before the oldest transaction that still runs.';
COMMENT ON COLUMN event_log.xid IS 'The transaction that wrote the event. A number that is smaller than that of every running transaction gets no more events.';
COMMENT ON COLUMN event_log.subject_id IS 'What the event is about: the public id of a source, job or run, or the name of a host.';

CREATE TABLE event_log_pruned (
  one     boolean PRIMARY KEY DEFAULT true CHECK (one),
  history text    NOT NULL,
  xid     xid8    NOT NULL,
  id      bigint  NOT NULL
);
COMMENT ON TABLE event_log_pruned IS 'The position of the last event that was removed from event_log. A reader that stands before it has lost events.';
INSERT INTO event_log_pruned (history, xid, id) VALUES (event_history(), '0', 0);

CREATE FUNCTION event_log_now() RETURNS TABLE (
  history text, horizon xid8, next_xid xid8, pruned_xid xid8, pruned_id bigint, newest_xid xid8, newest_id bigint
) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
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
$$;
COMMENT ON FUNCTION event_log_now IS 'Where the log stands: readers stop before the transaction horizon; newest is the last event before it, pruned the last one removed.';

CREATE FUNCTION log_source_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_log (kind, subject_id, at, payload)
  VALUES (replace(lower(NEW.event_type), 'source_', 'source.'),
          NEW.public_id,
          NEW.at,
          CASE WHEN octet_length(NEW.payload::text) <= 16384 THEN NEW.payload ELSE '{"truncated": true}' END);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION log_source_event IS 'Copies each change of a source to event_log; a payload of more than 16 KiB is left out.';
CREATE TRIGGER source_event_logged AFTER INSERT ON source_event FOR EACH ROW EXECUTE FUNCTION log_source_event();
