-- Sources people watch, the feeds and sitemaps that announce their pages, and what links led outside.

CREATE TYPE source_kind AS ENUM ('system', 'crawl', 'watch');
CREATE TYPE ingestion_mode AS ENUM ('feed', 'spider', 'both');

ALTER TABLE source
  ADD COLUMN kind           source_kind    NOT NULL DEFAULT 'crawl',
  ADD COLUMN mode           ingestion_mode NOT NULL DEFAULT 'spider',
  ADD COLUMN enabled        boolean        NOT NULL DEFAULT true,
  ADD COLUMN url            text,
  ADD COLUMN disabled_at    timestamptz,
  ADD COLUMN disable_reason text,
  ADD COLUMN searched_at    timestamptz,
  ADD COLUMN search_errors  smallint       NOT NULL DEFAULT 0,
  ADD COLUMN search_notes   text[]         NOT NULL DEFAULT '{}',
  ADD COLUMN selectors      jsonb,
  ADD COLUMN template       text,
  ADD COLUMN labels         text[]         NOT NULL DEFAULT '{}',
  ADD COLUMN render_mode    text           NOT NULL DEFAULT 'static' CHECK (render_mode IN ('static', 'dynamic')),
  ADD COLUMN identity_key   text,
  ADD COLUMN allow_source_discovery boolean NOT NULL DEFAULT true,
  ADD COLUMN removed_at     timestamptz,
  ADD COLUMN owed           float8         NOT NULL DEFAULT 0,
  ADD COLUMN owed_at        timestamptz    NOT NULL DEFAULT now(),
  ADD CONSTRAINT source_says_why_disabled CHECK (enabled = (disabled_at IS NULL) AND (enabled OR disable_reason IS NOT NULL)),
  ADD CONSTRAINT source_watched_has_url CHECK (kind <> 'watch' OR url IS NOT NULL),
  ADD CONSTRAINT source_removed_is_disabled CHECK (removed_at IS NULL OR NOT enabled);
UPDATE source SET kind = 'system' WHERE name = 'adhoc';
CREATE UNIQUE INDEX source_identity ON source (identity_key);
CREATE INDEX source_held ON source (source_id) WHERE held;
CREATE INDEX source_to_search ON source (searched_at NULLS FIRST, source_id) WHERE kind = 'watch' AND enabled AND mode <> 'spider';
COMMENT ON COLUMN source.kind IS 'system: adhoc; crawl: made by a crawl command; watch: added to be watched.';
COMMENT ON COLUMN source.searched_at IS 'When we last looked for feeds and sitemaps.';
COMMENT ON COLUMN source.search_errors IS 'Searches in a row in which the site did not answer, so that nothing can be concluded.';
COMMENT ON COLUMN source.search_notes IS 'What the last search tried and what came of it, in sentences.';
COMMENT ON COLUMN source.selectors IS 'CSS selectors by group and field; missing ones use the template or the defaults.';

COMMENT ON COLUMN source.identity_key IS 'What another system calls it: an import knows it by this, whatever its name and address.';
COMMENT ON COLUMN source.allow_source_discovery IS 'Whether links that lead out of it are recorded, for new sources to be found by.';
COMMENT ON COLUMN source.owed IS 'URLs it brought ahead of its rate, as of owed_at; the rate pays them off.';
COMMENT ON COLUMN source.removed_at IS 'Nobody watches it any more; the row stays, because history names it.';

CREATE FUNCTION search_rest(errors smallint, longest_s float8) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN errors = 0 THEN longest_s ELSE least(3600 * 2 ^ least(errors - 1, 12), longest_s) END * interval '1 second';
COMMENT ON FUNCTION search_rest IS 'How long a site is left alone after a search: twice as long each time it does not answer.';

CREATE TABLE source_host (
  host_id   bigint  PRIMARY KEY,
  host      text    NOT NULL,
  source_id integer NOT NULL REFERENCES source ON DELETE CASCADE
);
COMMENT ON TABLE source_host IS 'Whose pages the URLs of a host are, when nobody says so.';
CREATE INDEX source_host_source ON source_host (source_id);

CREATE TABLE url_source (
  host_id   bigint  NOT NULL,
  url_hash  uuid    NOT NULL,
  source_id integer NOT NULL REFERENCES source ON DELETE CASCADE,
  PRIMARY KEY (host_id, url_hash, source_id)
);
COMMENT ON TABLE url_source IS 'Who else asked for a URL that another source asked for first.';
CREATE INDEX url_source_source ON url_source (source_id);

