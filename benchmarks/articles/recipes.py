"""The pages of recipe-scrapers, with the ingredients and steps that its tests were written to find."""

import ast
import re
from collections.abc import Iterator

from benchmarks.articles.archive import Files
from benchmarks.articles.pages import Recipe, address_of, text_of

WANTED = re.compile(r"tests/(test_[^/]+\.py|test_data/[^/]+\.testhtml)")
FEW_WORDS = 25  # steps that only say where the recipe is

_TESTS = re.compile(r"tests/test_(.+)\.py")


def load(files: Files) -> Iterator[Recipe]:
    for path, source in files.items():
        if named := _TESTS.fullmatch(path):
            for tests in ast.parse(source).body:
                body = files.get(f"tests/test_data/{_page(tests)}.testhtml")
                if body and (recipe := _recipe(named[1], text_of(body), _expected(tests))):
                    yield recipe


def _page(tests: ast.stmt) -> str:
    """What the page of a class of tests is called: as it says, or as the scraper it tests."""
    names = {}
    for each in tests.body if isinstance(tests, ast.ClassDef) else ():
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            names[each.targets[0].id] = each.value
    match names.get("test_file_name"), names.get("scraper_class"):
        case ast.Constant(value=str(name)), _:
            return name
        case _, ast.Name(id=scraper):
            return scraper.lower()
    return ""


def _recipe(name: str, html: str, expected: dict[str, object]) -> Recipe | None:
    match expected.get("test_ingredients"), expected.get("test_instructions"):
        case [*ingredients], str(steps) if ingredients and len(steps.split()) > FEW_WORDS:
            url = expected.get("test_canonical_url")
            address = url if isinstance(url, str) else address_of(html)
            return Recipe(name, address, html, "\n".join(map(str, ingredients)), steps)
    return None


def _expected(tests: ast.stmt) -> dict[str, object]:
    """What each test says that something equals, where it is written out."""
    found: dict[str, object] = {}
    for test in ast.walk(tests):
        if isinstance(test, ast.FunctionDef):
            for call in ast.walk(test):
                if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "assertEqual":
                    for value in call.args:
                        try:
                            found[test.name] = ast.literal_eval(value)
                        except ValueError:
                            continue  # the side that is computed
    return found
