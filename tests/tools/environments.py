# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The environments of commands, and the collection as a tree or a copy for them."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from interpreters import chosen_core

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
ENVIRONMENTS = CACHE / "nox"
EMULATOR = ROOT / "emulator"
REQUIREMENTS = ROOT / "tests" / "requirements"
COLLECTION = Path("ansible_collections/hosting/platform")


def development_environment() -> Path:
    """The bin folder of the running Python, with pytest, the emulator, and the tools that tests
    use.
    """
    return Path(sys.executable).parent


def chosen_ansible_environment() -> Path:
    """The bin folder of that core: $ANSIBLE_BIN, or where nox has installed it."""
    folder = Path(os.environ.get("ANSIBLE_BIN") or ENVIRONMENTS / f"core-{chosen_core()}" / "bin")
    if not (folder / "ansible-playbook").exists():
        raise FileNotFoundError(
            f"There is no ansible-core {chosen_core()} yet: make integration installs it."
        )
    return folder


def collection_tree() -> Path:
    """A folder for ANSIBLE_COLLECTIONS_PATH and PYTHONPATH, whose collection is this checkout,
    entry by entry.
    """
    tree = CACHE / "tree"
    collection = tree / COLLECTION
    with locked("tree"):
        collection.mkdir(parents=True, exist_ok=True)
        # A link to the whole checkout would contain itself, through .cache, so following links
        # would never end.
        wanted = {entry.name for entry in ROOT.iterdir() if not entry.name.startswith(".")}
        linked = {link.name for link in collection.iterdir()}
        for name in linked ^ wanted:
            (collection / name).unlink() if name in linked else (collection / name).symlink_to(
                ROOT / name
            )
    return tree


def collection_variables(collections: Path | None = None) -> dict[str, str]:
    """Environment variables under which the collection comes from this checkout, or from another
    folder.
    """
    path = str(collections or collection_tree())
    return {
        "PYTHONPATH": path,
        "ANSIBLE_COLLECTIONS_PATH": path,
        "ANSIBLE_HOME": str(CACHE / "ansible"),
    }


def variables(bin_folder: Path, collections: Path | None = None, **more: str) -> dict[str, str]:
    """The complete environment, in which commands also come from that folder."""
    path = os.pathsep.join([str(bin_folder), *os.get_exec_path()])
    return {**os.environ, "PATH": path, **collection_variables(collections), **more}


def copy_of_checkout(name: str, *, without: Container[str] = ()) -> Path:
    """A collection folder with a copy of every file that git tracks or would track, except some
    top-level entries.

    ``name`` is relative to .cache, or an absolute path.
    """
    collection = CACHE / name / COLLECTION
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    files = subprocess.run(
        listing, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    shutil.rmtree(collection, ignore_errors=True)
    for file in map(Path, filter(None, files)):
        # A file that was deleted but not yet committed is still listed.
        if file.parts[0] not in without and (ROOT / file).exists():
            (collection / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, collection / file)
    # Many tools get the files from git, and would check nothing, as this repository ignores the
    # copy inside it.
    subprocess.run(["git", "init", "--quiet"], cwd=collection, check=True)
    return collection


@contextmanager
def locked(name: str) -> Iterator[None]:
    """A lock between parallel tests and sessions: one of them builds, the others wait."""
    locks = CACHE / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
