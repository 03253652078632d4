# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One question at a terminal: only yes carries out exactly the plan that was shown."""

import os
import pty
import select
import shlex
import signal

import pytest
from environments import variables
from folders import write
from guides import GUIDES, blocks, write_file
from player import Player

PATIENCE = 30
ASKED = b"anything else cancels: "
CONVERGE = (
    "ansible-playbook hosting.platform.converge -e converge_directory=blueprint -e"
    " converge_confirm=true"
)


def asked(player: Player, answer: str, line: str = CONVERGE, **more: str) -> tuple[str, int]:
    """What a terminal shows while somebody answers, and the return code. The answer comes after the
    question.
    """
    program, *arguments = shlex.split(line)
    environment = {**variables(player.bin), **player.environment, **more}
    child, terminal = pty.fork()
    if not child:
        os.chdir(player.folder)
        # A terminal is wanted, and no shell.
        os.execve(player.bin / program, [program, *arguments], environment)  # noqa: S606
    said = b""
    for _second in range(PATIENCE):
        # What is typed before Ansible reads is thrown away: after a second of silence, it is typed
        # again.
        if ASKED in said:
            os.write(terminal, answer.encode())
        try:
            while select.select([terminal], [], [], 1)[0]:
                said += os.read(terminal, 65536)
        except OSError:  # its end
            break
    else:
        os.kill(child, signal.SIGKILL)
    return said.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# Enter, Ctrl-D, and Ctrl-D in the place of Enter.
LESS_USUAL = [
    pytest.param(keys, False, marks=pytest.mark.thorough) for keys in ("\r", "\x04", "yes\x04")
]


# The third one is Ctrl-C.
@pytest.mark.parametrize(
    ("answer", "is_done"), [(" YES \r", True), ("y\r", False), ("\x03", False), *LESS_USUAL]
)
def test_only_yes_carries_out_the_plan(player: Player, answer: str, is_done: bool) -> None:
    write(player.folder / "blueprint", teams="[{slug: acme}]")
    said, code = asked(player, answer)
    assert "+ team acme  teams.yml:1" in said
    asked_for = f"Apply this plan to {player.emulator.base_url} (host localhost)?"
    assert f"1 to create (1 team).\r\n{asked_for}" in said
    assert (
        code < 0
        or f"{'Done: 1 created.' if is_done else 'Refused: nothing was changed.'}\r\n" in said
    )
    assert is_done or code < 0 or "converge_confirm: the plan was not confirmed." in said
    if answer == "y\r":
        cure = "The answer was y. To apply the plan, type yes."
        assert f"converge_confirm: the plan was not confirmed. {cure}\r\n" in said
    # Ctrl-C ends the question, or where nothing has asked yet, the play.
    assert code in ((0,) if is_done else (2, -signal.SIGINT))
    assert [team["slug"] for team in player.emulator.state()["teams"]] == (
        ["acme"] if is_done else []
    )


def test_confirm_does_not_ask_without_changes_or_terminal(player: Player) -> None:
    write(player.folder / "blueprint", teams="[]")
    said, code = asked(player, "")
    assert (code, "\r\nNothing to do.\r\n" in said, ASKED.decode() in said) == (0, True, False)
    said, code = asked(player, "", AWX_ISOLATED_DATA_DIR="/runner")
    assert code == 2
    assert (
        "converge_confirm: a controller runs this task, so nobody can answer. Nothing was sent."
        " Approve a plan instead." in said
    )


def test_the_guide_shows_the_question_as_it_is_asked(player: Player) -> None:
    page = list(blocks(GUIDES["changes"]))
    for block in page[:2]:
        write_file(player.folder, block)
    (shown,) = [block.text for block in page if block.text.startswith("$ ")]
    line, *lines = (
        shown.removeprefix("$ ")
        .replace("https://api.example.com", player.emulator.base_url)
        .splitlines()
    )
    said, code = asked(player, "yes\r", line)
    assert code == 0, said
    assert [
        text for text in lines if text != "..." and text.removesuffix("yes") not in said
    ] == [], said
    assert len(player.emulator.state()["projects"]) == 2
