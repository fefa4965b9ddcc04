"""Real web servers with an exported file answer every path as the middleware and the API do."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from tests.support.asgi import ask, plain_app, running
from tests.support.redirect_servers import (
    NO_REDIRECT,
    Answer,
    RedirectServer,
    apache_with,
    caddy_with,
    netlify_with,
    nginx_with,
    obtained,
)
from tests.support.sites import SiteOwner

from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.sites.redirect_files import export_redirects, import_redirects
from outrider.services.sites.redirects import resolve_path
from outrider.sites.paths import decoded, stored

pytestmark = pytest.mark.timeout(300)

# Decoded. Letters, quotes, blanks, and whatever some configuration file takes for its own.
_WORDS = """
old Mixed größe 日本語 e\u0301 🚀 a%b 100%25 a?b a#b quo"te apo's d$1 $uri ${x} {path} {query} {?query} a{1}b
[x] (y) a|b a^b a* * a+b a.b ~x ~^x a;b a,b a=b a:b :c x/:d a@b a!b !x a&b <b> a`b x/y/z api/V1 api/v2
UPPER/Case default hostnames include - %{HTTP_HOST} a%20b K ß index.html a/index.html x/z
"""
SOURCES = [*_WORDS.split(), "a b", "# x", "a\u00a0b", "a\u3000b", "l" + "o" * 1_500 + "ng"]
TARGETS = [
    *("/new", "/new?from=mail", "/new#part", "/new?x=1#p", None, "/%C3%BCber?q=%C3%BC", "/c%20d", "/n$y"),
    *("/n%24y%25z", "/n{y}", "https://other.test/x?y=1", "https://other.test", "/q?a=b?c&d=%23", "/:x/n*"),
    *("/n'b(c)*d", "/~n;y,z=1@2!3+4", "/n?u={query}&v=$args&w=%25{Q}", "/n100%25", "https://other.test/#x"),
]
OTHERS = ["/", "/new", "/unknown", "/aXb", "/old/more", "/old.", "/x%2Fy/z", "//old", "/x///y/z"]
OTHERS += ["/GR%C3%96%C3%9FE", "/%E2%84%AA", "/A%2FB"]
QUERIES = ["", "?x=1&y=%20", "?a=b?c", "?q=%24y'()*$&{query}", "?%zz"]
SERVERS = ["nginx", "apache", "caddy", "netlify"]


@pytest.fixture
def serve(tmp_path: Path) -> Callable[[str, str], AbstractContextManager[RedirectServer]]:
    """Starts a server with a file."""
    starters = {"apache": apache_with, "caddy": caddy_with, "netlify": netlify_with}

    def start(name: str, text: str) -> AbstractContextManager[RedirectServer]:
        if name == "nginx":
            return nginx_with(text, tmp_path)
        unpacked = obtained(name)
        if unpacked is None:
            pytest.skip(f"there is no {name} on this machine, and none could be had")
        return starters[name](text, tmp_path, unpacked)

    return start


async def hard_table(shop: SiteOwner) -> None:
    """Every source, and every target at least once."""
    rows = [
        {
            "from_path": "/" + quote(source),
            "to": to,
            "status": 410 if to is None else (301, 302, 307, 308)[n % 4],
        }
        for n, (source, to) in enumerate(
            [(each, TARGETS[n % len(TARGETS)]) for n, each in enumerate(SOURCES)]
            + [(f"t{n}", to) for n, to in enumerate(TARGETS)]
        )
    ]
    done = await import_redirects(
        shop.db, shop.name, json.dumps(rows), RedirectFormat.JSON, "owner", may_leave=True
    )
    assert [(row.from_path, row.reason) for row in done.refused_rows] == []


def urls_of(sources: list[str]) -> Iterator[str]:
    """Each source in every spelling that a client may send."""
    for number, source in enumerate(sources):
        path = decoded(source)
        swapped = "".join(each.swapcase() if each.isascii() else each for each in path)
        for form in dict.fromkeys([path, f"{path}/", path.removesuffix("/"), swapped]):
            for url in dict.fromkeys(
                [
                    quote(form, safe="/:@!$&'()*+,;=~-._"),
                    quote(form, safe="/"),
                    "/".join("".join(f"%{byte:02x}" for byte in part.encode()) for part in form.split("/")),
                ]
            ):
                yield url
                yield url + QUERIES[number % len(QUERIES)]
    yield from (url + query for url in OTHERS for query in QUERIES)


def expected_of(answer: tuple[int, str | None], reason: str) -> Answer:
    """Only the middleware corrects the spelling of paths that have no redirect."""
    return answer if reason == "redirect" else NO_REDIRECT


def is_netlify(url: str, target: str | None) -> bool:
    """Whether Netlify can answer as the site does: a slash at the end, case and two queries are its own."""
    path, _, query = url.partition("?")
    return not (
        path.endswith("/")
        or "//" in path
        or unquote(path) != unquote(path).lower()
        or (query and target is not None and target.count("?") and f"?{query}" not in target)
        or "&" in (target or "").partition("?")[2].removesuffix(query)
    )


@pytest.mark.parametrize("name", SERVERS)
@pytest.mark.parametrize(
    ("lowercase", "strip"), [(True, True), (False, False)], ids=["one spelling", "exact spelling"]
)
async def test_a_real_server_answers_every_path_as_the_middleware_and_the_api(
    shop: SiteOwner, serve, database: str, name: str, lowercase: bool, strip: bool
):
    await shop.set(
        lowercase_paths=lowercase,
        strip_trailing_slash=strip,
        exempt_prefixes=["/api/"] if lowercase else [],
        more_status_codes=True,
    )
    await hard_table(shop)
    sources = list(await shop.redirects())
    file = (await export_redirects(shop.db, shop.name, RedirectFormat(name))).file
    assert file is not None
    asked, wrong = 0, []
    app = RedirectMiddleware(plain_app, site=shop.name, database_url=database)

    with serve(name, file.text) as server:
        async with running(app):
            for url in urls_of(sources):
                resolved = await resolve_path(shop.db, shop.name, url)
                answer = await ask(app, url)
                of_middleware = (answer.status, answer.location)
                if resolved.status:
                    assert (url, *of_middleware) == (url, resolved.status, resolved.location)
                else:
                    assert of_middleware[0] in (200, 404), url
                if (
                    stored(app.service.follower.table.rules.key(unquote(url.partition("?")[0])))
                    in file.left_out
                ):
                    continue
                if name == "netlify" and not is_netlify(url, resolved.location):
                    continue
                expected = expected_of((resolved.status, resolved.location), resolved.reason)
                asked += 1
                if (found := server.answer(url)) != expected:
                    wrong.append((url, expected, found))
        if name != "netlify":
            assert server.answer("/old", "POST") == NO_REDIRECT
            assert server.answer("/old", "HEAD") == (301, "/new")

    assert wrong == []
    assert asked > (200 if name == "netlify" else 900)
    assert name == "netlify" or not file.left_out


async def test_apache_takes_the_same_file_as_htaccess(shop: SiteOwner):
    unpacked = obtained("apache")
    if unpacked is None:
        pytest.skip("there is no apache on this machine, and none could be had")
    await shop.create("/größe/a%20b", "/c?x=1#part")
    await shop.create("/gone", None, 410)
    file = (await export_redirects(shop.db, shop.name, RedirectFormat.APACHE)).file
    assert file is not None

    # Apache started by root reads this file as another user, who may not look into folders of pytest.
    with (
        tempfile.TemporaryDirectory() as folder,
        apache_with(file.text, Path(folder), unpacked, htaccess=True) as server,
    ):
        assert server.answer("/gr%C3%B6%C3%9Fe/A%20b/?y=2") == (301, "/c?x=1&y=2#part")
        assert server.answer("/gone") == (410, None)
        assert server.answer("/other") == NO_REDIRECT
