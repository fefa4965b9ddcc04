-- Without the plan of the leader and the count of lost jobs.
ALTER TABLE scheduler DROP COLUMN lost_races;
DROP TABLE leader_task;
