# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make demo, on a terminal and off it."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from pictures import DEMO, RECORDING, recording

pytestmark = pytest.mark.thorough

DRIFT = "The platform has drifted: 1 to"
LINE_OF_A_PICTURE = re.compile(r"<text [^>]*>([^<]*)</text>")
GREEN_OR_YELLOW = re.compile(r"\x1b\[0;3[23]m")


def report_of(said: str) -> str:
    (path,) = re.findall(r"Open the report in a browser: file://(\S+)", said)
    return Path(path).read_text(encoding="utf-8")


def read_until(words: str, terminal: int) -> str:
    said = ""
    while words not in said:
        said += os.read(terminal, 65536).decode(errors="replace")
    return said


def test_demo_ends_with_a_platform_that_is_converged_again():
    done = subprocess.run(
        DEMO, check=False, text=True, capture_output=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert DRIFT in done.stdout
    assert "failed=0" in done.stdout.rpartition("PLAY RECAP")[2]
    assert "\x1b" not in done.stdout
    page = report_of(done.stdout)
    assert ">1 to" in page
    assert ">experiment<" in page


@pytest.mark.skipif(sys.platform != "linux", reason="terminals end otherwise elsewhere")
def test_demo_on_a_terminal_has_colours_and_keeps_its_page_until_enter():
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {
        "KEEP": "1"
    }
    with subprocess.Popen(
        DEMO, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True
    ) as demo:
        os.close(theirs)
        said = read_until("Press Enter to stop the emulator.", ours)
        assert GREEN_OR_YELLOW.search(said)
        (page,) = re.findall(r"(http://\S+/_emulator/) shows", said)
        assert requests.get(page, timeout=30).ok
        assert demo.poll() is None
        os.write(ours, b"\n")
        said += read_until("The quick start says how to begin", ours)
        assert demo.wait() == 0, said
    assert "The emulator is stopped." in said
    pictured = LINE_OF_A_PICTURE.findall(recording(said.replace("\r\n", "\n")))
    assert LINE_OF_A_PICTURE.findall(RECORDING.read_text(encoding="utf-8")) == pictured, (
        "make pictures"
    )
    with pytest.raises(requests.ConnectionError):
        requests.get(page, timeout=5)
