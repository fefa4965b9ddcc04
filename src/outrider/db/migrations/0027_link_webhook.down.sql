-- Without webhooks and kinds of links: deliveries that wait are lost.
DELETE FROM site_link WHERE kind = 'rendered';
ALTER TABLE site_link DROP COLUMN kind;
DROP TABLE webhook_delivery;
ALTER TABLE site
  DROP COLUMN previous_webhook_until,
  DROP COLUMN previous_webhook_secret,
  DROP COLUMN webhook_secret,
  DROP COLUMN update_webhook;
