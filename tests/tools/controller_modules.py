# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/controller_modules.yml: the options of awx.awx's modules, from an `ansible` package that still has them.

It downloads 50 MB, so run it only when the example uses another module, with the development environment's Python.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import yaml
from environments import ROOT

PACKAGE = "ansible==12.3.0"
COLLECTION = "ansible_collections/awx/awx"
EXAMPLE = ROOT / "docs/controller"
TABLE = ROOT / "tests/controller_modules.yml"
KEPT = ("type", "elements", "required", "choices", "default", "aliases")


def main() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in [EXAMPLE / "setup.yml", *EXAMPLE.glob("tasks/*.yml")])
    modules = sorted(set(re.findall(r"^ *action: \"{{ controller }}\.(\w+)\"$", text, re.MULTILINE)))
    with tempfile.TemporaryDirectory() as folder:
        download = ["pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder, PACKAGE]
        subprocess.run([sys.executable, "-m", *download], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with ZipFile(wheel) as files:
            version = json.loads(files.read(f"{COLLECTION}/MANIFEST.json"))["collection_info"]["version"]
            options = {name: _options(files, name) for name in modules}
    table = {"collection": f"awx.awx {version}, from {PACKAGE}", "modules": options}
    written = yaml.safe_dump(table, sort_keys=False, width=120, default_flow_style=None)
    TABLE.write_text(f"---\n# Written by tests/tools/controller_modules.py.\n{written}", encoding="utf-8")


def _options(files: ZipFile, module: str) -> dict[str, Any]:
    documented = yaml.safe_load(_documentation(files, f"modules/{module}"))
    options = documented["options"]
    fragments = documented.get("extends_documentation_fragment", [])
    for fragment in [fragments] if isinstance(fragments, str) else fragments:
        shared = _documentation(files, f"doc_fragments/{fragment.removeprefix('awx.awx.')}")
        options |= yaml.safe_load(shared)["options"]
    return {name: {key: option[key] for key in KEPT if key in option} for name, option in sorted(options.items())}


def _documentation(files: ZipFile, plugin: str) -> str:
    source = files.read(f"{COLLECTION}/plugins/{plugin}.py").decode()
    found = re.search(r"DOCUMENTATION = r?(\"\"\"|''')(.*?)\1", source, re.DOTALL)
    assert found, f"{plugin} has no documentation"
    return found[2]


if __name__ == "__main__":
    main()
