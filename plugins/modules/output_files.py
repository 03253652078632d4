#!/usr/bin/python
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: output_files
short_description: Write the files of the collection's roles
version_added: 1.0.0
description:
  - Writes reports, plans, exports and tokens for the roles of this collection. It talks to no service.
  - Each file is created beside its place, written, and then renamed. So no link is followed, a file of another user is
    replaced and not written into, and nobody reads half of a file. Missing directories are created.
  - Everything that is seen to be in the way is reported before the first file is written, such as a directory in the
    place of a file.
author:
  - hosting.platform contributors (@hosting-platform)
extends_documentation_fragment:
  - hosting.platform.api
  - hosting.platform.attributes
attributes:
  diff_mode:
    support: none
    details: Files can be large, and they can be secret.
options:
  files:
    description: The files.
    type: list
    elements: dict
    required: true
    suboptions:
      path:
        description: The path of the file.
        type: str
        required: true
      name:
        description: What messages call the file, such as the name of the variable that holds its path.
        type: str
        default: The file
      content:
        description:
          - The content. The mode of the file is what the umask allows.
          - Without O(files[].content) and O(files[].secret), the module only ensures that the file could be written. It
            creates missing directories. It fails if a symbolic link or something else that is no regular file is in the
            place of the file, because the file would replace it.
        type: str
      secret:
        description: A content that is a secret. Only the owner can read the file, and its mode is V(0600).
        type: str
  folder:
    description: The directory from which relative paths start.
    type: path
    default: "."
  other_layout:
    description:
      - Patterns of files in O(folder), such as C(*/projects.yml). If there is such a file, and it is none of O(files),
        the module fails before anything is written.
    type: list
    elements: str
    default: []
  keep_existing:
    description: Whether to fail, before anything is written, if one of O(files) exists with another content.
    type: bool
    default: false
  base_url:
    description: Ignored. The module accepts the connection options, so that C(module_defaults) of a group can set them.
    type: str
    required: false
notes:
  - This module is a helper of the roles. Use M(ansible.builtin.copy) for files of your own.
seealso:
  - name: Role converge
    description: Converges a platform, and writes a report.
    link: https://github.com/hosting-platform/hosting.platform/tree/main/roles/converge
"""

EXAMPLES = r"""
- name: Ensure the report can be written
  hosting.platform.output_files:
    files:
      - name: converge_report
        path: reports/report.html

- name: Write the report
  hosting.platform.output_files:
    files:
      - name: converge_report
        path: reports/report.html
        content: "{{ outcome | hosting.platform.blueprint_report }}"
"""

RETURN = r"""
files:
  description: The files, in their order.
  returned: success
  type: list
  elements: dict
  contains:
    path:
      description: The absolute path.
      type: str
      sample: /home/ada/reports/report.html
    changed:
      description: Whether the file was written, or in check mode would be.
      type: bool
      sample: true
check_mode:
  description: Whether the task ran in check mode, also by the keyword C(check_mode) of its play, role or block.
  returned: success
  type: bool
  sample: false
failure:
  description: The failure of an API call, with keys that are all V(null) because this module makes none.
  returned: failure
  type: dict
  sample:
    operation: null
    method: null
    path: null
    status: null
    code: null
    message: null
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..module_utils._api.connection import connection_options
from ..module_utils._errors import PlatformError
from ..module_utils._files import is_written, located, obstacle_of, reason_of, try_out, write
from ..module_utils._model.options import ArgumentSpec
from ..module_utils._run.module import Invocation, Module, Result
from ..module_utils._run.process import run
from ..module_utils._text import some_of

FILE_OPTIONS = {
    "path": {"type": "str", "required": True},
    "name": {"type": "str", "default": "The file"},
    "content": {"type": "str"},
    "secret": {"type": "str", "no_log": True},
}
OPTIONS = {
    **{name: {**option, "required": False} for name, option in connection_options().items()},
    "files": {
        "type": "list",
        "elements": "dict",
        "required": True,
        "options": FILE_OPTIONS,
        "mutually_exclusive": [("content", "secret")],
    },
    "folder": {"type": "path", "default": os.curdir},
    "other_layout": {"type": "list", "elements": "str", "default": []},
    "keep_existing": {"type": "bool", "default": False},
}
File = dict[str, Any]


def write_files(invocation: Invocation) -> Result:
    """Write the files, or say what is in the way of any of them."""
    options = invocation.params
    files = [
        {**file, "path": located(file["path"], options["folder"]), "content": _content(file)}
        for file in options["files"]
    ]
    # What the result shows: not the contents, in which nobody has to look for secrets then.
    invocation.params = {"files": [file["path"] for file in files]}
    done = [{"path": os.path.abspath(file["path"]), "changed": _is_changed(file)} for file in files]
    pending = [file for file, result in zip(files, done) if result["changed"] or file["content"] is None]
    problems = [
        *_of_another_layout(options["folder"], options["other_layout"], [file["path"] for file in files]),
        *(_existing(pending) if options["keep_existing"] else []),
        *_problems(pending, lambda file: obstacle_of(file["path"], replacing=file["content"] is not None)),
    ]
    if not problems and not invocation.check_mode:
        problems = list(_problems(pending, _problem_of_writing))
    if problems:
        raise PlatformError(*problems)
    return {"changed": any(result["changed"] for result in done), "files": done, "check_mode": invocation.check_mode}


def _content(file: File) -> bytes | None:
    content = file["content"] if file["secret"] is None else file["secret"]
    return None if content is None else content.encode(errors="backslashreplace")


def _of_another_layout(folder: str, patterns: list[str], files: list[str]) -> Iterator[str]:
    """Together with the files, they would declare everything twice."""
    given = {os.path.abspath(file) for file in files}
    found = [path for pattern in patterns for path in Path(folder).glob(pattern)] if os.path.isdir(folder) else []
    others = sorted(str(path.relative_to(folder)) for path in found if os.path.abspath(path) not in given)
    if others:
        yield (
            f"{folder} contains files of another layout: {some_of(others)}. Remove them, or choose another directory."
            " Nothing was written."
        )


def _existing(files: list[File]) -> Iterator[str]:
    paths = [file["path"] for file in files if os.path.lexists(file["path"])]
    if paths:
        yield (
            f"Files that exist are not overwritten: {some_of(paths)}. Remove them, or choose another directory. Nothing"
            " was written."
        )


def _problems(files: list[File], problem_of: Callable[[File], str]) -> Iterator[str]:
    for file in files:
        problem = problem_of(file)
        if problem:
            yield f"{file['name']} cannot be written to {file['path']}: {problem}."


def _problem_of_writing(file: File) -> str:
    """Writes the file, or only tries whether it could; what went wrong, if anything did."""
    try:
        if file["content"] is None:
            try_out(file["path"])
        else:
            write(file["path"], file["content"], secret=_is_secret(file))
    except OSError as error:
        return reason_of(error)
    return ""


def _is_changed(file: File) -> bool:
    return file["content"] is not None and not is_written(file["path"], file["content"], secret=_is_secret(file))


def _is_secret(file: File) -> bool:
    return file["secret"] is not None


MODULE = Module(ArgumentSpec(OPTIONS), write_files)


def main() -> None:
    run(MODULE)


if __name__ == "__main__":
    main()
