# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deleting what exists and is not declared; refused before the first write where that would be too much."""

from __future__ import annotations

import dataclasses
import fnmatch
import typing as t

from .._client.errors import PlatformError
from .._fields import Values, host_form, is_same_host
from .._plan import plan_absent
from .._resources._platform import Platform, Scope
from .._resources.domain import aliases_of
from ._entries import KINDS
from ._planning import Plan
from ._work import Work

PRUNABLE = ("projects", "aliases", "domains")
UNLIMITED_UP_TO = 10


class PruneRefused(PlatformError):
    """Too much, or something that is needed, would be deleted; nothing was written."""


@dataclasses.dataclass(frozen=True)
class PruneOptions:
    """``limit``: the most that may be deleted of a kind in a scope, in percent; ``protect``: names and patterns."""

    kinds: t.Sequence[str]
    limit: int
    protect: t.Sequence[str]

    def protects(self, kind: str, name: str) -> bool:
        form = host_form if kind in ("aliases", "domains") else str
        return any(fnmatch.fnmatchcase(form(name), form(pattern)) for pattern in self.protect)


def add_pruning(plan: Plan, options: PruneOptions) -> None:
    """Adds the deletions to the plan. Raises PruneRefused with a list of what would be deleted."""
    for scope in list(plan.scopes.values()):
        if scope.team is None or scope.team_id is not None:
            _ScopePruning(plan, scope, options).add()


class _ScopePruning:
    def __init__(self, plan: Plan, scope: Scope, options: PruneOptions) -> None:
        self._plan = plan
        self._platform: Platform = plan.platform
        self._scope = scope
        self._options = options
        self._team = scope.team["slug"] if scope.team else ""

    def add(self) -> None:
        if self._options.kinds:
            self._check_own_scope()
        pruned = [work for kind in PRUNABLE if kind in self._options.kinds for work in self._undeclared(kind)]
        self._plan.work += pruned
        cascade = self._cascade()
        self._check_needed_projects(pruned)
        self._check_protected_aliases(pruned)
        for kind in PRUNABLE:
            names = {work.name for work in pruned if work.kind == kind and work.is_pending}
            self._check_limit(kind, names | {alias["alias"] for alias in cascade if kind == "aliases"})

    def _check_own_scope(self) -> None:
        """Without a team, a list may show the objects of many: it cannot be told what is nobody's."""
        if self._scope.team is not None:
            return
        for kind in self._options.kinds:
            teams = {str(item["team_id"] or "") for item in self._platform.every(kind, Scope())}
            if len(teams) > 1:
                raise PruneRefused(
                    f"prune: the token's own list of {kind} shows objects of {len(teams)} teams"
                    f" ({', '.join(sorted(teams))}), so what is not declared may be another team's. Give every entry"
                    " its team, or leave prune out."
                )

    def _undeclared(self, kind: str) -> t.Iterator[Work]:
        resource = KINDS[kind]
        for live in self._platform.every(kind, self._scope):
            if self._plan.is_declared(kind, live) or (kind == "aliases" and self._is_generated(live)):
                continue
            name = str(live[resource.name_field])
            wanted = {"state": "absent", resource.name_field: name}
            options = {**wanted, "id": str(live["id"])} if kind == "projects" else wanted
            deletion = resource(self._platform, options)
            deletion.scope = self._scope
            step = plan_absent(resource.fields, live)
            yield Work(kind, name, self._team, deletion, step, kept=self._options.protects(kind, name))

    def _is_generated(self, alias: Values) -> bool:
        """Whether the service made the alias together with its project."""
        projects = self._platform.every("projects", self._scope).where("id", alias["project_id"])
        return any(is_same_host(project["alias"], alias["alias"]) for project in projects)

    def _cascade(self) -> list[Values]:
        """The aliases that go with deleted domains; refused for one that is wanted or protected."""
        deleted = [
            work
            for work in self._plan.work
            if work.kind == "domains" and work.team == self._team and work.is_deletion and work.is_pending
        ]
        going = []
        for work in deleted:
            for alias in aliases_of(self._platform, self._scope, work.name):
                if self._plan.will_be_there(alias) or self._options.protects("aliases", alias["alias"]):
                    kind = "declared" if self._plan.will_be_there(alias) else "protected"
                    raise PruneRefused(
                        f"domains: deleting {work.name} would delete the alias {alias['alias']}, which is {kind}."
                        " Nothing was written."
                    )
                going.append(alias)
        return going

    def _check_needed_projects(self, pruned: t.Sequence[Work]) -> None:
        """A declared alias may lead to a project that is not declared; that one is needed then."""
        deleted = {id(work.step.live): work for work in pruned if work.kind == "projects" and work.is_pending}
        for work in self._plan.work:
            if work.kind == "aliases" and not work.is_deletion and work.where and work.resource.is_wanted:
                needed = deleted.get(id(t.cast(t.Any, work.resource).project))
                if needed is not None:
                    raise PruneRefused(
                        f"prune: the project {needed.name} is not declared and would be deleted, but {work.where}"
                        f" leads the alias {work.name} to it. Declare the project. Nothing was written."
                    )

    def _check_protected_aliases(self, pruned: t.Sequence[Work]) -> None:
        """A service may delete a project's aliases with it. An alias that an entry moves away is safe."""
        for work in pruned:
            if work.kind == "projects" and work.is_pending and self._options.protect:
                aliases = self._platform.every("aliases", self._scope).where("project_id", work.step.live["id"])
                for alias in aliases:
                    if self._options.protects("aliases", alias["alias"]) and not self._plan.will_be_there(alias):
                        raise PruneRefused(
                            f"prune: the project {work.name} is not declared and would be deleted, but the alias"
                            f" {alias['alias']} of it is protected. Declare the project, or protect it too. Nothing"
                            " was written."
                        )

    def _check_limit(self, kind: str, names: set[str]) -> None:
        if not names or (kind not in self._options.kinds and kind != "aliases"):
            return
        total = len(self._platform.every(kind, self._scope))
        if total > UNLIMITED_UP_TO and len(names) * 100 > self._options.limit * total:
            raise PruneRefused(
                f"prune: {len(names)} of {total} {kind} of {self._scope} would be deleted, more than prune_limit"
                f" ({self._options.limit} %) allows. Nothing was written. Raise prune_limit if this is meant:"
                f" {', '.join(sorted(names))}"
            )
