"""Changes of a source arrive at a server as they were given."""

import pytest

from outrider.remote.source_body import body_of
from outrider.sources.source_changes import read_changes
from outrider.web.api.v1.source_bodies import SourceChangeBody


@pytest.mark.parametrize(
    "given",
    [
        {"name": "Neu", "url": "https://neu.test", "mode": "both", "priority": "high"},
        {"feed": ["https://neu.test/a", "https://neu.test/b"], "sitemap": ["https://neu.test/s.xml"]},
        {"labels": ["news, berlin"], "template": "wordpress", "identity_key": "k1"},
        {"labels": ["default"], "template": "default", "identity_key": "default", "selectors": "default"},
        {"selectors": '{"article": {"title": "h1"}}', "render_mode": "dynamic"},
        {"render_mode": "default", "allow_source_discovery": "no", "enabled": "no"},
        {"delay": "10s", "depth": "-1", "poll": "15m", "sitemap_poll": "6h", "recrawl": "30d"},
        {"delay": "default", "depth": "default", "poll": "default", "scope": "default"},
        {"include": ["/a", "/b"], "exclude": ["default"], "allow_domain": ["a.test, *.b.test"]},
        {"external": "frontier", "keep_slash": "yes", "redirects": "dead_and_submit", "backfill": "no"},
    ],
    ids=lambda given: " ".join(given),
)
def test_changes_arrive_as_they_were_given(given):
    changes = read_changes(given).checked()
    arrived = SourceChangeBody.model_validate(body_of(changes)).changes().checked()
    assert arrived == changes
