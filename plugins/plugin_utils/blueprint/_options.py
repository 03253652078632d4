# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the task ``blueprint`` that the control node reads, and what is wrong with those
of which one is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...module_utils._converge.blueprint.reading import keys_of_files
from ...module_utils._errors import PlatformError
from ...module_utils._model.options import Definitions
from ..tasks._options import read_options

DRIFT_OPTIONS = ("fail_on_drift", "fail_on_undeclared")
# Options of the module that the control node reads, too.
SHARED_OPTIONS = (*DRIFT_OPTIONS, "invite")


def read_blueprint_options(
    args: dict[str, Any],
    definitions: Definitions,
    own_names: tuple[str, ...],
    prefix: str,
    *,
    is_async: bool,
) -> dict[str, Any]:
    """The values of the options that only the control node knows, and of the shared ones.

    ``own_names``: the former. Raises PlatformError with all that is wrong with the task's options.
    """
    problems: list[str | PlatformError] = list(keys_of_files(args.get("blueprint")))
    problems += _problems_of_source(args, prefix)
    return read_options(args, definitions, [*own_names, *SHARED_OPTIONS], is_async, problems)


def _problems_of_source(args: dict[str, Any], prefix: str) -> Iterator[str]:
    """Exactly one option says what is declared."""
    # A role's null is an empty text before ansible-core 2.19.
    given = [
        f"{prefix}{option}"
        for option in ("directory", "blueprint")
        if args.get(option) not in (None, "")
    ]
    if not given and args.get("directory") != "":  # which is refused by itself
        yield f"Neither {prefix}directory nor {prefix}blueprint is set. Set one of them."
    elif len(given) > 1:
        yield f"{' and '.join(given)} are both set. Remove one."
