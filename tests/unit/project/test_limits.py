# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on limits has the numbers of the code."""

from __future__ import annotations

import inspect
import re

import pytest
from guides import GUIDES

from ansible_collections.hosting.platform.plugins.filter import blueprint_line, blueprint_markdown
from ansible_collections.hosting.platform.plugins.module_utils import _text as text
from ansible_collections.hosting.platform.plugins.module_utils._api import answers, bodies, http, paging, retries
from ansible_collections.hosting.platform.plugins.module_utils._api import exchange as wire
from ansible_collections.hosting.platform.plugins.module_utils._api.connection import (
    DAY_SECONDS,
    MOST_RETRIES,
    Connection,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge import guards
from ansible_collections.hosting.platform.plugins.module_utils._model import listing
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import PROJECT
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import TEAM
from ansible_collections.hosting.platform.plugins.modules import blueprint
from ansible_collections.hosting.platform.plugins.plugin_utils import _blueprint_files, _host_names, _yaml_text

MIB = 1024 * 1024
DEFAULT = Connection("https://api.example.com")
STEPS = [f"{step:g}" for step in retries.THROTTLE_STEPS]
MOST_NAMES = inspect.signature(text.some_of).parameters["most"].default
OPTIONS = blueprint.MODULE.specification.options

BOUNDS = {
    "seconds without a byte, connecting or reading: ``timeout``": f"{DEFAULT.timeout:g}, at most {DAY_SECONDS:,}",
    "a whole answer": f"{wire.TIMEOUTS_OF_AN_ANSWER} times ``timeout``",
    "retries of a request: ``max_retries``": f"{DEFAULT.max_retries}, at most {MOST_RETRIES:,}",
    "the longest wait before a retry: ``max_retry_delay``": (
        f"{DEFAULT.max_retry_delay:g} seconds, at most {DAY_SECONDS:,}"
    ),
    "waits if a service throttles without saying for how long": f"{', '.join(STEPS)} seconds, then {STEPS[-1]} each",
    "an idle connection is used again": f"within {http.IDLE_SECONDS:g} seconds",
    "a list serves the items of a loop": f"{listing.LOOP_SECONDS:g} seconds",
    "a creation rests on a look that is": f"at most {listing.ABSENCE_SECONDS:g} seconds old",
    "``login_verification`` waits: ``wait_timeout``": f"300 seconds, at most {DAY_SECONDS:,}",
    "the body of an answer, decompressed": f"{bodies.BODY_LIMIT // MIB} MiB",
    "an answer on the wire, with its headers": f"{wire.WIRE_LIMIT // MIB} MiB",
    "values in an answer": f"{bodies.VALUES_LIMIT:,}",
    "levels of an answer": f"{bodies.DEPTH_LIMIT}",
    "what is read of the body of an error": f"{bodies.ERROR_BODY_LIMIT // 1024} KiB",
    "what a message quotes of it": f"{answers.MESSAGE_LIMIT:,} characters",
    "items that are asked for on a page": f"{paging.PAGE_SIZE}",
    "pages of a list": f"{paging.MOST_PAGES:,}",
    "items of a list": f"{paging.MOST_ITEMS:,}",
    "the name of a project": f"{PROJECT.max_lengths['name']} characters",
    "the name of a team": f"{TEAM.max_lengths['name']} characters",
    "the description of a team": f"{TEAM.max_lengths['description']} characters",
    "a file": f"{_blueprint_files.LARGEST // MIB} MiB",
    "folders in folders": f"{_blueprint_files.DEEPEST}",
    "levels of YAML in a file": f"{_yaml_text.DEEPEST}",
    "what YAML anchors and aliases unfold to": f"{_yaml_text.LARGEST // MIB} MiB",
    "files, entries, teams": "none",
    "requests at the same time: ``workers``": f"{OPTIONS['workers']['default']}, no upper bound",
    "objects up to which ``prune_limit`` does not apply": f"{guards.UNLIMITED_UP_TO}",
    "``prune_limit``": f"{OPTIONS['prune_limit']['default']} percent",
    "the Markdown report": f"{blueprint_markdown.LIMIT:,} characters",
    "names in a message of a guard": f"{MOST_NAMES}",
    "names in the last line of a run": f"{blueprint_line.NAMED}",
    "the name of a host in the inventory": f"{_host_names.LONGEST} bytes",
}
TABLE = re.search(r"^  What \| Bound\n((?:  .+\n)+)", GUIDES["limits"].read_text(encoding="utf-8"), re.MULTILINE)
ROWS = dict(line.strip().split(" | ") for line in TABLE[1].splitlines()) if TABLE else {}


def test_page_has_these_bounds_and_no_other() -> None:
    assert list(ROWS) == list(BOUNDS)


@pytest.mark.parametrize("what", BOUNDS)
def test_bound_of_the_page_is_that_of_the_code(what: str) -> None:
    assert ROWS[what] == BOUNDS[what]
