"""Which versions are installed here of the packages that benchmarks/race.py asks about."""

import json
import sys
from importlib.metadata import version


def main() -> None:
    print(json.dumps({package: version(package) for package in json.load(sys.stdin)}))


if __name__ == "__main__":
    main()
