# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the lists that a plan or an export needs, side by side."""

from __future__ import annotations

from collections.abc import Iterable

from .._resources.kind import Kind
from .._resources.platform import Platform, Scope
from .._threads import Crew


def read_ahead(platform: Platform, wanted: Iterable[tuple[type[Kind], Scope]], workers: int) -> None:
    """Read the lists of these kinds and scopes, and of what they refer to. Whoever asks for one finds it kept."""
    lists: dict[tuple[type[Kind], int], tuple[type[Kind], Scope]] = {}
    for kind, scope in wanted:
        for needed in (kind, *kind.references.values()):
            if needed.is_listed and not scope.is_planned:
                lists.setdefault((needed, id(scope)), (needed, scope))
    with Crew(workers) as crew:
        list(crew.map(lambda what: platform.listing(*what), lists.values()))
