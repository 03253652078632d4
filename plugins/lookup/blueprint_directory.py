# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: blueprint_directory
short_description: Read a directory of files as one blueprint
version_added: 1.0.0
description:
  - Merges the files of a directory on the control node into a blueprint for M(hosting.platform.blueprint).
  - C(projects.yml), and every file in a folder C(projects), contains a list of projects, or a dictionary with
    C(projects) as its only key. The same applies to C(teams), C(team_members), C(aliases) and C(domains).
  - Any other file contains a dictionary with a list for each of several kinds. A folder with any other name is again
    such a directory, so files can be grouped, for example by team or department. The suffix is C(.yml) or C(.yaml).
  - C(README) files and names that begin with a dot are ignored. A link that leads out of the directory is an error.
  - The files are variable files of Ansible. They can be vaulted or contain vaulted values. Templates are evaluated,
    except in text with the tag C(!unsafe), or everywhere with O(templates=false).
  - Vaulting protects only the files. Reports, comments, plan files and C(--diff) show the values of vaulted files in
    clear. M(hosting.platform.blueprint) leaves out values that are vaulted by themselves with ansible-core 2.19 and
    newer, which marks them. Older versions show them, and so does a task with C(async). Keep secrets out of a
    blueprint.
  - Every entry gets its place as its C(source), unless it has one. This is the path of its file, relative to the
    directory, and the line where the entry begins, such as V(projects/shop.yml:12).
  - Every file and every entry is checked. Messages name the file and the line. A file without a list is an error. A
    file that declares nothing contains the list V([]).
  - A mapping that has a key twice is an error. So is a whole number that YAML reads as another text than is written,
    such as C(010), which is 8, in an option that is text. Quote it.
author:
  - hosting.platform contributors (@hosting-platform)
options:
  _terms:
    description:
      - The directories, each of which becomes one blueprint.
      - A relative path starts from the directory in which C(ansible-playbook) is run.
    type: list
    elements: path
    required: true
  templates:
    description:
      - Whether to evaluate the templates in the files. The value V(false) is for files of people who must not run
        anything on the control node.
      - With V(false), every text stays as it is written, and any tag other than C(!vault) and C(!unsafe) is an error.
        Whoever writes a file can still copy a vaulted value into it. So do not pass the password of the vault.
    type: bool
    default: true
seealso:
  - module: hosting.platform.blueprint
  - plugin: hosting.platform.blueprint_yaml
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Converge the platform
  hosting.platform.blueprint:
    blueprint: "{{ lookup('hosting.platform.blueprint_directory', playbook_dir ~ '/blueprint') }}"

- name: Show what the files of a stranger declare, without running anything of them
  ansible.builtin.debug:
    msg: "{{ lookup('hosting.platform.blueprint_directory', 'request/blueprint', templates=false) }}"
"""

RETURN = r"""
_raw:
  description: One blueprint for each directory.
  type: list
  elements: dict
  sample:
    - teams:
        - {slug: acme, name: Acme, source: 'teams.yml:1'}
      projects:
        - {name: web, team: acme, framework: nextjs, source: 'projects.yml:1'}
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import yaml
from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase
from ansible.utils.path import unfrackpath

from ..module_utils._converge.blueprint.entries import BlueprintError, read_entries
from ..module_utils._model.options import type_name
from ..module_utils._run.nested import replaced
from ..module_utils._text import printable
from ..plugin_utils._blueprint_files import DirectoryError, gather
from ..plugin_utils._templates import as_it_is, as_trusted
from ..plugin_utils._vaulted import vaulted_texts, without_vaulted
from ..plugin_utils._yaml_text import FileProblem, nodes_of, problem_of

# The tags permitted in data files: neither runs anything.
DATA_TAGS = ("!vault", "!unsafe")
DEFAULT_TEAM = "the team that the task names"


class LookupModule(LookupBase):
    _loader: Any
    _templar: Any

    def run(self, terms: list[str], variables: Any = None, **kwargs: Any) -> list[Any]:
        self.set_options(var_options=variables, direct=kwargs)  # type: ignore[no-untyped-call]
        found = [self._read(term) for term in terms]
        problems = [problem for _blueprint, problems in found for problem in problems]
        if problems:
            raise AnsibleLookupError("\n".join(problems))
        return [blueprint for blueprint, _problems in found]

    def _read(self, path: Any) -> tuple[dict[str, list[Any]], list[str]]:
        """The blueprint of a directory, and all of its problems."""
        if not isinstance(path, str):
            return {}, [f"The directory of the blueprint must be a path, and is {type_name(path)}."]
        # An empty path would mean the working directory, and it is often a variable that has no value.
        if not os.path.expandvars(path).strip() or "\0" in path:
            return {}, [f"The directory of the blueprint must be a path, and is {printable(repr(str(path)))}."]
        problems: list[str] = []
        try:
            blueprint = gather(Path(unfrackpath(path)), self._load, self._evaluate)
        except DirectoryError as error:
            problems += map(printable, error.problems)
            blueprint = error.readable
        try:
            read_entries(_plain(blueprint), {"team": DEFAULT_TEAM})
        except BlueprintError as error:
            problems += map(printable, error.problems)
        return blueprint, without_vaulted(problems, vaulted_texts(blueprint))

    def _load(self, file: Path) -> tuple[Any, Any]:
        """The content of a file, decrypted if it is vaulted, and its node."""
        with _named_problems():
            if os.path.expandvars(file) != str(file):  # as core would do, and show its value
                raise FileProblem("its name contains a variable of the environment. Rename it, without the $.")
            data, may_be_shown = self._loader._get_file_contents(str(file))
            text = data.decode("utf-8")
            node = nodes_of(text, None if self._has_templates else DATA_TAGS)
            text = as_trusted(text) if self._has_templates else text
            return self._loader.load(text, file_name=str(file), show_content=may_be_shown), node

    def _evaluate(self, value: Any) -> Any:
        with _named_problems():
            value = value if self._has_templates else as_it_is(_with_texts(value))
            evaluated = _with_texts(self._templar.template(value))
            omit = self._templar.available_variables.get("omit")
            # Since ansible-core 2.19, the templar itself omits it.
            return _without(omit, evaluated) if isinstance(omit, str) else evaluated

    @property
    def _has_templates(self) -> bool:
        return bool(self.get_option("templates"))  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def _named_problems() -> Iterator[None]:
    """Convert any reader's error to FileProblem, so that the user learns where it is."""
    try:
        yield
    except FileProblem:
        raise
    except UnicodeDecodeError as error:
        raise FileProblem(f"it is not valid UTF-8, at byte {error.start + 1}.") from None
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


def _plain(value: Any) -> Any:
    """The value without the tags of ansible-core 2.19 and later, which make copying it slow."""
    if isinstance(value, dict):
        return {_plain(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return list(map(_plain, value))
    return str.__str__(value) if isinstance(value, str) else value


def _with_texts(value: Any) -> Any:
    """The value with its vaulted texts as strings, which before ansible-core 2.19 they are not."""
    return replaced(value, lambda part: str(part) if getattr(part, "__ENCRYPTED__", False) else part)
