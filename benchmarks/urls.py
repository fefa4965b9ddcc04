"""What the URLs of a page cost, beside the libraries one would take instead.

They do not do the same: ada-url follows the URL standard and nothing more, w3lib and courlan have rules of
their own for when two spellings are one address, yarl only parses. Ours is the standard and rules on top.
"""

from benchmarks.bench_environment import ask
from benchmarks.report import Report
from benchmarks.timing import first_us

from outrider.urls import key_of, normalize, registrable_domain, resolve

BASE = "https://www.example.com/news/2026/11/index.html"
SHAPES = (
    "/articles/{n}/a-title-of-usual-length",
    "../10/story-{n}.html",
    "https://WWW.Example.com:443/a/./b/../c/{n}",
    "story-{n}.html?utm_source=feed&id={n}&utm_medium=rss",
    "https://partner-{n}.example.org/path/to/page?b=2&a=1#part",
    "//static.example.net/{n}/%7euser/caf%c3%a9",
    "?page={n}",
    "https://b\u00fccher.example/stra\u00dfe/{n}",
)
LINKS = [SHAPES[n % len(SHAPES)].format(n=n) for n in range(24_000)]  # all different, so that no cache helps
SUFFIXES = ("com", "co.uk", "org", "github.io", "de", "com.br", "k12.ca.us", "io")
HOSTS = [f"www.site-{n}.{SUFFIXES[n % len(SUFFIXES)]}" for n in range(10_000)]
OPERATIONS = ("resolve_us", "normalize_us", "key_us", "domain_us")


def report() -> Report:
    urls = [resolve(link, BASE) for link in LINKS]
    normal = [normalize(url) for url in urls]
    ours = {
        "resolve_us": first_us(lambda link: normalize(link, BASE), LINKS),
        "normalize_us": first_us(normalize, urls),
        "key_us": first_us(key_of, normal),
        "domain_us": first_us(registrable_domain, HOSTS),
    }
    theirs = ask("urls", {"base": BASE, "links": LINKS, "urls": urls, "hosts": HOSTS})
    libraries = {"Outrider": ours} | theirs
    return Report(
        name="urls",
        title="One URL, in µs of CPU",
        columns=("", "resolve and normalise a link", "normalise", "hash", "registrable domain"),
        rows=[
            (library, *(f"{costs[each]:.1f}" if each in costs else "" for each in OPERATIONS))
            for library, costs in libraries.items()
        ],
        figures=[{"library": library} | costs for library, costs in libraries.items()],
    )
