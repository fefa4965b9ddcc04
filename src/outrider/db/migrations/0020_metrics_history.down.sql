DROP TABLE job_rebalance;
DROP TABLE metric_day;
DROP TABLE metric_sample;
DROP TABLE metric_series;
