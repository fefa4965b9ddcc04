-- Maintenance that operators ask for, and an index for the runs of the last day.

CREATE TABLE maintenance_task (
  task_id      uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  task         text        NOT NULL CHECK (task IN ('cleanup', 'archive', 'vacuum', 'rebuild-visited', 'backup')),
  state        text        NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'completed', 'failed')),
  requested_by text        NOT NULL CHECK (length(requested_by) <= 200),
  started_at   timestamptz NOT NULL DEFAULT now(),
  beat_at      timestamptz NOT NULL DEFAULT now(),
  ended_at     timestamptz,
  result       jsonb       NOT NULL DEFAULT '{}',
  error        text        CHECK (length(error) <= 2000),
  CONSTRAINT maintenance_task_has_ended CHECK ((state = 'running') = (ended_at IS NULL)),
  CONSTRAINT maintenance_task_failed_says_why CHECK ((state = 'failed') = (error IS NOT NULL))
);
COMMENT ON TABLE maintenance_task IS 'Each time an operator asked for a maintenance task, and how it ended.';
COMMENT ON COLUMN maintenance_task.beat_at IS 'When the process that carries it out was last alive.';
CREATE UNIQUE INDEX maintenance_task_running ON maintenance_task (task) WHERE state = 'running';
CREATE INDEX maintenance_task_history ON maintenance_task (started_at);

CREATE INDEX run_started ON run (started_at);
