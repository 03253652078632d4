# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids of steps, by which a plan is approved: equal exactly for the same change of the same object."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import urlsplit

from .._resources.fields import Values
from .._resources.plan import Action
from .node import Node

DEFAULT_PORTS = {"http": 80, "https": 443}


def step_id(base_url: str, node: Node) -> str:
    """The id of a node's step, as an opaque text.

    It is made of what is changed where, and of nothing that is only presentation. A team is named by its slug: it may
    be created by the same plan, and the rest of that plan keeps its ids when it is repeated.
    """
    step = node.step
    is_update = step.action is Action.UPDATE
    name = node.kind.form(step.live.get(node.kind.name_field) or node.name)
    made_of = [
        _address(base_url),
        node.kind.plural,
        node.team,
        None if step.live.get("id") is None else str(step.live["id"]),
        name,
        step.action.value,
        _values({**step.before, **_steady(node)}, keep_empty=is_update),
        _values(step.after, keep_empty=is_update),
        _values(node.bound.wanted.options.get("parameters") or {}) if not step.is_deletion else {},
    ]
    text = json.dumps(made_of, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _steady(node: Node) -> Values:
    """The values before that other steps of the same plan may change, so that the id survives an interruption.

    An object that this one led to counts by its id, and not by its name; of an object that is deleted, a field that is
    shared with another kind does not count.
    """
    live = node.step.live
    referred = {option: str(live[f"{option}_id"]) for option in node.kind.references if option in node.step.before}
    return {**referred, **(dict.fromkeys(node.kind.shared) if node.step.is_deletion else {})}


def _address(base_url: str) -> str:
    """The address in one way of writing it."""
    parts = urlsplit(base_url)
    port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}{parts.path.rstrip('/')}"


def _values(values: Values, keep_empty: bool = False) -> dict[str, Any]:
    """The values without what only looks different: null, the empty string and what is missing are one.

    The fields of an update are the change, empty or not.
    """
    filled = {option: None if value == "" else value for option, value in values.items()}
    return {option: value for option, value in filled.items() if value is not None or keep_empty}
