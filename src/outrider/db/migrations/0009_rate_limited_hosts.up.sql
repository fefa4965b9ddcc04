-- How often in a row a host answered 429, in a column of its own.

ALTER TABLE host ADD COLUMN rate_limited smallint NOT NULL DEFAULT 0 CHECK (rate_limited >= 0);
COMMENT ON COLUMN host.rate_limited IS 'Answers of 429 in a row; any other answer ends the row.';

-- Until now they were kept in `calm`, below zero.
UPDATE host SET rate_limited = -calm, calm = 0 WHERE calm < 0;
ALTER TABLE host ADD CONSTRAINT host_calm_check CHECK (calm >= 0);
COMMENT ON COLUMN host.calm IS 'Good answers since the penalty last changed.';
