"""Draws what was measured: the figures of several benchmarks on standard input, PNG files into a folder."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

OURS, SERVER, THEIRS, INK, FAINT = "#0b6e99", "#7fb7d0", "#b9bec4", "#22272b", "#6b7580"
STEPS = {"claim_us": "claim", "flush_us": "flush", "release_us": "release", "server_us": "PostgreSQL in all"}
STYLE = {
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "xtick.color": FAINT,
    "ytick.color": INK,
    "figure.facecolor": "white",
    "savefig.dpi": 160,
}
Figures = Sequence[dict[str, Any]]


def peers(crawlers: Figures) -> Figure:
    """Two sets of bars: more is better, less is better."""
    ordered = sorted(crawlers, key=lambda each: each["pages_per_s"])
    names = [f"{each['crawler']} · {_processes(each['workers'])}" for each in ordered]
    colours = [OURS if each["crawler"] == "Outrider" else THEIRS for each in ordered]
    figure, (speed, cpu) = pyplot.subplots(1, 2, figsize=(11, 0.42 * len(ordered) + 1.1), sharey=True)
    speed.barh(names, [each["pages_per_s"] for each in ordered], color=colours, height=0.62)
    for nth, each in enumerate(ordered):
        _label(speed, each["pages_per_s"], nth, f"{each['pages_per_s']:,.0f}")
        spent = each["cpu_ms"]
        outside = spent.get("PostgreSQL", 0.0)
        cpu.barh(nth, each["all_ms"] - outside, color=colours[nth], height=0.62)
        cpu.barh(nth, outside, left=each["all_ms"] - outside, color=SERVER, height=0.62)
        detail = f" ({outside:.2f} of it PostgreSQL)" if outside else ""
        _label(cpu, each["all_ms"], nth, f"{each['all_ms']:.2f}{detail}")
    _title(speed, "Pages a second")
    _title(cpu, "CPU milliseconds a page")
    figure.tight_layout(w_pad=3)
    return figure


def frontier(costs: Figures) -> Figure:
    """A line for each step over the number of URLs; flat is good."""
    figure, axes = pyplot.subplots(figsize=(7.5, 3.9))
    sizes = [each["urls"] for each in costs]
    top = max(each["server_us"] for each in costs) * 1.25
    heights = _apart({field: costs[-1][field] for field in STEPS}, least=top * 0.06)
    for field, name in STEPS.items():
        values = [each[field] for each in costs]
        is_sum = field == "server_us"
        axes.plot(
            sizes, values, color=OURS if is_sum else THEIRS, marker="o", linewidth=2.4 if is_sum else 1.6
        )
        axes.annotate(
            f"{name}, {values[-1]:.0f} µs",
            (sizes[-1], heights[field]),
            xytext=(9, 0),
            textcoords="offset points",
            va="center",
            color=OURS if is_sum else FAINT,
            weight="bold" if is_sum else "normal",
        )
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(0, top)
    axes.set_xlabel("URLs in the frontier")
    _title(axes, "PostgreSQL CPU microseconds a page")
    figure.tight_layout()
    return figure


def memory(sizes: Figures) -> Figure:
    figure, axes = pyplot.subplots(figsize=(7.5, 3.0))
    pages, megabytes = [each["pages"] for each in sizes], [each["rss_mb"] for each in sizes]
    axes.plot(pages, megabytes, color=OURS, marker="o", linewidth=2.4)
    axes.annotate(
        f"{megabytes[-1]:.0f} MB",
        (pages[-1], megabytes[-1]),
        xytext=(9, 0),
        textcoords="offset points",
        va="center",
        color=OURS,
        weight="bold",
    )
    axes.set_ylim(0, max(megabytes) * 1.4)
    axes.xaxis.set_major_formatter(lambda pages, _: f"{pages:,.0f}")
    axes.set_xlabel("pages crawled")
    _title(axes, "Resident megabytes of a worker")
    figure.tight_layout()
    return figure


CHARTS: dict[str, Callable[[Figures], Figure]] = {"peers": peers, "frontier": frontier, "memory": memory}


def main() -> None:
    results, folder = json.load(sys.stdin), Path(sys.argv[1])
    written = []
    with pyplot.rc_context(STYLE):
        for name, draw in CHARTS.items():
            if name in results:
                file = folder / f"bench-{name}.png"
                draw(results[name]).savefig(file, metadata={"Software": None})
                written.append(str(file))
    print(json.dumps(written))


def _processes(count: int) -> str:
    return "1 process" if count == 1 else f"{count} processes"


def _apart(values: dict[str, float], least: float) -> dict[str, float]:
    """Where to write labels so that none covers another."""
    heights: dict[str, float] = {}
    floor = 0.0
    for name, value in sorted(values.items(), key=lambda each: each[1]):
        heights[name] = max(value, floor)
        floor = heights[name] + least
    return heights


def _label(axes: Axes, value: float, nth: int, text: str) -> None:
    axes.annotate(text, (value, nth), xytext=(5, 0), textcoords="offset points", va="center")


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", weight="bold", fontsize=11)
    if axes.get_xscale() == "linear" and axes.patches:  # bars carry their values: no axis is needed
        axes.xaxis.set_visible(False)
        axes.spines["bottom"].set_visible(False)
        axes.tick_params(left=False)
        axes.margins(x=0.28)


if __name__ == "__main__":
    main()
