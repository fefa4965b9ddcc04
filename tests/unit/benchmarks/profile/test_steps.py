"""Which step of a page's way a sample counts for."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.profile.steps import PUT_OFF, RULES, Step, step_of

import outrider

SRC = Path(outrider.__file__).parent.parent
LOOP = "main (outrider/workers/process.py:29);run (uvloop/__init__.py:92);Runner.run (asyncio/runners.py:118)"
VISIT = f"{LOOP};Lanes._run (outrider/workers/lanes.py:53);work (outrider/crawl/lane.py:24)"
SETTLE = (
    f"{VISIT};Visit._settle (outrider/crawl/visit.py:74);Pages.settle (outrider/crawl/pages/handler.py:74)"
)
ABSORB = f"{SETTLE};_absorb (outrider/crawl/pages/handler.py:133)"
SCAN = f"{SETTLE};_scan (outrider/crawl/pages/handler.py:124);scan (outrider/extract/scan.py:28)"
DRAFT = f"{ABSORB};draft_of (outrider/crawl/pages/absorb.py:57)"
WORTH = f"{ABSORB};worth_of (outrider/crawl/pages/assessment.py:40)"
LINKS = f"{ABSORB};links_of (outrider/crawl/pages/absorb.py:94)"
FLUSH = f"{LOOP};Flusher.run (outrider/crawl/flush.py:91);Flusher._write (outrider/crawl/flush.py:149)"
THREAD = "Thread._bootstrap (threading.py:1002);_worker (concurrent/futures/thread.py:81)"


@pytest.mark.parametrize(
    ("outer", "inner", "step"),
    [
        (VISIT, "is_html (outrider/fetch/content.py:9)", Step.FETCH),
        (LOOP, "Connection.data_received (outrider/fetch/connection.py:80)", Step.FETCH),
        (SCAN, "parse (outrider/extract/tree/parse.py:12)", Step.PARSE),
        (SCAN, "as_utf8 (outrider/extract/encoding/decode.py:20)", Step.PARSE),
        (SCAN, "survey (outrider/extract/tree/survey.py:70)", Step.WALK),
        (SCAN, "one_line (outrider/extract/metadata/wording.py:12)", Step.WALK),
        (DRAFT, "pack (outrider/documents/packing.py:21)", Step.PACK),
        (DRAFT, "<lambda> (<string>:1)", Step.DRAFT),
        (DRAFT, "normalize (outrider/urls/normalize.py:9)", Step.DRAFT),
        (LINKS, "normalize (outrider/urls/normalize.py:9)", Step.LINKS),
        (LINKS, "_judge (outrider/crawl/pages/absorb.py:140)", Step.LINKS),
        (LINKS, "Seen.unknown.<locals>.<listcomp> (outrider/crawl/seen.py:30)", Step.LINKS),
        (WORTH, "_wrapfunc (numpy/_core/fromnumeric.py:51)", Step.WORTH),
        (ABSORB, "TemplateWatch.observe (outrider/crawl/admission/templates.py:90)", Step.WORTH),
        (VISIT, "_path_of (outrider/robots/parser.py:150)", Step.ROBOTS),
        (ABSORB, "Batch.count (outrider/crawl/batch.py:52)", Step.VISIT),
        (VISIT, "on_result (outrider/hosts/breaker.py:38)", Step.VISIT),
        (FLUSH, "Connection.execute (asyncpg/connection.py:377)", Step.DATABASE),
        (FLUSH, "Event.wait (asyncio/locks.py:213)", Step.LOOP),
        (LOOP, "<lambda> (<string>:1)", Step.LOOP),
        (LOOP, "Worker._beat (outrider/workers/worker.py:160)", Step.REST),
        ("<module> (<string>:1)", "spawn_main (multiprocessing/spawn.py:122)", Step.REST),
        (THREAD, "<lambda> (outrider/documents/near_duplicates.py:61)", None),
        (f"{LOOP};compare (outrider/documents/near_duplicates.py:70)", "Enum.__new__ (enum.py:1103)", None),
    ],
)
def test_the_innermost_frame_with_a_rule_decides(outer, inner, step):
    assert step_of(f"{outer};{inner}") is step


def test_a_function_of_another_file_with_the_same_name_has_no_part_in_a_rule():
    assert step_of(f"{LINKS};draft_of (outrider/urls/normalize.py:1)") is Step.LINKS


def test_every_step_has_a_rule():
    assert set(RULES.values()) == set(Step)


@pytest.mark.parametrize("place", [*RULES, *PUT_OFF])
def test_what_a_rule_names_is_there(place):
    path, _, function = place.partition(":")
    if not path.startswith("outrider/"):
        assert find_spec(path)
        return
    assert (SRC / path).exists()
    if function:
        defined = ast.parse((SRC / path).read_text()).body
        owner, _, method = function.rpartition(".")
        for each in defined:
            if isinstance(each, ast.ClassDef) and each.name == owner:
                defined = each.body
        assert method in {each.name for each in defined if isinstance(each, ast.FunctionDef)}
