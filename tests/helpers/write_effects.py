# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run's writes do to the service, write by write, and to whom it belonged: told by the
stored state alone.
"""

import fnmatch
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from in_process import InProcess, process_only
from scoped_cases import KINDS

NAME_FIELDS = {"teams": "slug", "projects": "name", "aliases": "alias", "domains": "name"}
Label = tuple[str, str, "str | None"]


class Snapshot:
    """The stored objects by kind and id, and where they belong."""

    def __init__(self, emulator: InProcess) -> None:
        state = emulator.stored()
        self.objects = {kind: {str(item["id"]): item for item in state[kind]} for kind in KINDS}
        members = {
            member["teamId"]
            for member in state["members"]
            if member["userId"] == state["users"][0]["id"]
        }
        self.slugs = {
            key: team["slug"] for key, team in self.objects["teams"].items() if key in members
        }
        # Aliases that show no team belong where their project does.
        self._unset = emulator.switches["alias_team_id"] == "unset"

    def team_of(self, kind: str, item: dict[str, Any]) -> str:
        """The id of the team to which an object belongs, empty for the own scope; a team's own."""
        if kind == "teams":
            return str(item["id"])
        project = (
            self.objects["projects"].get(item["projectId"])
            if kind == "aliases" and self._unset
            else None
        )
        team = str((project or item)["teamId"])
        return team if team in self.slugs else ""

    def label(self, kind: str, item: dict[str, Any]) -> Label:
        team = self.slugs.get(self.team_of(kind, item), "")
        return kind, item[NAME_FIELDS[kind]], None if kind == "teams" else team

    def has(self, kind: str, key: str, selectors: Collection[Any]) -> bool:
        """True if an object exists that one of the selectors matches."""
        item = self.objects[kind].get(key)
        if item is None:
            return False
        team = self.team_of(kind, item)
        names = {team, self.slugs.get(team, "")}
        return any(
            is_match(selector, kind, item[NAME_FIELDS[kind]], names) for selector in selectors
        )


def is_match(selector: Any, kind: str, name: str, teams: Collection[str]) -> bool:
    """True if a selector matches a name in a team, by the team's id or slug; ``""``: the
    own scope.
    """
    if isinstance(selector, str):
        return _is_match_of_name(kind, name, selector) or _is_match_of_path(
            selector, kind, name, teams
        )
    kinds = selector.get("kind", kind)
    is_of_team = any(is_match_of_pattern(team, selector.get("team", team)) for team in teams)
    return (
        kind in ([kinds] if isinstance(kinds, str) else kinds)
        and _is_match_of_name(kind, name, selector.get("name", name))
        and is_of_team
    )


def _is_match_of_path(path: str, kind: str, name: str, teams: Collection[str]) -> bool:
    """True if a text is ``team/name``, split at any slash."""
    for place, character in enumerate(path):
        if character == "/" and kind != "teams":
            named = [team for team in teams if team and is_match_of_pattern(team, path[:place])]
            if named and _is_match_of_name(kind, name, path[place + 1 :]):
                return True
    return False


def _is_match_of_name(kind: str, name: str, pattern: str) -> bool:
    if kind in ("aliases", "domains"):
        return is_match_of_pattern(name.lower().rstrip("."), pattern.lower().rstrip("."))
    return is_match_of_pattern(name, pattern)


def is_match_of_pattern(text: str, pattern: str) -> bool:
    return text == pattern or fnmatch.fnmatchcase(text, pattern)


@dataclass(frozen=True)
class Write:
    """One request that may change something, and the state right before and after it."""

    method: str
    before: Snapshot
    after: Snapshot

    def placed(self) -> Iterator[tuple[str, str]]:
        """Kind and id of each object that it made, or put into another team."""
        for kind in KINDS:
            for key, item in self.after.objects[kind].items():
                if item.get("teamId", "") != self.before.objects[kind].get(key, {}).get(
                    "teamId", ""
                ):
                    yield kind, key


class Deletion(NamedTuple):
    """An object that a write has deleted; ``label``: as it was at the start, ``last_label``: right
    before.
    """

    write: Write
    kind: str
    key: str
    label: Label
    last_label: Label


class Recorder:
    """Records the writes of a block. ``interrupt`` is called with their number before each that is
    no deletion.
    """

    def __init__(self, emulator: InProcess, interrupt: Callable[[int], object]) -> None:
        self.start = Snapshot(emulator)
        self.writes: list[Write] = []
        self._emulator = emulator
        self._interrupt = interrupt

    def __enter__(self) -> Self:
        self._emulator.wrap_processing = self._record_write
        return self

    def __exit__(self, *_failure: object) -> None:
        self._emulator.wrap_processing = process_only

    def _record_write(self, method: str, process: Callable[[], Any]) -> Any:
        if method == "GET":
            return process()
        if method != "DELETE":
            self._interrupt(len(self.writes))
        before = Snapshot(self._emulator)
        answer = process()
        self.writes.append(Write(method, before, Snapshot(self._emulator)))
        return answer

    def deletions(self) -> Iterator[Deletion]:
        for write in self.writes:
            for kind, objects in write.before.objects.items():
                for key in objects.keys() - write.after.objects[kind].keys():
                    labels = [
                        state.label(kind, state.objects[kind][key])
                        for state in (self.start, write.before)
                        if key in state.objects[kind]
                    ]
                    yield Deletion(write, kind, key, labels[0], labels[-1])

    def has_made(self, kind: str, key: str) -> bool:
        return any(
            key in write.after.objects[kind].keys() - write.before.objects[kind].keys()
            for write in self.writes
        )

    def moved(self) -> Iterator[tuple[Write, str, str]]:
        """The writes that put an existing object into another team, with its kind and id."""
        for write in self.writes:
            yield from (
                (write, kind, key)
                for kind, key in write.placed()
                if key in write.before.objects[kind]
            )
