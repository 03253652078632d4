# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The module that writes files keeps what it writes to itself."""

from __future__ import annotations

import json
import syslog

import pytest
from ansible.module_utils.testing import patch_module_args

from ansible_collections.hosting.platform.plugins.modules import output_files

CONTENT = "a content that no log may have"


def test_contents_are_in_no_log_of_the_system(monkeypatch, capsys, tmp_path):
    logged = []
    monkeypatch.setattr(syslog, "syslog", lambda *said: logged.append(said))
    arguments = {"files": [{"path": str(tmp_path / "file"), "content": CONTENT}]}
    with patch_module_args(arguments), pytest.raises(SystemExit):
        output_files.main()
    assert json.loads(capsys.readouterr().out)["changed"] is True
    assert (tmp_path / "file").read_text() == CONTENT
    assert logged == []
