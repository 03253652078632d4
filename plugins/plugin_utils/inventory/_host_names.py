# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts. One must not be taken for an option by a command, for more than one host by a
pattern, for a path by a file system, for a template by ansible-core, or for anything but text by a
terminal. It is neither that of a group nor that of another project's host.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from ansible.constants import LOCALHOST
from ansible.utils.display import Display

from ...module_utils._model.fields import Values
from ...module_utils._text import escape_line

ALLOWED_PUNCTUATION = "-_."
# Host names become file names, which may have up to 255 bytes.
LONGEST = 200
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
        self._names = {*names}

    def own_name(self, name: str, variables: Values) -> str:
        """The name of a project's host, perhaps with a warning."""
        project_id = str(variables["hosting_id"])
        other = self._project_id_of(name)
        if other not in (None, project_id):
            team = variables["hosting_team"] or variables["hosting_team_id"] or project_id
            unique = self._unique(name, str(team), project_id)
            which = escape_line(f"{name} (project {other})")
            self._display.warning(
                f"An earlier source has a host {which}, so that of {project_id} is called {unique}."
            )
            name = unique
        if name in (*self._groups, *self._inventory.groups):
            name = self.beside_group(name, variables)
        self._names.add(name)
        return name

    def beside_group(self, name: str, variables: Values) -> str:
        """Another name for the host of a project with the name of a group."""
        project_id = str(variables["hosting_id"])
        unique = self._unique(name, project_id, project_id)
        self._display.warning(
            f"A group is called {name}, so the host of the project {name} is called {unique}."
        )
        return unique

    def _unique(self, name: str, addition: str, project_id: str) -> str:
        unique = f"{name}.{host_name(addition)}"
        taken = {*self._names, *self._groups, *self._inventory.groups}
        while unique in taken or self._project_id_of(unique) not in (None, project_id):
            unique += "." + host_name(project_id)
        return unique

    def _project_id_of(self, name: str) -> str | None:
        """The id of the project that a host of an earlier source stands for; None if there is no
        such host.
        """
        host = self._inventory.get_host(name) if name in self._inventory.hosts else None
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
    if len(name.encode()) > LONGEST:
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        name = name.encode()[: LONGEST - 65].decode(errors="ignore") + "=" + digest
    return name


def is_valid(name: str) -> bool:
    """True if the name can be that of a project's host, in which bytes may be escaped."""
    text = name.replace("=", "_")
    return bool(name) and not is_reserved(name) and host_name(text) == text


def is_reserved(name: str) -> bool:
    """True if the name is that of one of core's groups, or of the machine that it runs on."""
    return name in CORE_GROUPS or name.lower().rstrip(".") in LOCALHOST


def _is_allowed(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in ALLOWED_PUNCTUATION
    return escape_line(character) == character


def _by_bytes(character: str) -> str:
    return "".join(f"={byte:02X}" for byte in character.encode(errors="surrogatepass"))
