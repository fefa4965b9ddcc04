-- Without alerts: their history is lost, and what waits for the webhook is not sent.
DROP INDEX channel_failing;
DROP TABLE alert_level;
DROP TABLE alert_delivery;
DROP TABLE alert;
