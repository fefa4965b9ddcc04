"""How a package declares a setting: a dataclass field with a name, a help text and bounds.

Every package keeps its settings in a frozen dataclass in `options.py`; `outrider.settings`
gathers them, reads file and environment, and generates the reference page from the help texts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "text", "flag", "count", "number", "duration", "milliseconds", "size", "list", "path", "choice"
]

_KEY = "outrider.setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of one setting, and how its value is read."""

    env: str
    help: str
    alias: tuple[str, ...] = ()
    kind: Kind | None = None  # None: derived from the type of the field
    least: float | None = None
    most: float | None = None
    parse: Callable[[str], Any] | None = None  # raises ValueError with the reason
    secret: bool = False

    @property
    def key(self) -> str:
        """The name in `outrider.toml`."""
        return self.env.removeprefix("OUTRIDER_").lower()


def setting(
    env: str,
    help: str,
    *,
    alias: tuple[str, ...] = (),
    kind: Kind | None = None,
    least: float | None = None,
    most: float | None = None,
    parse: Callable[[str], Any] | None = None,
    secret: bool = False,
) -> Mapping[str, Setting]:
    """The `metadata` of a dataclass field that is a setting."""
    if not env.startswith("OUTRIDER_") or env != env.upper():
        raise ValueError(
            f"{env!r} is not the name of a setting: it needs the prefix OUTRIDER_ and upper case"
        )
    return {_KEY: Setting(env, help, alias, kind, least, most, parse, secret)}


def setting_of(metadata: Mapping[str, Any]) -> Setting | None:
    """The setting that a field declares, or None for a field that is no setting."""
    found = metadata.get(_KEY)
    return found if isinstance(found, Setting) else None
