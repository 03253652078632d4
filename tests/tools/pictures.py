# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make pictures: the pictures of README and guides, from the demo."""

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cmarkgfm
import yaml
from demo import MARKDOWN, REPORT
from environments import CACHE, ROOT
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

FOLDER = ROOT / "docs" / "pictures"
RECORDING = FOLDER / "demo.svg"
PIPELINE = ROOT / ".github/workflows/blueprint.yml"
DEMO = [sys.executable, str(ROOT / "tests/tools/demo.py")]
# The parts of the demo that the recording shows.
SHOWN = ("Back to the blueprint",)
COLUMNS = 118
SECTION = re.compile(r"^=== ([^\n]+) ===\n(.*?)(?=^=== |\Z)", re.MULTILINE | re.DOTALL)
DURATION = re.compile(r"\n\d+\.\d seconds\n")
FONT_FROM_ELSEWHERE = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
EXAMPLE = "https://api.example.com"
EMULATOR = re.compile(r"http://127\.0\.0\.1:\d+")
CHROMIUM = (
    "chromium",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1.5",
)


def main() -> None:
    RECORDING.write_text(recording(demonstration()), encoding="utf-8")
    report = (ROOT / REPORT).read_text(encoding="utf-8")
    photograph(report, FOLDER / "drift_report.png", width=1000, height=910)
    content = cmarkgfm.github_flavored_markdown_to_html(comment())
    frame = Path(__file__).with_name("comment.html").read_text(encoding="utf-8")
    photograph(frame.replace("{content}", content), FOLDER / "comment.png", width=900, height=460)


def comment() -> str:
    """What the pipeline on GitHub writes, of the demo's plan."""
    *_, step = yaml.safe_load(PIPELINE.read_text(encoding="utf-8"))["jobs"]["comment"]["steps"]
    plan = (ROOT / MARKDOWN).read_text(encoding="utf-8")
    return re.sub("^To apply this plan, .*", step["env"]["MERGE"], plan, flags=re.MULTILINE)


def demonstration() -> str:
    """The output of the demo on a terminal, which is also shown, colors included."""
    for name in ("NO_COLOR", "KEEP"):
        os.environ.pop(name, None)
    parts: list[bytes] = []

    def read(terminal: int) -> bytes:
        parts.append(os.read(terminal, 65536))
        return parts[-1]

    if failure := pty.spawn(DEMO, read):
        sys.exit(os.waitstatus_to_exitcode(failure))
    return b"".join(parts).decode().replace("\r\n", "\n")


def recording(said: str) -> str:
    """The shown parts as a picture of a terminal, without external fonts and the emulator's
    port.
    """
    sections = dict(SECTION.findall(EMULATOR.sub(EXAMPLE, said)))
    console = Console(
        record=True,
        width=COLUMNS,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    for title in SHOWN:
        console.print(Text(title, style="bold"))
        *commands, _what_the_demo_says_after_them = DURATION.split(sections[title])
        console.print(Text.from_ansi("\n".join(commands).strip()))
        console.print()
    template = FONT_FROM_ELSEWHERE.sub("", CONSOLE_SVG_FORMAT)
    return console.export_svg(title="make demo", code_format=template, unique_id="demo")


def photograph(page: str, picture: Path, *, width: int, height: int) -> None:
    """Write a picture of a page of HTML, without the emulator's port."""
    file = CACHE / "demo" / "picture.html"
    file.write_text(EMULATOR.sub(EXAMPLE, page), encoding="utf-8")
    taken = (f"--window-size={width},{height}", f"--screenshot={picture}", file.as_uri())
    with tempfile.TemporaryDirectory() as profile:
        command = [*CHROMIUM, f"--user-data-dir={profile}", *taken]
        subprocess.run(command, check=True, capture_output=True)
    print(f"wrote {picture.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
