"""Use cases of metrics: `/metrics`, its catalogue and the charts."""
