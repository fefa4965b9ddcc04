COMMENT ON COLUMN host.calm IS NULL;
ALTER TABLE host DROP CONSTRAINT host_calm_check;
UPDATE host SET calm = -rate_limited WHERE rate_limited > 0;
ALTER TABLE host DROP COLUMN rate_limited;
