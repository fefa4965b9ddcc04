"""Recipes are read out of tests that nobody runs."""

from benchmarks.articles import recipes
from benchmarks.articles.archive import read
from benchmarks.articles.pages import SOMEWHERE

STEPS = " ".join(["stir"] * (recipes.FEW_WORDS + 1))


def written(head, ingredients="['2 eggs', '1 onion']", steps=STEPS, more=""):
    return f"""
class TestSoup(ScraperTest):
    {head}
    def test_ingredients(self):
        self.assertEqual({ingredients}, self.harvester_class.ingredients())
    def test_instructions(self):
        return self.assertEqual({steps!r}, self.harvester_class.instructions())
    {more}
"""


def loaded(archive):
    return [
        (recipe.name, recipe.url, recipe.html, recipe.ingredients, recipe.steps)
        for recipe in recipes.load(read(archive, recipes.WANTED))
    ]


def test_a_page_is_called_as_its_scraper_or_as_the_tests_say(packed):
    archive = packed(
        {
            "tests/test_soup.py": written("scraper_class = Soup")
            + written("scraper_class = Soup; test_file_name = 'soup_2'"),
            "tests/test_data/soup.testhtml": "<p>One",
            "tests/test_data/soup_2.testhtml": "<p>Two",
        }
    )

    assert loaded(archive) == [
        ("soup", SOMEWHERE, "<p>One", "2 eggs\n1 onion", STEPS),
        ("soup", SOMEWHERE, "<p>Two", "2 eggs\n1 onion", STEPS),
    ]


def test_the_address_is_what_the_tests_expect(packed):
    canonical = (
        "def test_canonical_url(self): self.assertEqual('https://a.test/', self.harvester_class.url())"
    )
    archive = packed(
        {
            "tests/test_soup.py": written("scraper_class = Soup", more=canonical),
            "tests/test_data/soup.testhtml": "<p>",
        }
    )

    assert [url for _, url, *_ in loaded(archive)] == ["https://a.test/"]


def test_without_page_ingredients_or_steps_there_is_no_recipe(packed):
    archive = packed(
        {
            "tests/test_gone.py": written("scraper_class = Gone"),
            "tests/test_bare.py": written("scraper_class = Bare", ingredients="[]"),
            "tests/test_made.py": written("scraper_class = Made", ingredients="make()"),
            "tests/test_elsewhere.py": written("scraper_class = Elsewhere", steps="See our site."),
            "tests/test_nameless.py": written("pass") + "x = 1\n",
            **{
                f"tests/test_data/{name}.testhtml": "<p>"
                for name in ("bare", "made", "elsewhere", "nameless")
            },
        }
    )

    assert loaded(archive) == []
