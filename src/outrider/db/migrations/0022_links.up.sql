-- Links in the content of owned sites: where they stand, whether they work, and every check of their addresses.

CREATE TABLE site_link (
  link_id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site_id         bigint      NOT NULL,
  source_key      text        NOT NULL CHECK (octet_length(source_key) BETWEEN 1 AND 400),
  url             text        NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 2000),
  link_type       text        NOT NULL CHECK (link_type IN ('internal', 'external')),
  status          text        NOT NULL DEFAULT 'unchecked' CHECK (status IN ('ok', 'dead', 'moved', 'unchecked', 'uncertain')),
  http_status     smallint,
  reason          text,
  moved_to        text,
  pending_since   timestamptz,
  last_checked_at timestamptz,
  is_ignored      boolean     NOT NULL DEFAULT false,
  edit_url        text        CHECK (octet_length(edit_url) <= 2000),
  host_id         bigint,
  url_hash        uuid,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT site_link_once UNIQUE (site_id, url, source_key),
  CONSTRAINT site_link_external_has_key CHECK ((link_type = 'external') = (url_hash IS NOT NULL))
);
COMMENT ON TABLE site_link IS 'A link in a content field of an owned site, with the verdict of its last check.';
COMMENT ON COLUMN site_link.source_key IS 'The content field: settings.footer_link_1, nav.about, page:/x#body. Saving a field replaces its links.';
COMMENT ON COLUMN site_link.pending_since IS 'The first of the failures in a row that may mean dead.';
COMMENT ON COLUMN site_link.url_hash IS 'With host_id the key of the frontier entry that checks this address; all fields share it. NULL: internal.';
CREATE INDEX site_link_of_field ON site_link (site_id, source_key);
CREATE INDEX site_link_by_status ON site_link (site_id, status, link_type);
CREATE INDEX site_link_of_entry ON site_link (host_id, url_hash) WHERE url_hash IS NOT NULL;

CREATE TABLE link_check (
  check_id    bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host_id     bigint      NOT NULL,
  url_hash    uuid        NOT NULL,
  checked_at  timestamptz NOT NULL DEFAULT now(),
  verdict     text        NOT NULL CHECK (verdict IN ('ok', 'dead', 'moved', 'uncertain')),
  reason      text        NOT NULL,
  http_status smallint,
  moved_to    text,
  pending_since timestamptz,
  evidence    jsonb       NOT NULL DEFAULT '[]'
);
COMMENT ON TABLE link_check IS 'Every check of an external address: what was asked, what came back, and what that means.';
CREATE INDEX link_check_of_entry ON link_check (host_id, url_hash, checked_at DESC);

CREATE TABLE link_update (
  link_id      bigint      PRIMARY KEY REFERENCES site_link ON DELETE CASCADE,
  site_id      bigint      NOT NULL,
  replacement  text        NOT NULL CHECK (octet_length(replacement) BETWEEN 1 AND 2000),
  requested_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE link_update IS 'Links that the system of the owner is asked to replace. The row goes when the field is saved without the link.';
CREATE INDEX link_update_of_site ON link_update (site_id, requested_at);
