"""Results of earlier runs."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.errors import InvalidInput
from outrider.links.cache import LinkCache
from outrider.links.checked import CheckedLink
from outrider.links.evidence import Judgement, Verdict
from outrider.links.reason import LinkReason

NOW = datetime(2026, 3, 4, tzinfo=UTC)
DAY = timedelta(days=1)
URL = "http://a.test/"


def saved(tmp_path, verdict: Verdict, reason: LinkReason) -> LinkCache:
    first = LinkCache(tmp_path / "links.json", DAY)
    first.remember(CheckedLink(URL, Judgement(verdict, reason, 200, "http://a.test/b"), NOW))
    first.save(NOW)
    again = LinkCache(tmp_path / "links.json", DAY)
    again.load()
    return again


def test_a_good_link_is_not_asked_again_for_a_while(tmp_path):
    cache = saved(tmp_path, Verdict.MOVED, LinkReason.MOVED_PERMANENTLY)

    known = cache.known(URL, NOW + DAY)

    assert known is not None
    assert (known.judgement.moved_to, known.is_cached) == ("http://a.test/b", True)
    assert cache.known(URL, NOW + DAY + timedelta(seconds=1)) is None


@pytest.mark.parametrize("verdict", [Verdict.DEAD, Verdict.UNCERTAIN])
def test_a_bad_link_is_asked_again_and_its_failure_is_known(tmp_path, verdict):
    cache = saved(tmp_path, verdict, LinkReason.NO_ANSWER)

    assert cache.known(URL, NOW) is None
    assert [(check.at, check.verdict) for check in cache.earlier(URL)] == [(NOW, verdict)]


@pytest.mark.parametrize("content", ["", "[]", '{"version": 1}', '{"version": 1, "links": {"a": 1}}', "\0"])
def test_another_file_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "links.json").write_text(content)

    with pytest.raises(InvalidInput, match="is no cache of links"):
        LinkCache(tmp_path / "links.json", DAY).load()


def test_a_cache_of_another_version_is_made_anew(tmp_path):
    (tmp_path / "links.json").write_text('{"version": 99, "other": true}')

    cache = LinkCache(tmp_path / "links.json", DAY)
    cache.load()

    assert cache.known(URL, NOW) is None
