"""Which paths a pattern matches, and which of several rules decides."""

import pytest

from outrider.robots.rules import Rule, RuleSet, canonical_path, canonical_pattern


def rules(*lines):
    """Rules from `+pattern` for Allow and `-pattern` for Disallow."""
    return RuleSet(
        Rule(line[0] == "+", canonical_pattern(line[1:].encode()), line, number)
        for number, line in enumerate(lines, start=1)
    )


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("/", ["/", "/x", "//", "/?q"], []),
        ("/cat", ["/cat", "/cat.html", "/cats/1", "/cat?x"], ["/Cat", "/a/cat", "/?cat", "/ca"]),
        ("/cat/", ["/cat/", "/cat/1", "/cat/?x"], ["/cat", "/cat.html"]),
        ("/cat*", ["/cat", "/cat.html", "/cats/1"], ["/Cat", "/a/cat"]),
        ("cat/", ["/cat/", "/cat/1"], ["/cat", "/a/cat/"]),
        ("/*.gif", ["/a.gif", "/b/a.gif?x", "/.gif/b", "/?x.gif"], ["/gif", "/a.GIF", "/"]),
        ("/*.gif$", ["/a.gif", "/b/c.gif", "/a.gif.gif"], ["/a.gif?x", "/a.gif/", "/a.gift"]),
        ("/a*b*c", ["/abc", "/a-b-c-d", "/abbcc"], ["/acb", "/ab", "/xabc"]),
        ("/a*aa$", ["/aaa", "/abaa"], ["/aa", "/abab"]),
        ("/a$", ["/a"], ["/ab", "/a/", "/a?"]),
        ("/$", ["/"], ["/a", "/?", "//"]),
        ("*", ["/", "/a"], []),
        ("*/b", ["/b", "/a/b"], ["/ab"]),
        ("***/b**", ["/b", "/a/bc"], ["/ab"]),
        ("/*$", ["/", "/a"], []),
        ("$", [], ["/", "/a"]),
        ("/?", ["/?", "/?a"], ["/", "/a?"]),
        ("/*?", ["/?", "/a?b"], ["/a"]),
        ("/a;b", ["/a;b=1"], ["/a", "/ab"]),
        ("//a", ["//a"], ["/a"]),
        ("/a$b", ["/a$b", "/a%24b", "/a$bc"], ["/a", "/ab"]),
        ("/a%24", ["/a$", "/a$b"], ["/a"]),
        ("/a%2Ab", ["/a*b"], ["/axb", "/ab"]),
    ],
)
def test_patterns(pattern, matching, others):
    ruleset = rules(f"-{pattern}")

    assert [path for path in matching if ruleset.deciding(canonical_path(path)) is None] == []
    assert [path for path in others if ruleset.deciding(canonical_path(path)) is not None] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/%7Ejoe", "/~joe"),
        ("/%61", "/a"),
        ("/é", "/%c3%a9"),
        ("/%e3%83%84", "/ツ"),
        ("/a b", "/a%20b"),
        ("/a|b", "/a%7Cb"),
        ("/a=1", "/a%3D1"),
        ("/a?q=x:y", "/a?q=x%3ay"),
    ],
)
def test_two_spellings_of_one_path_match_each_other(one, other):
    assert rules(f"-{one}").deciding(canonical_path(other)) is not None
    assert rules(f"-{other}").deciding(canonical_path(one)) is not None


@pytest.mark.parametrize(("one", "other"), [("/a%2Fb", "/a/b"), ("/a%3Fb", "/a?b"), ("/a%2541", "/a%41")])
def test_an_escape_that_changes_the_path_is_another_path(one, other):
    assert rules(f"-{one}").deciding(canonical_path(other)) is None
    assert rules(f"-{other}").deciding(canonical_path(one)) is None


@pytest.mark.parametrize(
    ("lines", "path", "deciding"),
    [
        pytest.param(["-/", "+/p"], "/page", "+/p", id="the longer rule"),
        pytest.param(["+/p", "-/"], "/page", "+/p", id="whatever the order"),
        pytest.param(["-/dir", "+/dir"], "/dir/x", "+/dir", id="allow on a tie"),
        pytest.param(["+/dir", "-/dir"], "/dir/x", "+/dir", id="allow on a tie, whatever the order"),
        pytest.param(["+/page", "-/*.htm"], "/page.htm", "-/*.htm", id="stars count"),
        pytest.param(["-/page", "+/*.ht"], "/page.htm", "+/*.ht", id="allow on a tie of shapes"),
        pytest.param(["-/", "+/$"], "/", "+/$", id="the anchor counts"),
        pytest.param(["-/", "+/$"], "/x", "-/", id="an anchored rule only there"),
        pytest.param(["-/a", "+/a*", "-/a**"], "/a", "-/a**", id="even idle stars count"),
        pytest.param(["+/é", "-/%c3"], "/é", "+/é", id="length is in octets"),
        pytest.param(["-/a", "-/b"], "/c", None, id="none"),
        pytest.param([], "/", None, id="none of none"),
    ],
)
def test_the_most_specific_rule_decides(lines, path, deciding):
    rule = rules(*lines).deciding(canonical_path(path))

    assert (rule and rule.text) == deciding


def test_many_stars_do_not_backtrack():
    ruleset = rules("-/" + "*a" * 2_000 + "b", "-/" + "a*" * 2_000 + "$b")

    assert ruleset.deciding("/" + "a" * 5_000) is None


def test_ten_thousand_rules_answer_like_one():
    ruleset = rules(*(f"-/dir{number}/" for number in range(10_000)), "+/dir77/open")

    assert ruleset.deciding("/dir9999/x").text == "-/dir9999/"
    assert ruleset.deciding("/dir77/open").text == "+/dir77/open"
    assert ruleset.deciding("/elsewhere") is None
