# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A platform that shows late what was done, and somebody else who acts between any two requests."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from in_process import InProcess, process_only
from scoped_cases import HOSTS, IDS, INTERFERENCES, NAMES, interfere
from write_effects import Recorder, Snapshot, Write

# The share of requests before which somebody else acts.
OFTEN = 0.4
# What the specification leaves open about late lists, young objects and answers to updates. The GET
# of one object shows what there is: one that shows nothing proves nothing, and the list decides.
LATE_SWITCHES: Mapping[str, list[Any]] = {
    "lists_late_ms": [0, 1500, 5000, 60_000],
    "lists_late": ["all", "all", "teams", "projects", "aliases"],
    "young_ms": [0, 0, 1500],
    "young_team": ["403", "404", "ready"],
    "young_team_lists": ["403", "404", "400", "ready"],
    "young_project": ["404", "403", "ready"],
    "patch_result": ["object", "old", "empty"],
    "ids": ["prefixed", "numeric", "short"],
    "project_on_get": ["of_callers_teams"],
    "alias_on_get": ["of_callers_teams"],
    "team_id_on_get": ["ignored"],
}


def late_switches(random: Random) -> dict[str, Any]:
    return {name: random.choice(values) for name, values in LATE_SWITCHES.items()}


class InterferingRecorder(Recorder):
    """Records the writes of a block. Somebody else acts before some of its requests, and time
    passes; but a deletion comes right after the look before it.

    ``slugs`` is filled with all that each team is ever called: a list that is late shows an
    earlier slug.
    """

    def __init__(
        self, emulator: InProcess, random: Random, slugs: dict[str, set[str]] | None = None
    ) -> None:
        super().__init__(emulator, lambda _number: None)
        self._random = random
        self.slugs = {} if slugs is None else slugs
        self._note_slugs()

    def _record_write(self, method: str, process: Callable[[], Any]) -> Any:
        if method != "DELETE":
            self._emulator.set_clock(advance=self._random.choice([0, 0, 0.5, 2]))
            if self._random.random() < OFTEN:
                self._act()
        return super()._record_write(method, process)

    def _act(self) -> None:
        choice = self._random.choice
        interference: dict[str, Any] = {
            "do": choice([*INTERFERENCES, *["rename"] * 8, "move", "alias", "slug", "slug"]),
            "which": self._random.randint(0, 9),
            "scope": choice(["acme", "zeta"]),
            "name": choice([*NAMES, "keep"]),
            "host": choice(HOSTS),
        }
        self._emulator.wrap_processing = process_only
        if interference["do"] == "slug":
            slug = choice(["acme", "zeta", "keep"])
            self._emulator.ask("PATCH", f"teams/{IDS[interference['scope']]}", {"slug": slug})
        else:
            interfere(self._emulator, interference)
        self._emulator.wrap_processing = self._record_write
        self._note_slugs()

    def _note_slugs(self) -> None:
        for key, slug in Snapshot(self._emulator).slugs.items():
            self.slugs.setdefault(key, set()).add(slug)


def addressed_objects(write: Write) -> Iterator[tuple[str, str]]:
    """Kind and ID of the object that a deletion addressed: what holds the others that are gone."""
    for kind in ("teams", "projects", "domains", "aliases"):
        gone = write.before.objects[kind].keys() - write.after.objects[kind].keys()
        for key in gone:
            yield kind, key
        if gone:
            return
