"""The menu of the dashboard. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from outrider.auth.model import Principal, Role


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """One page in the menu."""

    label: str
    path: str
    needs: Role = Role.USER
    is_current: bool = False
    badge: int = 0  # things that need attention
    badge_of: str = "dead links"  # what these things are


@dataclass(frozen=True, slots=True)
class NavigationSection:
    """Pages that belong together."""

    label: str
    items: Sequence[NavigationItem]


_SECTIONS = (
    NavigationSection(
        "",
        (
            NavigationItem("Overview", "/overview"),
            NavigationItem("Alerts", "/alerts", badge_of="open alerts"),
        ),
    ),
    NavigationSection(
        "Crawl",
        (
            NavigationItem("Frontier", "/frontier"),
            NavigationItem("Pages", "/pages"),
            NavigationItem("Hosts", "/hosts"),
        ),
    ),
    NavigationSection(
        "Watch",
        (
            NavigationItem("Sources", "/sources"),
            NavigationItem("Feeds", "/feeds"),
            NavigationItem("Discovered", "/discovered"),
        ),
    ),
    NavigationSection(
        "Work",
        (
            NavigationItem("Jobs", "/jobs"),
            NavigationItem("Runs", "/runs"),
            NavigationItem("Scheduler", "/scheduler"),
            NavigationItem("Workers", "/workers"),
        ),
    ),
    NavigationSection("Own sites", (NavigationItem("Sites", "/sites"),)),
    NavigationSection(
        "System",
        (
            NavigationItem("Health", "/health-report"),
            NavigationItem("Settings", "/settings"),
            NavigationItem("Users", "/users", Role.ADMIN),
            NavigationItem("Tokens", "/tokens"),
            NavigationItem("Audit", "/audit", Role.ADMIN),
        ),
    ),
)


def sections_for(
    principal: Principal, path: str, badges: Mapping[str, int] = MappingProxyType({})
) -> list[NavigationSection]:
    """The menu of a principal, with the current page marked. `badges` are numbers by the path of a page."""
    if not principal.is_signed_in:
        return []
    return [
        NavigationSection(
            section.label,
            [
                NavigationItem(
                    each.label,
                    each.path,
                    each.needs,
                    _is_at(each.path, path),
                    badges.get(each.path, 0),
                    each.badge_of,
                )
                for each in section.items
                if each.needs is Role.USER or principal.role is Role.ADMIN
            ],
        )
        for section in _SECTIONS
    ]


def _is_at(item: str, path: str) -> bool:
    return path == item or path.startswith(f"{item}/")
