# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids of steps, by which a plan is approved: equal if and only if the same object is changed in the same way."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from .._model.fields import Values
from .._model.step import Action
from .node import Node

DEFAULT_PORTS = {"http": 80, "https": 443}
# An object that a step refers to, as it enters the step's id.
Reference = tuple[str, str]


def step_ids(base_url: str, nodes: Sequence[Node], approved: Collection[str] | None) -> dict[Node, str]:
    """The id of each pending step.

    Objects count by their ids. One that the same plan creates has none yet, so it is identified by its planned name,
    and an approved list then applies to what the name means after the creation, as long as an entry declares it.
    Nothing else is approved by a name.
    """
    ids = {}
    for node in (node for node in nodes if node.is_pending):
        forms = [_step_id(base_url, node, references) for references in _references(node)]
        ids[node] = next((form for form in forms if form in (approved or ())), forms[0])
    return ids


def _references(node: Node) -> Iterator[dict[str, Reference]]:
    """What the step refers to, in every form that an approved list may contain; first by id, where one exists."""
    ways: dict[str, list[Reference]] = {}
    for option, kind, known in node.referred:
        by_id = [("id", str(known.item["id"]))] if known.item["id"] is not None else []
        planned = [("planned", kind.form(known.item[kind.name_field]))] if isinstance(known, Node) else []
        ways[option] = [*by_id, *planned]
    for chosen in itertools.product(*ways.values()):
        yield dict(zip(ways, chosen))


def _step_id(base_url: str, node: Node, references: dict[str, Reference]) -> str:
    """An opaque string derived from what is changed and where, independent of presentation."""
    step = node.step
    is_update = step.action is Action.UPDATE
    after = {option: value for option, value in step.changes.items() if option not in node.kind.references}
    made_of = [
        _address(base_url),
        node.kind.plural,
        references,
        None if step.live.get("id") is None else str(step.live["id"]),
        node.kind.form(step.live.get(node.kind.name_field) or node.name),
        step.action.value,
        _values({**step.before, **_steady(node)}, keep_empty=is_update),
        _values(after, keep_empty=True),
        sorted(gone.key for gone in node.along),
    ]
    sent = json.loads(json.dumps(made_of))  # JSON's keys are text, which can be sorted
    text = json.dumps(sent, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _steady(node: Node) -> Values:
    """Stable forms of previous values that other steps of the plan may change, so that the id survives an interruption.

    An object that this one refers to is identified by its id, not its name; for a deletion, fields shared with another
    kind are ignored.
    """
    live = node.step.live
    referred = {option: str(live[f"{option}_id"]) for option in node.kind.references if option in node.step.before}
    return {**referred, **(dict.fromkeys(node.kind.shared) if node.step.is_deletion else {})}


def _address(base_url: str) -> str:
    """The address in normalized form."""
    parts = urlsplit(base_url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}{parts.path.rstrip('/')}"


def _values(values: Values, keep_empty: bool = False) -> dict[str, Any]:
    """The values, normalized: null, the empty string and a missing value are equal.

    Everything that is sent, and what it replaces, is included, empty or not.
    """
    filled = {option: None if value == "" else value for option, value in values.items()}
    return {option: value for option, value in filled.items() if value is not None or keep_empty}
