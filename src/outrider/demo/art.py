"""A small landscape for each story, drawn from its name."""

import random
from itertools import pairwise

# Sky from top to bottom, then four ridges from the farthest to the nearest.
_LIGHTS = (
    ("#f7dcbc", "#e8a27c", "#b98a78", "#96706a", "#6f5659", "#4b4149"),  # dusk
    ("#d6e8ee", "#9cc3d1", "#8fb0a9", "#6f9686", "#517a66", "#375a4b"),  # morning
    ("#f5e7c8", "#dfbd7c", "#b9a767", "#94904f", "#6d7540", "#4a5732"),  # harvest
    ("#e6e0f0", "#b0a3cc", "#8f8db4", "#6f7699", "#525f7d", "#3a475f"),  # evening
)
_WIDTH, _HEIGHT, _STEPS = 800, 420, 7


def landscape(name: str) -> str:
    """An SVG, always the same for the same name."""
    rng = random.Random(name)
    top, bottom, *ridges = rng.choice(_LIGHTS)
    x, y, radius = rng.randint(120, 680), rng.randint(70, 160), rng.randint(26, 54)
    hills = "".join(_ridge(rng, 190 + 62 * layer, colour) for layer, colour in enumerate(ridges))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{bottom}"/></linearGradient></defs>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="url(#sky)"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="#fff9ec"/>{hills}</svg>'
    )


def _ridge(rng: random.Random, base: int, colour: str) -> str:
    """A smooth line through random heights, filled to the ground."""
    step = _WIDTH / _STEPS
    heights = [base + rng.randint(-44, 44) for _ in range(_STEPS + 1)]
    line = f"M0 {heights[0]}"
    for index, (left, right) in enumerate(pairwise(heights)):
        middle, end = (index + 0.5) * step, (index + 1) * step
        line += f" C{middle:.0f} {left} {middle:.0f} {right} {end:.0f} {right}"
    return f'<path d="{line} V{_HEIGHT} H0 Z" fill="{colour}"/>'
