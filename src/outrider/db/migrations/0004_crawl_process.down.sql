DROP TABLE crawl_process;
