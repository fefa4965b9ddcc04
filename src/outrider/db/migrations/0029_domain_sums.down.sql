DROP TABLE discovered_domain_summed;
DROP TABLE discovered_domain_sum;
DROP VIEW discovered_domain_now;
