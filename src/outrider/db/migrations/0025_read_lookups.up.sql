-- Indexes for reads that a reader waits for. None holds a column that the crawl changes: the flush writes `counter.value`
-- alone, so its updates stay within their page.

CREATE INDEX counter_name ON counter (name COLLATE "C", source_id);
CREATE INDEX run_by_status ON run (status, run_id);
