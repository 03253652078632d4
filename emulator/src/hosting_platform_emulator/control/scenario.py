# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A scenario: the initial objects, how the API behaves, and what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import Refusal

_PARTS = ("seed", "switches", "faults")
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    seeds: tuple[Document, ...] = ()
    switches: Document = field(default_factory=dict)
    faults: tuple[Document, ...] = ()

    @classmethod
    def read(cls, given: Document) -> Scenario:
        for name in given:
            if name not in _PARTS:
                raise Refusal(f"A scenario has no `{name}`; it has: {', '.join(_PARTS)}")
        faults = given.get("faults", [])
        if not isinstance(faults, list) or not all(isinstance(fault, dict) for fault in faults):
            raise Refusal("The scenario's `faults` must be a list of objects")
        return cls((_part(given, "seed"),), _part(given, "switches"), tuple(faults))


def _part(given: Document, name: str) -> Document:
    part = given.get(name, {})
    if not isinstance(part, dict):
        raise Refusal(f"The scenario's `{name}` must be an object")
    return part
