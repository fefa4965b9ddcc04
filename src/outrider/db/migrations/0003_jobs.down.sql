DROP VIEW jobs;
DROP TABLE job;
DROP TYPE job_status;
DROP TRIGGER source_changed ON source;
DROP FUNCTION tell_of_source();
DROP FUNCTION small_facts(jsonb);
DROP FUNCTION source_facts(source);
DROP TABLE processed_events, source_event;
