"""JSON-LD as it is found in the wild."""

import json

import pytest

from outrider.extract.metadata.structured import MAX_CHARS, MAX_DEPTH, MAX_THINGS, as_text, json_ld, types_of


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param('{"a": 1}', [{"a": 1}], id="an object"),
        pytest.param('[{"a": 1}, [{"b": 2}], "c", 3]', [{"a": 1}, {"b": 2}], id="objects in lists"),
        pytest.param('{"@context": "x", "@graph": [{"a": 1}, {"b": 2}]}', [{"a": 1}, {"b": 2}], id="a graph"),
        pytest.param(
            '{"@type": "T", "@graph": [{"a": 1}]}',
            [{"@type": "T", "@graph": [{"a": 1}]}, {"a": 1}],
            id="a graph that is something itself",
        ),
        pytest.param('{"a": [1, 2,], }', [{"a": [1, 2]}], id="surplus commas"),
        pytest.param('{"a": ",}"}', [{"a": ",}"}], id="commas in strings stay"),
        pytest.param('{"a": ",]", "b": 1,}', [{"a": ",]", "b": 1}], id="also where others go"),
        pytest.param('<!-- {"a": 1} -->', [{"a": 1}], id="in an HTML comment"),
        pytest.param('//<![CDATA[\n{"a": 1}\n//]]>', [{"a": 1}], id="in CDATA"),
        pytest.param('{"a": "two\nlines"}', [{"a": "two\nlines"}], id="line breaks in strings"),
        pytest.param('{"a": 1};{"b": 2}', [{"a": 1}, {"b": 2}], id="one after another"),
        pytest.param("{&quot;a&quot;: 1}", [{"a": 1}], id="escaped as in an attribute"),
        pytest.param('{"a": "\\u0000x\\ud800"}', [{"a": "x"}], id="characters no database takes"),
        pytest.param('{"a": NaN}', [{"a": None}], id="numbers that are none"),
        pytest.param('{"a": 1e999}', [{"a": None}], id="numbers that cannot be written again"),
        pytest.param('{"a": 1', [], id="cut short"),
        pytest.param("var x = 1;", [], id="not JSON"),
        pytest.param('"text"', [], id="nothing but a string"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_scripts_are_read_leniently(script, expected):
    assert json_ld([script]) == expected


def test_a_broken_script_does_not_hide_the_next():
    assert json_ld(["{", '{"a": 1}']) == [{"a": 1}]


@pytest.mark.parametrize(
    "script",
    ["[" * 100_000, '{"a":' * 100_000, "[" * 100 + '{"a": 1}' + "]" * 100, "1" * 10_000, '"\\' * 50_000],
)
def test_hostile_scripts_yield_nothing(script):
    assert json_ld([script]) == []


def test_nesting_ends_somewhere():
    script = '{"a":' * 200 + "1" + "}" * 200

    depth, value = 0, json_ld([script])[0]
    while value is not None:
        depth, value = depth + 1, value["a"]

    assert depth == MAX_DEPTH


def test_all_scripts_together_are_read_up_to_a_limit():
    script = json.dumps({"a": "x" * (MAX_CHARS // 4)})

    assert len(json_ld([script] * 10)) == 3


def test_only_wanted_objects_are_returned():
    script = '[{"@type": "WebSite"}, {"@type": "Article", "name": "A"}]'

    assert json_ld([script], lambda thing: "name" in thing) == [{"@type": "Article", "name": "A"}]


def test_there_are_only_so_many_things():
    assert len(json_ld(["[" + ",".join(['{"a": 1}'] * 2000) + "]"])) == MAX_THINGS


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (" text ", "text"),
        ("Tom &amp; Ann&#8217;s", "Tom & Ann’s"),
        (12, "12"),
        (True, "true"),
        ({"@type": "Person", "name": "Ann"}, "Ann"),
        ({"@id": "https://h/#org"}, "https://h/#org"),
        ({"@type": "ImageObject", "url": ["https://h/i.png"]}, "https://h/i.png"),
        ([{"name": "Ann"}, "Ben", None, {}], "Ann, Ben"),
        (None, ""),
        ({}, ""),
    ],
)
def test_one_string_for_every_shape(value, expected):
    assert as_text(value) == expected


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("Article", {"Article"}),
        (["Article", "http://schema.org/Report", 3], {"Article", "Report"}),
        (None, set()),
        ({"a": 1}, set()),
    ],
)
def test_types_however_they_are_given(declared, expected):
    assert types_of({"@type": declared}) == expected
