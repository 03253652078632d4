# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of a blueprint has not brought about, because the service stores something else, is
said of each field.
"""

from typing import Any

from blueprints import converge
from hypothesis import given
from hypothesis import strategies as st
from sampling import examples

KEYS = {"framework": "framework", "build_command": "buildCommand", "dev_command": "devCommand"}
NAMES = ["web", "shop", "docs"]

values = st.sampled_from(["", "astro", "hugo"])
fields = st.dictionaries(st.sampled_from(list(KEYS)), values, max_size=3)
habits = st.fixed_dictionaries(
    {},
    optional={
        "patch_clears": st.sampled_from(["framework:buildCommand", "devCommand:framework"]),
        "patch_ignores": st.sampled_from(["framework", "buildCommand"]),
        "patch_result": st.sampled_from(["object", "old", "empty"]),
    },
)


@given(
    st.dictionaries(st.sampled_from(NAMES), fields),
    st.dictionaries(st.sampled_from(NAMES), fields, min_size=1),
    habits,
    st.sampled_from(["keep", "clear"]),
)
@examples(150)
def test_each_field_that_drifts_after_a_run_was_warned_of_in_it(
    in_process, former, declared, habit, unlisted_fields
):
    in_process.reset()
    projects = [{"name": name, "team": "acme", **stored(former[name])} for name in former]
    in_process.seed(teams=[{"slug": "acme"}], projects=projects)
    in_process.switch(**habit)
    entries = [{"name": name, "team": "acme", **declared[name]} for name in declared]
    options: dict[str, Any] = {"unlisted_fields": unlisted_fields}
    done = converge(in_process.base_url, {"projects": entries}, **options)
    drift = converge(in_process.base_url, {"projects": entries}, check_mode=True, **options)
    written = {row["name"] for row in done["results"] if row["changed"]}
    expected = {
        (row["name"], field, value)
        for row in drift["results"]
        for field, value in row["diff"]["before"].items()
        if row["name"] in written
    }
    told = {warning.split(" If the service")[0] for warning in done["warnings"]}
    assert {message.rsplit(", not ", 1)[0] for message in told} == {
        f'project acme/{name}: {field} is "{value or ""}"' for name, field, value in expected
    }
    assert {row["name"] for row in drift["results"] if row["changed"]} == {
        name for name, _field, _value in expected
    }


def stored(fields: dict[str, str]) -> dict[str, str]:
    return {KEYS[option]: value for option, value in fields.items()}
