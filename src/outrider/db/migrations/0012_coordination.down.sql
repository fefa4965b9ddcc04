DROP TABLE leader;
DROP TABLE coordination_lock;
