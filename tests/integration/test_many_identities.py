# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A loop over many identities, in one worker: connections that are no longer of use are closed."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest
from emulated import Emulated
from playing import Player

USERS = 400
OPEN_FILES = 256


@pytest.fixture
def few_open_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_open_files")
@pytest.mark.thorough
def test_a_loop_over_many_tokens_needs_few_open_files(player: Player, emulator: Emulated) -> None:
    tokens = [f"secret{number:03}-0123456789abcdef" for number in range(USERS)]
    emails = [f"user-{number:03}@example.com" for number in range(USERS)]
    emulator.seed(users=[{"email": email, "token": token} for email, token in zip(emails, tokens)])
    task = {
        "hosting.platform.user_info": {"access_token": "{{ item }}"},
        "loop": tokens,
        "loop_control": {"label": "a token"},
        "register": "found",
    }

    play = player.run([task, {"ansible.builtin.debug": {"var": "found.results | map(attribute='user.email')"}}], "-vvv")

    assert play.output.count("in the worker's own process") == USERS
    assert [result["user"]["email"] for result in play.results[0]["results"]] == emails
    assert len({request["connection"] for request in emulator.requests()}) == USERS
