# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole blueprint: read, plan, guard, carry out, report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._errors import PlatformError
from .._model.fields import Values
from .._model.kinds.team import Team
from .._model.named import NamedResource
from .._model.platform import Platform
from .._model.resource import no_team_given
from .._model.step import Action
from .._text import printable, some_of
from .along import find_what_goes_along
from .conflicts import conflicts_of, unnamed_teams, wait_for_aliases
from .entries import read_entries
from .execution import carry_out, circles_of
from .guards import Refusal, by_blueprint, refusals_of
from .node import NOT_INVITED, Node
from .planning import Plan, listings_if_shown, make_plan
from .pruning import prune, undeclared_objects, undeclared_places
from .results import outcome_of
from .selection import Selection
from .settings import Settings
from .steps import step_ids

# The options of the module that are defaults for its entries.
DEFAULTS = ("team", "own_scope", "unlisted_fields")


class EntriesFailed(PlatformError):
    """Some entries failed, and the others were carried out; ``failure`` is the first one's."""

    def __init__(self, nodes: Sequence[Node], result: Values) -> None:
        errors = {node: node.error for node in nodes if node.error}
        lines = (f"{node.label}: {error}" for node, error in errors.items())
        super().__init__(f"{len(errors)} of {len(nodes)} entries failed:", *lines, result=result)
        self._first = next(iter(errors.values()))

    @property
    def failure(self) -> dict[str, Any]:
        return self._first.failure


class Refused(PlatformError):
    """Guards forbid the plan; nothing was written. ``result`` tells the plan, and what refused it."""

    def __init__(self, refusals: Sequence[Refusal], plan: Values) -> None:
        lines = [refusal.line for refusal in refusals]
        told = [{"guard": refusal.guard, "message": printable(refusal.message)} for refusal in refusals]
        result = {**plan, "changed": False, "diff": [], "refused": True, "refusals": told}
        super().__init__(*lines[:-1], f"{lines[-1]} Nothing was written.", result=result)


def converge_blueprint(platform: Platform, options: Mapping[str, Any], check_mode: bool) -> dict[str, Any]:
    """The work of the module ``blueprint``, and its result.

    Raises BlueprintError if it cannot be planned and PlatformError if a guard forbids it, both before the first write;
    EntriesFailed after the last.
    """
    settings = Settings(options)
    defaults = {option: options[option] for option in DEFAULTS}
    entries = read_entries(options["blueprint"], defaults, settings.ignore)
    team = "" if options["own_scope"] else options["team"]
    base_url = platform.api.http.connection.base_url
    platform = platform.for_one_task(options["workers"])
    selection = Selection(settings.only, entries, platform, settings.prune)
    plan = make_plan(platform, entries, team, selection)
    platform.warnings += _read_undeclared(plan)
    refusals = prune(plan, settings)
    nodes = plan.nodes
    if not settings.invite:
        _leave_uninvited(nodes)
    find_what_goes_along(plan)
    wait_for_aliases(nodes)
    ids = step_ids(base_url, nodes, settings.approved)
    undeclared = undeclared_objects(plan, settings)
    unnamed = unnamed_teams(plan)
    refusals += refusals_of(plan, settings, ids)
    refusals += by_blueprint([*conflicts_of(plan, unnamed), *circles_of(nodes)])
    platform.warnings += [*_without_team(nodes, options["own_scope"]), *_perhaps_renamed(nodes, unnamed)]

    def outcome() -> Values:
        return outcome_of(nodes, ids, undeclared, base_url, platform.api.http.run.requests)

    refused = Refused(refusals, outcome()) if refusals else None
    planned = platform.api.http.run.planned
    if planned is not None:
        planned(refused.result if refused else outcome())
    if refused:
        raise refused
    if check_mode:
        platform.warnings += dict.fromkeys(doubt for node in nodes if node.is_pending for doubt in node.bound.doubts)
        return outcome()
    carry_out(nodes, platform.workers, settings.approved is not None, platform.say)
    if any(node.error for node in nodes):
        raise EntriesFailed(nodes, outcome())
    return outcome()


def _read_undeclared(plan: Plan) -> list[str]:
    """Read the lists that only the report of undeclared objects needs. Returns a warning for each forbidden one."""
    platform = plan.platform
    places = [place for place in undeclared_places(plan) if not platform.has_listing(*place)]
    return [
        f"undeclared: the service does not show the {kind.plural} of {scope} (status 403), so undeclared ones among"
        " them are not reported."
        for (kind, scope), items in zip(places, listings_if_shown(platform, places))
        if items is None
    ]


def _leave_uninvited(nodes: Sequence[Node]) -> None:
    for node in nodes:
        if node.step.action is Action.INVITE:
            node.skip_reason = NOT_INVITED


def _without_team(nodes: Sequence[Node], is_own_scope_meant: bool) -> Iterator[str]:
    """Warnings about changes in the own scope that may be unintended."""
    is_own_scope_meant |= any(node.bound.wanted.is_in_own_scope for node in nodes)
    created = [node for node in nodes if node.bound.is_unscoped_creation(node.step)]
    pruned = [node for node in nodes if node.is_pending and not node.entry and node.bound.scope.is_own]
    unscoped = {"created in": created, "deleted from": [] if is_own_scope_meant else pruned}
    for change, changed in unscoped.items():
        if changed:
            yield no_team_given([f"{node.kind.singular} {node.name}" for node in changed], change)


def _perhaps_renamed(nodes: Sequence[Node], unnamed: Sequence[Values]) -> Iterator[str]:
    """Warnings about possible renames: a renamed entry looks new, and its object undeclared.

    Teams are never pruned: one renamed only in the blueprint stays, with everything it contains.
    """
    places: dict[tuple[type[Any], str | None], dict[Action, list[str]]] = {}
    for node in nodes:
        if node.is_pending and issubclass(node.kind, NamedResource):
            places.setdefault((node.kind, node.team), {}).setdefault(node.step.action, []).append(node.name)
    for (kind, team), names in places.items():
        if Action.CREATE in names and Action.DELETE in names:
            place = f" of {team}" if team else ""
            created, deleted = names[Action.CREATE], names[Action.DELETE]
            yield (
                f"{kind.plural}{place}: {len(created)} would be created and {len(deleted)} deleted. If this is a"
                f" rename, add the old {kind.name_field} to previously: {some_of(created, 3)}; {some_of(deleted, 3)}."
            )
    if unnamed:
        created, others = places[Team, None][Action.CREATE], [str(team["slug"]) for team in unnamed]
        yield (
            f"teams: {len(created)} would be created, and no entry names {len(others)} of those that exist. If this is"
            f" a rename, add the old slug to previously: {some_of(created, 3)}; {some_of(others, 3)}."
        )
