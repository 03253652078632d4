# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A scenario: the initial objects, how the API behaves, and what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..documents import objects, require_known
from ..errors import Refusal

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    seeds: tuple[Document, ...] = ()
    switches: Document = field(default_factory=dict)
    faults: tuple[Document, ...] = ()

    @classmethod
    def read(cls, given: Document) -> Scenario:
        require_known("A scenario", given, ("seed", "switches", "faults"))
        faults = objects("The scenario's `faults`", given.get("faults", []))
        return cls((_part(given, "seed"),), _part(given, "switches"), tuple(faults))


def _part(given: Document, name: str) -> Document:
    part = given.get(name, {})
    if not isinstance(part, dict):
        raise Refusal(f"The scenario's `{name}` must be an object")
    return part
