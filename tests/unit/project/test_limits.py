# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on limits has the numbers of the code."""

import inspect
import re

import pytest
from environments import ROOT

from ansible_collections.hosting.platform.plugins.module_utils import _text as text
from ansible_collections.hosting.platform.plugins.module_utils._api import (
    connection,
    connection_files,
    http,
    paging,
    retries,
    transport,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.guards import limits
from ansible_collections.hosting.platform.plugins.module_utils._model import age, listing
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import PROJECT
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import TEAM
from ansible_collections.hosting.platform.plugins.modules import blueprint
from ansible_collections.hosting.platform.plugins.plugin_utils.files import _yaml_files
from ansible_collections.hosting.platform.plugins.plugin_utils.reports import (
    _page,
    _plan_markdown,
    _plan_text,
)

MIB = 1024 * 1024
AT_MOST_A_DAY = f"at most {connection.DAY_SECONDS:,}"
DEFAULT = connection.Connection("https://api.example.com")
STEPS = [f"{step:g}" for step in retries.THROTTLE_STEPS]
MOST_NAMES = inspect.signature(text.join_some).parameters["most"].default
OPTIONS = blueprint.MODULE.specification.options

BOUNDS = {
    "seconds without a byte, connecting or reading: `timeout`": (
        f"{DEFAULT.timeout:g}, {AT_MOST_A_DAY}"
    ),
    "the whole body of a response": f"{transport.TIMEOUTS_PER_RESPONSE} times `timeout`",
    "retries of a request: `max_retries`": (
        f"{DEFAULT.max_retries}, at most {connection.MOST_RETRIES:,}"
    ),
    "the longest wait before a retry: `max_retry_delay`": (
        f"{DEFAULT.max_retry_delay:g} seconds, {AT_MOST_A_DAY}"
    ),
    "waits if a service throttles without saying for how long": (
        f"{', '.join(STEPS)} seconds, then {STEPS[-1]} each"
    ),
    "an idle connection is used again": f"within {http.IDLE_SECONDS:g} seconds",
    "a list serves the items of a loop": f"{listing.LOOP_SECONDS:g} seconds",
    "a creation rests on a look that is": f"at most {listing.ABSENCE_SECONDS:g} seconds old",
    "a new team or project is young for": f"{age.YOUNG_SECONDS} seconds",
    "waits before what is about a young one is sent again, and for a list that still shows what is gone": (
        f"{', '.join(map(str, retries.LOOKUP_DELAYS[1:]))} seconds"
    ),
    "`login_verification` waits: `wait_timeout`": f"300 seconds, {AT_MOST_A_DAY}",
    "the file of a token": f"{connection_files.TOKEN_FILE_LIMIT // 1024} KiB",
    "the body of a response, decompressed": f"{transport.BODY_LIMIT // MIB} MiB",
    "what is read of the body of an error": f"{transport.ERROR_BODY_LIMIT // 1024} KiB",
    "what a message quotes of it": f"{transport.MESSAGE_LIMIT:,} characters",
    "items that are asked for on a page": f"{paging.PAGE_SIZE}",
    "pages of a list": f"{paging.MOST_PAGES:,}",
    "items of a list": f"{paging.MOST_ITEMS:,}",
    "the name of a project": f"{PROJECT.by_option['name'].max_length} characters",
    "the name of a team": f"{TEAM.by_option['name'].max_length} characters",
    "the description of a team": f"{TEAM.by_option['description'].max_length} characters",
    "levels of YAML in a file": f"{_yaml_files.DEEPEST}",
    "files, their size, entries, teams": "none",
    "requests at the same time: `workers`": f"{OPTIONS['workers']['default']}, no upper bound",
    "objects up to which `prune_limit` does not apply": f"{limits.PRUNE_LIMIT_MIN_OBJECTS}",
    "`prune_limit`": f"{OPTIONS['prune_limit']['default']} percent",
    "the Markdown report": f"{_plan_markdown.MARKDOWN_LIMIT:,} characters",
    "entries of a state that the HTML report shows unfolded": f"{_page.ENTRIES}",
    "changes that a run shows in the terminal": f"{_plan_text.LINES_OF_A_RUN}, in check mode all",
    "a value in the terminal": (
        f"{_plan_text.LONGEST_VALUE:,} characters, in a run {_plan_text.LONGEST_VALUE_OF_A_RUN}"
    ),
    "names in a message of a guard": f"{MOST_NAMES}",
}
TABLE = re.search(
    r"^\| What \| Bound \|\n.+\n((?:\| .+\n)+)",
    (ROOT / "docs/open_points.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
ROWS = dict(line.strip("| ").split(" | ") for line in TABLE[1].splitlines()) if TABLE else {}


def test_page_has_these_bounds_and_no_other() -> None:
    assert list(ROWS) == list(BOUNDS)


@pytest.mark.parametrize("what", BOUNDS)
def test_bound_of_the_page_is_that_of_the_code(what: str) -> None:
    assert ROWS[what] == BOUNDS[what]
