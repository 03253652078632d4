# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A running emulator, for as long as something needs one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

READY = "listening on "


@contextmanager
def emulator(bin_folder: Path, owner_token: str, *options: str | Path) -> Iterator[str]:
    """The base URL of an emulator with a state of its own, which is stopped in the end whatever happens."""
    command = [bin_folder / "hosting-platform-emulator", "--port", "0", "--owner-token", owner_token, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            said = process.stdout.readline().strip()
            if not said.startswith(READY):
                raise RuntimeError("The emulator did not start.")
            yield said.removeprefix(READY)
        finally:
            process.terminate()
