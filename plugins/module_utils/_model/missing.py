# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option names, by its ID or its name, and may not exist."""

from __future__ import annotations

from .._errors import InvalidOption
from .._text import visible_name
from .fields import Values
from .kind import Kind
from .platform import Platform
from .scope import Scope


class NotFound(InvalidOption):
    """An object that an option names, and that must already exist, does not.

    ``label``: what it is called. ``near``: a sentence that suggests a near name, or ``""``.
    ``stand_in``: its record, as far as it is known, for where an earlier task may make it.
    """

    def __init__(
        self, platform: Platform, kind: type[Kind], scope: Scope, id_or_name: str, option: str = ""
    ) -> None:
        """``option``: by default, that of the kind."""
        self.near = platform.suggest(kind, scope, id_or_name)
        self.stand_in = kind.fields.to_result({kind.name_field: id_or_name})
        self.label = kind.label(id_or_name, str(scope) if kind.is_in_team else None)
        where = f"of {scope}" if kind.is_in_team else "that this token can see"
        problem = f"is neither the id nor the {kind.name_field} of a {kind.singular} {where}."
        super().__init__(
            option or kind.singular, f"{visible_name(id_or_name)} {problem}{self.near}"
        )


def find_or_assume(platform: Platform, kind: type[Kind], scope: Scope, id_or_name: str) -> Values:
    """The object that the option of a kind names.

    In check mode, one that does not exist is one that an earlier task makes, with a warning, and so
    is one that is empty. Else NotFound is raised; InvalidOption for a team's in the own scope,
    PlatformError if more are meant.
    """
    if not id_or_name:
        return kind.fields.to_result({})
    record = platform.find_named(kind, scope, id_or_name)
    if record is not None:
        return record
    from .own_scope import check_reference  # few references have no object

    check_reference(platform, kind, scope, id_or_name)
    missing = NotFound(platform, kind, scope, id_or_name)
    if not platform.assumes_missing:
        raise missing
    platform.warnings.append(
        f"{missing.label} does not exist. Check mode takes it for what an earlier task"
        f" makes.{missing.near}"
    )
    return missing.stand_in
