# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the module ``blueprint`` besides the blueprint itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..._errors import InvalidOption
from ..._model.kind import Kind
from ..._model.kinds.registry import prunable_kinds
from ..._model.options import SCOPE_OPTIONS, UNLISTED_FIELDS_OPTION, Definitions, Options
from ..._model.scope import Scope
from .selectors import Selectors, patterns_of, read_selectors

LIMITED = {"create": "created", "update": "changed", "delete": "deleted", "invite": "invited"}
PRUNABLE = [kind.plural for kind in prunable_kinds()]
# Options that entries have where they do not set them.
ENTRY_DEFAULTS = ("team", "own_scope", "unlisted_fields")
OPTIONS: Definitions = {
    "blueprint": {"type": "dict"},
    "prune": {"type": "list", "elements": "str", "choices": PRUNABLE, "default": []},
    "prune_limit": {"type": "int", "default": 30},
    "only": {"type": "list", "elements": "raw"},
    "ignore": {"type": "list", "elements": "raw", "default": []},
    "protect": {"type": "list", "elements": "raw", "default": []},
    "invite": {"type": "bool", "default": False},
    "limits": {"type": "dict", "options": {action: {"type": "int"} for action in LIMITED}},
    "approved": {"type": "raw"},
    "fail_on_drift": {"type": "bool", "default": False},
    "fail_on_undeclared": {"type": "bool", "default": False},
    "workers": {"type": "int", "default": 8},
    **UNLISTED_FIELDS_OPTION,
    **SCOPE_OPTIONS,
}
DEFAULT_OPTIONS = {option: definition.get("default") for option, definition in OPTIONS.items()}


class BlueprintOptions:
    """The options of one run, read and checked."""

    def __init__(self, options: Options) -> None:
        """Raises InvalidOption, and PlatformError for all selectors that are invalid."""
        # How many threads may send requests at a time.
        self.workers: int = options["workers"]
        if self.workers < 1:
            raise InvalidOption("workers", "must be 1 or more.")
        # The task's own; ``""`` for the caller's own scope, None for none.
        self.team: str | None = "" if options["own_scope"] else options["team"]
        self.prune: Collection[str] = options["prune"]
        self.prune_limit: int = options["prune_limit"]
        if not 0 <= self.prune_limit <= 100:
            raise InvalidOption("prune_limit", "must be a percentage from 0 to 100.")
        # By their options.
        self.selectors = read_selectors(options)
        # Without it, everything is selected.
        self.only = self.selectors.get("only")
        self.ignore = self.selectors["ignore"]
        self.protect = self.selectors["protect"]
        self.invite: bool = options["invite"]
        # True if the task fails if it finds drift or undeclared objects.
        self.finds_drift: bool = options["fail_on_drift"] or options["fail_on_undeclared"]
        # The most steps of an action.
        self.limits = _read_limits(options["limits"] or {})
        approved = options["approved"]
        # The platform of the plan file that was approved; ``""`` for none.
        self.approved_platform = ""
        if isinstance(approved, Mapping):  # from the action plugin, which reads the file
            self.approved_platform = approved["base_url"]
            approved = approved["steps"]
        # The ids of the permitted steps; None for any.
        self.approved = None if approved is None else frozenset(approved)

    @property
    def object_selectors(self) -> Selectors:
        """Those of ``only`` that can select what no entry declares: an object has no source."""
        return [selector for selector in self.only or () if selector.source is None]

    def may_select_undeclared(self, kind: type[Kind], scope: Scope) -> bool:
        """True if undeclared objects of a team may be selected: a selector takes all of the team or
        of the kind, or they are pruned. One by a name alone has no team read for its report.
        """
        if self.only is None:
            return True
        for pattern in patterns_of(self.object_selectors):
            is_whole = pattern.team is not None or pattern.name is None
            if pattern.may_match(kind, scope.final) and (is_whole or kind.plural in self.prune):
                return True
        return False


def _read_limits(given: Mapping[str, int | None]) -> dict[str, int]:
    limits = {action: most for action, most in given.items() if most is not None}
    for action, most in limits.items():
        if most < 0:
            raise InvalidOption(f"limits.{action}", "must be a whole number, 0 or more.")
    return limits
