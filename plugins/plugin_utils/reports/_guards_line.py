# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The line of guards: what holds in a plan, for the reader who judges its deletions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...module_utils._text import join_some
from ._quoting import Row, quote_selector
from ._result_view import ResultView

SELECTOR_GUARDS = ("protect", "ignore", "only")


def guards_line(view: ResultView) -> str:
    """A sentence where a guard is given, or something would be deleted; else ``""``."""
    guards = view.guards
    if not guards:
        return ""
    given = list(_given(view))
    deletes = any(row["action"] == "delete" or row["along"] for row in view.pending)
    if not given and not deletes:
        return ""
    begin = f"Guards: {'; '.join(given)}" if given else "No guards are set"
    if not guards["prune"]:
        return f"{begin}."
    return f"{begin}; prune {', '.join(guards['prune'])}, at most {guards['prune_limit']:g} %."


def _given(view: ResultView) -> Iterator[str]:
    """Each guard that is given, and what it matches or allows."""
    for option in SELECTOR_GUARDS:
        selectors = view.guards[option]
        if selectors:
            yield f"{option} {_in_words(selectors)}"
    if view.guards["only"] == []:
        yield "only nothing"
    limits = view.guards["limits"] or {}
    counts = [f"{action} {count}" for action, count in limits.items() if count is not None]
    if counts:
        yield f"limits {', '.join(counts)}"
    if view.options.get("approved") is not None:
        yield "approved"
    if view.options.get("confirm"):
        yield "confirm"


def _in_words(selectors: Sequence[Row]) -> str:
    """The selectors with how many objects each matches; first those that match nothing."""
    rows = sorted(selectors, key=lambda row: bool(row["matches"]))
    words = []
    for row in rows:
        matches = f"({row['matches']:,})" if row["matches"] else "matches nothing"
        words.append(f"{quote_selector(row['selector'])} {matches}")
    return join_some(words)
