# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a blueprint: everything that can be wrong with it by itself is said before the first request."""

from __future__ import annotations

import dataclasses
import difflib
import typing as t

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from .._client.errors import PlatformError
from .._fields import host_form
from .._resources._base import Resource
from .._resources._platform import Platform
from .._resources.alias import Alias
from .._resources.domain import Domain
from .._resources.project import Project
from .._resources.team import Team
from .._resources.team_member import TeamMember

# In the order in which they are made; deletions go the other way.
KINDS: dict[str, type[Resource]] = {resource.kind: resource for resource in (Team, TeamMember, Project, Alias, Domain)}


class BlueprintError(PlatformError):
    """What is wrong with a blueprint, entry by entry; nothing was written."""

    def __init__(self, problems: t.Sequence[str]) -> None:
        super().__init__(*("blueprint: " + problem if not index else problem for index, problem in enumerate(problems)))


@dataclasses.dataclass
class Entry:
    """One object that the blueprint declares. ``where`` is how messages call it: ``projects[3]``."""

    kind: str
    where: str
    resource: t.Any
    team: str

    @property
    def options(self) -> t.Mapping[str, t.Any]:
        return t.cast("t.Mapping[str, t.Any]", self.resource.options)

    @property
    def name(self) -> str:
        """What the user calls it."""
        options = (self.resource.name_field, "id", "user_id")
        return str(next(self.options[option] for option in options if self.options.get(option)))

    @property
    def identity(self) -> tuple[str, ...]:
        """What no two entries may share. An id decides where it is given."""
        if self.kind in ("aliases", "domains"):
            return (self.kind, self.team, host_form(self.name))
        if self.options.get("id"):
            return (self.kind, self.team, "id", self.options["id"])
        return (self.kind, self.team, self.name)


def read_entries(
    platform: Platform,
    blueprint: t.Mapping[str, t.Any],
    default_team: str | None,
    where: t.Callable[[str, int], str] = "{}[{}]".format,
) -> list[Entry]:
    """The entries in the order of kinds. Raises BlueprintError, which says of everything wrong ``where`` it is."""
    problems = [f"{kind} is no kind of entry.{nearest(kind, KINDS)}" for kind in blueprint if kind not in KINDS]
    entries: list[Entry] = []
    for kind, resource in KINDS.items():
        items = blueprint.get(kind)
        if items is not None and not isinstance(items, list):
            problems.append(f"{kind} must be a list of entries, and is {_type_name(items)}.")
            continue
        reader = _Reader(platform, resource, default_team)
        for index, item in enumerate(items or []):
            try:
                entries.append(reader.entry(where(kind, index), item))
            except PlatformError as error:
                problems.append(f"{where(kind, index)}: {error}")
    problems += _duplicates(entries)
    if problems:
        raise BlueprintError(problems)
    return entries


class _Reader:
    """Reads the entries of one kind, by the argument specification of its module."""

    def __init__(self, platform: Platform, resource: type[Resource], default_team: str | None) -> None:
        self._platform = platform
        self._resource = resource
        self._default_team = default_team
        # An entry's options come from the blueprint alone, never from the environment.
        self._spec = {
            option: {key: value for key, value in definition.items() if key != "fallback"}
            for option, definition in resource.argument_spec.items()
        }
        self._validator = ArgumentSpecValidator(self._spec, **resource.rules)

    def entry(self, where: str, item: t.Any) -> Entry:
        if not isinstance(item, dict):
            raise PlatformError(f"must be a dictionary of options, and is {_type_name(item)}.")
        for option, value in item.items():
            if option not in self._spec:
                raise PlatformError(f"unknown option {option}.{nearest(option, self._spec)}")
            _check_type(option, value, self._spec[option]["type"])
        given = {option: value for option, value in item.items() if value is not None}
        if "team" in self._spec and "team" not in given and self._default_team is not None:
            given["team"] = self._default_team
        result = self._validator.validate(given)
        if result.error_messages:
            raise PlatformError("; ".join(result.error_messages) + ".")
        options = result.validated_parameters
        return Entry(self._resource.kind, where, self._resource(self._platform, options), options.get("team") or "")


def _check_type(option: str, value: t.Any, wanted: str) -> None:
    """Stricter than a module: nobody can tell how a boolean or a fraction was written."""
    is_right = isinstance(value, dict) if wanted == "dict" else isinstance(value, (str, int))
    if value is not None and (not is_right or isinstance(value, bool)):
        hint = " Quote it." if wanted == "str" and isinstance(value, (bool, float)) else ""
        name = "a dictionary" if wanted == "dict" else "text"
        raise PlatformError(f"{option} must be {name}, and is {_type_name(value)}.{hint}")


def _type_name(value: t.Any) -> str:
    names = {dict: "a dictionary", list: "a list", bool: "a boolean", str: "text", type(None): "null"}
    names.update({int: "a number", float: "a number"})
    return next((name for kind, name in names.items() if isinstance(value, kind)), type(value).__name__)


def nearest(word: t.Any, words: t.Iterable[str]) -> str:
    near = difflib.get_close_matches(str(word), list(words), n=1, cutoff=0.5)
    return f" Did you mean {near[0]}?" if near else f" There are: {', '.join(words)}."


def _duplicates(entries: t.Sequence[Entry]) -> list[str]:
    first: dict[tuple[str, ...], Entry] = {}
    problems = []
    for entry in entries:
        same = first.setdefault(entry.identity, entry)
        if same is not entry:
            problems.append(f"{entry.where}: {entry.name} is declared by {same.where} already.")
    return problems
