# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of YAML as values and nodes. They are data: nothing of them is evaluated or decrypted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ...module_utils._file_access import VAULT_HEADER
from ._file_content import content_of
from ._file_problem import ENCRYPTED, FileProblem
from ._yaml_checks import check_node, check_text
from ._yaml_nodes import compose, construct
from ._yaml_problems import parser_problem


def load(path: Path) -> tuple[Any, Any]:
    """The content of a file, and its node. Raises FileProblem."""
    content = content_of(path)
    if content.startswith(VAULT_HEADER.encode()):
        raise FileProblem(f"it is {ENCRYPTED}")
    return parse(_text_of(content))


def parse(text: str) -> tuple[Any, Any]:
    """The value of YAML, and its node; both ``None`` where there is none.

    Raises FileProblem for text that is not YAML, or that would not be read as it is written.
    """
    check_text(text)
    try:
        node = compose(text)
        check_node(node)
        return construct(node), node
    except yaml.MarkedYAMLError as error:
        raise parser_problem(error, text) from None
    except yaml.YAMLError as error:
        raise FileProblem(f"it is not valid YAML: {' '.join(str(error).split())}.") from None


def _text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileProblem(f"it is not valid UTF-8, at byte {error.start + 1}.", line) from None
