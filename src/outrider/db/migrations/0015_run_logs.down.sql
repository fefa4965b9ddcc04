-- Without logs of runs: lines that are not archived are lost.
DROP TABLE run_log;
DROP TABLE run_log_writer;
DROP TABLE run_log_state;
