DROP TABLE discovered_domain, discovered_link, sighting, channel, source_host;
ALTER TABLE source
  DROP CONSTRAINT source_says_why_disabled,
  DROP CONSTRAINT source_watched_has_url,
  DROP COLUMN public_id,
  DROP COLUMN kind,
  DROP COLUMN mode,
  DROP COLUMN enabled,
  DROP COLUMN url,
  DROP COLUMN disabled_at,
  DROP COLUMN disable_reason,
  DROP COLUMN searched_at,
  DROP COLUMN selectors,
  DROP COLUMN template;
DROP TYPE ingestion_mode;
DROP TYPE source_kind;
