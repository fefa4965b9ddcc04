"""mutants/catalogue fits the tree: texts and tests exist, and requirements name the tests. Nothing is run."""

import ast
from collections import Counter
from pathlib import Path

import pytest
from mutants.load import load, problem_of
from mutants.model import PACKAGE, Mutant
from tests.contracts.test_requirements import ROOT, TEST, different, rows

CATALOGUE = ROOT / "mutants" / "catalogue"
MUTANTS = load(CATALOGUE)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.listed_in)
def test_every_mutant_fits_its_file_and_its_tests_exist(mutant: Mutant):
    assert problem_of(mutant, ROOT) is None
    if mutant.module:
        ast.parse(mutant.apply((ROOT / mutant.file).read_text()))


def test_every_mutant_has_a_test_that_its_requirement_names():
    named = {requirement: {*TEST.findall(cell)} for requirement, cell in [*rows(), *different()]}
    missing = [
        f"{mutant.listed_in}: the row of {mutant.requirement} names none of {mutant.tests}"
        for mutant in MUTANTS
        if not named.get(mutant.requirement, set())
        & {name for test in mutant.tests for name in (test, test.partition("::")[0])}
    ]

    assert missing == []


def test_every_mutant_is_listed_under_its_room_and_once():
    misplaced = [
        mutant.listed_in for mutant in MUTANTS if Path(mutant.listed_in.split()[0]).stem != mutant.room
    ]
    breakages = Counter((mutant.file, mutant.find, mutant.replace, mutant.occurrence) for mutant in MUTANTS)

    assert misplaced == []
    assert [breakage for breakage, times in breakages.items() if times > 1] == []


def test_the_catalogue_is_large_and_covers_every_room():
    """The demo only serves pages; what it shows is tested where it is read."""
    rooms = {path.name for path in (ROOT / PACKAGE).iterdir() if (path / "__init__.py").is_file()}

    assert len(MUTANTS) >= 150
    assert rooms - {"demo"} - {mutant.room for mutant in MUTANTS} == set()
