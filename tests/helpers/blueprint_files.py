# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder read as a blueprint, and what is wrong with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_file import (
    BlueprintFiles,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._blueprint_files import (
    read_directories,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._directories import Directory


def read_folder(folder: Path) -> BlueprintFiles:
    return read_directories([Directory(folder)])


def file_problems(folder: Path) -> list[str]:
    """What is wrong with the files as such."""
    return [problem.replace(f"{folder}/", "") for problem in read_folder(folder).problems]


def all_problems(folder: Path, scope: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with the files as such, and with what they declare."""
    found = file_problems(folder)
    try:
        read_blueprint(read_folder(folder).blueprint, scope)
    except PlatformError as error:
        found += map(str, error.args)
    return found
