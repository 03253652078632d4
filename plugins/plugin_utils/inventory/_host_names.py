# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts. One must not be taken for an option by a command, for more than one host by a
pattern, for a path by a file system, for a template by ansible-core, or for anything but text by a
terminal. It is neither that of a group nor that of another project's host.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ansible.constants import LOCALHOST
from ansible.utils.display import Display

from ...module_utils._model.fields import Values
from ...module_utils._text import escape_line

ALLOWED_PUNCTUATION = "-_."
# Core defines these groups in every inventory.
CORE_GROUPS = ("all", "ungrouped")


class HostNames:
    """The names of projects' hosts in an inventory that earlier sources may have filled.

    A host that stands for no project is merged: variables are given to hosts in this way.
    """

    def __init__(
        self, inventory: Any, display: Display, groups: Collection[str], names: Collection[str]
    ) -> None:
        """``groups``: those that will be made; ``names``: those of projects, as far as each can
        have its own.
        """
        self._inventory = inventory
        self._display = display
        self._groups = groups
        self._names = names

    def choose(self, name: str, variables: Values) -> str:
        """The name of a project's host, perhaps with a warning."""
        other = self._project_id_of(name)
        if other not in (None, str(variables["hosting_id"])):
            team = variables["hosting_team"] or variables["hosting_team_id"]
            why = f"An earlier source has a host {name} (project {other})"
            name = self._replace(name, variables, team, why)
        return self.avoid_groups(name, variables)

    def avoid_groups(self, name: str, variables: Values) -> str:
        """The name, or another one if it is that of a group by now."""
        if name not in (*self._groups, *self._inventory.groups):
            return name
        return self._replace(name, variables, None, f"A group is called {name}")

    def _replace(self, name: str, variables: Values, addition: Any, why: str) -> str:
        """A name that nothing else has: with the addition, or with the project's ID."""
        project_id = str(variables["hosting_id"])
        unique = f"{name}.{host_name(str(addition or project_id))}"
        used = {*self._names, *self._groups, *self._inventory.groups}
        while unique in used or self._project_id_of(unique) not in (None, project_id):
            unique += f".{host_name(project_id)}"
        warning = f"{why}, so the host of the project {project_id} is called {unique}."
        self._display.warning(escape_line(warning))
        return unique

    def _project_id_of(self, name: str) -> str | None:
        """The ID of the project that a host stands for; None if there is no such host."""
        host = self._inventory.hosts.get(name)
        project_id = host.vars.get("hosting_id") if host else None
        return None if project_id is None else str(project_id)


def host_name(text: str) -> str:
    """The text itself if it is a valid name; else with invalid characters escaped by their bytes
    (``=2D``).

    No two texts share a name, as the equals sign itself is always escaped.
    """
    name = "".join(
        character if _is_allowed(character) else _by_bytes(character) for character in text
    )
    if name[:1] in ("-", "."):
        name = _by_bytes(name[0]) + name[1:]
    return name


def is_reserved(name: str) -> bool:
    """True if the name is that of one of core's groups, or of the machine that it runs on."""
    return name in CORE_GROUPS or name.lower().rstrip(".") in LOCALHOST


def _is_allowed(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in ALLOWED_PUNCTUATION
    return escape_line(character) == character


def _by_bytes(character: str) -> str:
    return "".join(f"={byte:02X}" for byte in character.encode(errors="surrogatepass"))
