-- Without sites: their redirects and page views are lost. The extension stays, because others may use it.
DROP TABLE broken_url;
DROP TABLE site_view_day;
DROP TABLE site_view;
DROP TABLE site_event;
DROP TABLE site_redirect_change;
DROP TABLE site_redirect;
DROP TABLE site_redirect_table;
DROP TABLE site_path;
DROP TABLE site;
