DROP TABLE idempotent_answer;
