# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the task ``blueprint`` that the control node reads, and what is wrong with those
of which one is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...module_utils._converge.blueprint.reading import keys_of_files
from ...module_utils._errors import PlatformError
from ...module_utils._model.options import Options
from ..reports._result_view import DRIFT_OPTIONS

# Options of the module that the control node reads, too.
SHARED_OPTIONS = (*DRIFT_OPTIONS, "invite")


def source_problems(args: Options, prefix: str) -> Iterator[str | PlatformError]:
    """What is wrong with the options of which exactly one says what is declared. ``prefix``: what
    precedes their names.
    """
    yield from keys_of_files(args.get("blueprint"))
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
