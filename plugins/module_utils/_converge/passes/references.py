# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option may name: what exists, and what the plan makes, renames or takes away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from ..._errors import PlatformError
from ..._model.kind import Kind
from ..._model.platform import Scope, described
from ..._text import did_you_mean
from ..change import SCOPE, Change, Changes, Explanation, Ref
from .read import Lists

Directory = Mapping[str, list[Ref]]


def directory(kind: type[Kind], scope: Scope, changes: Changes, lists: Lists) -> Directory:
    """What can be named in a scope once the plan is carried out, by id and by name; and what is gone by then."""
    here = [change for change in changes if change.kind is kind and change.scope.identity == scope.identity]
    touched = {change.live_key for change in here}
    found: dict[str, list[Ref]] = defaultdict(list)
    for change in here:
        ref = ref_to(change)
        former = str(change.live.get(kind.name_field) or "")
        for name in {ref.id, ref.name} - {None, ""}:
            found[str(name)].append(ref)
        if former not in ("", ref.name, change.name):
            found[former].append(replace(ref, gone=_renamed(ref.name, change.label)))
    for item in lists.of(kind, scope):
        if (kind.plural, str(item["id"])) not in touched:
            for name in {str(item["id"]), str(item[kind.name_field] or "")} - {""}:
                found[name].append(Ref(kind, item))
    for change in here:
        # What only has to exist may keep an earlier name, and is meant by the declared one, too.
        found.setdefault(change.name, [ref_to(change)])
    return found


def ref_to(change: Change) -> Ref:
    kind, live = change.kind, change.live
    item = change.step.expected or {**kind.fields.result({}), kind.name_field: change.name}
    former = {str(live[kind.name_field])} if live else set()
    aliases = frozenset({change.name, *change.wanted.previously, *former})
    return Ref(kind, item, change.key, aliases, why_gone(change))


def why_gone(change: Change) -> Explanation | None:
    if change.problem:
        return lambda name: f"{name} is declared by {change.label}, which has a problem itself."
    if change.wanted.is_absent:
        return lambda name: f"{name} is declared with state absent by {change.label}."
    return None


def _renamed(new: str, label: str) -> Explanation:
    return lambda name: f"{name} is renamed to {new} by {label}. Use {new} here."


def resolve(option: str, value: str, known: Directory, scope: Scope, is_lenient: bool = False) -> Ref | None:
    """The object that an option means. ``is_lenient``: it may be one that goes, or none. Raises PlatformError."""
    refs = known.get(value, [])
    standing = list({ref.identity: ref for ref in refs if not ref.gone}.values())
    if len(standing) > 1:
        listed = "; ".join(described(ref.item) for ref in standing)
        raise PlatformError(
            f"{option}: {value} matches {len(standing)} objects ({listed}). Specify which one is meant."
        )
    is_former_name = bool(refs) and not standing and value not in (refs[0].id, refs[0].name)
    if standing or (is_lenient and not is_former_name):
        return next(iter(standing or refs), None)
    raise PlatformError(f"{option}: {_why_missing(value, refs, known, scope, option)}")


def _why_missing(value: str, refs: list[Ref], known: Directory, scope: Scope, option: str) -> str:
    if refs and refs[0].gone:
        return refs[0].gone(value)
    near = did_you_mean(value, {ref.name: None for ref in _standing(known)})
    if option == SCOPE.singular:
        return (
            f"{value} is neither the id nor the slug of a team that this token can see.{near} It is not declared"
            " either."
        )
    return f"{value} is not declared and does not exist in {scope}.{near}"


def _standing(known: Directory) -> list[Ref]:
    return [ref for refs in known.values() for ref in refs if not ref.gone]
