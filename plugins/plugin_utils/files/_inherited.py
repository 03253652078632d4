# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What files say for the entries in and below them: a scope, and values of options.

Both are handed down the folders. The nearest scope wins, and of defaults the nearest one of each
option.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ansible.module_utils.parsing.convert_bool import boolean

from ...module_utils._converge.blueprint.entries import LocatedProblem
from ...module_utils._model.kind import Kind
from ...module_utils._model.options import (
    TEXT,
    Options,
    WrongType,
    empty_problems,
    validate_values,
    without_unused_team,
)
from ._template_texts import text_problems
from ._yaml_files import Parts

SCOPE = ("team", "own_scope")
# No variable sets them.
FILE_OPTIONS = {"team": TEXT, "own_scope": {"type": "bool"}}


class Inherited(NamedTuple):
    """What holds for the entries of a file or a folder."""

    # The team, or own_scope, for those that say neither; empty if nobody says either.
    scope: Parts
    # By kind and option.
    defaults: Mapping[str, Parts]

    def scope_for(self, kind: type[Kind], entry: Options) -> Parts:
        """The scope of an entry that says none."""
        if _says_scope(entry):
            return {}
        known = kind.argument_spec.options
        return {option: part for option, part in self.scope.items() if option in known}

    def defaults_for(self, kind: type[Kind], entry: Options) -> Parts:
        """The defaults of a kind, which do nothing to absent entries."""
        return {} if entry.get("state") == "absent" else self.defaults.get(kind.plural, {})


def _says_scope(entry: Options) -> bool:
    """True also if it says a wrong one."""
    if "team" in entry:
        return True
    try:
        return bool(boolean(entry.get("own_scope") or False))
    except TypeError:
        return True


def read_scope(
    options: Parts, above: Inherited, problems: list[LocatedProblem]
) -> Inherited | None:
    """What holds where a mapping may say ``team`` or ``own_scope``. Adds what is wrong with them to
    the problems, and is None then.
    """
    given = {option: options[option].value for option in SCOPE if option in options}
    given = without_unused_team(given)
    wrong = [*empty_problems(given, FILE_OPTIONS), *validate_values(given, FILE_OPTIONS)]
    if given.get("own_scope", False) is None:
        wrong.append(WrongType("own_scope", "true or false", None))
    found = [options[problem.name].problem(str(problem)) for problem in wrong]
    if "team" in given:
        found += text_problems("team", options["team"], is_name=True)
    if found:
        problems += found
        return None
    if not boolean(given.get("own_scope", False)):
        given.pop("own_scope", None)
    if len(given) > 1:
        both = "it sets both team and own_scope. Remove one of them."
        problems.append(options["team"].problem(both))
        return None
    scope = {option: options[option] for option in given}
    return above._replace(scope=scope) if scope else above
