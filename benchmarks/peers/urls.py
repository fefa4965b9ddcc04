"""Other libraries for URLs, on the links that benchmarks/urls.py sends."""

import json
import sys
from urllib.parse import urljoin

import ada_url
import courlan
import tldextract
import yarl
from benchmarks.timing import first_us
from w3lib.url import canonicalize_url


def main() -> None:
    asked = json.load(sys.stdin)
    base, links, urls, hosts = asked["base"], asked["links"], asked["urls"], asked["hosts"]
    home = yarl.URL(base)
    domain_of = tldextract.TLDExtract(suffix_list_urls=())  # its own list, nothing from the network
    resolve = {
        "ada-url, raw": lambda link: ada_url.join_url(base, link),
        "w3lib": lambda link: canonicalize_url(urljoin(base, link)),
        "courlan": lambda link: courlan.normalize_url(courlan.fix_relative_urls(base, link)),
        "yarl": lambda link: str(home.join(yarl.URL(link))),
    }
    normalize = {
        "ada-url, raw": ada_url.normalize_url,
        "w3lib": canonicalize_url,
        "courlan": courlan.normalize_url,
        "yarl": lambda url: str(yarl.URL(url)),
    }
    domain = {
        "courlan": lambda host: courlan.extract_domain(f"https://{host}/"),
        "tldextract": lambda host: domain_of(host).top_domain_under_public_suffix,
    }
    answer: dict[str, dict[str, float]] = {}
    for operation, libraries, arguments in (
        ("resolve_us", resolve, links),
        ("normalize_us", normalize, urls),
        ("domain_us", domain, hosts),
    ):
        for library, act in libraries.items():
            answer.setdefault(library, {})[operation] = first_us(act, arguments)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
