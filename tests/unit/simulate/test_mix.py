"""Shares of kinds of sites, as usual or from a file."""

from collections import Counter
from pathlib import Path

import pytest

from outrider.errors import InvalidInput
from outrider.simulate.kinds import SiteKind
from outrider.simulate.mix import USUAL, kinds_of, read_mix


def test_the_usual_mix_is_a_hundred_percent_of_every_kind():
    assert sum(USUAL.values()) == 100
    assert set(USUAL) == set(SiteKind)


@pytest.mark.parametrize("sites", [1, 7, 100, 999])
def test_there_are_as_many_kinds_as_sites(sites: int):
    assert len(kinds_of(USUAL, sites)) == sites


def test_shares_are_relative_to_each_other():
    counts = Counter(kinds_of({SiteKind.NEWS: 1, SiteKind.BLOG: 3}, 40))

    assert counts == {SiteKind.NEWS: 10, SiteKind.BLOG: 30}


def test_a_file_names_the_kinds_it_wants(tmp_path: Path):
    file = tmp_path / "mix.toml"
    file.write_text("news = 2\nnews_sitemap = 1.5\nblog = 0\n")

    assert read_mix(file) == {SiteKind.NEWS: 2.0, SiteKind.NEWS_SITEMAP: 1.5, SiteKind.BLOG: 0.0}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("casino = 3", "no 'casino' sites", id="an unknown kind"),
        pytest.param("news = -1", "from 0 on", id="less than none"),
        pytest.param("news = true", "from 0 on", id="no number"),
        pytest.param("news = nan", "from 0 on", id="no real number"),
        pytest.param("news = 0", "no sites at all", id="nothing but zeros"),
        pytest.param("", "no sites at all", id="an empty file"),
        pytest.param("news = ", "cannot be read", id="no TOML"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, text: str, complaint: str):
    file = tmp_path / "mix.toml"
    file.write_text(text)

    with pytest.raises(InvalidInput, match=complaint):
        read_mix(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_mix(tmp_path / "none.toml")
