# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bench's plot: an SVG that is readable on light and on dark pages."""

from __future__ import annotations

from html import escape

from bench_loops import AS_MODULE, CREATE, DEBUG, EMPTY, LATENCY_MS, PROJECT, URI, Loops, label
from bench_peer import PEER

SIZE = 100
CAPTIONS = {
    DEBUG: "debug, which sends nothing",
    PROJECT: "hosting.platform.project, unchanged",
    CREATE: "hosting.platform.project, created",
    EMPTY: "an empty module",
    AS_MODULE: "hosting.platform.project, as a module",
    URI: "ansible.builtin.uri",
    PEER: "hetzner.hcloud.ssh_key, unchanged",
}
OURS = (PROJECT, CREATE)
WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 860, 290, 90, 74, 15, 14

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.quiet { fill: #59636e }
.page { fill: #ffffff }
.ours { fill: #0969da }
.other { fill: #848d97 }
.far { opacity: 0.55 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .quiet { fill: #9198a1 }
  .page { fill: #0d1117 }
  .ours { fill: #4493f8 }
  .other { fill: #767e88 }
}
"""


def plot(measured: Loops) -> str:
    """Two bars per task: near and far from the service."""
    near, far = measured.without_latency, measured.with_latency
    contenders = [name for name in CAPTIONS if label(name, SIZE) in near]
    debug = label(DEBUG, SIZE)
    bars = {name: [times.ratio(label(name, SIZE), debug) for times in (near, far)] for name in contenders}
    longest = max(value for values in bars.values() for value in values)
    height = TOP + len(bars) * (2 * BAR + GAP) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title">',
        f'<title id="title">A loop of {SIZE} items: how many times as long as the same loop of debug</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="16" y="28">A loop of {SIZE} items, relative to the same loop of debug</text>',
        f'<text class="quiet" x="16" y="50">Upper bars: the service is near. Lower, paler bars: every request takes'
        f" {LATENCY_MS} ms longer.</text>",
    ]
    for row, (name, values) in enumerate(bars.items()):
        top = TOP + row * (2 * BAR + GAP)
        caption = escape(CAPTIONS[name])
        parts.append(f'<text x="{LEFT - 12}" y="{top + BAR + 5}" text-anchor="end">{caption}</text>')
        kind = "ours" if name in OURS else "other"
        for number, value in enumerate(values):
            parts += _bar(value, longest, top + number * BAR, f"{kind} far" if number else kind)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _bar(value: float, longest: float, top: int, kind: str) -> list[str]:
    length = max(1.0, value / longest * (WIDTH - LEFT - RIGHT))
    figure = f"{value:.1f}" if value < 10 else f"{value:.0f}"
    return [
        f'<rect class="{kind}" x="{LEFT}" y="{top}" width="{length:.1f}" height="{BAR - 1}"/>',
        f'<text class="quiet" x="{LEFT + length + 7:.1f}" y="{top + BAR - 3}">{figure} x</text>',
    ]
