-- Sites that people own: their live paths, redirects, page views and broken URLs.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE site (
  site_id            integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name               text        NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$' AND name ~ '[a-z]'),
  base_url           text        NOT NULL CHECK (length(base_url) <= 2000),
  hosts              text[]      NOT NULL CHECK (cardinality(hosts) BETWEEN 1 AND 100),
  settings           jsonb       NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
  key_hash           bytea       CHECK (length(key_hash) = 32),
  previous_key_hash  bytea       CHECK (length(previous_key_hash) = 32),
  previous_key_until timestamptz,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE site IS 'Sites whose owners let Outrider answer for their moved pages.';
COMMENT ON COLUMN site.name IS 'Has a letter, so that a number always means site_id.';
COMMENT ON COLUMN site.key_hash IS 'SHA-256 of the key. NULL: no program may report for the site.';
COMMENT ON COLUMN site.previous_key_until IS 'Until then the key before the present one is accepted too.';
CREATE UNIQUE INDEX site_by_key ON site (key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX site_by_previous_key ON site (previous_key_hash) WHERE previous_key_hash IS NOT NULL;

CREATE TABLE site_path (
  site_id    integer     NOT NULL REFERENCES site ON DELETE CASCADE,
  path       text        NOT NULL CHECK (path LIKE '/%' AND octet_length(path) <= 2000),
  kind       text        NOT NULL DEFAULT 'item' CHECK (kind IN ('item', 'collection', 'static')),
  slug       text        NOT NULL CHECK (length(slug) <= 2000),
  title      text        NOT NULL DEFAULT '' CHECK (length(title) <= 1000),
  parent     text        CHECK (octet_length(parent) <= 2000),
  is_visible boolean     NOT NULL DEFAULT true,
  status     text        NOT NULL DEFAULT '' CHECK (length(status) <= 100),
  updated_at timestamptz NOT NULL DEFAULT now(),
  words      text        GENERATED ALWAYS AS (lower(translate(slug, '-_.+', '    '))) STORED,
  PRIMARY KEY (site_id, path)
);
COMMENT ON TABLE site_path IS 'The inventory: which pages a site has. A page that is not visible is not live.';
COMMENT ON COLUMN site_path.words IS 'The words of the slug, for the search of a page that is like a missed one.';
CREATE INDEX site_path_words ON site_path USING gin (words gin_trgm_ops);
CREATE INDEX site_path_title ON site_path USING gin (lower(title) gin_trgm_ops);
CREATE INDEX site_path_text ON site_path USING gin (to_tsvector('simple', words || ' ' || lower(title)));

CREATE TABLE site_redirect_table (
  site_id      integer PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  version      bigint  NOT NULL DEFAULT 0,
  kept_changes bigint  NOT NULL DEFAULT 0
);
COMMENT ON TABLE site_redirect_table IS 'The version of the redirects of a site. Every change locks this row, so that changes follow one another.';
COMMENT ON COLUMN site_redirect_table.kept_changes IS 'Changes up to this version may have been removed: a reader with an older version reads everything.';

CREATE TABLE site_redirect (
  redirect_id bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site_id     integer     NOT NULL REFERENCES site ON DELETE CASCADE,
  from_path   text        NOT NULL CHECK (from_path LIKE '/%' AND octet_length(from_path) <= 2000),
  to_path     text        CHECK (length(to_path) BETWEEN 1 AND 4096),
  to_key      text        CHECK (octet_length(to_key) <= 2000),
  status_code smallint    NOT NULL DEFAULT 301 CHECK (status_code IN (301, 302, 303, 307, 308, 410)),
  source      text        NOT NULL CHECK (source IN ('auto_slug_change', 'auto_deleted', 'analytics_detected', 'admin')),
  confidence  real        CHECK (confidence BETWEEN 0 AND 1),
  hit_count   bigint      NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  last_hit_at timestamptz,
  UNIQUE (site_id, from_path),
  CHECK ((to_path IS NULL) = (status_code = 410)),
  CHECK (to_key IS DISTINCT FROM from_path)
);
COMMENT ON TABLE site_redirect IS 'Redirects that sites serve. No to_key is the from_path of another row, and no from_path is a visible site_path.';
COMMENT ON COLUMN site_redirect.to_key IS 'The path of a target on the same site, without its query. NULL: the target is elsewhere, or the answer is 410.';
CREATE INDEX site_redirect_by_target ON site_redirect (site_id, to_key) WHERE to_key IS NOT NULL;
CREATE INDEX site_redirect_by_source ON site_redirect (site_id, source);

CREATE TABLE site_redirect_change (
  site_id   integer     NOT NULL REFERENCES site ON DELETE CASCADE,
  version   bigint      NOT NULL,
  number    integer     NOT NULL,
  at        timestamptz NOT NULL DEFAULT now(),
  action    text        NOT NULL CHECK (action IN ('created', 'changed', 'removed')),
  from_path text        NOT NULL CHECK (octet_length(from_path) <= 2000),
  before_to text,
  after_to  text,
  source    text        NOT NULL,
  why       text        NOT NULL CHECK (length(why) <= 1000),
  done_by   text        NOT NULL CHECK (length(done_by) <= 200),
  event_id  text        CHECK (length(event_id) <= 200),
  PRIMARY KEY (site_id, version, number)
);
COMMENT ON TABLE site_redirect_change IS 'What changed a redirect, when and why. Readers in memory follow it by version.';
COMMENT ON COLUMN site_redirect_change.before_to IS 'Code and target before the change. NULL: there was no redirect.';
CREATE INDEX site_redirect_change_by_path ON site_redirect_change (site_id, from_path);

CREATE TABLE site_event (
  site_id     integer     NOT NULL REFERENCES site ON DELETE CASCADE,
  event_id    text        NOT NULL CHECK (length(event_id) BETWEEN 1 AND 200),
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, event_id)
);
COMMENT ON TABLE site_event IS 'Events that were applied: an event that comes again changes nothing.';

CREATE TABLE site_view (
  site_id integer NOT NULL REFERENCES site ON DELETE CASCADE,
  path    text    NOT NULL CHECK (octet_length(path) <= 2000),
  day     date    NOT NULL,
  views   bigint  NOT NULL CHECK (views > 0),
  PRIMARY KEY (site_id, path, day)
);
COMMENT ON TABLE site_view IS 'How often people saw a page on a day. Without views a 404 is noise.';

CREATE TABLE site_view_day (
  site_id integer NOT NULL REFERENCES site ON DELETE CASCADE,
  day     date    NOT NULL,
  paths   integer NOT NULL DEFAULT 0,
  PRIMARY KEY (site_id, day)
);
COMMENT ON TABLE site_view_day IS 'How many paths of a site have views on a day, so that their number stays bounded.';

CREATE TABLE broken_url (
  broken_id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site_id              integer     NOT NULL REFERENCES site ON DELETE CASCADE,
  path                 text        NOT NULL CHECK (octet_length(path) <= 2000),
  prior_analytics_hits bigint      NOT NULL DEFAULT 0,
  recent_404_count     bigint      NOT NULL DEFAULT 1,
  first_seen_at        timestamptz NOT NULL DEFAULT now(),
  last_seen_at         timestamptz NOT NULL DEFAULT now(),
  status               text        NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'resolved', 'ignored')),
  resolved_redirect_id bigint      REFERENCES site_redirect ON DELETE SET NULL,
  suggestions          jsonb       NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(suggestions) = 'array'),
  referrers            text[]      NOT NULL DEFAULT '{}' CHECK (cardinality(referrers) <= 10),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (site_id, path)
);
COMMENT ON TABLE broken_url IS 'Paths that had visitors and answer 404 now.';
COMMENT ON COLUMN broken_url.suggestions IS 'Live paths that are like the missed one, with a confidence from 0 to 1, the best first.';
CREATE INDEX broken_url_by_loss ON broken_url (site_id, status, prior_analytics_hits DESC, broken_id);
CREATE INDEX broken_url_by_redirect ON broken_url (resolved_redirect_id) WHERE resolved_redirect_id IS NOT NULL;
