-- The webhook of a site for replacements of its links, and the kind of each link.

ALTER TABLE site
  ADD COLUMN update_webhook          text CHECK (octet_length(update_webhook) BETWEEN 1 AND 2000),
  ADD COLUMN webhook_secret          text CHECK (length(webhook_secret) BETWEEN 20 AND 200),
  ADD COLUMN previous_webhook_secret text CHECK (length(previous_webhook_secret) BETWEEN 20 AND 200),
  ADD COLUMN previous_webhook_until  timestamptz,
  ADD CONSTRAINT site_webhook_is_signed CHECK (update_webhook IS NULL OR webhook_secret IS NOT NULL);
COMMENT ON COLUMN site.update_webhook IS 'Where replacements of links are sent. NULL: the system of the owner reads the list.';
COMMENT ON COLUMN site.webhook_secret IS 'Signs what is sent. It is stored as it is, because a hash cannot sign.';
COMMENT ON COLUMN site.previous_webhook_until IS 'Until then a delivery also has the signature of the secret before the present one.';

CREATE TABLE webhook_delivery (
  delivery_id     uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  site_id         integer     NOT NULL REFERENCES site ON DELETE CASCADE,
  kind            text        NOT NULL CHECK (kind IN ('link.update_requested', 'test')),
  body            text        NOT NULL CHECK (octet_length(body) <= 20000),
  state           text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
  attempts        smallint    NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  http_status     smallint,
  why             text        CHECK (length(why) <= 300),
  created_at      timestamptz NOT NULL DEFAULT now(),
  ended_at        timestamptz,
  CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CHECK ((state = 'waiting') = (next_attempt_at IS NOT NULL))
);
COMMENT ON TABLE webhook_delivery IS 'Requests to the webhooks of sites. Each is sent at least once, always with the same number.';
COMMENT ON COLUMN webhook_delivery.next_attempt_at IS 'A claim moves it ahead, so that a delivery whose process died is sent again.';
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_of_site ON webhook_delivery (site_id, created_at DESC, delivery_id);
CREATE INDEX webhook_delivery_ended ON webhook_delivery (ended_at) WHERE ended_at IS NOT NULL;

ALTER TABLE site_link
  ADD COLUMN kind text NOT NULL DEFAULT 'other'
    CHECK (kind IN ('nav', 'footer', 'social', 'banner', 'rich_text', 'synced', 'email', 'rendered', 'other'));
COMMENT ON COLUMN site_link.kind IS 'What the field is, which says when its links are checked. rendered: found in a page by the crawler.';
CREATE INDEX site_link_rendered ON site_link (site_id, source_key) WHERE kind = 'rendered';
