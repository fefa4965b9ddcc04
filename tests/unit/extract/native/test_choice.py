"""Which scan runs: chosen by a setting, explained by `outrider doctor`, never missing."""

from pathlib import Path

import pytest
from tests.fuzz.subjects import CORPUS

from outrider.crawl.options import CrawlOptions, ScanChoice
from outrider.errors import Misconfigured
from outrider.extract.native import choice
from outrider.extract.native.build import NoCompiler, compiler
from outrider.extract.scan import reference_scan, scan
from outrider.extract.similarity.reference_signature import reference_signature
from outrider.extract.similarity.signature import signature
from outrider.fetch.options import FetchOptions
from outrider.frontier.options import FrontierOptions
from outrider.settings import Settings
from outrider.settings.check_workers import check_worker_settings
from outrider.workers.supervisor import Supervisor

URL = "https://example.com/"


@pytest.fixture(autouse=True)
def unchosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process in which nothing was chosen yet."""
    monkeypatch.setattr(choice._Chosen, "is_made", False)
    monkeypatch.setattr(choice._Chosen, "library", None)


@pytest.fixture
def not_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(choice, "BUILT", tmp_path / "scan.so")


@pytest.mark.usefixtures("not_built")
def test_without_a_compiled_scan_everything_is_read_in_python() -> None:
    for page in sorted((CORPUS / "native").iterdir()):
        body = page.read_bytes()
        assert scan(body, URL) == reference_scan(body, URL)

    assert choice.loaded() is None
    assert signature("word " * 30) == reference_signature("word " * 30) != b""


@pytest.mark.usefixtures("not_built")
def test_the_words_of_doctor_say_why_there_is_none_and_what_to_do() -> None:
    assert choice.describe_scan("auto") == (
        "in Python: there is no compiled scan, because it was not built",
        "`make native` builds it; a page costs less with it",
    )
    assert choice.describe_scan("python") == ("in Python, as OUTRIDER_SCAN says", "")


@pytest.mark.usefixtures("not_built")
def test_where_the_compiled_scan_is_demanded_and_missing_no_worker_is_started() -> None:
    with pytest.raises(Misconfigured, match="demands the compiled scan, but it was not built; `make native`"):
        Supervisor(Settings(crawl=CrawlOptions(scan=ScanChoice.NATIVE)), dsn="", count=1)

    check_worker_settings(Settings(crawl=CrawlOptions(scan=ScanChoice.AUTO)))


def test_no_worker_is_started_with_a_lease_that_is_shorter_than_a_request() -> None:
    settings = Settings(frontier=FrontierOptions(lease_s=30.0), fetch=FetchOptions(timeout_s=30.0))

    with pytest.raises(Misconfigured, match="OUTRIDER_LEASE is 30 s, but a request may take 31 s"):
        Supervisor(settings, dsn="", count=1)


def test_a_file_that_is_no_library_is_none(tmp_path: Path) -> None:
    file = tmp_path / "scan.so"
    file.write_bytes(b"no library")

    found = choice.load(file)

    assert found.library is None
    assert found.why.startswith("it does not load: ")


def test_python_is_chosen_although_the_library_is_there() -> None:
    choice.choose_scan("python")

    assert choice.loaded() is None


def test_a_machine_without_a_compiler_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(NoCompiler, match="there is no C compiler on this machine"):
        compiler()


def test_a_library_of_other_sources_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    built = choice.load(choice.BUILT)
    if built.library is None:
        pytest.skip(f"there is no compiled scan: {built.why}")
    copy = tmp_path / "scan.so"
    copy.write_bytes(choice.BUILT.read_bytes())
    monkeypatch.setattr(choice, "source_hash", lambda: "0123456789abcdef")

    assert choice.load(copy) == (None, "it was built from other sources")
