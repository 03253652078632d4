# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files whose authors are trusted as those of the playbook: variable files, with templates and vaulted values."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import yaml

from ..module_utils._run.module import replace_in
from ._blueprint_files import content_of, text_of
from ._templates import as_trusted
from ._yaml_text import FileProblem, nodes_of, problem_of


class TrustedFiles:
    """Reads files with ansible-core's own loader and templar."""

    templated = ""  # no warning: what looks like a template is one

    def __init__(self, loader: Any, templar: Any, omit: Any) -> None:
        self._loader = loader
        self._templar = templar
        self._omit = omit

    def load(self, path: Path) -> tuple[Any, Any]:
        """The content of a file, decrypted if it is vaulted, and its node. Raises FileProblem."""
        content_of(path)
        with _file_problems():
            if os.path.expandvars(path) != str(path):  # as core would do, and show its value
                raise FileProblem("its name contains a variable of the environment. Rename it, without the $.")
            data, may_be_shown = self._loader._get_file_contents(str(path))
            text = text_of(data)
            node = nodes_of(text)
            return self._loader.load(as_trusted(text), file_name=str(path), show_content=may_be_shown), node

    def evaluate(self, value: Any) -> Any:
        with _file_problems():
            evaluated = _with_texts(self._templar.template(value))
            # Since ansible-core 2.19, the templar itself omits it.
            return _without(self._omit, evaluated) if isinstance(self._omit, str) else evaluated


@contextlib.contextmanager
def _file_problems() -> Iterator[None]:
    """Convert any reader's error to FileProblem, so that the user learns where it is."""
    try:
        yield
    except FileProblem:
        raise
    except Exception as error:  # noqa: BLE001 (templates may run anything)
        raise _problem(error) from None


def _problem(error: BaseException) -> FileProblem:
    """The message of core, or of its cause if that is more concise and, for YAML, has the position."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, yaml.MarkedYAMLError):
            return problem_of(cause)
        if isinstance(cause, jinja2.TemplateError) and cause.message:
            return FileProblem(_sentence(cause.message))
        cause = getattr(cause, "orig_exc", None) or cause.__cause__ or cause.__context__
    return FileProblem(_sentence(str(error)))


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _without(omit: str, value: Any) -> Any:
    """The value without the options and items that are the text for which core leaves an option out."""
    if isinstance(value, dict):
        return {key: _without(omit, part) for key, part in value.items() if part != omit}
    if isinstance(value, list):
        return [_without(omit, part) for part in value if part != omit]
    return value


def _with_texts(value: Any) -> Any:
    """The value with its vaulted texts as strings, which before ansible-core 2.19 they are not."""
    return replace_in(value, lambda part: str(part) if getattr(part, "__ENCRYPTED__", False) else part)
