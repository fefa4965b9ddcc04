DROP INDEX run_started;
DROP TABLE maintenance_task;
