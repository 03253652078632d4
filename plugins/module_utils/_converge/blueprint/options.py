# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the module ``blueprint`` besides the blueprint itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..._errors import InvalidOption
from ..._model.kind import Kind
from ..._model.kinds.registry import prunable_kinds
from ..._model.options import SCOPE_OPTIONS, UNLISTED_FIELDS_OPTION, ArgumentSpec
from .selectors import ENTRY_KEYS, Selectors, read_selectors

LIMITED = {"create": "created", "update": "changed", "delete": "deleted", "invite": "invited"}
PRUNABLE = [kind.plural for kind in prunable_kinds()]
DEFAULTS = ("team", "own_scope", "unlisted_fields")
SPECIFICATION = (
    ArgumentSpec(
        {
            "blueprint": {"type": "dict"},
            "prune": {"type": "list", "elements": "str", "choices": PRUNABLE, "default": []},
            "prune_limit": {"type": "int", "default": 30},
            "only": {"type": "list", "elements": "raw"},
            "ignore": {"type": "list", "elements": "raw", "default": []},
            "protect": {"type": "list", "elements": "raw", "default": []},
            "invite": {"type": "bool", "default": False},
            "replace": {"type": "list", "elements": "raw", "default": []},
            "limits": {"type": "dict", "options": {action: {"type": "int"} for action in LIMITED}},
            "approved": {"type": "raw"},
            "fail_on_drift": {"type": "bool", "default": False},
            "fail_on_undeclared": {"type": "bool", "default": False},
            "workers": {"type": "int", "default": 8},
        }
    )
    | UNLISTED_FIELDS_OPTION
    | SCOPE_OPTIONS
)
DEFAULT_OPTIONS = {option: definition.get("default") for option, definition in SPECIFICATION.options.items()}


class BlueprintOptions:
    """``team``: the task's own, ``""`` for the caller's own scope, ``None`` for none; ``only``: what is selected,
    ``None`` for everything; ``limits``: the most steps of an action; ``approved``: the ids of the permitted steps,
    ``None`` for any; ``finds_drift``: whether the task fails if it finds drift or undeclared objects.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Raises InvalidOption."""
        check_workers(options["workers"])
        self.workers: int = options["workers"]
        self.entry_defaults = {option: options[option] for option in DEFAULTS}
        self.team: str | None = "" if options["own_scope"] else options["team"]
        self.prune: Collection[str] = options["prune"]
        self.prune_limit: int = options["prune_limit"]
        if not 0 <= self.prune_limit <= 100:
            raise InvalidOption("prune_limit", "must be a percentage from 0 to 100.")
        only, approved = options["only"], options["approved"]
        self.only = None if only is None else read_selectors("only", only, ENTRY_KEYS)
        self.ignore = read_selectors("ignore", options["ignore"])
        self.protect = read_selectors("protect", options["protect"])
        self.replace = read_selectors("replace", options["replace"])
        self.invite: bool = options["invite"]
        self.finds_drift: bool = options["fail_on_drift"] or options["fail_on_undeclared"]
        given: Mapping[str, int | None] = options["limits"] or {}
        self.limits = {action: most for action, most in given.items() if most is not None}
        for action, most in self.limits.items():
            if most < 0:
                raise InvalidOption(f"limits.{action}", "must be a whole number, 0 or more.")
        self.approved = None if approved is None else frozenset(approved)

    @property
    def object_selectors(self) -> Selectors:
        """Those of ``only`` that can select what no entry declares: an object has no source."""
        return Selectors(selector for selector in self.only or () if selector.source is None)

    def may_select_undeclared(self, kind: type[Kind], slug: str, ids: Collection[str | None]) -> bool:
        """True if undeclared objects of a team may be selected: a selector names the team, or they are pruned."""
        return self.only is None or any(
            selector.may_match(kind, slug, ids) and (selector.team is not None or kind.plural in self.prune)
            for selector in self.object_selectors
        )


def check_workers(workers: int) -> None:
    if workers < 1:
        raise InvalidOption("workers", "must be 1 or more.")
