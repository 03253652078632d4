# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tables of the page on open points of the API; runs with the development environment's Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import yaml
from environments import ROOT
from hosting_platform_emulator.state.switches import SWITCHES

PAGE = ROOT / "docs/docsite/rst/guide_open_points.rst"
POINTS: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/open_points.yml").read_text(encoding="utf-8"))
OPERATIONS: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/operations.yml").read_text(encoding="utf-8"))


def rendered(page: str) -> str:
    """The page, with both tables generated from the data."""
    return _with_table(_with_table(page, "open points", _points()), "operations", _operations())


def _points() -> Iterable[Sequence[str]]:
    yield "Open point", "How the collection handles it", "Switches of the emulator"
    for point in POINTS:
        switches = "; ".join(f"``{name}``: {SWITCHES[name].allowed}" for name in point["switches"]) or "\\-"
        yield _literal(point["open"]), _literal(point["handling"]), switches


def _operations() -> Iterable[Sequence[str]]:
    yield "Operation", "Purpose", "Modules whose purpose it is"
    for row in OPERATIONS:
        modules = ", ".join(f":ansplugin:`{name} <hosting.platform.{name}#module>`" for name in row["modules"])
        yield f"``{row['operation']}``", row["does"], modules


def _literal(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"``\1``", text)


def _with_table(page: str, name: str, rows: Iterable[Sequence[str]]) -> str:
    cells = ("\n".join(f"  {'* -' if not column else '  -'} {cell}" for column, cell in enumerate(row)) for row in rows)
    table = "\n".join([".. list-table::", "  :header-rows: 1", "", *cells])
    start, end = f".. The table of {name} begins.\n", f"\n.. The table of {name} ends."
    before, _start, rest = page.partition(start)
    _table, found, after = rest.partition(end)
    assert found, f"the page has no place for the table of {name}"
    return f"{before}{start}\n{table}\n{end}{after}"


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
