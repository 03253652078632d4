# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Matching entries to the existing objects of a kind in a scope. Pure.

Entries with earlier names are matched together: where ``a`` becomes ``b`` while ``b`` becomes ``c``, the second entry
means the object ``b``.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._common.errors import PlatformError
from .._resources.fields import Values
from .._resources.listing import Listing
from .._resources.resource import Resource
from .entries import Entry, Problems


def match_entries(bounds: Mapping[Entry, Resource], items: Listing, problems: Problems) -> dict[Entry, Values | None]:
    """The object of each entry, ``None`` if there is none; entries with a reported problem are left out."""
    own: dict[Entry, Values | None] = {}
    earlier: dict[Entry, list[Values]] = {}
    for entry, bound in bounds.items():
        with problems.of(entry):
            own[entry] = bound.named(items)
            earlier[entry] = bound.named_before(items)
    lives = {entry: own[entry] for entry in earlier}
    renamed = {entry: found for entry, found in earlier.items() if found}
    entry_of_name = {entry.wanted.name: entry for entry in own if not entry.wanted.id}
    taking = [entry for entry in renamed if own[entry] is None]
    for entry in taking:  # to which those are added that lose their objects to them
        bound, live = bounds[entry], renamed[entry][0]
        del lives[entry]
        with problems.of(entry):
            if len(renamed[entry]) > 1:
                raise PlatformError(bound.both_exist(renamed[entry]))
            loser = entry_of_name.get(live[bound.name_field])
            if loser is not None and loser not in renamed:
                raise PlatformError(
                    f"previously: {live[bound.name_field]} exists and {entry.wanted.name} does not, and {loser.label}"
                    f" declares {live[bound.name_field]} too. Remove it from previously, or give {loser.label} another"
                    " name."
                )
            if loser is not None and lives.get(loser) is live:
                lives[loser] = None
                taking.append(loser)
            lives[entry] = bound.addressable(live, items)
    declared = {str(live["id"]) for live in {**own, **lives}.values() if live is not None}
    for entry, found in renamed.items():
        kept, others = own[entry], [item for item in found if str(item["id"]) not in declared]
        # An object of an earlier name must be another entry's, or not exist.
        if others and kept is not None and lives.get(entry) is kept:
            del lives[entry]
            problems.report(entry, PlatformError(bounds[entry].both_exist([kept, *others])))
    return lives
