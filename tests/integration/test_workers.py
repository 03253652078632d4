# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's worker processes: on macOS they do nothing, and elsewhere they serve many
identities.
"""

import resource
from collections.abc import Iterator

import pytest
from emulated import ControlledEmulator
from player import Player

# Ansible as it is there: the look-ups of a forked process end it. A module process is another
# Python, and knows better.
MACOS = """
import os, socket, sys, urllib.request
from ansible.cli import playbook

def crash(*_details, **_more):
    os.abort()

def forked():
    socket.getaddrinfo = urllib.request.getproxies = crash

sys.platform = "darwin"
os.register_at_fork(after_in_child=forked)
playbook.main(sys.argv)
"""


def test_every_task_gets_a_process_of_its_own(player: Player) -> None:
    """Also where a variable names an empty proxy."""
    player.emulator.seed(teams=[{"slug": "acme"}])
    task = {"hosting.platform.project": {"team": "acme", "name": "{{ item }}"}, "loop": ["a", "b"]}
    player.command = [player.bin / "python", "-c", MACOS]
    play = player.run([task], "-vvv", http_proxy="", NO_PROXY="127.0.0.1")
    assert play.output.count("in a process of its own (macOS") == 2
    assert player.emulator.writes == ["POST /projects"] * 2


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
def test_a_loop_over_many_tokens_needs_few_open_files(
    player: Player, emulator: ControlledEmulator
) -> None:
    tokens = [f"secret{number:03}-0123456789abcdef" for number in range(USERS)]
    emails = [f"user-{number:03}@example.com" for number in range(USERS)]
    emulator.seed(
        users=[
            {"email": email, "token": token} for email, token in zip(emails, tokens, strict=True)
        ]
    )
    task = {
        "hosting.platform.user_info": {"access_token": "{{ item }}"},
        "loop": tokens,
        "loop_control": {"label": "a token"},
        "register": "found",
    }

    play = player.run(
        [task, {"ansible.builtin.debug": {"var": "found.results | map(attribute='user.email')"}}],
        "-vvv",
    )

    assert play.output.count("in the worker's own process") == USERS
    assert [result["user"]["email"] for result in play.results[0]["results"]] == emails
    assert len({request["connection"] for request in emulator.requests()}) == USERS
