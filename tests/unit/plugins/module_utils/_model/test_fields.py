# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields: from options and objects to names, and back."""

import re

import pytest
from hosting_platform_emulator.description import RESOURCES, describe_operation

from ansible_collections.hosting.platform.plugins.module_utils._model.fields import is_same
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias_records import (
    ALIAS,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import DOMAIN
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import PROJECT
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.team import TEAM
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.user import USER

# What the specification has of each, as the emulator reads it.
KINDS = {"projects": PROJECT, "teams": TEAM, "aliases": ALIAS, "domains": DOMAIN, "users": USER}
UPDATES = {"projects": "PATCH /projects/{idOrName}", "teams": "PATCH /teams/{teamIdOrSlug}"}


def mechanically(key: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter.group().lower()}", key)


@pytest.mark.parametrize("kind", KINDS)
def test_result_has_every_specified_field_in_snake_case(kind):
    full = {key: f"value-of-{key}" for key in RESOURCES[kind]}
    assert KINDS[kind].to_result(full) == {mechanically(key): value for key, value in full.items()}
    assert KINDS[kind].to_result({}) == {mechanically(key): None for key in full}


@pytest.mark.parametrize("kind", UPDATES)
def test_options_are_the_writable_fields_and_bodies_bear_the_apis_names(kind):
    body = describe_operation(UPDATES[kind]).body or {}
    fields = KINDS[kind]
    full = {mechanically(key): f"value-of-{key}" for key in body if key != "teamId"}
    assert set(fields.definitions()) == set(full)
    assert fields.body(fields.read(full)) == {
        key: f"value-of-{key}" for key in body if key != "teamId"
    }
    clearable = full.keys() - {"slug", *(["name"] if kind == "projects" else [])}
    assert fields.read(dict.fromkeys(clearable, "")) == dict.fromkeys(clearable, "")


def test_unknown_fields_are_kept_in_snake_case():
    names = {
        "zoneID": "zone_id",
        "HTTPStatus": "http_status",
        "ipv4Address": "ipv4_address",
        "a_b": "a_b",
    }
    shown = PROJECT.to_result({key: {"readyState": 1} for key in names})
    assert [shown[name] for name in names.values()] == [{"readyState": 1}] * len(names)


@pytest.mark.parametrize("spelled", ["team_id", "TeamId", "TeamID"])
def test_unknown_field_never_replaces_a_specified_one(spelled):
    """With another team, the project would not be found, and be created again in every run."""
    assert PROJECT.to_result({"teamId": "team_1", spelled: 17})["team_id"] == "team_1"
    assert PROJECT.to_result({spelled: 17, "teamId": "team_1"})["team_id"] == "team_1"
    assert PROJECT.to_result({spelled: 17})["team_id"] is None


@pytest.mark.parametrize(
    ("this", "that", "same"),
    [
        ("1", 1, True),
        (17, 17, True),
        ("a", "a", True),
        ("a", "A", False),
        (None, None, False),
        ("", "", False),
    ],
)
def test_ids_of_digits_may_be_numbers(this, that, same):
    assert is_same(this, that) is same
