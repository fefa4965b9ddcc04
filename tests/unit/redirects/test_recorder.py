"""What requests leave behind until it is reported."""

from outrider.redirects import recorder as module
from outrider.redirects.bots import BotFilter
from outrider.redirects.recorder import Recorder, WaitingReport


def test_a_missed_path_is_reported_at_most_once_a_minute_with_its_whole_count():
    now = 0.0
    recorder, report = Recorder(lambda: now), WaitingReport()
    recorder.miss("/a")
    first = recorder.due_misses(recorder.collect(report))
    recorder.reported(report, first)
    for _ in range(3):
        recorder.miss("/a")
    recorder.miss("/b")

    second = recorder.due_misses(recorder.collect(report))
    recorder.reported(report, second)
    now = 61.0
    third = recorder.due_misses(recorder.collect(report))

    assert (first, second, third) == ({"/a": 1}, {"/b": 1}, {"/a": 3})


def test_memory_is_bounded_and_what_is_frequent_stays(monkeypatch):
    for name in ("MOST_PATHS", "MOST_MISSES", "MOST_REMEMBERED"):
        monkeypatch.setattr(module, name, 3)
    recorder, report = Recorder(), WaitingReport()
    for _ in range(5):
        recorder.miss("/wanted", "https://a.test/")
        recorder.view("/seen")
    for number in range(100):
        recorder.miss(f"/scan-{number}", "https://b.test/")
        recorder.view(f"/page-{number}")
    recorder.view("/" + "x" * 5_000)

    recorder.collect(report)

    assert (report.misses["/wanted"], report.views["/seen"]) == (5, 5)
    assert (len(report.misses), len(report.views), len(report.referrers)) == (3, 3, 3)
    assert recorder.dropped == 197
    recorder.reported(report, report.misses.copy())
    assert len(recorder._reported_at) == 3


def test_what_waits_for_a_report_is_bounded_and_the_rest_is_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    recorder = Recorder()
    for number in range(5):
        recorder.hit(f"/{number}")
        recorder.view(f"/{number}")
        recorder.miss(f"/{number}")

    report = recorder.collect(WaitingReport())

    assert [len(counts) for counts in (report.hits, report.views, report.misses)] == [2, 2, 2]
    assert recorder.dropped == 9


def test_paths_are_reported_in_stored_form():
    recorder = Recorder()
    recorder.hit("/a b?")

    assert recorder.collect(WaitingReport()).hits == {"/a%20b%3F": 1}


def test_programs_are_told_from_people():
    bots = BotFilter(("ourchecker",))

    assert bots.is_bot(b"")
    assert bots.is_bot(b"Mozilla/5.0 (compatible; Googlebot/2.1)")
    assert bots.is_bot(b"OurChecker/1")
    assert bots.is_bot(b"x" * 1_000)
    assert not bots.is_bot(
        b"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15"
    )