CREATE TABLE channel (
  channel_id     integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id      integer     NOT NULL REFERENCES source ON DELETE CASCADE,
  host_id        bigint      NOT NULL,
  url_hash       uuid        NOT NULL,
  url            text        NOT NULL,
  kind           smallint    NOT NULL CHECK (kind IN (2, 3)),
  found_by       text        NOT NULL DEFAULT 'manual',
  is_candidate   boolean     NOT NULL DEFAULT false,
  title          text,
  etag           text,
  last_modified  text,
  added_at       timestamptz NOT NULL DEFAULT now(),
  polled_at      timestamptz,
  changed_at     timestamptz,
  polls          bigint      NOT NULL DEFAULT 0,
  changes        bigint      NOT NULL DEFAULT 0,
  items          integer     NOT NULL DEFAULT 0,
  new_items      bigint      NOT NULL DEFAULT 0,
  errors         integer     NOT NULL DEFAULT 0,
  error_type     text,
  last_error     text,
  interval_s     integer     NOT NULL DEFAULT 900,
  disabled_at    timestamptz,
  disable_reason text,
  memory         jsonb       NOT NULL DEFAULT '{}',
  hub            text,
  topic          text,
  parent_id      integer     REFERENCES channel ON DELETE CASCADE,
  UNIQUE (host_id, url_hash)
);
COMMENT ON TABLE channel IS 'A feed (2) or sitemap (3) of a source; its frontier entry says when it is polled next.';
COMMENT ON COLUMN channel.is_candidate IS 'Found, not yet proven: becomes a channel when it parses with at least one item.';
COMMENT ON COLUMN channel.memory IS 'What polling has learned: posting rhythm, whether lastmod can be believed.';
COMMENT ON COLUMN channel.parent_id IS 'The sitemap index that lists this sitemap.';
CREATE INDEX channel_source ON channel (source_id);

CREATE TABLE subscription (
  subscription_id integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id      integer     REFERENCES channel ON DELETE SET NULL,
  hub             text        NOT NULL,
  topic           text        NOT NULL,
  secret          text        NOT NULL,
  ask_at          timestamptz NOT NULL DEFAULT now(),
  pushed_until    timestamptz,
  leaving         boolean     NOT NULL DEFAULT false,
  UNIQUE (channel_id, hub, topic)
);
COMMENT ON TABLE subscription IS 'What hubs were asked to push (WebSub); outlives its channel until the hub has let go.';
COMMENT ON COLUMN subscription.ask_at IS 'When the hub is asked again, if nothing happens before.';
COMMENT ON COLUMN subscription.pushed_until IS 'End of the lease that the hub has verified.';

CREATE TABLE sighting (
  host_id      bigint      NOT NULL,
  url_hash     uuid        NOT NULL,
  way          text        NOT NULL,
  source_id    integer     NOT NULL,
  seen_at      timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  PRIMARY KEY (host_id, url_hash, way)
);
COMMENT ON TABLE sighting IS 'By which way (websub, feed, news sitemap, sitemap, spider) an article was seen, and when first.';
CREATE INDEX sighting_source ON sighting (source_id, seen_at);

CREATE TABLE discovered_link (
  source_id      integer     NOT NULL REFERENCES source ON DELETE CASCADE,
  host_id        bigint      NOT NULL,
  url_hash       uuid        NOT NULL,
  url            text        NOT NULL,
  domain         text        NOT NULL,
  parent_url     text,
  depth          smallint    NOT NULL DEFAULT 0,
  http_status    smallint,
  content_type   text,
  discovered_at  timestamptz NOT NULL DEFAULT now(),
  queued_at      timestamptz,
  status         text        NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'queued', 'ignored', 'promoted')),
  priority       smallint    NOT NULL DEFAULT 3,
  PRIMARY KEY (source_id, host_id, url_hash)
);
COMMENT ON TABLE discovered_link IS 'Links that led out of their source, recorded for a person to look through.';
CREATE INDEX discovered_link_domain ON discovered_link (domain, source_id);

CREATE TABLE discovered_domain (
  domain     text        PRIMARY KEY,
  state      text        NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'reviewing', 'ignored', 'promoted')),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE discovered_domain IS 'What an operator decided about a domain that links led to.';

CREATE TABLE listing (
  host_id    bigint      NOT NULL,
  url_hash   uuid        NOT NULL,
  source_id  integer     NOT NULL REFERENCES source ON DELETE CASCADE,
  interval_s integer     NOT NULL,
  visits     bigint      NOT NULL DEFAULT 1,
  new_links  bigint      NOT NULL DEFAULT 0,
  visited_at timestamptz NOT NULL DEFAULT now(),
  fruitful_at timestamptz,
  PRIMARY KEY (host_id, url_hash)
);
COMMENT ON TABLE listing IS 'Pages visited for their links, again and again: how often, and what it brings.';
CREATE INDEX listing_source ON listing (source_id);

ALTER TABLE document
  ADD COLUMN page_type text CHECK (page_type IN ('article', 'listing', 'stub', 'other')),
  ADD COLUMN unindexed text CHECK (unindexed IN ('url_filter', 'page_type', 'quality_gate'));
COMMENT ON COLUMN document.unindexed IS 'Why it is not to be found by searching; NULL: it is.';
