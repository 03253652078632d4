# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes whose answers show less than the object, or an old one: what is returned is read again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from client import run
from scripted import Asked, answer_json, scripted

from ansible_collections.hosting.platform.plugins.module_utils._resources.project import Project

ID = "prj_1"


class Service:
    """One project at most; ``created`` and ``updated`` make the answers of its writes."""

    def __init__(self, created: Any = dict, updated: Any = dict, **project: Any) -> None:
        self.project = {"id": ID, "name": "web", "createdAt": 5, **project} if project else None
        self.created, self.updated = created, updated

    def __call__(self, asked: Asked) -> Any:
        if asked.method == "POST":
            self.project = {"id": ID, "createdAt": 5, **json.loads(asked.body)}
            return answer_json(self.created(self.project), 201)
        if asked.method == "PATCH" and self.project is not None:
            old = dict(self.project)
            self.project.update(json.loads(asked.body))
            return answer_json(self.updated(old, self.project))
        items = [self.project] if self.project else []
        pagination = {"count": len(items), "next": None, "prev": None}
        return answer_json({"projects": items, "pagination": pagination})


def test_a_creation_answered_with_the_id_alone_is_read():
    service = Service(created=lambda project: {"id": project["id"]})
    with scripted(service) as server:
        result = run(Project, server.base_url, name="web", framework="astro")
    assert [asked.method for asked in server.asked] == ["GET", "POST", "GET"]
    assert result["changed"] is True
    assert (result["project"]["name"], result["project"]["framework"]) == ("web", "astro")


@pytest.mark.parametrize(
    "updated",
    [
        lambda _old, new: {"id": new["id"], "framework": new["framework"]},
        lambda old, _new: old,
        lambda _old, new: {"framework": new["framework"]},
    ],
    ids=["partial", "old", "without its id"],
)
def test_an_update_whose_answer_does_not_show_the_changed_object_is_read(updated):
    service = Service(updated=updated, framework="astro")
    with scripted(service) as server:
        result = run(Project, server.base_url, name="web", framework="next")
    assert [asked.method for asked in server.asked] == ["GET", "PATCH", "GET"]
    assert result["changed"] is True
    assert (result["project"]["name"], result["project"]["framework"]) == ("web", "next")


def test_a_value_that_the_service_writes_otherwise_is_shown_as_it_stands():
    service = Service(updated=lambda _old, new: new, framework="astro")

    def lowering(asked: Asked) -> Any:
        answer = service(asked)
        if asked.method != "PATCH" or service.project is None:
            return answer
        service.project["framework"] = service.project["framework"].lower()
        return answer_json(service.project)

    with scripted(lowering) as server:
        result = run(Project, server.base_url, name="web", framework="NEXT")
    assert result["changed"] is True
    assert result["project"]["framework"] == "next"
