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
import tempfile
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from interpreters import chosen_core, development_python, interpreters, newest_core, python_for, python_version_for

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
EMULATOR = ROOT / "emulator"
CANARY = CACHE / "venv" / "canary"
REQUIREMENTS = ROOT / "tests" / "requirements"
PACKAGED = (".py", ".html", ".yaml")
COLLECTION = Path("ansible_collections/hosting/platform")


def development_environment() -> Path:
    """The bin folder with the linters, pytest and the emulator."""
    return _environment("dev", development_python(), with_emulator=True)


def demo_environment() -> Path:
    """The bin folder with Ansible and the emulator, and nothing else."""
    return _environment("demo", development_python(), with_emulator=True)


def molecule_environment() -> Path:
    """The bin folder with Molecule, pytest, Ansible and the emulator's wheel, as users install it."""
    return _environment("molecule", development_python(), with_emulator=True, as_wheel=True)


def ansible_environment(core: str, python_version: str = "") -> Path:
    """The bin folder with one ansible-core, such as 2.16, and what the collection needs; on its preferred Python.

    ``make canary`` has all tests play with what it has installed.
    """
    if os.environ.get("CANARY"):
        return CANARY / "bin"
    if python_version in ("", python_version_for(core)):
        return _environment(f"core-{core}", python_for(core))
    return _environment(f"core-{core}-python-{python_version}", interpreters()[python_version], pins=f"core-{core}")


def chosen_ansible_environment() -> Path:
    """The one that playbooks are tested with: of $CORE on $CORE_PYTHON."""
    return ansible_environment(chosen_core(), os.environ.get("CORE_PYTHON", ""))


def peer_environment() -> Path:
    """The bin folder with all of Ansible, which brings the collection that the bench compares with."""
    return _environment("peer", python_for(newest_core()))


def oldest_libraries() -> Path:
    """A folder for PYTHONPATH with the oldest requests and urllib3 that will do: distributions still have them."""
    installed = _environment("oldest", development_python()).parent
    return next(installed.glob("lib/python*/site-packages"))


def pins_environment() -> Path:
    """The bin folder with the tool that pins requirements."""
    return _environment("pins", development_python())


def collection_tree() -> Path:
    """A folder for ANSIBLE_COLLECTIONS_PATH and PYTHONPATH, whose collection is this checkout, entry by entry."""
    tree = CACHE / "tree"
    collection = tree / COLLECTION
    with _locked("tree"):
        collection.mkdir(parents=True, exist_ok=True)
        # A link to the whole checkout would contain itself, by way of .cache: whatever follows links would never end.
        wanted = {entry.name for entry in ROOT.iterdir() if not entry.name.startswith(".")}
        linked = {link.name for link in collection.iterdir()}
        for name in linked - wanted:
            (collection / name).unlink()
        for name in wanted - linked:
            (collection / name).symlink_to(ROOT / name)
    return tree


def variables(bin_folder: Path, collections: Path | None = None, **more: str) -> dict[str, str]:
    """Environment variables under which commands come from that folder and the collection from this checkout."""
    path = str(collections or collection_tree())
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(bin_folder), *os.get_exec_path()]),
        "PYTHONPATH": path,
        "ANSIBLE_COLLECTIONS_PATH": path,
        "ANSIBLE_HOME": str(CACHE / "ansible"),
        **more,
    }


def copy_of_checkout(name: str, *, without: Container[str] = ()) -> Path:
    """A collection folder with a copy of every file that git tracks or would track, less some top-level entries.

    It lies below .cache, or in the folder whose path ``name`` is.
    """
    collection = CACHE / name / COLLECTION
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    files = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    shutil.rmtree(collection, ignore_errors=True)
    for file in map(Path, filter(None, files)):
        # A file that was deleted but not yet committed is still listed.
        if file.parts[0] not in without and (ROOT / file).exists():
            (collection / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, collection / file)
    # Many tools ask git for the files, and this repository, which holds the copy, ignores it: they would check nothing.
    subprocess.run(["git", "init", "--quiet"], cwd=collection, check=True)
    return collection


def _environment(
    name: str, python: Path, *, with_emulator: bool = False, as_wheel: bool = False, pins: str = ""
) -> Path:
    folder = CACHE / "venv" / name
    requirements = REQUIREMENTS / f"{pins or name}.txt"
    sources = [requirements.read_bytes(), os.fsencode(python), os.fsencode(ROOT)]
    if with_emulator:
        sources.append((EMULATOR / "pyproject.toml").read_bytes())
    if as_wheel:
        sources += [file.read_bytes() for file in sorted(EMULATOR.glob("src/*/**/*")) if file.suffix in PACKAGED]
    built_from = hashlib.sha256(b"\0".join(sources)).hexdigest()
    stamp = folder / "built-from"
    with _locked(name):
        if not stamp.is_file() or stamp.read_text() != built_from:
            print(f"Installing {folder.relative_to(ROOT)} with {python} ...", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([python, "-m", "venv", folder], check=True)
            _pip_install(folder, "--requirement", requirements)
            if as_wheel:
                _install_wheel(folder)
            elif with_emulator:
                _pip_install(folder, "--no-deps", "--editable", EMULATOR)
            stamp.write_text(built_from)
    return folder / "bin"


def _install_wheel(folder: Path) -> None:
    """Build the emulator's wheel and install it. What an earlier build left in the checkout would get into it."""
    with tempfile.TemporaryDirectory() as name:
        source = shutil.copytree(EMULATOR, Path(name, "source"), ignore=shutil.ignore_patterns("build", "*.egg-info"))
        pip = str(folder / "bin" / "pip")
        subprocess.run([pip, "wheel", "--quiet", "--quiet", "--no-deps", "--wheel-dir", name, source], check=True)
        (wheel,) = Path(name).glob("*.whl")
        _pip_install(folder, "--no-deps", wheel)


def _pip_install(folder: Path, *arguments: str | Path) -> None:
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--quiet", *arguments], check=True)


@contextmanager
def _locked(name: str) -> Iterator[None]:
    """Tests run side by side: one of them builds, the others wait."""
    locks = CACHE / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
