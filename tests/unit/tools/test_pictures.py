# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of README and guides: each is there and shown. A test of the demo compares the
recording.
"""

import re

from environments import ROOT
from guides import GUIDES, READMES
from pictures import FOLDER

MAIN = r"https://raw\.githubusercontent\.com/hosting-platform/hosting\.platform/main"
SHOWN = re.compile(rf"{MAIN}/(docs/pictures/[\w.]+)")


def test_every_picture_is_there_and_shown() -> None:
    pages = [page.read_text(encoding="utf-8") for page in (*GUIDES.values(), *READMES)]
    shown = set(SHOWN.findall("\n".join(pages)))
    assert shown == {str(file.relative_to(ROOT)) for file in FOLDER.iterdir()}
