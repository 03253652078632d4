# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A team or project that is young: what is refused about it is sent again."""

import pytest
from client import NOW, run_task

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    ApiError,
)
from ansible_collections.hosting.platform.plugins.module_utils._model.age import is_young

FOR_ACME = {"team": "acme"}


@pytest.mark.parametrize(
    ("module", "options", "operation"),
    [
        ("project", {**FOR_ACME, "name": "blog"}, "POST /projects"),
        ("project", {**FOR_ACME, "name": "shop", "framework": "vue"}, "PATCH /projects/{idOrName}"),
        ("team", {"slug": "acme", "name": "Acme"}, "PATCH /teams/{teamIdOrSlug}"),
        (
            "alias",
            {**FOR_ACME, "alias": "www.example.com", "project": "shop"},
            "POST /{projectName}/alias",
        ),
        (
            "team_member",
            {**FOR_ACME, "email": "dev@example.com", "role": "VIEWER"},
            "POST /teams/{teamId}/members",
        ),
    ],
)
@pytest.mark.parametrize(
    ("age", "status", "waits"),
    [
        (2, "403", [1, 2, 4]),
        (2, "404", [1, 2, 4]),
        (9, "403", [1, 2, 4]),
        (11, "403", []),
        (2, "400", []),
        (2, "409", []),
    ],
)
def test_a_write_about_what_is_young_is_sent_again(
    service, module, options, operation, age, status, waits
):
    service.seed(teams=[{"slug": "acme"}], projects=[{"name": "shop", "team": "acme"}])
    service.set_clock(advance=age)
    service.plan_fault(operation, status, count=9)
    if (module, status) == ("team_member", "409"):
        return
    with pytest.raises(ApiError) as failure:
        run_task(service, module, max_retries=0, **options)
    assert [seconds for seconds in service.clock.slept if seconds] == waits
    assert service.operations.count(operation) == 1 + len(waits)
    assert f"{age + sum(waits)} s old." in str(failure.value) or not waits


def test_a_deletion_of_what_is_young_is_sent_once(service):
    service.seed(teams=[{"slug": "acme"}], projects=[{"name": "shop", "team": "acme"}])
    service.plan_fault("DELETE /projects/{idOrName}", "403", count=9)
    with pytest.raises(ApiError, match="status 403"):
        run_task(service, "project", **FOR_ACME, name="shop", state="absent")
    assert service.operations.count("DELETE /projects/{idOrName}") == 1


@pytest.mark.parametrize(("status", "tries"), [("400", 4), ("403", 4), ("404", 4), ("409", 1)])
def test_a_list_of_a_young_team_is_asked_for_again(service, status, tries):
    service.seed(teams=[{"slug": "acme"}])
    service.plan_fault("GET /aliases", status, count=99)
    with pytest.raises(ApiError, match=r"acme is 7 s old\." if tries > 1 else "status"):
        run_task(service, "alias", **FOR_ACME, alias="a.example.com", state="absent")
    limits = [r["query"]["limit"] for r in service.requests() if r["path"] == "/aliases"]
    assert limits.count("100") == tries


@pytest.mark.parametrize(
    ("created_at", "answered_at", "is_it"),
    [
        (NOW, NOW / 1000, True),
        (NOW, NOW / 1000 + 10, True),
        (NOW, NOW / 1000 - 10, True),
        (NOW, NOW / 1000 + 11, False),
        (NOW, NOW / 1000 - 11, False),
        (NOW, None, False),
        (None, NOW / 1000, False),
        ("yesterday", NOW / 1000, False),
    ],
)
def test_an_object_without_a_time_is_not_young(created_at, answered_at, is_it):
    assert is_young({"created_at": created_at}, answered_at) is is_it
