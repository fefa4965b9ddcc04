-- Write down when each task of the leader ran and when it is due again, and count the jobs that schedulers lost to others.

CREATE TABLE leader_task (
  name            text             PRIMARY KEY,
  every_s         double precision NOT NULL CHECK (every_s > 0),
  last_started_at timestamptz      NOT NULL,
  last_ended_at   timestamptz      NOT NULL DEFAULT now(),
  last_error      text             CHECK (length(last_error) <= 2000),
  next_run_at     timestamptz      NOT NULL,
  runs            bigint           NOT NULL DEFAULT 1
);
COMMENT ON TABLE leader_task IS 'The last and the next run of each task that the leading scheduler repeats.';
COMMENT ON COLUMN leader_task.next_run_at IS 'When the leader runs the task again; a new leader runs every task at once.';

ALTER TABLE scheduler ADD COLUMN lost_races bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN scheduler.lost_races IS 'Jobs that this scheduler read as due and another process took or changed first.';
