-- Alerts: what needs a person, told once when it opens and once when it closes.

CREATE TABLE alert (
  alert_id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key          text        NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 200),
  kind         text        NOT NULL CHECK (kind ~ '^[a-z][a-z_]{0,63}$'),
  severity     text        NOT NULL CHECK (severity IN ('warning', 'critical')),
  subject_kind text        CHECK (subject_kind IN ('source', 'job', 'site')),
  subject_id   text,
  subject_name text,
  numbers      jsonb       NOT NULL DEFAULT '{}',
  held_since   timestamptz NOT NULL,
  opened_at    timestamptz,
  last_seen_at timestamptz NOT NULL,
  over_since   timestamptz,
  closed_at    timestamptz,
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL) AND (subject_kind IS NULL) = (subject_name IS NULL)),
  CHECK (opened_at IS NOT NULL OR (over_since IS NULL AND closed_at IS NULL))
);
COMMENT ON TABLE alert IS 'What needs a person. One key has at most one alert that is not closed.';
COMMENT ON COLUMN alert.key IS 'The kind, and what the alert is about.';
COMMENT ON COLUMN alert.opened_at IS 'When it was told. NULL: its condition has not held long enough yet.';
COMMENT ON COLUMN alert.last_seen_at IS 'When its condition held last.';
COMMENT ON COLUMN alert.over_since IS 'Since then its condition does not hold. After a while the alert is closed.';
CREATE UNIQUE INDEX alert_once ON alert (key) WHERE closed_at IS NULL;
CREATE INDEX alert_newest ON alert (opened_at DESC, alert_id DESC) WHERE opened_at IS NOT NULL;
CREATE INDEX alert_closed ON alert (closed_at) WHERE closed_at IS NOT NULL;

CREATE TABLE alert_delivery (
  number          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id     uuid        NOT NULL UNIQUE,
  alert_id        bigint      NOT NULL REFERENCES alert ON DELETE CASCADE,
  key             text        NOT NULL,
  event           text        NOT NULL CHECK (event IN ('alert.opened', 'alert.closed')),
  body            text        NOT NULL CHECK (octet_length(body) <= 20000),
  state           text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
  attempts        smallint    NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  http_status     smallint,
  why             text        CHECK (length(why) <= 300),
  created_at      timestamptz NOT NULL DEFAULT now(),
  ended_at        timestamptz,
  UNIQUE (alert_id, event),
  CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CHECK ((state = 'waiting') = (next_attempt_at IS NOT NULL))
);
COMMENT ON TABLE alert_delivery IS 'What the webhook of alerts is told: each event of an alert once, at least once sent.';
COMMENT ON COLUMN alert_delivery.key IS 'Deliveries with the same key are sent in the order of their numbers.';
CREATE INDEX alert_delivery_waiting ON alert_delivery (key, number) WHERE state = 'waiting';
CREATE INDEX alert_delivery_ended ON alert_delivery (ended_at) WHERE ended_at IS NOT NULL;

-- The sources whose feeds fail are looked for every 30 seconds. A poll that succeeds changes no entry of this index.
CREATE INDEX channel_failing ON channel (errors) WHERE errors > 0;

CREATE TABLE alert_level (
  key   text        NOT NULL,
  at    timestamptz NOT NULL,
  value bigint      NOT NULL,
  PRIMARY KEY (key, at)
);
COMMENT ON TABLE alert_level IS 'The least value of a figure in a part of the time, for rules that compare it with earlier ones.';
