# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the forges have in common, as far as the pipelines use it: requests, comments, issues, and an API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from pipelines import Runner
from repositories import Request
from scripted import Answer, Asked, answer_json, scripted

AnyForge = TypeVar("AnyForge", bound="Forge")
# A method, a pattern for the path, and what answers: it is given the groups of the pattern, then the query and body.
Route = tuple[str, str, Callable[..., Any]]


class Forge:
    """Runs pipelines. ``address`` is where its API is served."""

    def __init__(self, runner: Runner, connection: Mapping[str, str]) -> None:
        self.runner = runner
        self.requests: list[Request] = []
        self.comments: list[dict[str, Any]] = []
        self.issues: list[dict[str, Any]] = []
        self.environment_of_steps: list[dict[str, str]] = []
        self.address = ""
        self._connection = connection

    @contextmanager
    def serving(self: AnyForge) -> Iterator[AnyForge]:
        with scripted(self._answer) as server:
            self.address = server.base_url
            yield self

    def open(self, files: Mapping[str, str], **details: Any) -> Request:
        number = len(self.requests) + 12
        request = Request(number, self.runner.repository.propose(number, files), **details)
        self.requests.append(request)
        return request

    def merge(self, request: Request, how: str = "merge") -> None:
        self.runner.repository.merge(request, how)

    def comments_on(self, request: Request) -> list[str]:
        return [comment["body"] for comment in self.comments if comment["on"] == request.number]

    def _routes(self) -> list[Route]:
        raise NotImplementedError

    def _answer(self, asked: Asked) -> Answer:
        place = urlsplit(asked.target)
        query = {name: values[0] for name, values in parse_qs(place.query).items()}
        for method, pattern, reply in self._routes():
            if asked.method == method and (found := re.fullmatch(pattern, place.path)):
                body = json.loads(asked.body) if asked.body else {}
                groups = (int(text) if text.isdigit() else text for text in found.groups())
                answer = reply(*groups, {**query, **body})
                return answer if isinstance(answer, Answer) else answer_json(answer)
        return answer_json({"message": "Not Found"}, 404)

    def _requests_with(self, commit: Any) -> list[Request]:
        """As on the forges, those that contain a commit, even if they are not merged."""
        return [request for request in self.requests if str(commit) in (request.merged, request.sha)]
