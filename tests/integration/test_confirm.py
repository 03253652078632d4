# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One question at a terminal: only yes carries out exactly the plan that was shown."""

from __future__ import annotations

import os
import pty
import select
import signal
import time

import pytest
from environments import variables
from playing import Player

from roles import write

PATIENCE, SILENCE = 60.0, 0.5
ASKED = b"anything else changes nothing: "


def asked(player: Player, answer: str, **more: str) -> tuple[str, int]:
    """What a terminal shows while somebody answers, and the return code.

    What is typed while the question is still being put is thrown away: the answer comes once the terminal is silent,
    and again if nothing follows.
    """
    arguments = ["hosting.platform.converge", "-e", "converge_directory=blueprint", "-e", "converge_confirm=true"]
    environment = {**variables(player.bin), **player.environment, **more}
    child, terminal = pty.fork()
    if not child:
        os.chdir(player.folder)
        os.execve(player.bin / "ansible-playbook", ["ansible-playbook", *arguments], environment)  # noqa: S606 (a terminal)
    said, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if select.select([terminal], [], [], SILENCE)[0]:
                said += os.read(terminal, 65536)
            elif ASKED in said:
                os.write(terminal, answer.encode())
        except OSError:  # its end
            break
    else:
        os.kill(child, signal.SIGKILL)
    return said.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.core_differences
@pytest.mark.parametrize(("answer", "is_done"), [(" YES \r", True), ("no\r", False), ("\r", False), ("\x03", False)])
def test_only_yes_carries_out_the_plan(player: Player, answer: str, is_done: bool) -> None:
    write(player.folder / "blueprint", teams="[{slug: acme}]")
    said, code = asked(player, answer)
    assert "+ team acme  teams.yml:1" in said
    assert f"1 to create (1 team); 0 unchanged.\r\nApply this plan on localhost, to {player.emulator.base_url}?" in said
    assert ("converge_confirm: the plan was not confirmed. Nothing was written." in said) is not is_done
    assert code == (0 if is_done else 2)
    assert [team["slug"] for team in player.emulator.state()["teams"]] == (["acme"] if is_done else [])


def test_nothing_is_asked_where_there_is_nothing_to_do_or_nobody(player: Player) -> None:
    write(player.folder / "blueprint", teams="[]")
    said, code = asked(player, "")
    assert (code, "Nothing to do; 0 unchanged." in said, ASKED.decode() in said) == (0, True, False)
    said, code = asked(player, "", AWX_ISOLATED_DATA_DIR="/runner")
    assert code == 2
    assert "converge_confirm: a controller runs this, and nobody types into its terminal. Nothing was sent." in said
