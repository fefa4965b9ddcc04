-- The history of the important figures of a crawl, for charts.

CREATE TABLE metric_series (
  series_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  metric    text NOT NULL CHECK (length(metric) BETWEEN 1 AND 64),
  label     text NOT NULL CHECK (length(label) <= 64),
  UNIQUE (metric, label)
);
COMMENT ON TABLE metric_series IS 'The series of the history. The number of labels of a metric is bounded.';
COMMENT ON COLUMN metric_series.label IS 'Which part of the metric, such as a state or a reason; empty for a metric without parts.';

CREATE TABLE metric_sample (
  series_id integer          NOT NULL REFERENCES metric_series,
  at        timestamptz      NOT NULL,
  value     double precision NOT NULL,
  PRIMARY KEY (series_id, at)
);
CREATE INDEX metric_sample_at ON metric_sample (at);
COMMENT ON TABLE metric_sample IS 'One value a minute for each series, kept for 7 days.';

CREATE TABLE metric_day (
  series_id integer          NOT NULL REFERENCES metric_series,
  day       date             NOT NULL,
  mean      double precision NOT NULL,
  least     double precision NOT NULL,
  most      double precision NOT NULL,
  newest    double precision NOT NULL,
  PRIMARY KEY (series_id, day)
);
COMMENT ON TABLE metric_day IS 'The samples of one day (UTC), rolled up when they are older than 7 days.';
COMMENT ON COLUMN metric_day.newest IS 'The last value of the day. For a count that only grows, the difference of two days is the growth.';

CREATE TABLE job_rebalance (
  rebalance_id integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at           timestamptz NOT NULL DEFAULT now(),
  moved        integer     NOT NULL,
  skipped      integer     NOT NULL
);
COMMENT ON TABLE job_rebalance IS 'One row for each rebalance of jobs: how many changed their slot, and how many had to stay.';
