# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module that writes files keeps what it writes to itself."""

from __future__ import annotations

import json
import os
import syslog

from ansible_collections.hosting.platform.plugins.modules import output_files
from ansible_collections.hosting.platform.plugins.plugin_utils._module_process import encode, run

CONTENT = "a content that no log may have"


def test_contents_are_in_no_log_of_the_system(monkeypatch, tmp_path):
    logged = []
    monkeypatch.setattr(syslog, "syslog", lambda *said: logged.append(said))
    internal = {"no_log": False, "check_mode": False, "keep_remote_files": False, "tmpdir": None}
    arguments = {
        "files": [{"path": str(tmp_path / "file"), "content": CONTENT}],
        **{f"_ansible_{name}": value for name, value in internal.items()},
        "_ansible_remote_tmp": str(tmp_path),
    }
    ended = run(
        output_files.main, arguments=encode(arguments), environment={}, directory=os.curdir, repeatable=lambda: True
    )
    assert json.loads(ended.stdout)["changed"] is True
    assert (tmp_path / "file").read_text() == CONTENT
    assert [said for said in logged if CONTENT in str(said)] == []
