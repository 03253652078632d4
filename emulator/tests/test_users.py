# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The authenticated user (§2, §4), and authentication (§5)."""

from __future__ import annotations

import pytest

from hosting_platform_emulator.api.operations import OPERATIONS
from support import DEV_EMAIL, OWNER_EMAIL, OWNER_TOKEN, Api


def test_user_is_the_caller(api: Api, dev: Api) -> None:
    assert api.get("/user").json()["email"] == OWNER_EMAIL
    assert dev.get("/user").json()["email"] == DEV_EMAIL


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.described.needs_bearer])
@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer wrong", f"Basic {OWNER_TOKEN}", OWNER_TOKEN, f"Bearer {OWNER_TOKEN}x"]
)
def test_every_operation_needs_a_valid_bearer(api: Api, name: str, header: str | None) -> None:
    answer = api.as_user(None).ask(name, headers={"Authorization": header} if header is not None else {})
    assert (answer.status_code, answer.content) == (401, b"")
    entry = api.control.requests()[-1]
    assert (entry["operation"], entry["status"]) == (name, 401)
    assert entry["authorization"] == ("none" if header is None else "invalid")


def test_scheme_is_written_in_any_case(api: Api) -> None:
    assert api.as_user(None).get("/user", headers={"Authorization": f"bearer {OWNER_TOKEN}"}).is_success
