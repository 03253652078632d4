# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of kinds: what a blueprint may declare.

To add a kind, create its file and list it here.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..kind import Kind
from ..resource import Resource
from .alias import Alias
from .domain import Domain
from .project import Project
from .team import Team
from .team_member import TeamMember

# In the order in which blueprints and results list them.
KINDS: dict[str, type[Resource]] = {
    kind.plural: kind for kind in (Team, TeamMember, Project, Alias, Domain)
}


def dependency_level(kind: type[Kind]) -> int:
    """The position of a kind in the order of changes: after teams, if it is in one, and all kinds
    that it refers to.
    """
    return 1 + max(map(dependency_level, kind.references.values()), default=int(kind.is_in_team))


def listed_kinds() -> list[type[Resource]]:
    """The kinds that the API lists, which can be exported."""
    return [kind for kind in KINDS.values() if kind.is_listed]


def prunable_kinds() -> list[type[Resource]]:
    """The kinds of which a blueprint may delete undeclared objects: not teams."""
    return [kind for kind in listed_kinds() if kind.is_in_team]


def kinds_in_cascade(kind: type[Kind]) -> list[type[Resource]]:
    """The kinds whose objects may be deleted with one of this kind."""
    return [other for other in listed_kinds() if kind.plural in other.cascades_from]


def format_counts(counts: Mapping[str, int]) -> str:
    """How many there are of each kind: ``2 teams, 1 project``."""
    return ", ".join(
        f"{counts[kind]:,} {KINDS[kind].display_name(counts[kind])}"
        for kind in KINDS
        if kind in counts
    )
