-- Nothing: see the file that goes up.
SELECT 1;
