DROP TRIGGER source_event_logged ON source_event;
DROP FUNCTION log_source_event();
DROP FUNCTION event_log_now();
DROP TABLE event_log_pruned;
DROP TABLE event_log;
DROP FUNCTION event_history();
