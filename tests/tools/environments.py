# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Virtual environments and the collection tree, built under .cache when they are first needed."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interpreters import development_python, python_for

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
EMULATOR = ROOT / "emulator"
REQUIREMENTS = ROOT / "tests" / "requirements"


def development_environment() -> Path:
    """The bin folder with the linters, pytest and the emulator."""
    return _environment("dev", development_python(), with_emulator=True)


def ansible_environment(core: str) -> Path:
    """The bin folder with one ansible-core and what the collection needs."""
    return _environment(f"core-{core}", python_for(core))


def collection_tree() -> Path:
    """A folder for ANSIBLE_COLLECTIONS_PATH and PYTHONPATH, whose collection is this checkout, entry by entry."""
    tree = CACHE / "tree"
    collection = tree / "ansible_collections" / "hosting" / "platform"
    with _locked("tree"):
        collection.mkdir(parents=True, exist_ok=True)
        # A link to the whole checkout would hold this tree, which would hold the link: whatever follows links never ends.
        wanted = {entry.name for entry in ROOT.iterdir() if not entry.name.startswith(".")}
        for link in collection.iterdir():
            if link.name not in wanted:
                link.unlink()
        for name in wanted - {link.name for link in collection.iterdir()}:
            (collection / name).symlink_to(ROOT / name)
    return tree


def with_collection(**more: str) -> dict[str, str]:
    """The environment variables under which Ansible and Python find the collection of this checkout."""
    tree = str(collection_tree())
    return {**os.environ, "ANSIBLE_COLLECTIONS_PATH": tree, "PYTHONPATH": tree, **more}


def _environment(name: str, python: Path, *, with_emulator: bool = False) -> Path:
    folder = CACHE / "venv" / name
    pins = REQUIREMENTS / f"{name}.txt"
    with_emulator = with_emulator and EMULATOR.is_dir()
    sources = [pins, EMULATOR / "pyproject.toml"] if with_emulator else [pins]
    built_from = hashlib.sha256(b"\0".join([str(python).encode(), *(source.read_bytes() for source in sources)])).hexdigest()
    stamp = folder / "built-from"
    with _locked(name):
        if not stamp.is_file() or stamp.read_text() != built_from:
            print(f"Installing {folder.relative_to(ROOT)} ({python}) ...", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([python, "-m", "venv", folder], check=True)
            install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--quiet"]
            subprocess.run([*install, "--requirement", pins], check=True)
            if with_emulator:
                subprocess.run([*install, "--no-deps", "--editable", EMULATOR], check=True)
            stamp.write_text(built_from)
    return folder / "bin"


@contextmanager
def _locked(name: str) -> Iterator[None]:
    """Tests run side by side: one of them builds, the others wait."""
    locks = CACHE / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
