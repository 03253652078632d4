# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The approval of a run: the steps that it may take, as ids or as the plan file that has them."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from ...module_utils._errors import InvalidOption
from ...module_utils._file_access import os_error_text
from ...module_utils._model.kinds.team_member import TeamMember
from ..files._atomic_files import absolute_path, write_atomically
from ..files._file_problem import FileProblem, content_of
from ..reports._plan_file import plan_json
from ..reports._plan_text import describe_change
from ..reports._quoting import Row
from ..reports._result_view import FORMAT, NOT_TRIED


class Approval:
    """What a run may do. ``path``: the plan file that says so, if one does; ``steps``: their ids,
    ``None`` if every step may be taken, because nothing was given; ``rows``: the results that were
    approved, as far as they are known.
    """

    def __init__(self, given: Any) -> None:
        """Raises InvalidOption for anything but a plan that may be applied, or a list of
        step ids.
        """
        self.path = ""
        self._plan: Row = {"steps": given}
        if isinstance(given, str):
            self.path = absolute_path(given)
            self._plan = self._read()
        elif given is not None and not _are_ids(given):
            problem = "must be a list of step ids, or the path of a plan file."
            raise InvalidOption("approved", problem)
        self.rows: list[Row] = self._plan.get("results", [])
        self.steps: list[str] | None = self._plan["steps"]

    @property
    def option(self) -> Any:
        """The option of the module: with a file, also the platform that it is for."""
        base_url = self._plan.get("base_url")
        if not isinstance(base_url, str):
            return self.steps
        return {"base_url": base_url, "steps": self.steps}

    def describe_changes(self, rows: Iterable[Row]) -> list[str]:
        """Of the pending rows that were approved otherwise: as what."""
        approved = {_key_of_row(row): row for row in self.rows if row.get("step")}
        changed = []
        for row in rows:
            before = approved.get(_key_of_row(row))
            if before and row["step"] and row["step"] != before["step"]:
                # The approved plan may be a file that somebody has edited.
                with contextlib.suppress(AttributeError, KeyError, TypeError):
                    changed.append(describe_change(row, before))
        return changed

    def consume(self, steps: Collection[str]) -> None:
        """Take these steps out of the plan file. Raises InvalidOption if it cannot be written, or
        another run, such as that of another host, has taken out one of them since it was read.
        """
        consumed = {*(self.steps or ())} & {*steps}
        if not self.path or not consumed:
            return
        folder = os.open(os.path.dirname(self.path), os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            plan = self._read()
            if not consumed <= set(plan["steps"]):
                raise self._invalid(
                    "no longer contains these invitations: another run has used them"
                )
            left = [step for step in plan["steps"] if step not in consumed]
            write_atomically(self.path, plan_json({**plan, "steps": left}))
        except OSError as error:
            problem = f"cannot be updated, so no invitation was sent: {os_error_text(error)}"
            raise self._invalid(problem) from None
        finally:
            os.close(folder)

    @property
    def invitations(self) -> set[str]:
        """The steps that are invitations, or may be: those that were not tried stand in no row.
        Where as many rows of other kinds say so, these are none.
        """
        steps = {*(self.steps or ())}
        others = {str(row.get("step")) for row in self.rows if row.get("action") != "invite"}
        untried = [row.get("kind") for row in self.rows if row.get("reason") in NOT_TRIED]
        hidden = steps - {str(row.get("step")) for row in self.rows}
        if len(hidden) <= len(untried) and TeamMember.plural not in untried:
            others |= hidden
        return steps - others

    def _read(self) -> Row:
        """The plan in the file. Raises InvalidOption if it is not a plan, or approves nothing."""
        try:
            plan: Row = json.loads(content_of(Path(self.path)))
        except FileProblem as problem:
            raise self._invalid(f"cannot be used as a plan: {str(problem).rstrip('.')}") from None
        except (ValueError, RecursionError):
            plan = {}
        if not _is_plan(plan):
            raise self._invalid(f"is not a plan file of format {FORMAT}")
        if plan.get("refused") is not False:
            raise self._invalid("belongs to a run that was refused. Plan again")
        if plan.get("failed") is not False and not plan["results"]:
            raise self._invalid(
                "belongs to a run that has not finished, or that failed before it made a plan."
                " Plan again"
            )
        return plan

    def _invalid(self, problem: str) -> InvalidOption:
        return InvalidOption("approved", f"{self.path} {problem}.")


def _are_ids(steps: Any) -> bool:
    return isinstance(steps, list) and all(isinstance(step, str) for step in steps)


def _is_plan(plan: Any) -> bool:
    """True for what a run writes, as far as it is read here, also if somebody has edited it."""
    if not isinstance(plan, dict) or plan.get("format") != FORMAT:
        return False
    rows = plan.get("results")
    has_rows = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    return has_rows and _are_ids(plan.get("steps"))


def _key_of_row(row: Row) -> tuple[str, ...]:
    return tuple(str(row.get(key)) for key in ("kind", "team", "name"))
