-- Without the indexes for reads.
DROP INDEX run_by_status;
DROP INDEX counter_name;
